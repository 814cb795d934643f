"""A file of JSON lines that is appended to: read on from where reading ended.

What is noted between two readings tells the next line's number, what the reader of the
records knows so far, and a digest of bytes before the mark: where these bytes changed,
the file is another than it was, and reading begins anew.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple, Protocol, cast

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.beneath import OpenFile, Root
from store.files.jsonl import PIECE, Line, Parsed, parse, split_lines
from store.findings import START, UNREADABLE, Findings, Flaw, Json, Mark, Severity

Record = dict[str, Json]

MOST_FLAWS = 100
"""How many damaged lines of one file are told."""

_BEGINNING = 256
_BEFORE = 1024
"""How many bytes, at the beginning and before the mark, have to be what they were."""


class Entry(NamedTuple):
    """One record of a file, and the line that it stands on."""

    record: Record
    line: Line
    sound: bool
    """Whether it stands alone on a line of valid JSON."""
    ordinal: int
    """Which of the values on the line it is."""


class RecordReader(Protocol):
    """Takes the records of one file in order, and tells what they come to."""

    def take(self, entry: Entry) -> bool:
        """Read one record; answers False where all has to be read anew for it."""
        ...

    def broken(self, line: Line) -> None:
        """Look at a line that holds no record."""
        ...

    def knows(self) -> Json:
        """What has to be known to read on."""
        ...

    def found(self) -> Findings:
        """What was found since the reader was made."""
        ...


ReaderOf = Callable[[Json], RecordReader]
"""Makes a reader, from what one knew who read so far."""

Leave = Callable[[Line], bool]
"""Says whether a line is to be left alone."""


class _Past(Struct):
    """What was noted about all that lies before the mark."""

    offset: int = 0
    number: int = 1
    until: int = 0
    """The byte after all that was read: beyond the mark where a line had no end."""
    done: int = 0
    """How many values of that line were read."""
    flaws: int = 0
    """How many flaws were told."""
    known: Json = None


class _Piece(Struct):
    """What one reading came to."""

    past: _Past
    flaws: list[Flaw] = field(default_factory=list[Flaw])
    tail: Flaw | None = None
    more: bool = False


class _AnewError(Exception):
    """All that was read has to be read again."""


def read_growing(
    root: Root,
    path: str,
    since: Mark,
    reader_of: ReaderOf,
    leave: Leave | None = None,
) -> Findings:
    """One piece of a file from a mark on; never raises for content.

    Lines that are to be left alone are passed over as if they were blank.
    """
    try:
        with root.opened(path) as file:
            past = _remembered(file, since)
            if past:
                with suppress(_AnewError):
                    return _read(file, past, reader_of, leave)
            return replace(_read(file, _Past(), reader_of, leave), anew=True)
    except UnreadableError as error:
        flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
        return Findings(flaws=(flaw,), mark=since)


def _read(
    file: OpenFile, past: _Past, reader_of: ReaderOf, leave: Leave | None
) -> Findings:
    reader = reader_of(past.known)
    piece = _Piece(replace(past))
    for line in split_lines(file, past.offset, past.number):
        if piece.past.offset - past.offset >= PIECE:
            piece.more = True
            break
        parsed = Parsed((), None) if line.raw is None else parse(line.raw)
        known = past.done if line.offset == past.offset else 0
        if known and (known != len(parsed.values) or parsed.problem):
            raise _AnewError
        if not line.ended and not _is_whole(parsed):
            piece.tail = _tail(line)
            break
        if not known and (leave is None or not leave(line)):
            _take(reader, piece, line, parsed)
        _go_on(piece.past, line, len(parsed.values))
    found = reader.found()
    piece.past.known = reader.knows()
    return replace(
        found,
        flaws=tuple(sorted((*found.flaws, *piece.flaws), key=_line_of)),
        tail=piece.tail,
        mark=_mark(file, piece.past),
        more=piece.more,
    )


def _take(reader: RecordReader, piece: _Piece, line: Line, parsed: Parsed) -> None:
    """Hand on the records of a line, and note what else is on it."""
    values = parsed.values
    sound = parsed.problem is None and len(values) == 1
    records = 0
    for ordinal, value in enumerate(values):
        if isinstance(value, dict):
            records += 1
            if not reader.take(Entry(value, line, sound, ordinal)):
                raise _AnewError
    if not sound:
        reader.broken(line)
    flaw = _flaw(line, parsed, records)
    if flaw:
        piece.past.flaws += 1
        if piece.past.flaws <= MOST_FLAWS:
            piece.flaws.append(flaw)


def _flaw(line: Line, parsed: Parsed, records: int) -> Flaw | None:
    if line.raw is None:
        sentence = "This line is too long to be read."
        return _broken(line, sentence, Severity.ERROR)
    if parsed.problem:
        lost = Severity.WARNING if records else Severity.ERROR
        return _broken(line, f"This line is damaged. {parsed.problem}", lost)
    if records < len(parsed.values):
        return Flaw(
            code="no-record",
            message="This line holds JSON, but no record.",
            line=line.number,
        )
    return None


def _broken(line: Line, sentence: str, severity: Severity) -> Flaw:
    return Flaw(
        code="broken-line", message=sentence, severity=severity, line=line.number
    )


def _is_whole(parsed: Parsed) -> bool:
    """Whether a line without its newline holds all that it will."""
    whole = parsed.values and parsed.problem is None
    return bool(whole) and isinstance(parsed.values[-1], dict)


def _line_of(flaw: Flaw) -> int:
    return flaw.line or 0


def _tail(line: Line) -> Flaw:
    return Flaw(
        code="unfinished-line",
        message="The last line is not finished: it may still be written.",
        severity=Severity.NOTE,
        line=line.number,
    )


def _go_on(past: _Past, line: Line, values: int) -> None:
    """Move the mark behind a line; one without an end will be looked at again."""
    past.until = line.offset + line.size
    past.offset = past.until if line.ended else line.offset
    past.number = line.number + 1 if line.ended else line.number
    past.done = 0 if line.ended else values


def _mark(file: OpenFile, past: _Past) -> Mark:
    if not past.until:
        return START
    noted = {
        "number": past.number,
        "until": past.until,
        "done": past.done,
        "flaws": past.flaws,
        "known": past.known,
        "seal": _seal(file, past.until),
    }
    return Mark(past.offset, orjson.dumps(noted))


def _remembered(file: OpenFile, since: Mark) -> _Past | None:
    """What was noted; None where the file is not what it was then."""
    if not since.memory:
        return _Past()
    try:
        noted = cast("Record", orjson.loads(since.memory))
    except orjson.JSONDecodeError:
        return None
    match noted:
        case {
            "number": int() as number,
            "until": int() as until,
            "done": int() as done,
            "flaws": int() as flaws,
            "known": known,
            "seal": str() as seal,
        } if seal == _seal(file, until):
            return _Past(since.offset, number, until, done, flaws, known)
        case _:
            return None


def _seal(file: OpenFile, offset: int) -> str:
    """A digest of some bytes before a mark, and of how many there are."""
    first = file.at(0, min(_BEGINNING, offset))
    start = max(0, offset - _BEFORE)
    before = file.at(start, offset - start)
    return blake2b(first + before, digest_size=16, salt=b"kei").hexdigest()
