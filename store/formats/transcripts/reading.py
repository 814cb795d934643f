"""A transcript read in pieces, from where reading stopped."""

from collections.abc import Callable

import orjson

from store.files.beneath import OpenFile
from store.files.jsonl import PIECE, Line, parse, split_lines
from store.findings import START, Findings, Flaw, Mark, Severity, TitleFound
from store.formats.transcripts.evidence import are_ours
from store.formats.transcripts.memory import Memory
from store.formats.transcripts.naming import Named, sibling
from store.formats.transcripts.piece import Piece
from store.formats.transcripts.prefix import is_continued, seals

BROKEN = "(broken)"
"""What a line is counted as that is no JSON."""

_GLANCE = 8 * 1024
"""How much is read at once to see whether a file is a transcript at all."""

_MOST_FLAWS = 100
"""How many lines of one file are told as flaws."""


class Reader:
    """Reads one piece of one transcript."""

    def __init__(
        self,
        file: OpenFile,
        path: str,
        named: Named,
        titles: tuple[TitleFound, ...],
        has_file: Callable[[str], bool],
    ) -> None:
        """`titles` come from beside; `has_file`: has an agent a transcript itself?"""
        self._file = file
        self._path = path
        self._named = named
        self._titles = titles
        self._has_file = has_file
        self._flaws: list[Flaw] = []
        self._tail: Flaw | None = None

    def read(self, since: Mark, *, is_sure: bool) -> Findings:
        """The piece after a mark; `is_sure` where the place tells that it is ours."""
        memory = Memory.of(since.memory)
        anew = bool(since.memory) and not is_continued(self._file, memory)
        if anew or not since.memory:
            since, memory = START, Memory()
        if not is_sure and not since.offset:
            ours = are_ours(split_lines(self._file, at_once=_GLANCE))
            if not ours:
                return self._foreign(is_certain=ours is False, anew=anew)
        return self._piece(since.offset, memory, anew=anew)

    def _piece(self, start: int, memory: Memory, *, anew: bool) -> Findings:
        piece = Piece(self._named, memory, self._has_file)
        offset = memory.until = start
        more = False
        for line in split_lines(self._file, start, memory.number):
            if offset - start >= PIECE:
                more = True
                break
            if not line.ended:
                self._last(line, piece, memory)
                break
            self._line(line, piece, memory)
            offset = memory.until = line.offset + line.size
            memory.number, memory.done = line.number + 1, 0
        piece.remember()
        memory.head, memory.tail = seals(self._file, memory.until)
        return Findings(
            messages=piece.messages(),
            sessions=(piece.session(self._parent(memory), self._titles),),
            flaws=tuple(self._flaws),
            tail=self._tail,
            mark=Mark(offset, memory.as_bytes()),
            more=more,
            anew=anew,
        )

    def _line(self, line: Line, piece: Piece, memory: Memory) -> None:
        """Take in a line that has its newline."""
        raw = line.raw
        if raw is None:
            message = f"The line is {line.size} bytes long; it is not read."
            self._flaw("line-too-long", message, line, piece, memory)
            return
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError:
            self._odd(raw, line, piece, memory)
            return
        if not memory.done:
            piece.take(value, line, 0)

    def _odd(self, raw: bytes, line: Line, piece: Piece, memory: Memory) -> None:
        """Take in a line that is not one plain value, as far as it can be read."""
        values, problem = parse(raw)
        if problem:
            self._flaw("broken-line", problem, line, piece, memory)
        for ordinal in range(memory.done, len(values)):
            piece.take(values[ordinal], line, ordinal)

    def _last(self, line: Line, piece: Piece, memory: Memory) -> None:
        """Take in a line that has no newline, if it is complete nevertheless."""
        values, problem = parse(line.raw) if line.raw else ((), "It is too long.")
        if problem or not all(isinstance(value, dict) for value in values):
            message = "The last line is not complete; it is read once it is."
            note = Severity.NOTE
            self._tail = Flaw(
                code="unfinished-line", message=message, severity=note, line=line.number
            )
            return
        for ordinal in range(memory.done, len(values)):
            piece.take(values[ordinal], line, ordinal)
        memory.number, memory.done = line.number, len(values)
        memory.until = line.offset + line.size

    def _flaw(
        self, code: str, message: str, line: Line, piece: Piece, memory: Memory
    ) -> None:
        """Tell what is wrong with a line, but not of thousands of them."""
        piece.counts[BROKEN] += 1
        memory.flaws += 1
        if memory.flaws > _MOST_FLAWS + 1:
            return
        if memory.flaws > _MOST_FLAWS:
            message = "There are more such lines from here on; they are only counted."
        self._flaws.append(Flaw(code=code, message=message, line=line.number))

    def _foreign(self, *, is_certain: bool, anew: bool) -> Findings:
        """What is said of a file in which no line is Claude Code's.

        As long as there are few lines, the ones that follow may tell otherwise.
        """
        if not self._file.stamp.size:
            return Findings(anew=anew)
        message = "No line of it is one of Claude Code's; it is not read."
        flaw = Flaw(code="no-transcript", message=message)
        if is_certain:
            return Findings(flaws=(flaw,), anew=anew)
        return Findings(tail=flaw, anew=anew)

    def _parent(self, memory: Memory) -> str | None:
        """The transcript that started this one, where this one is an agent's."""
        if self._named.parent or not self._named.agent or not memory.session:
            return self._named.parent
        return sibling(self._path, memory.session)
