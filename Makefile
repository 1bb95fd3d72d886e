# holonom. `make help` lists the targets.
#
# VARIANT says how to compile; each variant has a folder of its own:
#     release  gcc                                build/lib build/bin, objects in build/release
#     asan     clang, address and undefined-behaviour sanitizers
#     tsan     thread sanitizer
#     complex  element code with complex numbers: tests derivatives by the complex step
#     fuzz     libFuzzer
# V=1 shows the commands.

VARIANT ?= release
PREFIX  ?= /usr/local
DESTDIR ?=

VERSION := $(shell sed -n 's/^.define HOL_VERSION "\(.*\)"/\1/p' include/holonom.h)
MAJOR   := $(firstword $(subst ., ,$(VERSION)))

OBJ := build/$(VARIANT)
OUT := $(if $(filter release,$(VARIANT)),build,$(OBJ))

# ---- compilers and flags ----------------------------------------------------------------------------------

COMPILER.release := gcc
COMPILER.asan    := clang
COMPILER.tsan    := clang
COMPILER.complex := gcc
COMPILER.fuzz    := clang
COMPILER := $(or $(COMPILER.$(VARIANT)),$(error VARIANT is one of: release asan tsan complex fuzz))

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
EXTRA.asan    := $(SANITIZE) -gline-tables-only
EXTRA.tsan    := -fsanitize=thread -fno-omit-frame-pointer -gline-tables-only
EXTRA.complex := -DHOL_COMPLEX
EXTRA.fuzz    := $(SANITIZE) -fsanitize=fuzzer-no-link

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wdouble-promotion -Werror
# Where make setup unpacks SUNDIALS; other systems have it among their libraries.
SUNDIALS := build/packages/libsundials-dev/usr
HEADERS  := -Iinclude -Isrc -isystem $(SUNDIALS)/include -isystem /usr/include/suitesparse
FLAGS := -std=c17 -D_POSIX_C_SOURCE=200809L -O2 -g -fno-math-errno -fPIC -fno-semantic-interposition \
         $(WARNINGS) $(EXTRA.$(VARIANT))
COMPILE = $(COMPILER) $(FLAGS) $(HEADERS) -MMD -MP $(CFLAGS)
# The public headers make their names visible. Tests keep theirs, malloc among them.
$(OBJ)/src/%.o: FLAGS += -fvisibility=hidden
# Vectors of 2 to 6 numbers there: a pair loaded at once waits for two stores; loops of known length are written out.
$(OBJ)/src/recursion/%.o: FLAGS += -fno-tree-vectorize -fno-tree-slp-vectorize -funroll-loops
# A dense matrix of loop rows: small sizes are constants, those that only the run knows gain nothing by it.
$(addprefix $(OBJ)/src/recursion/,delassus.o loop_solve.o loop_tree.o loop_joints.o): FLAGS += -O3 -fno-unroll-loops
# Blocks of known size and sums of vectors pay for being written out and vectorised.
$(OBJ)/src/linalg/blocks_factor.o $(OBJ)/src/integrator/rk_pairs.o: FLAGS += -O3
# Unit tests only call the library: compiled in half the time. gcc warns of what has no value at -O1 and more, clang always alike.
$(OBJ)/tests/unit/%.o: FLAGS += $(if $(filter clang,$(COMPILER)),-O0,-O1)
# Asked for only when something is linked, so that `make setup` works without pkg-config.
LIBS = -L$(SUNDIALS)/lib/$(MULTIARCH) -lsundials_cvode -lsundials_ida -lsundials_nvecserial -lsundials_sunnonlinsolfixedpoint -lklu -lamd -lcamd -lcolamd -lbtf -lsuitesparseconfig -larpack $(shell pkg-config --libs yaml-0.1 expat lapacke openblas netcdf assimp matio) -lz -lm -ldl -pthread
# Of the core library: static libraries, LAPACK and BLAS the reference ones. Debian has them where update-alternatives does not reach.
MULTIARCH      = $(shell $(COMPILER) -print-multiarch)
REFERENCE_BLAS = /usr/lib/$(MULTIARCH)/liblapack_pic.a /usr/lib/$(MULTIARCH)/blas/libblas.a
CORE_ARCHIVES  = -L$(SUNDIALS)/lib/$(MULTIARCH) $(patsubst %,-l:lib%.a,sundials_cvode sundials_ida sundials_nvecserial \
                 sundials_sunnonlinsolfixedpoint klu btf amd suitesparseconfig yaml expat z lapacke) $(REFERENCE_BLAS)
CAMD_ARCHIVE   = /usr/lib/$(MULTIARCH)/libcamd.a

# ---- sources ----------------------------------------------------------------------------------------------

COMPLEX_SOURCES := $(wildcard src/base/*.c src/expr/*.c src/text/*.c src/element/*.c src/model/*.c src/linalg/dense.c src/linalg/blas.c)
# X_core.c takes the place of X.c in the core library.
TWINS           := $(wildcard src/*/*_core.c)
LIBRARY_SOURCES := $(if $(filter complex,$(VARIANT)),$(COMPLEX_SOURCES),\
                     $(filter-out src/cli/% src/fmu/% $(TWINS),$(wildcard src/*/*.c)))
CORE_SOURCES    := $(filter-out $(TWINS:_core.c=.c),$(LIBRARY_SOURCES)) $(TWINS)
PROGRAM_SOURCES := $(wildcard src/cli/*.c)
FMU_SOURCES     := $(wildcard src/fmu/*.c)
UNIT_SOURCES    := $(wildcard tests/unit/$(if $(filter complex,$(VARIANT)),complex,test)_*.c)
HARNESS_SOURCES := $(wildcard tests/unit/harness*.c)
FUZZ_SOURCES    := $(wildcard tests/fuzz/fuzz_*.c)
EXAMPLE_SOURCES := $(wildcard examples/*.c)
BENCH_SOURCES   := $(wildcard bench/*.c)
MODELS          := $(wildcard models/*)

Q   := $(if $(V),,@)
say = @echo '  $(1) $@'
objects = $(patsubst %.c,$(OBJ)/%.o,$(1))

STATIC   := $(OUT)/lib/libholonom.a
SHARED   := $(OUT)/lib/libholonom.so.$(VERSION)
LINKS    := $(OUT)/lib/libholonom.so.$(MAJOR) $(OUT)/lib/libholonom.so
CORE_STATIC := $(OUT)/lib/libholonom-core.a
CORE_SHARED := $(OUT)/lib/libholonom-core.so.$(VERSION)
CORE_LINKS  := $(OUT)/lib/libholonom-core.so.$(MAJOR) $(OUT)/lib/libholonom-core.so
FMU      := $(OUT)/lib/holonom-fmu.so $(OUT)/lib/holonom-fmu.txt
PROGRAM  := $(if $(wildcard src/cli/main.c),$(OUT)/bin/holonom)
UNITS    := $(patsubst %.c,$(OBJ)/%,$(UNIT_SOURCES))
FUZZERS  := $(patsubst %.c,$(OBJ)/%,$(FUZZ_SOURCES))
EXAMPLES := $(patsubst %.c,$(OUT)/%,$(EXAMPLE_SOURCES))
# User code: one shared object of each file, in the examples and for tests of faults.
USER_CODE := $(addprefix $(OUT)/examples/,tyre.so controller.so)
# Interposes malloc, which the sanitizers do too.
COUNTERS := $(if $(filter release,$(VARIANT)),$(OBJ)/tests/counters/counters)
USER_TESTS := $(if $(filter complex,$(VARIANT)),,$(USER_CODE) \
                $(patsubst %.c,$(OBJ)/%.so,$(wildcard tests/user_code/*.c)))
TREE_JSON := $(if $(filter complex,$(VARIANT)),,$(addprefix $(OBJ)/tests/schema/,tree_json grammar_cases) $(OBJ)/tests/certify/threads)

# ---- building ---------------------------------------------------------------------------------------------

.PHONY: all core twins unit fuzzers examples
all: $(STATIC) $(SHARED) $(LINKS) $(PROGRAM) $(if $(filter release,$(VARIANT)),core)
core: $(CORE_STATIC) $(CORE_SHARED) $(CORE_LINKS) $(FMU)
twins: $(call objects,$(TWINS) $(FMU_SOURCES))
unit: $(UNITS) $(TREE_JSON) $(COUNTERS) $(USER_TESTS)
fuzzers: $(FUZZERS)
examples: $(EXAMPLES) $(USER_CODE)

.PHONY: needed
needed:
	@test -d $(SUNDIALS) || echo '#include <cvode/cvode.h>' | $(COMPILER) -E - > /dev/null 2>&1 || \
	    { echo 'SUNDIALS is not here: "make setup" installs and unpacks what a build needs' >&2; exit 1; }

$(OBJ)/%.o: %.c Makefile | needed
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(COMPILE) -c $< -o $@

# The report page, one HTML file, which the library holds. It is kept in the repository as it is built, so that only who changes it
# needs node and npm; make check builds it anew and compares. What npm fetches is fixed by package-lock.json.
PAGE    := viewer/report.html
FETCHED := viewer/node_modules/fetched.stamp
$(OBJ)/src/io/report_page.o: $(PAGE)
.PHONY: page
page: build/viewer/report.html
	@cmp -s $< $(PAGE) || cp $< $(PAGE)
build/viewer/report.html: $(wildcard viewer/src/*) viewer/build.mjs viewer/page.html viewer/style.css $(FETCHED)
	@mkdir -p $(@D)
	$(call say,page)
	$(Q)node viewer/build.mjs $@.new > build/viewer/log || { cat build/viewer/log; exit 1; }
	@mv $@.new $@
$(FETCHED): viewer/package.json viewer/package-lock.json
	$(call say,npm)
	$(Q)cd viewer && npm ci --no-audit --no-fund --loglevel=error > ../build/npm.log 2>&1 || \
	  { cat ../build/npm.log >&2; echo 'make: npm could not fetch what the report page is made of (viewer/package-lock.json)' >&2; exit 1; }
	@touch $@

$(STATIC): $(call objects,$(LIBRARY_SOURCES))
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,ar)
	$(Q)ar rcs $@ $^

$(SHARED): $(call objects,$(LIBRARY_SOURCES))
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILE) -shared -Wl,-soname,libholonom.so.$(MAJOR) -Wl,--exclude-libs,ALL $^ $(LIBS) -o $@

$(LINKS): $(SHARED)
	@ln -sf $(<F) $@

# The core library needs the C library alone: one object of its sources and of static libraries, in which only the names of the headers
# are to be seen. Without debug information, which the other library has.
CORE := $(OBJ)/core
$(CORE)/libcamd.a: Makefile
	@mkdir -p $(@D)
	$(call say,objcopy)
	$(Q)objcopy --redefine-sym stdout=hol_core_stdout --redefine-sym fflush=hol_core_fflush $(CAMD_ARCHIVE) $@

$(CORE)/whole.o: $(call objects,$(CORE_SOURCES)) $(CORE)/libcamd.a
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILE) -r -nostdlib $^ $(CORE_ARCHIVES) -lgcc -o $@

# Names with default visibility: those that the headers declare.
$(CORE)/names: $(call objects,$(CORE_SOURCES))
	@mkdir -p $(@D)
	$(Q)readelf -sW $^ | awk '$$5 == "GLOBAL" && $$6 == "DEFAULT" && $$7 != "UND" { print $$8 }' > $@

$(CORE)/holonom.o: $(CORE)/whole.o $(CORE)/names
	$(call say,objcopy)
	$(Q)objcopy --strip-debug --keep-global-symbols=$(CORE)/names $< $@

$(CORE_STATIC): $(CORE)/holonom.o
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,ar)
	$(Q)ar rcs $@ $^

$(CORE_SHARED): $(CORE)/holonom.o
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILE) -shared -Wl,-soname,libholonom-core.so.$(MAJOR) -Wl,-z,defs $^ -lm -ldl -pthread -o $@

$(CORE_LINKS): $(CORE_SHARED)
	@ln -sf $(<F) $@

# What is in every FMU: the core library behind the functions of FMI, which alone are exported; and what goes along with it.
$(CORE)/fmu.map: Makefile
	@mkdir -p $(@D)
	@echo '{ global: fmi2*; fmi3*; local: *; };' > $@
$(OUT)/lib/holonom-fmu.so: $(call objects,$(FMU_SOURCES)) $(CORE)/whole.o $(CORE)/fmu.map
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILE) -shared -Wl,-s -Wl,-z,defs -Wl,--gc-sections -Wl,--version-script,$(CORE)/fmu.map $(filter %.o,$^) -lm -ldl -pthread -o $@
$(OUT)/lib/holonom-fmu.txt: LICENSE THIRD-PARTY.md $(wildcard licences/*)
	@mkdir -p $(@D)
	@for file in $^; do echo "==== $$file ===="; cat $$file; done > $@

$(OUT)/bin/holonom: $(call objects,$(PROGRAM_SOURCES)) $(STATIC)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILE) $^ $(LIBS) -o $@

# What unit tests share; an archive, so that each takes what it uses.
HARNESS := $(OBJ)/tests/unit/harness.a
$(HARNESS): $(call objects,$(HARNESS_SOURCES))
	@rm -f $@
	$(call say,ar)
	$(Q)ar rcs $@ $^

# Tests reach into the library, so they link the static one, a hundred times: lld takes a quarter of the time for it. only.o: one test of a program
# by its name.
$(OBJ)/tests/unit/%: $(OBJ)/tests/unit/%.o $(OBJ)/tests/unit/only.o $(HARNESS) $(STATIC)
	$(call say,ld)
	$(Q)$(COMPILE) -fuse-ld=lld $^ $(LIBS) -lcmocka -o $@

# The same with what the core library is made of.
$(OBJ)/tests/core/%: $(OBJ)/tests/unit/%.o $(OBJ)/tests/unit/only.o $(HARNESS) $(CORE)/parts.a $(CORE)/libcamd.a
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILE) -Wl,--start-group $^ $(CORE_ARCHIVES) -Wl,--end-group -lcmocka -lm -ldl -pthread -o $@
$(CORE)/parts.a: $(call objects,$(CORE_SOURCES))
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,ar)
	$(Q)ar rcsT $@ $^

$(OBJ)/tests/schema/%: $(OBJ)/tests/schema/%.o $(STATIC)
	$(call say,ld)
	$(Q)$(COMPILE) $^ $(LIBS) -o $@

$(OBJ)/tests/certify/%: $(OBJ)/tests/certify/%.o $(STATIC)
	$(call say,ld)
	$(Q)$(COMPILE) $^ $(LIBS) -o $@

$(OBJ)/tests/counters/%: $(OBJ)/tests/counters/%.o $(STATIC)
	$(call say,ld)
	$(Q)$(COMPILE) $^ $(LIBS) -o $@

# Under libFuzzer it is the driver; everywhere else a fuzz target replays its corpus.
DRIVER := $(if $(filter fuzz,$(VARIANT)),,$(OBJ)/tests/fuzz/replay.o)
$(OBJ)/tests/fuzz/fuzz_%: $(OBJ)/tests/fuzz/fuzz_%.o $(DRIVER) $(STATIC)
	$(call say,ld)
	$(Q)$(COMPILE) $(if $(DRIVER),,-fsanitize=fuzzer) $^ $(LIBS) -o $@

# Examples see what a user sees: the public headers and the shared library.
$(OUT)/examples/%: examples/%.c $(LINKS) $(wildcard include/*.h) Makefile
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILER) $(FLAGS) -Iinclude $< -L$(OUT)/lib -Wl,-rpath,'$$ORIGIN/../lib' -lholonom -lm -o $@

# As their authors make them, without the library.
define user_code
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILER) $(FLAGS) -Iinclude -shared $< -lm -o $@
endef
$(OUT)/examples/%.so: examples/%.c include/holonom_user.h Makefile
	$(user_code)
$(OBJ)/tests/user_code/%.so: tests/user_code/%.c include/holonom_user.h Makefile
	$(user_code)
# The same as C++; clang, because gcc has no C++ without g++.
$(OBJ)/tests/user_code/plusplus.so: tests/user_code/plusplus.c include/holonom_user.h Makefile
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)clang -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fPIC -fvisibility=hidden -Iinclude -shared $< -o $@

$(OUT)/bin/bench: $(call objects,$(BENCH_SOURCES)) $(STATIC)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILE) $^ $(LIBS) -o $@

# Programs that are compared with others; of the others those that are installed.
PEERS := holonom arkode cvode ida $(if $(wildcard /usr/include/mujoco/mujoco.h),mujoco) \
         $(if $(wildcard /usr/include/simbody/Simbody.h),simbody) $(if $(wildcard /usr/include/ode/ode.h),ode) \
         $(if $(wildcard /usr/include/bullet/btBulletDynamicsCommon.h),bullet)
PEER_HEADERS := $(wildcard bench/peers/*.h) Makefile
SUNDIALS_OF = -lsundials_$(1) -lsundials_nvecserial -lsundials_sunlinsolklu -lsundials_sunmatrixsparse -lklu
peers: $(PEERS:%=build/peers/%)
build/peers/holonom: bench/peers/holonom.c $(STATIC) $(PEER_HEADERS)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILER) $(FLAGS) $(HEADERS) $< $(STATIC) $(LIBS) -o $@
build/peers/%: bench/peers/%.c $(PEER_HEADERS)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(COMPILER) $(FLAGS) -isystem /usr/include/suitesparse $< $(if $(filter mujoco,$*),-lmujoco,$(call SUNDIALS_OF,$*)) -lm -o $@
build/peers/%: bench/peers/%.cpp $(PEER_HEADERS)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)g++ -std=c++17 -O2 -g -Wall -Wextra -Wshadow -Werror -isystem /usr/include/simbody -isystem /usr/include/bullet $(if $(filter ode,$*),$(shell pkg-config --cflags ode)) $< $(shell pkg-config --libs $*) -o $@

.SECONDARY: # keep the objects of tests
-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)

# ---- testing ----------------------------------------------------------------------------------------------

.PHONY: setup setup-check check check-long bugs mutate format counters demo results papers analyses contacts defaults accuracy gallery bench help clean
# What building and drawing need; what the tests need besides.
setup: build/setup.stamp
setup-check: build/setup-check.stamp $(FETCHED)
build/setup.stamp: packages.txt tools/setup.sh
	@sh tools/setup.sh packages.txt
	@mkdir -p build && touch $@
build/setup-check.stamp: packages.txt tests/packages.txt tools/setup.sh
	@sh tools/setup.sh packages.txt tests/packages.txt
	@mkdir -p build && touch build/setup.stamp $@
$(FETCHED): | build/setup-check.stamp

check: setup-check
	@python3 tests/run.py

check-long: setup-check
	@python3 tests/run.py --long $(if $(AGAIN),--again)

mutate: setup-check
	@python3 tools/mutate.py

# tests/bugs. BUGS="AREA BUG": only these
bugs: setup-check
	@python3 tools/bugs.py $(BUGS)

format:
	clang-format -i $(wildcard include/*.h src/*/*.[ch] tests/*/*.[ch] examples/*.[ch] bench/*.[ch] bench/peers/*.[ch] bench/peers/*.cpp)

.PHONY: reference
reference: $(PROGRAM)
	$(Q)$(PROGRAM) elements --markdown > docs/model-reference.md
	$(Q)$(PROGRAM) methods --markdown >> docs/model-reference.md
	$(Q)python3 tools/library.py

# tests/counters/expected.txt, after a change of the work that is meant
counters: setup-check unit
	@$(COUNTERS) > tests/counters/expected.new && mv tests/counters/expected.new tests/counters/expected.txt
	@git diff --stat -- tests/counters/expected.txt 2> /dev/null || true

demo: setup all
	@sh tools/demo.sh

papers: setup-check all
	@python3 tools/papers

# Analyses beside their references
analyses: setup-check all
	@python3 tools/analyses

contacts: setup-check all
	@python3 tools/contacts $(if $(TABLES),--write docs/contacts.md)

# docs/results.md with its figures, docs/results-tables.md
results: setup-check all
	@python3 tools/results
	@python3 tools/user_models.py

# docs/defaults.md and tests/reference/defaults: errors of all models with all defaults
defaults: setup-check all
	@python3 tests/defaults_test.py --write

# docs/accuracy.md: errors of all methods against the tolerance; minutes
accuracy: setup-check all
	@python3 tools/accuracy.py --write docs/accuracy.md

# build/gallery/index.html: reports of all models; docs/gallery.md with its pictures
gallery: setup-check all
	@node tools/gallery/gallery.mjs

bench: setup $(OUT)/bin/bench
	@$(OUT)/bin/bench

# holonom beside other programs, bench/peers/README.md. PROBLEMS="P1 P3": only these
.PHONY: bench-peers bench-peers-install peers
bench-peers: setup bench-peers-install
	@$(MAKE) --no-print-directory peers
	@python3 bench/peers/run.py $(PROBLEMS)

bench-peers-install:
	@sh tools/setup.sh bench/peers/packages.txt

# ---- Python ------------------------------------------------------------------------------------------------

# The package holonom: sdist and wheel with the library in it, installed without network into an environment of its own, and its
# tests; docs/python.md. The interpreter is Debian's, which sees Debian's numpy and cffi.
PYTHON         ?= /usr/bin/python3
PYTHON_LIBRARY ?= $(CORE_SHARED)
PYTHON_HEADERS := include/holonom.h $(wildcard include/holonom_draft.h include/holonom_equations.h include/holonom_compare.h include/holonom_analyses.h)
PYTHON_SOURCES := $(wildcard python/*.* python/holonom/*) python/tools/make_cdef.py
WHEEL := build/python/wheel.stamp
INSTALLED := build/python/installed.stamp
PYTHON_HERE := build/python/venv/bin/python

.PHONY: python python-reference wheel FORCE
wheel: build/setup-check.stamp $(WHEEL)
# Which library is in the wheel: another one makes another wheel.
build/python-library.stamp: FORCE
	@mkdir -p build
	@echo '$(PYTHON_LIBRARY)' | cmp -s - $@ || echo '$(PYTHON_LIBRARY)' > $@
$(WHEEL): build/python-library.stamp $(PYTHON_SOURCES) $(PYTHON_HEADERS) $(PYTHON_LIBRARY) LICENSE THIRD-PARTY.md $(wildcard licences/*)
	$(call say,wheel)
	@rm -rf build/python && mkdir -p build/python/source/holonom/_lib
	@cp $(filter python/holonom/%,$(PYTHON_SOURCES)) build/python/source/holonom
	@cp -r LICENSE THIRD-PARTY.md licences python/MANIFEST.in python/setup.py python/README.md build/python/source
	@$(fill) python/pyproject.toml > build/python/source/pyproject.toml
	@$(fill) python/holonom/__init__.py > build/python/source/holonom/__init__.py
	@strip --strip-unneeded -o build/python/source/holonom/_lib/libholonom.so $(PYTHON_LIBRARY)
	$(Q)$(PYTHON) python/tools/make_cdef.py build/python/source/holonom/_cffi.py $(PYTHON_HEADERS)
	$(Q)cd build/python/source && $(PYTHON) -c "import setuptools.build_meta as b; b.build_sdist('..'); b.build_wheel('..')" \
	  > ../log 2>&1 || { cat ../log; exit 1; }
	@touch $@

$(INSTALLED): $(WHEEL)
	$(call say,venv)
	$(Q)$(PYTHON) -m venv --system-site-packages build/python/venv
	$(Q)$(PYTHON_HERE) -m pip -q install --no-index --no-deps --no-build-isolation build/python/*.whl
	@touch $@

python: build/setup-check.stamp $(INSTALLED)
	$(Q)$(PYTHON_HERE) -m pytest -q -p no:cacheprovider --junitxml=build/python/tests.xml python/tests
python-reference: build/setup-check.stamp $(INSTALLED)
	$(Q)$(PYTHON_HERE) python/tools/reference.py --write docs/python.md

clean:
	rm -rf build

# ---- installing -------------------------------------------------------------------------------------------

LIBDIR   := $(DESTDIR)$(PREFIX)/lib
SHAREDIR := $(DESTDIR)$(PREFIX)/share
fill = sed -e 's,@VERSION@,$(VERSION),g' -e 's,@MAJOR@,$(MAJOR),g'

.PHONY: install
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(LIBDIR)/pkgconfig $(LIBDIR)/cmake/holonom
	install -d $(SHAREDIR)/man/man1 $(SHAREDIR)/holonom/models $(SHAREDIR)/doc/holonom
	$(if $(PROGRAM),install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin)
	install -m 644 $(wildcard include/*.h) $(DESTDIR)$(PREFIX)/include
	install -m 644 $(STATIC) $(SHARED) $(LIBDIR)
	ln -sf $(notdir $(SHARED)) $(LIBDIR)/libholonom.so.$(MAJOR)
	ln -sf $(notdir $(SHARED)) $(LIBDIR)/libholonom.so
	install -m 644 $(CORE_STATIC) $(CORE_SHARED) $(FMU) $(LIBDIR)
	ln -sf $(notdir $(CORE_SHARED)) $(LIBDIR)/libholonom-core.so.$(MAJOR)
	ln -sf $(notdir $(CORE_SHARED)) $(LIBDIR)/libholonom-core.so
	$(fill) tools/holonom.pc.in > $(LIBDIR)/pkgconfig/holonom.pc
	$(fill) tools/holonom-core.pc.in > $(LIBDIR)/pkgconfig/holonom-core.pc
	$(fill) tools/holonomConfig.cmake.in > $(LIBDIR)/cmake/holonom/holonomConfig.cmake
	$(fill) tools/holonomConfigVersion.cmake.in > $(LIBDIR)/cmake/holonom/holonomConfigVersion.cmake
	install -m 644 docs/holonom.1 $(SHAREDIR)/man/man1
	install -m 644 LICENSE THIRD-PARTY.md licences/* $(SHAREDIR)/doc/holonom
	$(if $(MODELS),cp -r $(MODELS) $(SHAREDIR)/holonom/models)

help:
	@echo 'make              library (build/lib) and program (build/bin/holonom)'
	@echo 'make core         build/lib/libholonom-core: what programs embed (docs/embedding.md), a part of `make`'
	@echo 'make setup        install the Debian packages that building and drawing need (packages.txt)'
	@echo 'make setup-check  and those of the tests (tests/packages.txt); make check does it by itself'
	@echo 'make page         viewer/report.html, the report page, from its sources'
	@echo 'make check        all tests; the last line counts them'
	@echo 'make check-long   the same with larger batteries, 100 killed runs, 1000 random models, deliberate bugs, some mutants, a million damaged checkpoints, models of 100 000 bodies, and every fuzzer for five minutes; what has passed on the commit is not run again without AGAIN=1'
	@echo 'make bugs         plants deliberate bugs, one at a time, and expects two tests to see each; BUGS="checkpoint kph"'
	@echo 'make mutate       turns every sign of the element code and expects a test to notice'
	@echo 'make counters     tests/counters/expected.txt: the work of each problem, which make check compares'
	@echo 'make demo         a tour of the program'
	@echo 'make defaults     errors of all models with all defaults: docs/defaults.md'
	@echo 'make accuracy     errors of all methods against the tolerance: docs/accuracy.md'
	@echo 'make analyses     analyses beside their references: one line for each value'
	@echo 'make contacts     contacts beside their references: one line for each value; TABLES=1: docs/contacts.md anew'
	@echo 'make papers       compare with published results; exit 1 if a verdict changes or a number is a tenth worse'
	@echo 'make gallery      reports of all models, build/gallery/index.html, and docs/gallery.md'
	@echo 'make bench        timings; HOLONOM_BENCH_LARGE=1: ladders and nets of 10^5 and 10^6 rods too, minutes and 4 GB'
	@echo 'make bench-peers  holonom beside other programs, which it installs; PROBLEMS="P1 P3"'
	@echo 'make install      into PREFIX (/usr/local), below DESTDIR'
	@echo 'make python       sdist and wheel of the Python package in build/python, and its tests; docs/python.md'
	@echo 'make reference    docs/model-reference.md from the program, docs/library from the public headers'
	@echo 'make python-reference  the reference in docs/python.md from the docstrings'
	@echo 'make format       clang-format on all sources'
	@echo 'make clean'
	@echo 'VARIANT=release|asan|tsan|complex|fuzz with all, unit, fuzzers, examples'
