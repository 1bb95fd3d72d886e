"""Tables whose rows say what comes of them, and what must not change.

A row about something published ends with one of

    reproduced        the numbers of the paper, or what it claims
    not reproduced    other numbers; the data of the paper are incomplete, or ours is another program in a way that matters
    refuted           the data are complete, and what is claimed does not hold

or with a word of our own where nothing is published. The word, and numbers of the row that are the worse the larger (or the
smaller) they are, are kept in record.txt. Another word, or a number that is worse by more than MARGIN, is a failure: the runs
are deterministic, so that a program whose errors or whose work grow by a fifth is noticed.
"""
import hashlib, math, pathlib, re

MARGIN = 0.1
RECORD = pathlib.Path(__file__).parent / "record.txt"
PUBLISHED = ("reproduced", "not reproduced", "refuted")

failures, counts, found = [], dict.fromkeys(PUBLISHED, 0), {}
shown_rows = []  # (title, label, verdict)


recording = False  # nothing is compared


def load():
    """{key: (verdict, {name: (number, "<" or ">")})}"""
    out = {}
    for line in RECORD.read_text().splitlines() if RECORD.exists() else []:
        if line and line[0] != "#":
            key, verdict, *numbers = line.split(" | ")
            parts = [re.fullmatch(r"(.+) ([<>]) (\S+)", n).groups() for n in numbers]
            out[key] = verdict, {name: (float(x), sign) for name, sign, x in parts}
    return out


record = load()


def digest():
    """A few letters that stand for the record."""
    return hashlib.sha256(RECORD.read_bytes()).hexdigest()[:8] if RECORD.exists() else "none"


def save():
    """What has been run replaces what was there; the rest stays."""
    record.update(found)
    lines = [" | ".join([key, verdict, *(f"{n} {sign} {x:.4g}" for n, (x, sign) in numbers.items())])
             for key, (verdict, numbers) in sorted(record.items())]
    RECORD.write_text(f"""# Written by tools/papers --record: row | what comes of it | numbers that may be larger (<) or smaller (>) by {100 * MARGIN:.0f} %.
""" + "\n".join(lines) + "\n")


def compare(key, verdict, numbers):
    """Texts about what is not as recorded."""
    if recording:
        return []
    if key not in record:
        return ["not recorded; tools/papers --record writes it"]
    was, limits = record[key]
    out = [f"was: {was}"] if was != verdict else []
    for name, (x, sign) in numbers.items():
        if name not in limits:
            out.append(f"{name} is not recorded")
            continue
        known, _ = limits[name]
        worse = x > known * (1 + MARGIN) if sign == "<" else x < known / (1 + MARGIN)
        if worse or math.isnan(x):
            out.append(f"{name} {x:.3g}, recorded {known:.3g}")
    return out + [f"{name} is missing" for name in limits if name not in numbers]


def judge(title, label, verdict, worse, better):
    """Counts a row; texts about what is wrong with it."""
    key = re.sub(r"[\s|]+", " ", f"{title} / {label}").strip()
    numbers = {**{n: (float(x), "<") for n, x in (worse or {}).items()}, **{n: (float(x), ">") for n, x in (better or {}).items()}}
    assert key not in found, key
    found[key] = verdict, numbers
    if verdict in counts:
        counts[verdict] += 1
    shown_rows.append((title, label, verdict))
    faults = compare(key, verdict, numbers)
    failures.extend(f"{key}: {fault}" for fault in faults)
    return faults


def outcome(holds, otherwise="not reproduced"):
    return "reproduced" if holds else otherwise


def cell(c):
    return c if isinstance(c, str) else f"{c:.3g}" if c == 0 or 0.01 <= abs(c) < 1000 else f"{c:.2e}"


class Table:
    """key: short and lasting, title: what is printed below it, head: names of columns; a first one for labels and a last one for
    verdicts are added."""

    def __init__(self, key, title, *head, what=""):
        self.key, self.title, self.rows, self.faults = key, title, [(what, *head, "")], []

    place = str.rjust

    def row(self, label, *cells, verdict="", worse=None, better=None):
        """A row without a verdict and numbers is there to be read."""
        self.rows.append((label, *map(cell, cells), verdict))
        if verdict or worse or better:
            self.faults += [f"{label}: {fault}" for fault in judge(self.key, label, verdict or "recorded", worse, better)]

    def show(self, *notes):
        print(f"\n{self.key}: {self.title}" if self.title else f"\n{self.key}")
        width = [max(len(row[i]) for row in self.rows) for i in range(len(self.rows[0]))]
        for row in self.rows:
            words = [row[0].ljust(width[0]), *(type(self).place(c, w) for c, w in zip(row[1:-1], width[1:])), row[-1]]
            print(("  " + "  ".join(words)).rstrip())
        for note in notes:
            print(note)
        for fault in self.faults:
            print(f"  CHANGED: {fault}")
        print(end="", flush=True)


class Claims(Table):
    """Sentences: what is claimed, what is found, what comes of it."""

    place = str.ljust

    def __init__(self, key, title=""):
        super().__init__(key, title, "found", what="claim")

    def say(self, claim, evidence, verdict, worse=None, better=None):
        self.row(claim, evidence, verdict=verdict, worse=worse, better=better)


def summary():
    of_ours = len(found) - sum(counts.values())
    text = ", ".join(f"{word} {n}" for word, n in counts.items())
    print(f"\n{text}; {of_ours} rows of our own")
    print(f"{len(failures)} not as recorded:\n  " + "\n  ".join(failures) if failures else "all as recorded")
    return bool(failures)


def stale(document, head):
    """Texts about verdicts that a document, written by an earlier run, shows otherwise. head: the first line of a run."""
    text = pathlib.Path(document).read_text()
    tables = {re.split(": |\n", block)[0]: block.splitlines()[1:] for block in text.split("\n\n")}
    out = [] if f"\n{head}\n" in text else [f"its tables are not of {head}"]
    for title, label, verdict in shown_rows:
        lines = [line for line in tables.get(title, []) if re.match(rf"  {re.escape(label)}(  |$)", line)]
        if not lines:
            out.append(f"{title}: no row {label}")
        elif verdict != "recorded" and not lines[0].endswith("  " + verdict):
            out.append(f"{title}, {label}: {verdict} now")
    return out
