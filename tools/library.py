#!/usr/bin/env python3
"""The manual of the C library, docs/library/, from the comments of the public headers.

    python3 tools/library.py           writes the pages
    python3 tools/library.py --check   says which are not what the headers say

What a header must look like: a comment at the top says what it is for, with a small program; `// ---- group ----` begins a group; the
comment above a declaration, or behind it, is about it, and one that stands alone is about what follows. Declarations without a line
between them belong together. Indented lines of comments are code."""
import pathlib, re, sys, textwrap

TOP = pathlib.Path(__file__).resolve().parent.parent
PAGES = TOP / "docs/library"
WIDTH = 140
GROUP = re.compile(r"// -{4} (.*?) -{4,}$")
NAME = re.compile(r"(?<![\w`./])((?:hol|HOL)_\w+(?:\(\))?|holonom\w*\.h)(?![\w`])")


def headers():
    """holonom.h first: the others include it."""
    return sorted(TOP.glob("include/*.h"), key=lambda header: (header.name != "holonom.h", header.name))


def fenced(lines):
    text = "\n".join(lines).strip("\n")
    return ["```c" if ";" in text or "{" in text else "```", *text.split("\n"), "```", ""]


def wrapped(words, first="", later=""):
    """A paragraph, or an item of a list, with names as code."""
    text = re.sub(r"(?<!`)([*<])(?!`)", r"\\\1", " ".join(words))
    text = NAME.sub(r"`\1`", re.sub(r"`[^`]*`", lambda code: code[0].replace("\\", ""), text))
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False)


def prose(lines):
    """Comment lines as Markdown: paragraphs, items (`  - text`, what follows indented by four), indented lines as code."""
    out, words, kind = [], [], None

    def end():
        nonlocal words, kind
        if words:
            out.extend(fenced(words) if kind == "code" else wrapped(words, *["- ", "  "] * (kind == "item")))
            if kind == "text":
                out.append("")
        words, kind = [], None

    for line in lines:
        item = re.match(r" {1,2}- (.*)", line)
        if item:
            end()
            words, kind = [item[1]], "item"
        elif kind == "item" and line.startswith("    "):
            words.append(line.strip())
        elif line.startswith("    ") or (kind == "code" and not line):
            if kind != "code":
                end()
            kind = "code"
            words.append(line[4:])
        elif line:
            if kind != "text":
                if kind == "item":
                    end()
                    out.append("")
                end()
            kind = "text"
            words.append(line)
        else:
            end()
    last = kind
    end()
    return out + [""] * (last == "item")


def chunks(lines):
    """("group", name), ("text", lines) of a comment that stands alone, or ("code", comment, declarations)."""
    i, n = 0, len(lines)
    while i < n:
        line = lines[i]
        if group := GROUP.match(line):
            yield "group", group[1]
            i += 1
            continue
        if not line.strip():
            i += 1
            continue
        comment = []
        while i < n and lines[i].startswith("//") and not GROUP.match(lines[i]):
            comment.append(stripped(lines[i]))
            i += 1
        if i == n or not lines[i].strip() or GROUP.match(lines[i]):
            yield "text", comment
            continue
        code, depth = [], 0
        while i < n and (depth or (lines[i].strip() and not lines[i].startswith("//"))):
            code.append(lines[i].rstrip())
            bare = re.sub(r"//.*|\"(?:\\.|[^\"])*\"", "", lines[i])
            depth += bare.count("{") - bare.count("}")
            i += 1
        yield "code", comment, code


def stripped(line):
    return re.sub(r"^\s*// ?", "", line.rstrip())


def chunks(lines):
    """("group", name), ("text", lines) of a comment that stands alone, or ("code", comment, declarations)."""
    i, n = 0, len(lines)
    while i < n:
        line = lines[i]
        if group := GROUP.match(line):
            yield "group", group[1]
            i += 1
            continue
        if not line.strip():
            i += 1
            continue
        comment = []
        while i < n and lines[i].startswith("//") and not GROUP.match(lines[i]):
            comment.append(stripped(lines[i]))
            i += 1
        if i == n or not lines[i].strip() or GROUP.match(lines[i]):
            yield "text", comment
            continue
        code, depth = [], 0
        while i < n and (depth or (lines[i].strip() and not lines[i].startswith("//"))):
            code.append(lines[i].rstrip())
            bare = re.sub(r"//.*|\"(?:\\.|[^\"])*\"", "", lines[i])
            depth += bare.count("{") - bare.count("}")
            i += 1
        yield "code", comment, code


def names_of(code):
    """What a block of declarations declares: functions, types, constants."""
    text = re.sub(r"//.*", "", "\n".join(code))
    found = re.findall(r"^#define (\w+)", text, re.M)
    text = re.sub(r"^#.*(?:\\\n.*)*", "", text, flags=re.M)
    pointers = re.findall(r"\(\*(hol_\w+)\)\(", text) if "typedef" in text else []
    types = re.findall(r"^typedef (?:struct|enum) (\w+)|^\} (\w+);|^(?:typedef .*?|struct )\b(hol_\w+);", text, re.M)
    flat = re.sub(r"\{[^{}]*\}", "", re.sub(r"\{[^{}]*\}", "", text))
    functions = re.findall(r"\b(hol_\w+)\s*\((?!\*)", flat)
    constants = [] if types else re.findall(r"\b(HOL_\w+)\s*=", text)
    every = found + [name for group in types for name in group if name] + pointers + functions + constants
    return list(dict.fromkeys(every))


def body_of(header):
    """The comment at the top, and the lines between the guards that a reader wants."""
    lines = header.read_text().split("\n")
    head = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    text = "\n".join(lines[head:])
    text = re.sub(r"^#ifdef __cplusplus\n[\s\S]*?#endif\n|^#ifdef __GNUC__\n#pragma[\s\S]*?#endif\n|"
                  r"^#(?:ifndef|endif|include|if|else).*\n|^#define HOL\w*_H\n", "", text, flags=re.M)
    return [stripped(line) for line in lines[:head]], text.split("\n")


def page(header):
    head, lines = body_of(header)
    out, groups = [], []
    for kind, *rest in chunks(lines):
        if kind == "group":
            name = rest[0][0].upper() + rest[0][1:]
            groups.append(name)
            out += [f"## {name}", ""]
        elif kind == "text":
            out += prose(rest[0])
        else:
            comment, code = rest
            names = names_of(code)
            out += ["### " + ", ".join(f"`{name}`" for name in names), ""] if names else []
            out += ["```c", *code, "```", ""] + prose(comment)
    contents = [f"- [{name}](#{re.sub(r'[^a-z0-9 -]', '', name.lower()).replace(' ', '-')})" for name in groups]
    made = f"Made of the comments of include/{header.name} by tools/library.py (`make reference`)."
    return "\n".join([f"# {header.name}", "", made, "", *prose(head), *contents, *([""] if contents else []), *out]).rstrip() + "\n"


def index():
    out = ["# The C library", "", "What a program includes, and what for. Made of the public headers by tools/library.py (`make reference`).", "",
           "| header | what it is for |", "|---|---|"]
    for header in headers():
        first = " ".join(stripped(line) for line in re.match(r"(?:// .+\n)+", header.read_text())[0].split("\n")).strip()
        what = re.sub(r"^holonom: ", "", first).split(". ")[0].rstrip(".")
        out.append(f"| [{header.name}]({header.stem}.md) | {what} |")
    out += ["", "A program is compiled with `cc program.c $(pkg-config --cflags --libs holonom)`; examples/ has whole ones."]
    return "\n".join(out) + "\n"


pages = {PAGES / "README.md": index(), **{PAGES / f"{header.stem}.md": page(header) for header in headers()}}
lost = [f"include/{header.name}: {name} is in no heading of the page"
        for header in headers() for name in re.findall(r"^\w[^(;\n]*\b(hol_\w+)\(", re.sub(r"//.*", "", header.read_text()), re.M)
        if not re.search(rf"^###.*`{name}`", pages[PAGES / f"{header.stem}.md"], re.M)]
if lost:
    sys.exit("\n".join(lost))
if "--check" in sys.argv[1:]:
    wrong = [path for path, text in pages.items() if not path.exists() or path.read_text() != text]
    wrong += [path for path in PAGES.glob("*") if path not in pages]
    for path in wrong:
        print(f"{path.relative_to(TOP)}: it is not what the public headers say; `make reference` writes it")
    sys.exit(bool(wrong))
PAGES.mkdir(exist_ok=True)
for path, text in pages.items():
    path.write_text(text)
