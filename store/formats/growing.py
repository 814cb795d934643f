"""Read a file of JSON lines that grows, on from where reading ended.

The mark between two readings holds the next line's number, the state of what takes the
lines, and a checksum of everything before it: if that changes, the file was rewritten,
and reading starts over.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import asdict, replace

from store.files.beneath import OpenFile
from store.files.json_read import PIECE, Line, Parsed, parse, seal, split_lines
from store.findings import START, Findings, Flaw, Json, Mark, Severity

Record = dict[str, Json]

MOST_FLAWS = 100
"""The most damaged lines reported per file."""

TOO_LONG = Parsed((), "Line too long to read.")


class Taker(Protocol):
    """Takes the records of one file in order."""

    def take(self, record: Record, line: Line, ordinal: int, *, sound: bool) -> bool:
        """Take a record; False if everything before has to be read again.

        `ordinal` is its index among the values on the line. It is `sound` if it is the
        only one, and the line is valid JSON.
        """
        ...

    def odd(self, line: Line, parsed: Parsed) -> Flaw | None:
        """What is wrong with a line that is not one record, and nothing else."""
        ...

    def state(self) -> tuple[Json, bytes]:
        """What is needed to go on from here."""
        ...

    def found(self) -> Findings:
        """The findings since it was made."""
        ...


TakerOf = Callable[[Json, bytes], Taker]
"""Makes a taker from the state of an earlier one; None and nothing at the start."""

Leave = Callable[[Line], bool]
"""Whether to skip a line."""


class Past(Struct):
    """What is known of everything before the mark."""

    offset: int = 0
    number: int = 1
    """The number of the line that starts there."""
    until: int = 0
    """The end of everything read, which is after the mark if a line had no newline."""
    done: int = 0
    """The number of values read on that line."""
    flaws: int = 0
    """The number of flaws found."""
    seal: int = 0
    """The checksum of everything before `until`."""
    state: Any = None
    raw: bytes = b""
    """The state of the taker."""

    def mark(self, file: OpenFile) -> Mark:
        """The mark to go on from."""
        if not self.until:
            return START
        self.seal = seal(file, self.until)
        plain = asdict(self)
        del plain["raw"]
        # the json module escapes lone surrogates, which orjson refuses
        memory = json.dumps(plain).encode() + b"\n" + self.raw
        return Mark(self.offset, memory)


class _AnewError(Exception):
    """Everything read before has to be read again."""


def resumed(file: OpenFile, since: Mark) -> tuple[Past, bool]:
    """What was read before, and whether the file was replaced since."""
    plain, _, raw = since.memory.partition(b"\n")
    with suppress(ValueError, TypeError):
        past = Past(**json.loads(plain), raw=raw)
        if past.seal == seal(file, past.until):
            return past, False
    return Past(), bool(since.memory)


def read_on(
    file: OpenFile,
    past: Past,
    taker_of: TakerOf,
    leave: Leave | None = None,
    *,
    anew: bool = False,
) -> Findings:
    """The next piece of a file; never raises because of content.

    Lines for which `leave` is true are skipped like blank ones.
    """
    with suppress(_AnewError):
        return replace(_read(file, past, taker_of, leave), anew=anew)
    return replace(_read(file, Past(), taker_of, leave), anew=True)


def _read(
    file: OpenFile, past: Past, taker_of: TakerOf, leave: Leave | None
) -> Findings:
    taker, begin = taker_of(past.state, past.raw), past.offset
    flaws: list[Flaw] = []
    tail, more = None, False
    offset, number, done, until = begin, past.number, past.done, past.until
    for line in split_lines(file, begin, number):
        if offset - begin >= PIECE:
            more = True
            break
        parsed = TOO_LONG if line.raw is None else parse(line.raw)
        if done and (done != len(parsed.values) or parsed.problem):
            raise _AnewError
        if not line.ended and (
            parsed.problem or any(not isinstance(one, dict) for one in parsed.values)
        ):
            tail = _unfinished(line)
            break
        if not done and (leave is None or not leave(line)):
            flaw = _take(taker, line, parsed)
            if flaw:
                past.flaws += 1
                flaws += _reported(flaw, past.flaws)
        until = line.offset + line.size
        if line.ended:
            offset, number, done = until, line.number + 1, 0
        else:  # it is read again
            offset, number, done = line.offset, line.number, len(parsed.values)
    past.until = until
    past.offset, past.number, past.done = offset, number, done
    found = taker.found()
    past.state, past.raw = taker.state()
    return replace(
        found,
        flaws=tuple(sorted((*found.flaws, *flaws), key=lambda flaw: flaw.line or 0)),
        tail=tail,
        mark=past.mark(file),
        more=more,
    )


def _take(taker: Taker, line: Line, parsed: Parsed) -> Flaw | None:
    """Take the records of a line; returns what is wrong with anything else on it."""
    if parsed.problem is None and len(parsed.values) == 1:
        value = parsed.values[0]
        if isinstance(value, dict):
            if taker.take(value, line, 0, sound=True):
                return None
            raise _AnewError
    for ordinal, value in enumerate(parsed.values):
        if isinstance(value, dict) and not taker.take(
            value, line, ordinal, sound=False
        ):
            raise _AnewError
    return taker.odd(line, parsed)


def _reported(flaw: Flaw, count: int) -> list[Flaw]:
    """The flaw, as long as there are few."""
    if count == MOST_FLAWS + 1:
        message = "More such lines follow; they are only counted."
        flaw = replace(flaw, message=message)
    return [flaw] if count <= MOST_FLAWS + 1 else []


def _unfinished(line: Line) -> Flaw:
    return Flaw(
        code="unfinished-line",
        message="The last line is still being written.",
        severity=Severity.NOTE,
        line=line.number,
    )
