"""The list of problems: one line for all of one kind in one file, which unfolds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from store.clean import clean
from store.derive.statistics import Alike
from store.kinds.problems import Problem
from widgets.lines import GUTTER, Report
from widgets.memory_table import LARGE, MEDIUM, SMALL
from widgets.rows import Key, Keys
from widgets.sheet import Pieces, Sheet, text_of
from widgets.table import Column, Table, brief, cells_of, fit, placed, told, toned

# The names of kinds of problems, for one line about several, and what their fix does.


class Name(Struct, frozen=True):
    """How a line names the problems of one code."""

    many: str
    """Several of them."""
    lead: str = ""
    """What the message of each begins with; it is left out below that line."""
    fix: str = "fix"
    """What the fix does; where there is no room, its first word says it."""


_LINK, _YAML, _JSON = "Broken ", "Invalid YAML front matter: ", "Invalid JSON: "
_INDEX = "The index "

NAMES = {
    "bad-access-count": Name("Invalid access counts", fix="reset count"),
    "bad-archived": Name("Invalid archive marks", fix="reset mark"),
    "bad-blockers": Name("Invalid blockers"),
    "bad-category": Name("Invalid categories", fix="fix category"),
    "bad-content": Name("Memories without text"),
    "bad-count": Name("Invalid counts", fix="rebuild index"),
    "bad-direction": Name("Invalid link directions"),
    "bad-entry": Name("Invalid index entries", fix="rebuild index"),
    "bad-id": Name("Invalid ids"),
    "bad-importance": Name("Invalid importance values", fix="reset value"),
    "bad-index": Name("Invalid index entries", fix="rebuild index"),
    "bad-outcome": Name("Invalid outcomes"),
    "bad-score": Name("Invalid scores", fix="rebuild state"),
    "bad-status": Name("Unknown task statuses"),
    "bad-strength": Name("Invalid link strengths"),
    "bad-tags": Name("Invalid tags", fix="fix tags"),
    "bad-task-metadata": Name("Invalid task metadata"),
    "bad-time": Name("Invalid times"),
    "bad-type": Name("Invalid types", fix="fix type"),
    "broken-facts": Name("Unreadable agent details"),
    "broken-index": Name("Unreadable session indexes"),
    "broken-line": Name("Damaged lines", _JSON),
    "consolidate-lock": Name("Locks of the agent"),
    "contradiction": Name("Contradictions"),
    "core-outdated": Name("CORE.md out of date", fix="rebuild"),
    "core-over-budget": Name("CORE.md over its budget", fix="rebuild"),
    "cut-short": Name("Pages that are cut short"),
    "damaged-json": Name("Damaged JSON", _JSON, fix="restore backup"),
    "damaged-line": Name("Damaged lines", _JSON, fix="restore line"),
    "dangling-link": Name("Broken links", _LINK, fix="remove link"),
    "date-mismatch": Name("Dates that contradict the file name"),
    "derived-file": Name("Generated files (no memories)"),
    "derived-not-ignored": Name("Generated files not ignored", fix="add to .gitignore"),
    "dimensions": Name("Embeddings of another size", fix="rebuild"),
    "double-entry": Name("Duplicate index entries", fix="rebuild index"),
    "duplicate-id": Name("Duplicate ids", "Duplicate id ", fix="give new id"),
    "duplicate-key": Name("Duplicate keys"),
    "duplicate-relation": Name("Duplicate links", fix="remove copy"),
    "duplicate-edge": Name("Duplicate edges", "Second file ", fix="delete second file"),
    "edge-drift": Name("Strengths that disagree", fix="copy strength"),
    "edge-name": Name("Edge files with a wrong name", fix="rename file"),
    "edge-without-ends": Name("Edges without ends"),
    "embed-outdated": Name("Vectors to make with `recollect embed`"),
    "empty-file": Name("Empty files", fix="delete file"),
    "evidence-missing": Name("Claims without evidence", "No such record: "),
    "file-as-folder": Name("Files in place of folders"),
    "folder-as-file": Name("Folders in place of files"),
    "folder-not-entered": Name("Unreadable folders"),
    "foreign-file": Name("Files that aren't memories"),
    "foreign-folder": Name("Folders that aren't part of the store"),
    "future-time": Name("Dates in the future", "Dated in the future: "),
    "glued-lines": Name("Lines without a line break between", fix="split line"),
    "half-done-change": Name("Half-done changes", fix="resolve"),
    "hash-in-value": Name('Unquoted "#"', 'Unquoted "#" in ', fix="add quotes"),
    "header-too-large": Name("Front matter that is too large"),
    "hidden-text": Name("Invisible characters"),
    "impossible-duration": Name("Impossible durations"),
    "impossible-time": Name("Impossible dates"),
    "index-count": Name("Wrong counts in the index", _INDEX, fix="rebuild index"),
    "index-drift": Name("Index entries out of date", _INDEX, fix="rebuild index"),
    "index-gone": Name("Missing memory indexes", fix="restore earlier version"),
    "index-over-limit": Name("Index longer than agents read"),
    "ingesting": Name("Unfinished imports", "Import of "),
    "instruction-text": Name("Possible prompt injections", "Text that "),
    "invalid-yaml": Name("Invalid YAML front matter", _YAML, fix="add quotes"),
    "large-file": Name("Files that grow without limit"),
    "line-too-long": Name("Lines that are too long"),
    "link-leads-out": Name("Links that leave the store", fix="rebuild page"),
    "link-not-followed": Name("Symbolic links, not followed"),
    "link-to-core": Name("Symbolic links to core memories"),
    "link-to-source": Name("Symbolic links to sources"),
    "link-within": Name("Symbolic links within the store"),
    "locked": Name("Locked databases"),
    "lone-cr": Name("Old Mac line endings"),
    "long-category": Name("Categories that are too long"),
    "long-content": Name("Memories that are too long"),
    "long-line": Name("Lines that are too long"),
    "long-tag": Name("Tags that are too long"),
    "loop-outputs": Name("Output of agent loops (no memories)"),
    "loop-transcripts": Name("Transcripts of agent loops (no memories)"),
    "lost-link": Name("Broken links", "Broken link ", fix="remove link"),
    "lost-row": Name("Unreadable rows"),
    "many-fields": Name("Memories with too many fields"),
    "many-tags": Name("Memories with too many tags"),
    "missing-blockers": Name("Blocked tasks without blockers"),
    "missing-completed-at": Name("Completed tasks without a time", fix="add time"),
    "memory-emptied": Name("Emptied memories", fix="restore earlier version"),
    "memory-gone": Name("Lost memories", fix="restore earlier version"),
    "missing-edge-file": Name("Missing edge files", "No edge file for ", fix="create"),
    "missing-file": Name("Files that are gone", "No such file: "),
    "missing-fields": Name("Missing fields", "Missing fields: ", fix="add fields"),
    "missing-id": Name("Missing ids", fix="add id"),
    "missing-table": Name("Missing tables"),
    "missing-task-metadata": Name("Tasks without a status", fix="add status"),
    "missing-type": Name("Missing types", fix="add type"),
    "missing-vector": Name("Memories without a vector", fix="rebuild vectors"),
    "more-flaws": Name("Further problems"),
    "near-duplicate": Name("Near duplicates", "Nearly the same as "),
    "newer-level": Name("Databases of a newer version"),
    "no-header": Name("Files without front matter", fix="add header"),
    "no-index": Name("Memories without an index", fix="create index"),
    "no-record": Name("Lines that aren't records"),
    "no-start": Name("Markers without a start time"),
    "no-transcript": Name("Files that aren't transcripts"),
    "no-type": Name("Notes without a type", fix="add type"),
    "not-a-memory": Name("Lines that aren't memories"),
    "not-text": Name("Files that aren't text"),
    "not-utf-8": Name("Files that aren't valid UTF-8"),
    "not-utf8": Name("Files that aren't valid UTF-8"),
    "nul-tail": Name("NUL bytes at the end", fix="delete NUL bytes"),
    "old-index": Name("Indexes of an old version", fix="rebuild index"),
    "one-sided-link": Name("One-way links", "One-way ", fix="link back"),
    "open-permissions": Name("Files readable by other users", fix="restrict access"),
    "orphan-vector": Name("Vectors of no memory", fix="rebuild vectors"),
    "other-file": Name("Other files (no transcripts)"),
    "outside-conversations": Name("Messages outside conversations"),
    "over-hard-limit": Name("Files over the hard limit"),
    "over-soft-limit": Name("Files over the soft limit", fix="archive oldest"),
    "read-from-copy": Name("Databases read from a copy"),
    "relation-without-target": Name("Links without a target"),
    "relation-without-type": Name("Links without a type"),
    "requires-cycle": Name("Cycles of REQUIRES"),
    "secret": Name("Possible secrets", "May contain "),
    "secret-not-ignored": Name("Secrets not in .gitignore", fix="add to .gitignore"),
    "secret-tracked": Name("Secrets that git tracks"),
    "shared-entries": Name("Messages in several conversations"),
    "special-file": Name("Special files, not read"),
    "stale-description": Name("Outdated descriptions in the index", fix="update text"),
    "stale-lock": Name("Stale locks", fix="remove lock"),
    "stale-path": Name("Outdated paths", "Outdated path ", fix="update path"),
    "stale-vector": Name("Outdated vectors", fix="rebuild vectors"),
    "import-not-loaded": Name("Imports that are not loaded", "Import of "),
    "instructions-cut": Name("Instructions over an agent's limit"),
    "transcript-gone": Name("Transcripts that are gone"),
    "transcript-truncated": Name("Transcripts that became shorter"),
    "stale-score": Name("Outdated scores", "The stored score is "),
    "stale-search-text": Name("Deleted text in the search index"),
    "stale-title": Name(
        "Outdated titles", "Outdated title in the edge: ", fix="update title"
    ),
    "start-without-stop": Name("Starts without a stop", "Started at "),
    "state-without-memory": Name(
        "Recall states without a memory", "The recall state of ", fix="remove state"
    ),
    "stray-blockers": Name("Blockers on unblocked tasks", fix="remove blockers"),
    "stray-completed-at": Name("Completion times on open tasks", fix="remove time"),
    "stray-task-metadata": Name("Task metadata on non-tasks", fix="remove metadata"),
    "time-without-zone": Name("Times without a time zone", fix="add time zone"),
    "too-deep": Name("Folders nested too deeply"),
    "too-large": Name("Files that are too large"),
    "type-folder": Name("Memories in the wrong folder", fix="move file"),
    "type-mismatch": Name("Memories in the wrong file"),
    "unclosed-header": Name("Front matter without an end", fix="close header"),
    "unfinished-line": Name("Lines still being written"),
    "unfinished-write": Name("Unfinished writes"),
    "unknown-provider": Name("Unknown embedding providers"),
    "unknown-record": Name("Unknown records"),
    "unknown-relation": Name("Unknown link types"),
    "unknown-status": Name("Unknown statuses"),
    "unknown-type": Name("Unknown types"),
    "unknown-version": Name("Unknown versions", fix="rewrite file"),
    "unlisted-memory": Name("Memories that MEMORY.md doesn't list", fix="add to list"),
    "unreadable": Name("Unreadable files"),
    "unreadable-row": Name("Unreadable rows"),
    "unsafe-yaml": Name("Unsafe YAML front matter"),
    "value-too-long": Name("Values that are too long"),
    "vector-length": Name("Vectors of another length", fix="rebuild vectors"),
    "vector-model": Name("Vectors of another model", fix="rebuild vectors"),
    "writable-by-all": Name("Files that any user can write", "Any user can write it "),
}
"""The names of all codes; others are named by their words."""


def name_of(code: str) -> Name:
    """How a line names the problems of a code."""
    return NAMES.get(code) or Name(code.replace("-", " ").capitalize())


def fix_of(problem: Problem) -> str:
    """What the fix of a problem does."""
    is_line = problem.code == "duplicate-id" and problem.path.endswith(".jsonl")
    return "delete older copy" if is_line else name_of(problem.code).fix


def deletions(problems: Iterable[Problem]) -> list[str]:
    """What the fixes of some problems delete, a sentence each."""
    told = ((fix_of(one), clean(one.message)) for one in problems)
    deletes = ("delete", "remove")
    return [
        f"{fix.capitalize()}: {text}" for fix, text in told if fix.startswith(deletes)
    ]


# Groups: problems of one code and severity in one file.


class Group(Struct, frozen=True):
    """Problems that are shown on one line."""

    rows: tuple[int, ...]
    """Their rows in the index."""
    count: int
    """Their number; more than there are rows if the index itself sums them up."""

    @property
    def is_summed_up(self) -> bool:
        """Whether the index has one row for all of them."""
        return self.count > len(self.rows)


def groups_of(
    rows: Sequence[int], alike: Mapping[int, tuple[Alike, int]]
) -> Iterator[tuple[Key, Group]]:
    """The lines for some rows, each where its first row is.

    The key of a line is what its problems have in common, or the row of a single one.
    """
    found: dict[Alike, list[int]] = {}
    counts: Counter[Alike] = Counter()
    for row in rows:
        if row in alike:
            key, count = alike[row]
            found.setdefault(key, []).append(row)
            counts[key] += count
    for key, members in found.items():
        is_single = counts[key] == 1
        yield members[0] if is_single else key, Group(tuple(members), counts[key])


class Folding(Keys[Problem]):
    """Which lines there are, and which are unfolded."""

    def __init__(self) -> None:
        self._groups: dict[Key, Group] = {}
        self._open: dict[Key, Sequence[int]] = {}
        self._above: dict[Key, Alike] = {}

    def take(
        self, rows: Sequence[int], alike: Mapping[int, tuple[Alike, int]]
    ) -> Sequence[Key]:
        """Group other problems; lines that are unfolded stay so."""
        self._groups = dict(groups_of(rows, alike))
        for key in self._open:
            group = self._groups.get(key)
            if group and not group.is_summed_up:
                self._open[key] = group.rows
        return self.lines

    @property
    def lines(self) -> Sequence[Key]:
        """All lines in order, those below unfolded ones included."""
        below = {key: self._open.get(key, ()) for key in self._groups}
        self._above = {
            row: key
            for key, rows in below.items()
            if isinstance(key, Alike)
            for row in rows
        }
        return [one for key, rows in below.items() for one in (key, *rows)]

    def stands_for(self, key: Key) -> Sequence[Key]:
        """All problems of a line."""
        group = self.group(key)
        return group.rows if group else (key,)

    def shown_as(self, key: Key, record: Problem) -> Problem:
        """A problem, or a summary of those of a line."""
        group = self.group(key)
        if group is None or group.is_summed_up:
            return record
        many = name_of(record.code).many
        return replace(record, ref=None, line=None, message=f"{group.count} × {many}.")

    def group(self, key: Key | None) -> Group | None:
        """The problems of a line that groups several."""
        return self._groups.get(key) if isinstance(key, Alike) else None

    def above(self, key: Key | None) -> Alike | None:
        """The unfolded line that a problem is below, if it is."""
        return self._above.get(key)

    def is_open(self, key: Key | None) -> bool:
        """Whether a line is unfolded."""
        return key in self._open

    def unfold(self, key: Key, rows: Sequence[int]) -> None:
        """Show some problems below a line."""
        self._open[key] = rows

    def fold(self, key: Key) -> None:
        """Hide the problems below a line."""
        self._open.pop(key, None)


# The columns: how bad, how many, what, where, and what the fix does.

_SIGNS = {"error": ("✗", "error"), "warning": ("⚠", "warning"), "note": ("i", "muted")}

_VAST = 140
"""The width from which the code of a problem is shown."""

_FOLDED, _UNFOLDED = "▸", "▾"


class Drawn(Struct, frozen=True):
    """What is known about the line that is drawn."""

    group: Group | None = None
    """Its problems, if there are several."""
    is_open: bool = False
    """Whether these are shown below it."""
    above: Alike | None = None
    """What the line above it says, if it is below one."""


_ROOMY = 76
"""The width from which it is said what a fix does."""


class Cells:
    """The cells of a line, which depend on where it is."""

    def __init__(self) -> None:
        self.drawn = Drawn()
        """The line that is drawn."""

    @property
    def columns(self) -> tuple[Column[Problem], ...]:
        """The columns; the text takes the width."""
        return (
            Column("", "", self._fold, ((0, 1),), gap=0),
            Column("", "", self._severity, ((0, 1),), gap=0),
            Column("", "", self._number, ((SMALL, 3),), is_right=True),
            Column("", "what", self._what),
            Column("code", "problem", _code, ((_VAST, 20),), gap=2),
            Column(
                "path",
                "where",
                self._where,
                ((SMALL, 16), (MEDIUM, 20), (LARGE, 36)),
                gap=2,
            ),
            _FIX,
        )

    @property
    def below(self) -> tuple[Column[Problem], ...]:
        """The columns below a line that names the file already."""
        return (
            Column("", "", self._what, gap=_INDENT),
            Column("", "", _line, ((SMALL, 6),), is_right=True, gap=2),
            _FIX,
        )

    def _fold(self, _problem: Problem, _width: int) -> Pieces:
        sign = _UNFOLDED if self.drawn.is_open else _FOLDED
        return [(sign, "key")] if self.drawn.group else []

    def _severity(self, problem: Problem, _width: int) -> Pieces:
        is_below = self.drawn.above is not None
        return [] if is_below else [_SIGNS.get(problem.severity, ("?", "muted"))]

    def _number(self, _problem: Problem, _width: int) -> Pieces:
        group = self.drawn.group
        return [(brief(group.count), "strong")] if group else []

    def _what(self, problem: Problem, _width: int) -> Pieces:
        tone = "title faint" if problem.ignored else "title"
        name, text = name_of(problem.code), problem.message
        if self.drawn.group:
            text = name.many
        elif self.drawn.above is not None:
            text = text.removeprefix(name.lead)
        return [(told(text), tone)]

    def _where(self, problem: Problem, width: int) -> Pieces:
        group = self.drawn.group
        if group and group.is_summed_up:
            return [("many files", "muted")]
        line = f":{problem.line}" if problem.line else ""
        return [(_place(told(problem.path), width - len(line)) + line, "muted")]


def _place(path: str, width: int) -> str:
    """A path, or as much of its file's name as there is room for, which says most."""
    name = path.rpartition("/")[2]
    fitting = (one for one in (path, f"…/{name}") if cell_len(one) <= width)
    return next(fitting, "") or text_of(fit([(name, "")], max(width, 0))).rstrip()


_code = toned(lambda problem: told(problem.code), "muted")
_line = toned(lambda problem: f":{problem.line}" if problem.line else "", "muted")


def _fix(problem: Problem, width: int) -> Pieces:
    if not problem.fix:
        return []
    words = fix_of(problem)
    is_short = len("x ") + len(words) > width
    words = words.partition(" ")[0] if is_short else words
    return [("x", "key"), (f" {words}" if width > 1 else "", "muted")]


_FIX = Column("", "fix", _fix, ((MEDIUM, 1), (_ROOMY, 13), (LARGE, 20)), gap=2)
_INDENT = 7
"""Cells before a problem below a line, so that it begins where the text above does."""


class ProblemTable(Table[Problem]):
    """Problems, those of one kind in one file on one line."""

    class FoldAsked(Report):
        """The problems of a line should be shown below it, or hidden."""

        key: Key

    def __init__(self, sheet: Sheet) -> None:
        self._cells = Cells()
        super().__init__(sheet, self._cells.columns)
        self.keys = self.folding = Folding()
        """The lines, and which are unfolded."""

    def draw_row(self, row: int, record: Problem, width: int) -> Pieces:
        """A line, or a problem below one."""
        key, folding = self.lines.key(row), self.folding
        self._cells.drawn = Drawn(
            folding.group(key), folding.is_open(key), folding.above(key)
        )
        above = self._cells.drawn.above
        if above is None or not above.path:
            return self.draw(record, width)
        return cells_of(placed(self._cells.below, width + GUTTER, width), record)

    def choose(self, key: Key, row: int) -> None:
        """Unfold or fold a line; open a single problem."""
        sheet = self.lines.sheet
        if self.folding.group(key):
            sheet.post_message(self.FoldAsked(sheet, key))
        else:
            super().choose(key, row)
