"""Files that hold many memories, changed line by line."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple, Protocol, cast

from store.errors import NotPossibleError
from store.files.json_edit import (
    Item,
    NotSplicedError,
    Span,
    container,
    exact,
    find,
    json_style,
    prefix_at,
    spaced,
    values_in,
    with_text,
    without_value,
)
from store.files.json_read import LONGEST, AtHand, parse, split_lines
from store.formats.agent_memory.layout import kind_of
from store.formats.agent_memory.memories import LISTS, Thing, is_memory, items

# A file of lines during a change; untouched lines stay byte for byte.

_BOM = b"\xef\xbb\xbf"

_BLOCK = 64 * 1024
"""The number of bytes searched at once for a line."""


class Sheet:
    """The lines of a file, by their numbers when it was read.

    Removing a line changes no other line's number. A missing newline at the end stays
    missing, unless a line is added. Other lines are not parsed, so changing one line
    is fast in a large file too.
    """

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._places = _Places(raw, len(_BOM) if raw.startswith(_BOM) else 0)
        self._changed: dict[int, bytes | None] = {}
        self._added: list[bytes] = []
        self._after: bytes | None = raw

    def line(self, number: int) -> bytes:
        """A line without its newline; empty if it doesn't exist."""
        if number in self._changed:
            return self._changed[number] or b""
        return self.was(number)

    def was(self, number: int) -> bytes:
        """A line as read from the file; empty if it is new."""
        span = self._places.span(number)
        return b"" if span is None else self._raw[slice(*span)]

    def replace(self, number: int, raw: bytes) -> None:
        """Put another text on a line that is there."""
        self._changed[number], self._after = raw, None

    def remove(self, number: int) -> None:
        """Take a line away, newline and all."""
        self._changed[number], self._after = None, None

    def clear(self) -> None:
        """Remove every line that was read."""
        for number in range(1, self._raw.count(b"\n") + 2):
            self.remove(number)

    def add(self, raw: bytes) -> None:
        """Put a line behind the last; one that lacks its newline is given it first."""
        is_dos = self._raw.removesuffix(b"\n").endswith(b"\r")
        self._added.append(raw + b"\r" * is_dos)
        self._after = None

    @property
    def raw(self) -> bytes:
        """The file as it is by now."""
        if self._after is None:
            parts = [*self._parts(), *self._added]
            is_ended = bool(self._added) or self._raw.endswith(b"\n")
            start = self._raw[: self._places.start]
            end = b"\n" if parts and is_ended else b""
            self._after = start + b"\n".join(parts) + end
        return self._after

    def _parts(self) -> Iterator[bytes]:
        """All but what was added: stretches that stay, and lines that were changed."""
        start = self._places.start
        for number, line in sorted(self._changed.items()):
            span = self._places.span(number)
            if span is None:
                continue
            if start < span[0]:
                yield self._raw[start : span[0] - 1]
            if line is not None:
                yield line
            start = span[1] + 1
        if start < len(self._raw):
            yield self._raw[start:].removesuffix(b"\n")


class _Places:
    """The positions of lines in some bytes, found on demand."""

    def __init__(self, raw: bytes, start: int) -> None:
        self._raw = raw
        self.start = start
        """Where the first line begins."""
        self._counts = [0]
        """How many lines end before each block."""

    def span(self, number: int) -> tuple[int, int] | None:
        """Where a line begins and ends, without its newline; None where none is."""
        start = self._begin(number)
        if start is None or start >= len(self._raw):
            return None
        end = self._raw.find(b"\n", start)
        return start, len(self._raw) if end < 0 else end

    def _begin(self, number: int) -> int | None:
        if number <= 1:
            return self.start if number == 1 else None
        ends = number - 1
        while self._counts[-1] < ends and self._reached < len(self._raw):
            self._count()
        if self._counts[-1] < ends:
            return None
        block = bisect_left(self._counts, ends) - 1
        at = self.start + block * _BLOCK - 1
        for _ in range(ends - self._counts[block]):
            at = self._raw.find(b"\n", at + 1)
        return at + 1

    @property
    def _reached(self) -> int:
        return self.start + (len(self._counts) - 1) * _BLOCK

    def _count(self) -> None:
        reached = self._reached
        found = self._raw.count(b"\n", reached, reached + _BLOCK)
        self._counts.append(self._counts[-1] + found)


# A memory where it stands, and the files that hold many, while they are changed.


class Held(NamedTuple):
    """A memory, and where in its file it stands."""

    path: str
    line: int
    """The line that it begins on."""
    place: int
    """Which value of its line, or which item of its list it is."""
    thing: Thing
    """Its value when the file was read."""
    kind: str | None
    """The kind of memory that its place is for."""


class Holder(Protocol):
    """A file that holds memories; lines and places are those of when it was read."""

    path: str
    before: bytes | None
    is_rewritten: bool
    """Whether anything that stood there was changed or taken away."""

    def held(self) -> list[Held]:
        """Every memory that it held when it was read."""
        ...

    def on_line(self, line: int | None) -> list[Held]:
        """Those that began on a line when it was read."""
        ...

    def raw(self, held: Held) -> bytes:
        """A memory as it is spelt by now."""
        ...

    def put(self, held: Held, raw: bytes) -> None:
        """Spell a memory otherwise."""
        ...

    def take(self, held: Held) -> bytes:
        """Take a memory out, and answer how it was spelt."""
        ...

    def add(self, kind: str, raw: bytes) -> None:
        """Put a memory behind the last of its kind."""
        ...

    @property
    def after(self) -> bytes:
        """All its bytes by now."""
        ...


class LinesFile:
    """A file of lines, usually one memory on each."""

    def __init__(self, path: str, before: bytes | None) -> None:
        self.path, self.before = path, before
        self.is_rewritten = False
        self.sheet = Sheet(before or b"")
        self._gone: set[tuple[int, int]] = set()
        self._held: list[Held] | None = None

    def held(self) -> list[Held]:
        """Every memory on its lines."""
        if self._held is None:
            self._held = self._read()
        return self._held

    def on_line(self, line: int | None) -> list[Held]:
        """Those of one line; no other line is read for that."""
        if line is None or self._held is not None:
            return [held for held in self.held() if held.line == line]
        raw = self.sheet.was(line)
        return self._on(line, raw) if len(raw) < LONGEST else []

    def _read(self) -> list[Held]:
        return [
            held
            for line in split_lines(AtHand(self.before or b""))
            for held in self._on(line.number, line.raw or b"")
        ]

    def _on(self, line: int, raw: bytes) -> list[Held]:
        kind = kind_of(self.path)
        return [
            Held(self.path, line, place, cast("Thing", value), kind)
            for place, value in enumerate(parse(raw).values)
            if is_memory(value)
        ]

    def raw(self, held: Held) -> bytes:
        """The value; raises if its line can't be edited safely."""
        line, span = self.sheet.line(held.line), self._span(held)
        return line[span.start : span.end]

    def put(self, held: Held, raw: bytes) -> None:
        """Replace a value; the rest of the line stays."""
        line, span = self.sheet.line(held.line), self._span(held)
        self.sheet.replace(held.line, line[: span.start] + raw + line[span.end :])
        self.is_rewritten = True

    def take(self, held: Held) -> bytes:
        """Take the line away, or the value alone where more stands on its line."""
        line, span = self.sheet.line(held.line), self._span(held)
        rest = line[: span.start] + line[span.end :]
        if rest.strip(b" \t\r\0"):
            self.sheet.replace(held.line, rest)
            self._gone.add((held.line, held.place))
        else:
            self.sheet.remove(held.line)
        self.is_rewritten = True
        return line[span.start : span.end]

    def clear(self) -> None:
        """Take all that stood there away; what is added stays."""
        self.sheet.clear()
        self.is_rewritten = True

    def add(self, kind: str, raw: bytes) -> None:
        """Put a line behind the last."""
        del kind
        self.sheet.add(raw)

    @property
    def after(self) -> bytes:
        """All its bytes by now."""
        return self.sheet.raw

    def _span(self, held: Held) -> Span:
        before = sum(1 for n, at in self._gone if n == held.line and at < held.place)
        line = self.sheet.line(held.line)
        spans = values_in(line)
        at = held.place - before
        if at < len(spans) and find(line[slice(*spans[at])], ()):
            return spans[at]
        raise NotPossibleError(
            f"Line {held.line} of {self.path} is too damaged to change."
        )


class AgentFile:
    """A document of version 1.0: a list for each kind."""

    before: bytes | None

    def __init__(self, path: str, before: bytes) -> None:
        self.path, self.before = path, before
        self.is_rewritten = False
        self._raw = before
        self._gone: set[tuple[str, int]] = set()
        self._held: list[Held] | None = None
        self._lists: dict[str, tuple[Item, ...]] = {}
        try:
            exact(before)
        except NotSplicedError as error:
            sentence = f"{path} is damaged and can't be changed. {error}"
            raise NotPossibleError(sentence) from error

    def held(self) -> list[Held]:
        """Every memory of its lists."""
        if self._held is None:
            self._held = self._read()
        return self._held

    def on_line(self, line: int | None) -> list[Held]:
        """Those that begin on a line."""
        return [held for held in self.held() if held.line == line]

    def _read(self) -> list[Held]:
        places = dict.fromkeys(LISTS.values(), -1)
        found: list[Held] = []
        for item in items((self.before or b"").decode(errors="replace")):
            places[item.kind] += 1
            if is_memory(item.value):
                thing = cast("Thing", item.value)
                place = places[item.kind]
                found.append(Held(self.path, item.line, place, thing, item.kind))
        return found

    def raw(self, held: Held) -> bytes:
        """The item of its list."""
        part, at = self._at(held)
        item = self._items(part)[at]
        return self._raw[item.value : item.end]

    def put(self, held: Held, raw: bytes) -> None:
        """Replace an item."""
        self._change(with_text(self._raw, self._at(held), raw))

    def take(self, held: Held) -> bytes:
        """Take an item out of its list."""
        at, raw = self._at(held), self.raw(held)
        self._change(without_value(self._raw, at))
        self._gone.add((at[0], held.place))
        return raw

    def add(self, kind: str, raw: bytes) -> None:
        """Put an item behind the last of its list, in the style of the document."""
        part = next(name for name, one in LISTS.items() if one == kind)
        if find(self._raw, (part,)) is None:
            self._change(with_text(self._raw, (part,), b"[]"))
        end = len(self._items(part))
        prefix = prefix_at(self._raw, (part, end))
        text = spaced(raw, json_style(self._raw), prefix)
        self._change(with_text(self._raw, (part, end), text))

    @property
    def after(self) -> bytes:
        """All its bytes by now."""
        return self._raw

    def _at(self, held: Held) -> tuple[str, int]:
        part = next(name for name, kind in LISTS.items() if kind == held.kind)
        before = sum(1 for p, at in self._gone if p == part and at < held.place)
        return part, held.place - before

    def _change(self, raw: bytes) -> None:
        self._raw = raw
        self._lists.clear()
        self.is_rewritten = True

    def _items(self, part: str) -> tuple[Item, ...]:
        """The current positions of the items of a list."""
        if part not in self._lists:
            found = find(self._raw, (part,))
            self._lists[part] = container(self._raw, found.value).items if found else ()
        return self._lists[part]
