"""YAML headers changed byte for byte, each change read back and checked."""

import re
from collections.abc import Callable
from collections.abc import Mapping as AbcMapping
from collections.abc import Sequence as AbcSequence
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct

from store.files.frontmatter import (
    EditRefusedError,
    HeaderError,
    Page,
    read_page,
    split,
)
from store.files.frontmatter_yaml import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    fields_of,
    kind,
    plain_is_safe,
    quote,
    read_events,
    read_lines,
    read_tame,
    written,
)
from store.findings import Value

# A file's header with the place of everything in it: what edits are made with.

Path = tuple[str | int, ...]
"""Keys and positions that lead from the top of a header to one value."""


class Header(Struct, frozen=True):
    """The header of one file; all offsets are bytes of the file."""

    raw: bytes
    """The whole file."""
    start: int
    """Where the header's first line starts."""
    end: int
    """Where the closing fence starts."""
    body: int
    """Where the body starts."""
    newline: str
    """What ends a line here."""
    root: Mapping
    """The fields."""

    def fields(self) -> dict[str, Value]:
        """What the header says."""
        return fields_of(self.root)

    def at(self, path: Path) -> Node:
        """The value that a path leads to; raises `EditRefusedError` where none does."""
        node: Node = self.root
        for step in path:
            found = _child(node, step)
            if found is None:
                raise EditRefusedError(f"The front matter has no {_spoken(path)}.")
            node = found
        return node

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """Widen a span to the whole lines that it touches, last newline included."""
        line_end = self.raw.find(b"\n", max(start, end - 1), self.end)
        after = self.end if line_end < 0 else line_end + 1
        return self.raw.rfind(b"\n", 0, start) + 1, after

    def column(self, offset: int) -> int:
        """The number of bytes before an offset on its line."""
        return offset - self.raw.rfind(b"\n", 0, offset) - 1


def locate(raw: bytes) -> Header:
    """Read a header for editing; raises a `HeaderError` where that is not safe."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise HeaderError("The file isn't UTF-8.") from error
    parts = split(text)
    if parts is None:
        raise HeaderError("The file has no front matter.")
    if parts.newline == "\r":
        raise HeaderError("The lines end with a lone carriage return.")
    start = len(text[: parts.start].encode())
    header = text[parts.start : parts.end]
    size = len(header.encode())
    fence = len(text[parts.end : parts.body].encode())
    root, _ = read_events(header, _places(header, start))
    root = root or Mapping(start + size, start + size, 2, (), flow=False)
    return Header(raw, start, start + size, start + size + fence, parts.newline, root)


def _places(text: str, start: int) -> Callable[[int], int]:
    """From an offset in the header's text to one in the file's bytes."""
    if text.isascii():
        return start.__add__
    widths = (len(char.encode()) for char in text)
    return list(accumulate(widths, initial=start)).__getitem__


def _child(node: Node, step: str | int) -> Node | None:
    match node:
        case Mapping() if isinstance(step, str):
            return node.get(step)
        case Sequence() if isinstance(step, int):
            return node.items[step] if 0 <= step < len(node.items) else None
        case Scalar() | Sequence() | Mapping():
            return None


def _spoken(path: Path) -> str:
    steps = (f"item {step + 1}" if isinstance(step, int) else step for step in path)
    return " → ".join(steps) or "fields"


# What a header has to say after a change: worked out from values alone.
#
# A change of bytes is held against this, so that no slip in placing them goes unseen.


def put(value: Value, path: Path, new: Value) -> Value:
    """The same value with another one at a path; a key that is not there is added."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        return [put(v, rest, new) if i == step else v for i, v in enumerate(value)]
    if isinstance(value, AbcMapping) and isinstance(step, str):
        return {**value, step: put(value.get(step, ""), rest, new)}
    return value


def dropped(value: Value, path: Path) -> Value:
    """The same value without the key or item that a path leads to."""
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        kept = ((i, v) for i, v in enumerate(value) if rest or i != step)
        return [dropped(v, rest) if i == step else v for i, v in kept]
    if isinstance(value, AbcMapping):
        pairs = ((k, v) for k, v in value.items() if rest or k != step)
        return {k: dropped(v, rest) if k == step else v for k, v in pairs}
    return value


def inserted(value: Value, path: Path, new: Value) -> Value:
    """The same value with an item more, in front of the place that a path names."""
    at, step = path[:-1], path[-1]
    items = value_at(value, at)
    if not isinstance(items, list) or not isinstance(step, int):
        return value
    return put(value, at, [*items[:step], new, *items[step:]])


def value_at(value: Value | None, path: Path) -> Value | None:
    """The value at a path; None if missing."""
    for step in path:
        if isinstance(value, AbcMapping) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if 0 <= step < len(value) else None
        else:
            return None
    return value


# Changes that touch the bytes of one value and no other byte.


def replace(raw: bytes, start: int, end: int, new: bytes) -> bytes:
    """Replace the bytes of a span."""
    return raw[:start] + new + raw[end:]


def with_scalar(header: Header, path: Path, value: str) -> Header:
    """The header with another text at a path; every other byte stays.

    Raises a `HeaderError` that says why when that cannot be done safely: the header is
    read again afterwards, and all but the one value must be as before.
    """
    node = header.at(path)
    if not isinstance(node, Scalar):
        raise EditRefusedError("Only a single value can be set, not a list or map.")
    refuse_duplicates(header, path)
    written = _written(header, path, node, value)
    changed = replace(header.raw, node.start, node.end, written)
    return check(header, changed, put(header.fields(), path, value))


def check(before: Header, changed: bytes, expected: Value) -> Header:
    """Read a change again; raise unless the fields are as expected, the body as was."""
    try:
        after = locate(changed)
    except HeaderError as error:
        sentence = f"The change would make the front matter invalid. {error}"
        raise EditRefusedError(sentence, error.line) from error
    if after.fields() != expected or changed[after.body :] != before.raw[before.body :]:
        raise EditRefusedError("The change would alter more than this value.")
    return after


def refuse_duplicates(header: Header, path: Path) -> None:
    """Raise where a mapping on the way names a key twice: which one would be meant?"""
    for length in range(len(path)):
        node = header.at(path[:length])
        twice = next(node.duplicates(), None) if isinstance(node, Mapping) else None
        if twice is not None:
            sentence = f"Duplicate key “{twice.value}” (line {twice.line})."
            raise EditRefusedError(sentence, twice.line)


def in_brackets(header: Header, path: Path) -> bool:
    """Whether what a path leads to stands within brackets or braces."""
    above = (header.at(path[:length]) for length in range(len(path)))
    return any(not isinstance(node, Scalar) and node.flow for node in above)


def encoded(text: str) -> bytes:
    """The bytes of a text; refuses what no file can hold."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise EditRefusedError("The text contains invalid Unicode.") from error


def _written(header: Header, path: Path, node: Scalar, value: str) -> bytes:
    """The value as written to the file, with its old quotes if possible."""
    raw = header.raw
    new = encoded(_quoted(node, value, flow=in_brackets(header, path)))
    glued = node.start == node.end and raw[node.start - 1 : node.start] in {b":", b"-"}
    return b" " + new if glued else new


def _quoted(node: Scalar, value: str, *, flow: bool) -> str:
    if node.style is Style.PLAIN and (
        plain_is_safe(value, flow=flow) or _same_kind(node.value, value)
    ):
        return value
    if node.style is Style.SINGLE and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return quote(value)


def _same_kind(old: str, new: str) -> bool:
    """Whether both are numbers, dates or the like, which quotes would make texts of."""
    numbers = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"}
    kinds = {kind(old), kind(new)}
    if "tag:yaml.org,2002:str" in kinds or not new.strip():
        return False
    return kinds <= numbers or len(kinds) == 1


# New values as they are put into words: plain, quoted where need be, or quoted.


class Form(Enum):
    """How a new value shall stand."""

    AS_IS = "as is"
    """A number, a date, an identifier: never in quotes."""
    AS_NEEDED = "as needed"
    """A text, in quotes only where YAML would read it otherwise."""
    QUOTED = "quoted"
    """A text, always in double quotes."""


class Told(NamedTuple):
    """A key and its value, as in a list entry."""

    key: str
    value: str
    form: Form = Form.AS_NEEDED


def scalar(text: str, form: Form, *, flow: bool = False) -> str:
    """One text in a form."""
    if form is Form.AS_IS:
        return text
    return written(text, flow=flow, quoted=form is Form.QUOTED)


def in_brackets_wording(texts: AbcSequence[str], form: Form = Form.AS_NEEDED) -> str:
    """A list on one line."""
    return f"[{', '.join(scalar(text, form, flow=True) for text in texts)}]"


def in_braces(entry: AbcSequence[Told]) -> str:
    """A mapping on one line."""
    pairs = (f"{key}: {scalar(v, form, flow=True)}" for key, v, form in entry)
    return f"{{{', '.join(pairs)}}}"


def dashed(texts: AbcSequence[str], indent: int, form: Form) -> list[str]:
    """A list, an item a line."""
    return [f"{' ' * indent}- {scalar(text, form)}" for text in texts]


def dashed_entry(entry: AbcSequence[Told], indent: int) -> list[str]:
    """A mapping as an item of a list, a key a line."""
    lines = [f"{key}: {scalar(value, form)}" for key, value, form in entry]
    first, *others = lines
    return [f"{' ' * indent}- {first}", *(f"{' ' * indent}  {one}" for one in others)]


# Headers that YAML refuses, or would cut: values that lack their quotes get them.

_ENTRY = re.compile(r"([A-Za-z_][\w-]*):[ \t]+([^\r\n]*\S)[ \t]*\r?", re.ASCII)
_NESTED = re.compile(rf"[ \t]*(?:-[ \t]+)?{_ENTRY.pattern}", re.ASCII)
_OPENED = ("[", "{", "|", ">")
_TAGGED = frozenset({"=", "<<"})
"""Plain scalars that YAML means something by, and that its readers stumble over."""
_UNLIKE = "Can't fix the front matter without changing its values; edit it as text."


def with_quotes(raw: bytes) -> bytes:
    """The file with its doubtful values in quotes, if that is all that is wrong.

    The values stay those of the tolerant reader. Raises
    EditRefusedError where that cannot be done.
    """
    before = read_page(raw)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise EditRefusedError("The file isn't UTF-8.") from error
    parts = split(text)
    if parts is None:
        raise EditRefusedError("The file has no front matter.")
    lines = text[parts.start : parts.end].split("\n")
    for pattern in (_ENTRY, _NESTED):
        header = "\n".join(_with_quoted_value(line, pattern) for line in lines)
        after = f"{text[: parts.start]}{header}{text[parts.end :]}".encode()
        if _says_the_same(after, before):
            return after
    raise EditRefusedError(_UNLIKE)


def _says_the_same(raw: bytes, before: Page) -> bool:
    """Whether a file is valid YAML with unchanged values."""
    try:
        header = locate(raw)
    except HeaderError:
        return False
    page = read_page(raw)
    return header.fields() == before.fields and page.body == before.body


def _with_quoted_value(line: str, pattern: re.Pattern[str]) -> str:
    """A line of the header; its value is quoted where YAML would not read it so."""
    entry = pattern.fullmatch(line)
    if entry is None or entry[2].startswith(_OPENED):
        return line
    fields, _ = read_lines(f"{entry[1]}: {entry[2]}")
    value, start = fields.get(entry[1]), entry.start(2)
    if not isinstance(value, str) or _is_read_as(entry[1], entry[2], value):
        return line
    is_plain = entry[2].startswith(value)
    end = start + len(value) if is_plain else entry.end(2)
    return f"{line[:start]}{quote(value)}{line[end:]}"


def _is_read_as(key: str, text: str, value: str) -> bool:
    """Whether YAML reads a text as a value."""
    return text not in _TAGGED and read_tame(f"{key}: {text}") == {key: value}
