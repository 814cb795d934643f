"""The built-in reports over a store."""

from array import array
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from store.derive.conversations import divisions
from store.errors import NothingFoundError
from store.files.beneath import Root
from store.files.json_read import parse, split_lines
from store.findings import Json, MessageFound
from store.formats.port import Source
from store.formats.transcripts.format import GROWING, Bases, scan, sources
from store.reports import THREAD, Given, Parameter, Report, Row, Rows, Type, threaded
from store.times import parse as parse_instant
from store.transcript.blocks import Record, entry_text, kind_of, text, word
from store.transcript.messages import At, message_of, number_of, reply_key

# Find where a conversation was resumed from an earlier message.
#
# Most conversations have no branches, and long ones have a hundred thousand lines. So
# parent links are stored as numbers, and only the first lines of branches are read
# again.

_LONGEST = 200
_SAID = ("user", "assistant")
_NOBODY = -1


class _Branch(NamedTuple):
    """A message that follows another one which has several successors."""

    begin: int
    """The line of their common predecessor."""
    name: int
    """The number of the identifier of the branch's first line."""


class _Tree:
    """The parent of each line; lines that are not messages are skipped."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}
        """By number of an identifier: the message there, or the last one before it."""
        self._before = _NOBODY
        self._lines, self._names, self._messages = array("q"), array("Q"), array("Q")
        self._results = bytearray()
        self._first = array("q")
        """The first successor of each message."""
        self._several: dict[int, list[int]] = {}
        """All successors of a message, if there is more than one."""

    def add(self, record: Record, at: At) -> None:
        """Add a line; of duplicate identifiers, the first counts."""
        uuid = word(record, "uuid")
        if uuid is None or (name := number_of(uuid)) in self._above:
            return
        parent = word(record, "parentUuid")
        above = _NOBODY
        if parent:
            above = self._above.get(number_of(parent), self._before)
        if record.get("type") in _SAID:
            above = self._said(record, at, name, above)
        self._above[name] = self._before = above

    def branches(self) -> Iterator[_Branch]:
        """The first lines of branches, in order of their predecessor."""
        for parent in sorted(self._several):
            for child in self._forked(parent):
                yield _Branch(self._lines[parent], self._names[child])

    def _said(self, record: Record, at: At, name: int, above: int) -> int:
        """Add a message; returns its index."""
        here = len(self._lines)
        self._lines.append(at.line)
        self._names.append(name)
        self._messages.append(_message(record, at))
        self._results.append(kind_of(record) == "tool_result")
        self._first.append(_NOBODY)
        if above != _NOBODY:
            first = self._first[above]
            if first == _NOBODY:
                self._first[above] = here
            else:
                self._several.setdefault(above, [first]).append(here)
        return here

    def _forked(self, parent: int) -> list[int]:
        """The branches after a line; parallel tool calls do not count.

        In that case, one child is a result and another the next line of the same
        message.
        """
        children, message = self._several[parent], self._messages[parent]
        others = [one for one in children if self._messages[one] != message]
        if len(others) < len(children):
            children = [one for one in others if not self._results[one]]
        return children if len(children) > 1 else []


def branches(bases: Bases, given: Given) -> Rows:
    """Every line with several successors, and these."""
    path = _source(bases, given.text("source"))
    tree = _Tree()
    for record, at in _records(bases, path):
        tree.add(record, at)
    found = list(tree.branches())
    said = _said(bases, path, frozenset(branch.name for branch in found))
    for branch in found:
        message = said.get(branch.name)
        if message:
            text = message.text[:_LONGEST]
            yield branch.begin, message.line, message.kind, text, path


def _records(bases: Bases, path: str) -> Iterator[tuple[Record, At]]:
    """The objects in a transcript, with their positions."""
    with bases.opened(path) as file:
        for line in split_lines(file):
            for value in parse(line.raw).values if line.raw else ():
                if isinstance(value, dict):
                    yield value, At(line.number, line.offset, line.size)


def _said(
    bases: Bases, path: str, names: frozenset[int]
) -> Mapping[int, MessageFound | None]:
    """The messages of the lines with these identifiers."""
    found: dict[int, MessageFound | None] = {}
    for record, at in _records(bases, path) if names else ():
        uuid = word(record, "uuid")
        if uuid and (name := number_of(uuid)) in names and name not in found:
            found[name] = message_of(record, at)
    return found


def _message(record: Record, at: At) -> int:
    """A number shared by all lines of one message."""
    if record.get("type") == "assistant":
        return number_of(reply_key(record, at))
    return number_of(word(record, "uuid") or at.key)


# Compare the watched folder with its backup: what was imported, and what was not.


def compare(bases: Bases, _given: Given) -> Rows:
    """Every key, where it is, its size, and the time of its last entry."""
    live = _transcripts(bases.live)
    saved = _transcripts(bases.backup) if bases.backup else {}
    for path in sorted(live.keys() | saved.keys()):
        here, there = live.get(path), saved.get(path)
        yield (
            path,
            "both" if here and there else "live" if here else "backup",
            here.stamp.size if here else None,
            there.stamp.size if there else None,
            *_entries(bases, path),
        )


def _transcripts(root: Root) -> dict[str, Source]:
    return {found.path: found for found in sources(root) if found.role in GROWING}


def _entries(bases: Bases, path: str) -> tuple[int, Json]:
    """The number of entries that spec 004 ingests from a file, and its last time."""
    count, last = 0, None
    for record, _ in _records(bases, path):
        if entry_text(record):
            count += 1
            last = record.get("timestamp") or last
    return count, last


# How later versions of spec 004's program would divide a transcript.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def divide(bases: Bases, given: Given) -> Rows:
    """The conversations resulting from the gap and the size limits, in order.

    Each has the line of its first entry.
    """
    path = _source(bases, given.text("source"))
    lines: dict[int, int] = {}
    entries = _entries_dividing(bases, path, lines)
    for number, one in enumerate(divisions(entries), start=1):
        first, last = _spelt(one.first), _spelt(one.last)
        told = (number, first, last, one.entries, one.characters, one.ended_by)
        yield *told, path, lines[one.first]


def _entries_dividing(
    bases: Bases, path: str, lines: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """The time and length of each entry; `lines` takes the first line of each time."""
    for record, at in _records(bases, path):
        entry = entry_text(record)
        said = parse_instant(text(record, "timestamp")).micros
        if entry and said is not None:
            lines.setdefault(said, at.line)
            yield said, len(entry.text)


def _spelt(micros: int) -> str:
    moment = _EPOCH + timedelta(microseconds=micros)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


# Lines of a transcript, and the transcript that an argument names.

_LONGEST_LINE = 1_000


def lines(bases: Bases, given: Given) -> Rows:
    """The lines between two numbers, unprocessed, with long ones shortened."""
    first, last = given.number("from") or 0, given.number("to")
    path = _source(bases, given.text("source"))
    with bases.opened(path) as file:
        for line in split_lines(file):
            if last is not None and line.number > last:
                return
            if line.number < first:
                continue
            raw = line.raw or b""
            value = next(iter(parse(raw).values), None)
            record = value if isinstance(value, dict) else {}
            words = raw[: _LONGEST_LINE * 4].decode(errors="replace")[:_LONGEST_LINE]
            kind, at = text(record, "type") or None, record.get("timestamp")
            yield line.number, kind, at, line.size, words, path


def thread(bases: Bases, given: Given) -> Rows:
    """Every line of a session below the one that it follows."""
    path = _source(bases, given.text("session"))
    return threaded(_nodes(bases, path))


def _nodes(bases: Bases, path: str) -> Iterator[Row]:
    for record, at in _records(bases, path):
        uuid = word(record, "uuid")
        if uuid:
            found = message_of(record, at)
            told: Row = {
                "depth": 0,
                "type": found.kind if found else word(record, "type"),
                "at": word(record, "timestamp"),
                "text": " ".join(found.text.split())[:_LONGEST] if found else None,
            }
            parent = word(record, "parentUuid")
            below: Row = {"note": None, "uuid": uuid, "parent": parent, "level": 0}
            yield told | below | {"line": at.line, "path": path}


def _source(bases: Bases, named: str) -> str:
    """The transcript given by its path, its session, or by a unique part of it."""
    growing = (
        source.path
        for source in scan(bases)
        if isinstance(source, Source) and source.role in GROWING
    )
    found = [path for path in growing if named in path]
    found = [one for one in found if Path(one).stem == named] or found
    if named in found:
        return named
    if len(found) != 1:
        how_many = (
            f"{len(found)} transcripts match" if found else "No transcript matches"
        )
        raise NothingFoundError(f"{how_many} {named!r} in this store.")
    return found[0]


# The reports on a store of transcripts.

_SOURCE = Parameter("source", "the path of a transcript", is_required=True)

REPORTS = (
    Report[Bases](
        "lines",
        "lines of a transcript, unchanged",
        "line type at bytes text path",
        lines,
        (
            _SOURCE,
            Parameter("from", type=Type.NUMBER),
            Parameter("to", type=Type.NUMBER),
        ),
    ),
    Report[Bases](
        "branches",
        "where a conversation was resumed",
        "from line kind text path",
        branches,
        (_SOURCE,),
    ),
    Report[Bases](
        "thread",
        "one session's lines as a tree",
        THREAD,
        thread,
        (Parameter("session", "a session", is_required=True),),
    ),
    Report[Bases](
        "divisions",
        "where newer versions would split: at the gap, 200 entries, 80 K characters",
        "conversation first last entries characters ended_by path line",
        divide,
        (_SOURCE,),
        plot="entries",
    ),
    Report[Bases](
        "import-check",
        "sessions that are live, in the backup, or in both",
        "path where live_bytes backup_bytes entries last_entry",
        compare,
        plot="entries",
    ),
)
