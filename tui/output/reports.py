"""Hits, plans, blame, versions and exports as text."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct, field
from msgspec.structs import replace

from store.clean import clean
from store.errors import WrongUseError
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge
from store.kinds.journals import Agent
from store.kinds.memories import Memory
from store.kinds.pages import Document, Episode
from store.library import Library, Record
from store.records.answers import Blame, Blamed, Due, Hit, Snippet, Version
from store.records.reports import Change, Plan
from tui.output.cells import short_ref
from tui.output.text import Line, as_object, encoded, to_the_minute

if TYPE_CHECKING:
    from store.edits.conflict import Conflict

# Search results: records of every kind, each with the snippet that matched.

_OWN_KIND = "own_kind"
"""The key for a record's own `kind`, as a hit's `kind` is the kind of record."""

_NAMING = ("kind", "name", "tool", "code")
"""The fields used if a record has no title, followed by its time."""

_INDENT = "    "


def write_json(hits: Iterable[Hit], *, explained: bool) -> None:
    """Print each hit as one line of JSON: the record's fields, then its rank."""
    out = sys.stdout.buffer
    for hit in hits:
        out.write(encoded(_object(hit, explained=explained)) + b"\n")
    out.flush()


def _object(hit: Hit, *, explained: bool) -> dict[str, object]:
    record = as_object(hit.record)
    if "kind" in record:
        record[_OWN_KIND] = record.pop("kind")
    record["kind"] = hit.kind
    record["score"] = hit.score
    record["similar"] = hit.similar
    record["snippet"] = hit.snippet.text if hit.snippet else None
    record["spans"] = hit.snippet.spans if hit.snippet else ()
    if explained:
        record["reasons"] = hit.reasons
    return record


def write_plain(hits: Iterable[Hit], *, explained: bool) -> None:
    """Print each hit as one line, cells separated by tabs."""
    for hit in hits:
        cells = [
            hit.record.ref or "",
            hit.kind,
            f"{hit.score:.3f}",
            clean(title(hit.record)),
            clean(hit.snippet.text) if hit.snippet else "",
            clean(hit.record.store),
        ]
        if explained:
            cells.append(clean("; ".join(hit.reasons)))
        sys.stdout.buffer.write(("\t".join(cells) + "\n").encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def write_lines(
    hits: Iterable[Hit], names: Mapping[str, str], *, explained: bool
) -> None:
    """Print each hit for people: title, snippet, and the reasons if requested.

    `names` are those of the stores by path, if they are to be shown.
    """
    from rich.console import Console  # noqa: PLC0415  # slow, for people only
    from rich.text import Text  # noqa: PLC0415  # the same

    console = Console(highlight=False)
    for hit in hits:
        head = Text(f"{hit.record.ref}  ", style="dim")
        if store := names.get(hit.record.store):
            head.append(f"{clean(store)}  ")
        head.append(clean(title(hit.record)) or hit.kind, style="bold not dim")
        console.print(head, no_wrap=True, overflow="ellipsis")
        if hit.snippet and hit.snippet.text.strip():
            line = Text(_INDENT)
            for text, is_match in pieces(hit.snippet):
                line.append(clean(text), style="bold underline" if is_match else "")
            console.print(line, no_wrap=True, overflow="ellipsis")
        if explained:
            why = f"{hit.score:.2f}: {'; '.join(hit.reasons)}"
            room = console.width - len(_INDENT)
            for line in Text(clean(why), style="dim").wrap(console, room):
                console.print(Text(f"{_INDENT}{line.plain.rstrip()}", style="dim"))


def pieces(snippet: Snippet) -> Iterator[tuple[str, bool]]:
    """The parts of a snippet, and whether each is a match."""
    end = 0
    for begin, stop in snippet.spans:
        yield snippet.text[end:begin], False
        yield snippet.text[begin:stop], True
        end = stop
    yield snippet.text[end:], False


def title(record: Record) -> str:
    """The title of a record, on one line."""
    match record:
        case Memory() | Episode() | Conversation() | Document():
            return record.title
        case Edge():
            return f"{record.from_title} —{record.type}→ {record.to_title}"
        case Agent():
            return str(record.columns.get("summary") or record.ref)
        case _:
            named = [getattr(record, name, None) for name in _NAMING]
            when = to_the_minute(getattr(record, "at", None) or "")
            return " ".join(str(name) for name in (*named, when) if name)


# Plans and changes for people: what would be done, and what was done.

_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
"""The style of a diff line, by its first character."""

_HEAD = ("+++ ", "--- ", "rename ", "mode ")

_DONE = {
    "dismiss": "dismissed:",
    "drop": "dropped:",
    "finish": "finished:",
    "append": "appended",
    "archive": "archived",
    "copy": "copied",
    "delete": "deleted",
    "discard": "discarded",
    "edit": "edited",
    "fix": "fixed",
    "ignore": "ignored",
    "import": "imported",
    "keep": "kept",
    "link": "linked",
    "merge": "merged",
    "move": "moved",
    "new": "created",
    "pin": "pinned",
    "rebuild": "rebuilt",
    "redo": "redone:",
    "release": "unpinned",
    "rename": "renamed",
    "report": "reported",
    "restore": "restored",
    "return": "restored",
    "review": "due again:",
    "set": "set",
    "tag": "tagged",
    "touch": "marked as recalled:",
    "transit": "set",
    "undo": "undone:",
    "unlink": "unlinked",
    "unpin": "unpinned",
}
"""The past tense of an action, by its first word."""


def done(action: str) -> str:
    """An action in the past tense: `pinned “Redis timeouts”`."""
    word, space, rest = clean(action).partition(" ")
    return f"{_DONE.get(word, word)}{space}{rest}"


def told(change: Change) -> str:
    """One line about a change, and how to undo it."""
    what = "redo" if change.undo.endswith("redo") else "undo"
    return f"{done(change.action)} · {what} with: {change.undo}"


def write_plans(
    plans: Iterable[Plan],
    *,
    coloured: bool,
    to: TextIO | None = None,
    most: int | None = None,
) -> None:
    """Print plans one after another, up to a number of lines."""
    lines = _lines(plans)
    shown = list(islice(lines, most))
    left = sum(1 for _ in lines)
    if left:
        shown.append((f"… {left} more lines; --dry-run shows them.", "dim"))
    _write(shown, to or sys.stdout, coloured=coloured)


def write_conflicts(
    conflicts: Iterable["Conflict"], *, coloured: bool, to: TextIO, most: int
) -> None:
    """Print what another program did to some files, up to a number of lines."""
    lines = [line for one in conflicts for line in _diff(one.diff)]
    _write(lines[:most], to, coloured=coloured)


def _write(lines: Iterable[tuple[str, str]], out: TextIO, *, coloured: bool) -> None:
    """Print lines; loads rich only for colours."""
    if not coloured:
        out.flush()
        for line, _ in lines:
            out.buffer.write(f"{line}\n".encode("utf-8", "replace"))
        out.buffer.flush()
        return
    from rich.console import Console  # noqa: PLC0415  # rich is slow
    from rich.text import Text  # noqa: PLC0415  # the same

    console = Console(file=out, highlight=False)
    for line, style in lines:
        console.print(Text(line, style), soft_wrap=True)


def _lines(plans: Iterable[Plan]) -> Iterator[tuple[str, str]]:
    """Every line with its style; plans without steps show nothing."""
    for plan in plans:
        if plan.steps:
            yield clean(plan.action), "bold"
            yield from _named(plan)
        for step in plan.steps:
            yield from _diff(step.shown) if step.shown else ()


_MOST_NAMED = 20
"""The most records of a plan that are named; the others are counted."""


def _named(plan: Plan) -> Iterator[tuple[str, str]]:
    """The records of a plan that changes several, and the extent of its diff."""
    if len(plan.refs) <= 1:
        return
    named = list(zip(plan.refs, plan.titles, strict=True)) if any(plan.titles) else []
    for ref, title in named[:_MOST_NAMED]:
        yield clean(f"  {short_ref(ref)}  {title}"), ""
    more = max(plan.count, len(named)) - len(named[:_MOST_NAMED])
    if named and more:
        yield f"  and {more} more", "dim"
    files = len({step.path for step in plan.steps})
    added, removed = map(sum, zip(*(one.amount for one in plan.steps), strict=True))
    yield f"{files} {'file' if files == 1 else 'files'}, +{added} −{removed}", "bold"


def _diff(diff: str) -> Iterator[tuple[str, str]]:
    """Every line of a unified diff with its style."""
    in_head = True
    for line in diff.removesuffix("\n").split("\n"):
        in_head = in_head and line.startswith(_HEAD)
        yield clean(line), "bold" if in_head else _STYLES.get(line[:1], "")


# Blame for people: each line of the file, with its origin in front.

_REF = 8
_DAY, _WHEN = len("2026-02-14"), len("2026-02-14 10:30")
_WHAT = 12

_SIGNS = {
    "call": "",
    "change": "changed here",
    "commit": "commit",
    "unknown": "origin unknown",
}
"""The origin of a line in one word, if it is not a tool."""

_BLAME_STYLES = {"unknown": "dim"}


def lines_of(blame: Blame, *, is_brief: bool) -> Iterator[Line]:
    """Every line of the file, with the origin before it; a brief one is without time.

    In a pipe, origins have the same width in all files.
    """
    digits = len(str(blame.lines[-1].last)) if blame.lines else 1
    makers = [_maker_of(span, _DAY if is_brief else _WHEN) for span in blame.lines]
    width = max(map(len, makers), default=0) if is_brief else _REF + _WHEN + _WHAT + 2
    for span, maker in zip(blame.lines, makers, strict=True):
        for number, text in enumerate(span.text.split("\n"), span.first):
            yield Line(
                f"{maker:{width}}  {number:>{digits}}) {clean(text)}",
                _BLAME_STYLES.get(span.by, ""),
                folded=True,
            )


def _maker_of(span: Blamed, time: int) -> str:
    """The origin of a span, with so many characters of its time."""
    if span.by == "unknown":
        return _SIGNS[span.by]
    ref = short_ref(span.ref or "") or (span.ref or "")[:_REF]
    what = clean(span.what or "") if span.by == "call" else _SIGNS.get(span.by, "")
    when = to_the_minute(span.at or "")[:time]
    return f"{clean(ref):{_REF}} {when:{time}} {what[:_WHAT]}"


# Versions for people: the diff of each change, one after the other.

_VERSIONS_HEAD = 2
"""Lines of a diff that name the file."""


def lines_of_versions(versions: Iterable[Version]) -> Iterator[Line]:
    """Every version with its diff."""
    for version in versions:
        yield Line(title_of(version), "bold")
        yield from diff_of(version)


def title_of(version: Version) -> str:
    """A version on one line: time, origin, description."""
    parts = [
        to_the_minute(version.at or "unknown time"),
        version.by,
        version.what,
        version.who or "",
        version.ref or "",
    ]
    return clean("  ".join(filter(None, parts)))


def diff_of(version: Version) -> Iterator[Line]:
    """The diff of a version, line by line."""
    if version.diff is None:
        yield Line("Change not recorded.", "dim")
        return
    lines = version.diff.removesuffix("\n").split("\n") if version.diff else []
    for number, line in enumerate(lines):
        style = "bold" if number < _VERSIONS_HEAD else _STYLES.get(line[:1], "")
        yield Line(clean(line), style)
    if not lines:
        yield Line("No differences.", "dim")


# The progress of a review.

_WIDTH = 10


KEPT, CHANGED, GONE = "kept", "changed", "gone"
"""What becomes of a memory in a review; one that was merged into another is gone."""


class Progress(Struct):
    """The memories to review, and the current position."""

    dues: Sequence[Due]
    at: int = 0
    decisions: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """The position and the outcome of each decision, in order."""
    trouble: str = ""
    """What is wrong with the current memory, and what fixes it."""

    @property
    def here(self) -> Due | None:
        """The current memory; None at the end."""
        return self.dues[self.at] if self.at < len(self.dues) else None

    @property
    def told(self) -> str:
        """The progress, and why the current memory is due."""
        filled = round(_WIDTH * self.at / max(len(self.dues), 1))
        bar = "━" * filled + "─" * (_WIDTH - filled)
        return f"review {bar} {self.brief}"

    @property
    def brief(self) -> str:
        """The same without words that a narrow bar has no room for."""
        here = self.here
        return f"{self.place} · {here.why if here else ''}"

    @property
    def place(self) -> str:
        """The current position among all."""
        return f"{self.at + 1}/{len(self.dues)}"

    @property
    def outcome(self) -> str:
        """The result so far."""
        decided = dict(self.decisions)
        outcomes = list(decided.values())
        later = self.at - sum(at < self.at for at in decided)
        left = len(self.dues) - len(decided) - later
        told = [f"{outcomes.count(one)} {one}" for one in (KEPT, CHANGED)]
        told += [f"{later} for later"] * bool(later) + [f"{left} left"] * bool(left)
        return f"review: {', '.join(told)}"

    def decide(self, outcome: str) -> int:
        """Note a decision about the current memory; returns how many there were."""
        self.decisions.append((self.at, outcome))
        return len(self.decisions) - 1


# Exports as output: Markdown, JSON or HTML, piece by piece.

MARKDOWN, JSON, HTML = "markdown", "json", "html"

SUFFIXES = {MARKDOWN: ".md", JSON: ".json", HTML: ".html"}
"""The usual file suffix of each format."""

_BY_SUFFIX = {
    **{suffix: name for name, suffix in SUFFIXES.items()},
    ".markdown": MARKDOWN,
    ".jsonl": JSON,
    ".htm": HTML,
}
_SEVERAL = "recollect"
_END = b"]}"
_AT_ONCE = 256
"""Messages in memory at a time."""


def format_of(name: str) -> str | None:
    """The format for a file name; None if unknown."""
    dot = name.rfind(".")
    return _BY_SUFFIX.get(name[dot:].casefold()) if dot > 0 else None


def exported(
    library: Library, records: Iterable[Record], form: str, *, is_full: bool
) -> Iterator[bytes]:
    """Records in a format; `is_full` includes the inputs and answers of tools."""
    if form == JSON:
        return _json(library, records)
    from store.export import pages, writers  # noqa: PLC0415  # not needed for JSON

    found = iter(records)
    first = [record for record in (next(found, None), next(found, None)) if record]
    shown = pages.pages(library, chain(first, found), is_full=is_full)
    if form == MARKDOWN:
        return _encoded(writers.markdown(shown))
    name = title(first[0]) if len(first) == 1 else _SEVERAL
    return _encoded(writers.html(shown, name))


def _encoded(texts: Iterable[str]) -> Iterator[bytes]:
    return (text.encode("utf-8", "replace") for text in texts)


def _json(library: Library, records: Iterable[Record]) -> Iterator[bytes]:
    """The output of `show` for each record, one line each."""
    for record in records:
        if isinstance(record, Conversation):
            yield from _conversation(library, record)
        else:
            full = library.records.show(record.ref) if record.ref else record
            yield encoded(as_object(full))
        yield b"\n"


def _conversation(library: Library, record: Conversation) -> Iterator[bytes]:
    """A conversation as one object, written a few messages at a time.

    The messages are its last field, so they can be inserted before its end.
    """
    whole = encoded(
        as_object(replace(library.conversations.about(record), transcript=()))
    )
    if not whole.endswith(_END):
        raise WrongUseError("A conversation no longer ends with its messages.")
    yield whole.removesuffix(_END)
    numbers = library.conversations.order(record.ref).numbers
    between = b""
    for first in range(0, len(numbers), _AT_ONCE):
        some = numbers[first : first + _AT_ONCE]
        found = library.lists.numbered("messages", some)
        for message in (found[one] for one in some if one in found):
            yield between + encoded(as_object(message))
            between = b","
    yield _END
