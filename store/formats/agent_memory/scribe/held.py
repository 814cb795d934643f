"""A memory where it stands, and the files that hold many, while they are changed."""

from typing import NamedTuple, Protocol, cast

from store.edits.refusals import NotPossibleError
from store.files.jsonl import LONGEST, AtHand, parse, split_lines
from store.files.jsonl.exact import exact
from store.files.jsonl.sheet import Sheet
from store.files.jsonl.spacing import manner_of, spaced
from store.files.jsonl.spans import (
    Item,
    NotSplicedError,
    Span,
    container,
    find,
    values_in,
)
from store.files.jsonl.splice import prefix_at, with_text, without_value
from store.formats.agent_memory.document import LISTS, items
from store.formats.agent_memory.layout import kind_of
from store.formats.agent_memory.memory import is_memory
from store.formats.agent_memory.schema import Thing


class Held(NamedTuple):
    """A memory, and where in its file it stands."""

    path: str
    line: int
    """The line that it begins on."""
    place: int
    """Which value of its line, or which item of its list it is."""
    thing: Thing
    """What it said when the file was read."""
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
        """The value alone; refuses what cannot be told from its line for sure."""
        line, span = self.sheet.line(held.line), self._span(held)
        return line[span.start : span.end]

    def put(self, held: Held, raw: bytes) -> None:
        """Put a value in the place of another, the rest of the line stays."""
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
        raise NotPossibleError(f"Line {held.line} of {self.path} is too damaged.")


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
            sentence = f"{path} is damaged and cannot be changed. {error}"
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
        """Put an item in the place of another."""
        self._change(with_text(self._raw, self._at(held), raw))

    def take(self, held: Held) -> bytes:
        """Take an item out of its list."""
        at, raw = self._at(held), self.raw(held)
        self._change(without_value(self._raw, at))
        self._gone.add((at[0], held.place))
        return raw

    def add(self, kind: str, raw: bytes) -> None:
        """Put an item behind the last of its list, in the manner of the document."""
        part = next(name for name, one in LISTS.items() if one == kind)
        if find(self._raw, (part,)) is None:
            self._change(with_text(self._raw, (part,), b"[]"))
        end = len(self._items(part))
        prefix = prefix_at(self._raw, (part, end))
        text = spaced(raw, manner_of(self._raw), prefix)
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
        """Where the items of a list stand by now."""
        if part not in self._lists:
            found = find(self._raw, (part,))
            self._lists[part] = container(self._raw, found.value).items if found else ()
        return self._lists[part]
