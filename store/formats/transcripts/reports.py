"""The built-in reports over a store."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from store.derive.conversations import divisions
from store.errors import NothingFoundError, WrongUseError
from store.files.beneath import Root
from store.files.json_read import parse, split_lines
from store.findings import Json, MessageFound
from store.formats.port import Question, Source
from store.formats.transcripts.scan import GROWING, Bases, scan, sources
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


def branches(bases: Bases, path: str) -> Iterator[Mapping[str, Json]]:
    """Every line with several successors, and these."""
    tree = _Tree()
    for record, at in _records(bases, path):
        tree.add(record, at)
    found = list(tree.branches())
    said = _said(bases, path, frozenset(branch.name for branch in found))
    for branch in found:
        message = said.get(branch.name)
        if message:
            yield {
                "from": branch.begin,
                "line": message.line,
                "kind": message.kind,
                "text": message.text[:_LONGEST],
            }


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


def compare(bases: Bases) -> Iterator[Mapping[str, Json]]:
    """Every key, where it is, its size, and the time of its last entry."""
    live = _transcripts(bases.live)
    saved = _transcripts(bases.backup) if bases.backup else {}
    for path in sorted(live.keys() | saved.keys()):
        here, there = live.get(path), saved.get(path)
        entries, last = _entries(bases, path)
        yield {
            "path": path,
            "where": "both" if here and there else "live" if here else "backup",
            "live_bytes": here.stamp.size if here else None,
            "backup_bytes": there.stamp.size if there else None,
            "entries": entries,
            "last_entry": last,
        }


def _transcripts(root: Root) -> dict[str, Source]:
    return {found.path: found for found in sources(root) if found.role in GROWING}


def _entries(bases: Bases, path: str) -> tuple[int, Json]:
    """The number of entries that spec 004 ingests from a file, and its last time."""
    count, last = 0, None
    with bases.opened(path) as file:
        for line in split_lines(file):
            for value in parse(line.raw).values if line.raw else ():
                if isinstance(value, dict) and entry_text(value):
                    count += 1
                    last = value.get("timestamp") or last
    return count, last


# How later versions of spec 004's program would divide a transcript.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def divide(bases: Bases, path: str) -> Iterator[Mapping[str, Json]]:
    """The conversations resulting from the gap and the size limits, in order."""
    for number, division in enumerate(
        divisions(_entries_dividing(bases, path)), start=1
    ):
        yield {
            "conversation": number,
            "first": _spelt(division.first),
            "last": _spelt(division.last),
            "entries": division.entries,
            "characters": division.characters,
            "ended_by": division.ended_by,
        }


def _entries_dividing(bases: Bases, path: str) -> Iterator[tuple[int, int]]:
    """The entries of a transcript: the time and length of each."""
    with bases.opened(path) as file:
        for line in split_lines(file):
            for value in parse(line.raw).values if line.raw else ():
                entry = entry_text(value) if isinstance(value, dict) else None
                if entry and isinstance(value, dict):
                    at = parse_instant(text(value, "timestamp")).micros
                    if at is not None:
                        yield at, len(entry.text)


def _spelt(micros: int) -> str:
    moment = _EPOCH + timedelta(microseconds=micros)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


# The reports on a store of transcripts.

QUESTIONS = (
    Question("lines", "lines of a transcript, unchanged", "SOURCE [FROM [TO]]"),
    Question("branches", "where a conversation was resumed", "SOURCE"),
    Question(
        "divisions",
        "where newer versions would split: at the gap, 200 entries, 80 K characters",
        "SOURCE",
    ),
    Question("import-check", "sessions only live, only in the backup, or in both", ""),
)

_QUESTIONS_LONGEST = 1_000


def answer(
    bases: Bases, question: str, words: Sequence[str]
) -> Iterator[Mapping[str, Json]]:
    """Answer a report, row by row; raises WrongUseError if arguments are missing."""
    if question == "import-check":
        if words:
            raise WrongUseError("Report `import-check` takes no arguments.")
        return compare(bases)
    if not words:
        raise WrongUseError(f"Report `{question}` needs the path of a transcript.")
    path = _source(bases, words[0])
    if question == "branches":
        return branches(bases, path)
    if question == "divisions":
        return divide(bases, path)
    first, last = _bounds(words[1:])
    return _lines(bases, path, first, last)


def _source(bases: Bases, word: str) -> str:
    """The transcript given by its path, or by a unique part of it."""
    found = [
        source.path
        for source in scan(bases)
        if isinstance(source, Source) and source.role in GROWING and word in source.path
    ]
    if word in found:
        return word
    if len(found) != 1:
        how_many = (
            f"{len(found)} transcripts match" if found else "No transcript matches"
        )
        raise NothingFoundError(f"{how_many} {word!r} in this store.")
    return found[0]


def _bounds(words: Sequence[str]) -> tuple[int, int | None]:
    if not all(word.isascii() and word.isdigit() for word in words):
        raise WrongUseError("Line numbers must be numbers.")
    match [int(word[:18]) for word in words]:
        case []:
            return 1, None
        case [first]:
            return first, None
        case [first, last]:
            return first, last
        case _:
            raise WrongUseError(
                "Report `lines` takes a transcript and at most two numbers."
            )


def _lines(
    bases: Bases, path: str, first: int, last: int | None
) -> Iterator[Mapping[str, Json]]:
    """The lines between two numbers, unprocessed, with long ones shortened."""
    with bases.opened(path) as file:
        for line in split_lines(file):
            if last is not None and line.number > last:
                return
            if line.number < first:
                continue
            raw = line.raw or b""
            value = next(iter(parse(raw).values), None)
            record = value if isinstance(value, dict) else {}
            yield {
                "line": line.number,
                "type": text(record, "type") or None,
                "at": record.get("timestamp"),
                "bytes": line.size,
                "text": raw[: _QUESTIONS_LONGEST * 4].decode(errors="replace")[
                    :_QUESTIONS_LONGEST
                ],
            }
