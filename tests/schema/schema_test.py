#!/usr/bin/env python3
"""Models against the JSON Schema that `holonom schema` prints.

    schema_test.py HOLONOM TREE_JSON GRAMMAR_CASES

Every model of models/ and of this folder is valid (the latter have every key of the lists that models/ does not use, and
the program takes them too). Of the models that GRAMMAR_CASES makes from the grammar, some thousands, reader and schema take
those that are valid and refuse the others. Files of tests/models_bad/ whose message is one that a schema can know (REFUSED) are not.
One line per file, and per object of the grammar: `ok NAME` or `not ok NAME: why`.
"""
import json, pathlib, re, subprocess, sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
KNOWN = set("""$schema $defs $ref title description default type properties patternProperties additionalProperties
    propertyNames required dependentRequired minProperties maxProperties items minItems maxItems enum const pattern minLength minimum
    exclusiveMinimum maximum anyOf oneOf allOf not if then""".split())
REFUSED = re.compile(r"unknown key|no .* type|is missing( \(|$)|is not among|must be (at least|at most|greater than)|"
                     r"one of when|either |goes with (when|file|couplers)|the list is empty|the names of two|couples joints:")
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": (int, float)}


def is_type(value, name):
    if name in ("number", "integer") and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[name]) and (name != "integer" or value == int(value))


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Validator:
    """The part of draft 2020-12 that the schema uses; a keyword beyond it is an error."""

    def __init__(self, root):
        self.root = root
        self.look_over(root)

    def look_over(self, schema):
        """Refuses keywords this validator does not know and references that lead nowhere."""
        if isinstance(schema, bool):
            return
        unknown = set(schema) - KNOWN
        assert not unknown, f"keywords {unknown}"
        if "$ref" in schema:
            self.find(schema["$ref"])
        for key in ("items", "additionalProperties", "propertyNames", "not", "if", "then"):
            if key in schema:
                self.look_over(schema[key])
        for key in ("anyOf", "oneOf", "allOf", "enum"):
            assert schema.get(key) != [], f"{key} is empty"
        for key in ("anyOf", "oneOf", "allOf"):
            for part in schema.get(key, ()):
                self.look_over(part)
        for key in ("properties", "patternProperties"):
            for part in schema.get(key, {}).values():
                self.look_over(part)
        for name, part in schema.get("$defs", {}).items():
            if re.fullmatch(r"\dD", name):  # a folder of definitions
                for inner in part.values():
                    self.look_over(inner)
            else:
                self.look_over(part)

    def find(self, ref):
        node = self.root
        for part in ref.removeprefix("#/").split("/"):
            node = node[part]
        return node

    def fault(self, schema, value, path="model"):
        """None, or the first thing that is wrong."""
        if schema is True:
            return None
        if schema is False:
            return f"{path}: not admitted"
        if "$ref" in schema:
            found = self.fault(self.find(schema["$ref"]), value, path)
            if found:
                return found
        checks = [self.plain, self.combined]
        if isinstance(value, dict):
            checks.append(self.map)
        if isinstance(value, list):
            checks.append(self.list)
        for check in checks:
            found = check(schema, value, path)
            if found:
                return found
        return None

    def plain(self, s, value, path):
        types = s.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(is_type(value, t) for t in types):
            return f"{path}: {json.dumps(value)[:60]} is not {' or '.join(types)}"
        if "enum" in s and not any(same(value, x) for x in s["enum"]):
            return f"{path}: {json.dumps(value)[:60]} is not among {s['enum']}"
        if "const" in s and not same(value, s["const"]):
            return f"{path}: {json.dumps(value)[:60]} is not {s['const']}"
        if isinstance(value, str):
            if len(value) < s.get("minLength", 0):
                return f"{path}: empty"
            if "pattern" in s and not re.search(s["pattern"], value):
                return f"{path}: {value!r} does not match {s['pattern']}"
        if is_type(value, "number"):
            low, above, high = s.get("minimum"), s.get("exclusiveMinimum"), s.get("maximum")
            if (low is not None and value < low) or (above is not None and value <= above) or (high is not None and value > high):
                return f"{path}: {value} is out of range"
        return None

    def combined(self, s, value, path):
        for part in s.get("allOf", ()):
            found = self.fault(part, value, path)
            if found:
                return found
        for key in ("anyOf", "oneOf"):
            faults = [self.fault(part, value, path) for part in s.get(key, ())]
            good = faults.count(None)
            if faults and (good == 0 or (key == "oneOf" and good > 1)):
                return f"{path}: fits {good} of {key}: " + "; ".join(f for f in faults if f)
        if "not" in s and self.fault(s["not"], value, path) is None:
            return f"{path}: is what it must not be"
        if "if" in s and self.fault(s["if"], value, path) is None:
            return self.fault(s.get("then", True), value, path)
        return None

    def map(self, s, value, path):
        for key in s.get("required", ()):
            if key not in value:
                return f"{path}: {key} is missing"
        for key, others in s.get("dependentRequired", {}).items():
            if key in value and not set(others) <= set(value):
                return f"{path}: {key} goes with {others}"
        if not s.get("minProperties", 0) <= len(value) <= s.get("maxProperties", len(value)):
            return f"{path}: {len(value)} keys"
        for key, part in value.items():
            here = f"{path}.{key}"
            if "propertyNames" in s:
                found = self.fault(s["propertyNames"], key, here)
                if found:
                    return found
            applied = [s["properties"][key]] if key in s.get("properties", {}) else []
            applied += [p for pattern, p in s.get("patternProperties", {}).items() if re.search(pattern, key)]
            for schema in applied or [s.get("additionalProperties", True)]:
                found = self.fault(schema, part, here)
                if found:
                    return found
        return None

    def list(self, s, value, path):
        if not s.get("minItems", 0) <= len(value) <= s.get("maxItems", len(value)):
            return f"{path}: {len(value)} items"
        for i, item in enumerate(value):
            found = self.fault(s.get("items", True), item, f"{path}[{i}]")
            if found:
                return found
        return None


def tree(program, file):
    """The file as JSON; None where it is not even YAML."""
    done = subprocess.run([program, file], capture_output=True, timeout=60)
    return json.loads(done.stdout) if done.returncode == 0 else None


def grammar_faults(validator, program):
    """Object -> what reader or schema say otherwise than the grammar, from one line of the program per case."""
    done = subprocess.run([program], capture_output=True, check=True, timeout=100)
    faults, n = {}, 0
    for line in done.stdout.splitlines():
        case = json.loads(line)
        of = case["name"].split("/")[0]
        faults.setdefault(of, [])
        n += 1
        fault = validator.fault(validator.root, case["model"])
        wanted = "is valid" if case["valid"] else "is not valid"
        if case["taken"] != case["valid"]:
            faults[of].append(f"{case['name']} {wanted}, the reader: {case['said'] or 'takes it'}")
        if (fault is None) != case["valid"]:
            faults[of].append(f"{case['name']} {wanted}, the schema: {fault or 'admits it'}")
    assert n > 3000, f"{n} cases only"
    return faults


def main(holonom, tree_json, grammar_cases):
    schema = json.loads(subprocess.run([holonom, "schema"], capture_output=True, check=True, timeout=60).stdout)
    validator = Validator(schema)
    failed = 0

    def report(name, fault):
        nonlocal failed
        failed += fault is not None
        print(f"ok {name}" if fault is None else f"not ok {name}: {fault}")

    for file in sorted(TOP.glob("models/*.yaml")) + sorted(TOP.glob("models/*.json")):
        report(file.relative_to(TOP), validator.fault(schema, tree(tree_json, file)))
    for file in sorted(TOP.glob("tests/schema/*.yaml")):
        taken = subprocess.run([holonom, "check", file], capture_output=True, text=True, timeout=60)
        fault = validator.fault(schema, tree(tree_json, file))
        report(file.relative_to(TOP), fault or taken.stderr.strip() if fault or taken.returncode else None)
    for file in sorted(TOP.glob("tests/models_bad/*.yaml")):
        expected = file.read_text(errors="replace").splitlines()[0]
        value = tree(tree_json, file)
        elsewhere = re.match(r"# expect: \w+\.yaml:", expected)  # in a file that it includes
        if not REFUSED.search(expected) or value is None or elsewhere:
            continue
        fault = validator.fault(schema, value)
        report(file.relative_to(TOP), None if fault else "the schema admits it: " + expected)
    for of, faults in grammar_faults(validator, grammar_cases).items():
        report(of, "; ".join(faults[:5]) if faults else None)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
