"""Edits of JSON and JSON Lines, value by value; every other byte stays the same."""

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import NamedTuple, cast

from store.errors import RecollectError
from store.files.json_read import BrokenJsonError, DamagedJsonError, Scanner, load_map
from store.findings import Json

# Write JSON in a file's existing style, so that a diff shows only real changes.

_INDENT = re.compile(r"\s*[\[{]\r?\n([ \t]+)")
_COMPACT = re.compile(r'\s*{\s*"[^"\\]*":\S')
_LONGEST_INDENT = 8
_HEAD = 4096
"""Characters at the start of a file that determine its style."""


class JsonStyle(NamedTuple):
    """The style in which a JSON file is written."""

    indent: str | None = "  "
    """The indentation of each level; None if everything is on one line."""
    compact: bool = False
    """Whether colons and commas are followed by no space."""
    escaped: bool = False
    """Whether non-ASCII characters are escaped."""
    ended: bool = True
    """Whether the file ends with a line feed."""

    def dumps(self, value: object) -> str:
        """The value in this style; escaped if it cannot be encoded otherwise."""
        text = self._dumped(value, escaped=self.escaped)
        try:
            text.encode()
        except UnicodeEncodeError:
            text = self._dumped(value, escaped=True)
        return f"{text}\n" if self.ended else text

    def _dumped(self, value: object, *, escaped: bool) -> str:
        comma = "," if self.compact or self.indent else ", "
        separators = (comma, ":" if self.compact else ": ")
        return json.dumps(
            value, indent=self.indent, separators=separators, ensure_ascii=escaped
        )


def style_of(text: str | None) -> JsonStyle:
    """The style of a file; the default if the text is empty."""
    if not text or not text.strip():
        return JsonStyle()
    head = text[:_HEAD]
    indent = _INDENT.match(head)
    return JsonStyle(
        indent=indent[1][:_LONGEST_INDENT] if indent else None,
        compact=_COMPACT.match(head) is not None,
        escaped=text.isascii() and "\\u" in text,
        ended=text.endswith("\n"),
    )


# Find values in a JSON text.
#
# Bytes become text without loss, invalid UTF-8 as surrogates.

Path = tuple[str | int, ...]
"""The path to a value: map keys and list indexes, outermost first."""

_BETWEEN = re.compile("[ \t\r\n\0\ufeff]*+")
"""What may come before a value, and between two: a crash leaves NULs."""


class NotSplicedError(RecollectError):
    """A JSON text cannot be changed at one place only; nothing was changed."""


class Item(NamedTuple):
    """A member of a map, or an item of a list; its place in the text."""

    start: int
    """The start: of its key, if it has one."""
    value: int
    """The start of its value."""
    end: int
    """The end of its value."""
    key: str
    """Its key in a map; empty in a list."""


def values_in(raw: bytes) -> list[bytes]:
    """The values on a line, as far as they can be separated.

    Before each of them is the text between it and the one before; the rest is last.
    """
    text, at, parts = _text(raw), 0, list[str]()
    while (start := _start(text, at)) < len(text):
        try:
            end = _value_end(text, start)
        except NotSplicedError:
            break
        parts += text[at:start], text[start:end]
        at = end
    return [_raw(part) for part in (*parts, text[at:])]


def items_at(raw: bytes, path: Path) -> list[bytes]:
    """The items of a list, as they are spelt; none if it isn't there."""
    text = _text(raw)
    found = find(text, path)
    items = container(text, found.value, "[")[0] if found else ()
    return [_raw(text[item.value : item.end]) for item in items]


def find(text: str, path: Path) -> Item | None:
    """The value at a path in the first value of a text; None if nothing is there.

    Raises NotSplicedError if the text is not JSON, or if a map on the path has a
    duplicate key, since either could be the intended one.
    """
    start = _start(text)
    item = Item(start, start, _value_end(text, start), "")
    for step in path:
        opening = text[item.value]
        if opening not in "{[":
            return None
        found = _within(container(text, item.value, opening)[0], step)
        if found is None:
            return None
        item = found
    return item


def container(text: str, start: int, opening: str) -> tuple[list[Item], int]:
    """The items of the map or list at `start`, and its end."""
    scanner = Scanner(text, start)
    found: dict[str | int, Item] = {}
    try:
        for key in scanner.items(opening):
            at = key if opening == "{" else len(found)
            if at in found:
                raise NotSplicedError(f"Can't change the duplicate key `{key:.40}`.")
            value = scanner.at
            scanner.value()
            found[at] = Item(scanner.start, value, scanner.at, key)
    except BrokenJsonError as error:
        raise NotSplicedError(f"Invalid JSON: {error}") from error
    return list(found.values()), scanner.at


def _value_end(text: str, start: int) -> int:
    scanner = Scanner(text, start)
    try:
        scanner.value()
    except BrokenJsonError as error:
        raise NotSplicedError(f"Invalid JSON: {error}") from error
    return scanner.at


def _start(text: str, at: int = 0) -> int:
    """Where the next value starts."""
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _within(items: list[Item], step: str | int) -> Item | None:
    if isinstance(step, int):
        return items[step] if 0 <= step < len(items) else None
    return next((item for item in items if item.key == step), None)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# Change some members of a large JSON document, and leave the rest as it is.
#
# Derived indexes reach megabytes while a change touches a handful of members. The
# standard library's scanner, written in C, skips everything in between, and all changes
# are made in one pass.

_BOM = "\ufeff"


class Gone(Enum):
    """Marks a member to be removed."""

    GONE = "gone"


class Within(NamedTuple):
    """Changes to the members of a member that is a map."""

    edits: "Edits"


Edit = Json | Gone | Within
"""The change to one member."""

Edits = Mapping[str, Edit]
"""Changes to members, by key."""


def with_members(
    raw: bytes, edits: Edits, says: Mapping[str, Json] | None = None
) -> bytes:
    """The document with changed members; raises DamagedJsonError.

    New members go last, in the style of their neighbours. The result is parsed again
    and compared with the expected value. `says` is the document's current value, if
    already known.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise DamagedJsonError("The file isn't UTF-8.") from error
    start = _start(text)
    try:
        body, end = _Writer(text).rewritten(start, edits, 0)
    except NotSplicedError as error:
        raise DamagedJsonError(f"{_NOT_HERE} {error}") from error
    after = (text[:start] + body + text[end:]).encode()
    if load_map(after) != _expected(load_map(raw) if says is None else says, edits):
        raise DamagedJsonError(_NOT_HERE)
    return after


class _Writer:
    """Rewrites maps of one document."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._style = style_of(text.removeprefix(_BOM))._replace(ended=False)
        self._newline = "\r\n" if "\r\n" in text[:_HEAD] else "\n"

    def rewritten(self, start: int, edits: Edits, depth: int) -> tuple[str, int]:
        """The map at `start` with its changes, and the end of the old one."""
        text = self._text
        places, end = container(text, start, "{")
        members = {item.key: item for item in places}
        before = {b: text[a.end : b.start] for a, b in pairwise(places)}
        lead = text[start + 1 : places[0].start] if places else self._line(depth + 1)
        tail = text[places[-1].end : end - 1] if places else self._line(depth)
        between = next(iter(before.values()), f",{lead or self._space()}")
        parts: list[str] = []
        for key, member in members.items():
            if edits.get(key) is not Gone.GONE:
                parts += [before.get(member, between)] if parts else []
                parts.append(self._member(member, key, edits, depth))
        for key, written in self._new(members, edits, depth):
            parts += [between] if parts else []
            parts.append(f"{self._key(key)}{written}")
        return (f"{{{lead}{''.join(parts)}{tail}}}" if parts else "{}"), end

    def _member(self, member: Item, key: str, edits: Edits, depth: int) -> str:
        """An existing member, with its new value if it has one."""
        text = self._text
        if key not in edits:
            return text[member.start : member.end]
        edit, head = edits[key], text[member.start : member.value]
        if isinstance(edit, Within):
            return head + self.rewritten(member.value, edit.edits, depth + 1)[0]
        old = text[member.value : member.end]
        return head + self._spelt(cast("Json", edit), depth + 1, like=old)

    def _new(
        self, members: Mapping[str, Item], edits: Edits, depth: int
    ) -> Iterator[tuple[str, str]]:
        for key, edit in edits.items():
            if key not in members and not isinstance(edit, Gone):
                yield key, self._spelt(_made(edit), depth + 1)

    def _spelt(self, value: Json, depth: int, like: str = "") -> str:
        """A value in the file's style, or on one line if the old value was."""
        style = self._style
        if like[:1] in {"[", "{"} and "\n" not in like and like not in {"[]", "{}"}:
            return style._replace(indent=None).dumps(value)
        return style.dumps(value).replace("\n", self._line(depth))

    def _key(self, key: str) -> str:
        return f"{self._style.dumps(key)}:{'' if self._style.compact else ' '}"

    def _line(self, depth: int) -> str:
        """A line break with indentation; empty if the file is a single line."""
        indent = self._style.indent
        return "" if indent is None else self._newline + indent * depth

    def _space(self) -> str:
        return "" if self._style.compact else " "


def _expected(value: Mapping[str, Json], edits: Edits) -> dict[str, Json]:
    """The value that the document should have after the edits."""
    after = {k: v for k, v in value.items() if edits.get(k) is not Gone.GONE}
    for key, edit in edits.items():
        old = value.get(key)
        if isinstance(edit, Within) and isinstance(old, dict):
            after[key] = _expected(old, edit.edits)
        elif not isinstance(edit, Gone):
            after[key] = _made(edit)
    return after


def _made(edit: Json | Within) -> Json:
    """A new value; changes to a missing map create it."""
    return _expected({}, edit.edits) if isinstance(edit, Within) else edit


_NOT_HERE = "Can't edit JSON in this form; edit the file instead."


# Read and write JSON without loss: numbers keep their spelling.


class Number(NamedTuple):
    """A number, in its original spelling."""

    spelt: str


class Pairs(list["tuple[str, Exact]"]):
    """A map: its keys in order, duplicates included."""


Exact = None | bool | str | Number | Pairs | list["Exact"]

_EXACT_DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs,
    parse_int=Number,
    parse_float=Number,
    parse_constant=Number,
    strict=False,
)


def exact(raw: bytes) -> Exact:
    """The only value of a text; raises NotSplicedError if it is not one JSON value."""
    text = _text(raw).strip(" \t\r\n\ufeff\0")
    try:
        return cast("Exact", _EXACT_DECODER.decode(text))
    except json.JSONDecodeError as error:
        sentence = f"Invalid JSON: {error.msg} (line {error.lineno}, "
        raise NotSplicedError(f"{sentence}column {error.colno}).") from None
    except RecursionError:
        raise NotSplicedError("Nested too deeply to change.") from None


def one_line(value: object) -> bytes:
    """A value as JSON on one line without blanks."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def spelt_exact(value: Exact, *, escaped: bool) -> bytes:
    """A value as JSON without any blanks; lone surrogates are always escaped."""
    if isinstance(value, Number):
        return value.spelt.encode()
    if isinstance(value, Pairs):
        parts = (
            spelt_exact(key, escaped=escaped) + b":" + spelt_exact(one, escaped=escaped)
            for key, one in value
        )
        return b"{" + b",".join(parts) + b"}"
    if isinstance(value, list):
        items = (spelt_exact(one, escaped=escaped) for one in value)
        return b"[" + b",".join(items) + b"]"
    try:
        return json.dumps(value, ensure_ascii=escaped).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def put(value: Exact, path: Path, new: Exact) -> Exact:
    """The value with `new` at a path; a missing key goes last."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, Pairs) and isinstance(step, str):
        if all(key != step for key, _ in value):
            return Pairs([*value, (step, new)])
        return Pairs(
            [(key, put(one, rest, new) if key == step else one) for key, one in value]
        )
    if isinstance(value, list) and isinstance(step, int):
        items = cast("list[Exact]", value)
        if step == len(items):
            return [*items, new]
        return [
            put(one, rest, new) if at == step else one for at, one in _numbered(items)
        ]
    raise NotSplicedError("Can't add a value here; edit the file instead.")


def without(value: Exact, path: Path) -> Exact:
    """The value without the one at a path."""
    step, rest = path[0], path[1:]
    if isinstance(value, Pairs):
        kept = [(k, one) for k, one in value if rest or k != step]
        return Pairs(
            [(k, without(one, rest) if rest and k == step else one) for k, one in kept]
        )
    if isinstance(value, list):
        items = cast("list[Exact]", value)
        kept = [(at, one) for at, one in _numbered(items) if rest or at != step]
        return [without(one, rest) if rest and at == step else one for at, one in kept]
    return value


def _numbered(items: "list[Exact]") -> "list[tuple[int, Exact]]":
    return list(enumerate(items))


# Change only the blanks between JSON tokens; the tokens keep their spelling.

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s\0,:{}\[\]"]++', re.DOTALL)
_PAIRS = {b"{": b"}", b"[": b"]"}
_SPACING_CLOSING = frozenset(_PAIRS.values())


def json_style(raw: bytes) -> JsonStyle:
    """The style of a text, so that additions match the rest."""
    return style_of(_text(raw))._replace(ended=False)


def spelt(value: Json, like: JsonStyle, prefix: bytes = b"") -> bytes:
    """A value in a given style; `prefix` starts each line after the first."""
    return like.dumps(value).encode().replace(b"\n", b"\n" + prefix)


def spaced(raw: bytes, like: JsonStyle, prefix: bytes = b"") -> bytes:
    """A text in another style: only the blanks between tokens change."""
    indent = None if like.indent is None else like.indent.encode()
    marks = {
        b",": b"," if like.compact or indent is not None else b", ",
        b":": b":" if like.compact else b": ",
    }
    parts: list[bytes] = []
    depth = 0
    for before, token, after in _in_threes(raw):
        opens = token in _PAIRS and after != _PAIRS[token]
        closes = token in _SPACING_CLOSING and _PAIRS.get(before) != token
        depth += opens - closes
        broken = b"" if indent is None else b"\n" + prefix + indent * depth
        parts.append(broken if closes else b"")
        parts.append(marks.get(token, token))
        parts.append(broken if opens or token == b"," else b"")
    return b"".join(parts)


def _in_threes(raw: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each token with the one before it and the one after it."""
    tokens = [found[0] for found in _TOKEN.finditer(raw)]
    return zip([b"", *tokens[:-1]], tokens, [*tokens[1:], b""], strict=True)


# Change one value of a JSON text; every other byte stays the same.
#
# The result is parsed again and must equal the original, apart from that value.

_ALTERS = "The change would alter more than this value."


def value_at(raw: bytes, path: Path) -> bytes | None:
    """The text of the value at a path; None if nothing is there."""
    text = _text(raw)
    item = find(text, path)
    return _raw(text[item.value : item.end]) if item else None


def with_value(raw: bytes, path: Path, value: Json) -> bytes:
    """The text with a new value at a path, in the style of the text.

    A new map key goes last, and so does the item after the end of a list. Raises
    NotSplicedError.
    """
    return with_text(raw, path, spelt(value, json_style(raw), prefix_at(raw, path)))


def with_text(raw: bytes, path: Path, new: bytes) -> bytes:
    """The text with a value at a path that is already encoded."""
    text = _text(raw)
    item = find(text, path)
    if item:
        changed = f"{text[: item.value]}{_text(new)}{text[item.end :]}"
    else:
        outer = _Outer(text, path)
        changed = outer.with_last(f"{outer.named(path[-1])}{_text(new)}")
    return _checked(_raw(changed), put(exact(raw), path, exact(new)))


def without_value(raw: bytes, path: Path) -> bytes:
    """The text without a key or list item; raises NotSplicedError."""
    text = _text(raw)
    item = find(text, path)
    if item is None:
        return raw
    changed = _Outer(text, path).without(item)
    return _checked(_raw(changed), without(exact(raw), path))


def prefix_at(raw: bytes, path: Path) -> bytes:
    """The indentation of the line on which a value, or its container, starts."""
    indent = json_style(raw).indent
    if indent is None:
        return b""
    text = _text(raw)
    item = find(text, path)
    if item:
        return _indentation(text, item.start).encode()
    outer = _Outer(text, path)
    if outer.items:
        return _indentation(text, outer.items[-1].start).encode()
    return f"{_indentation(text, outer.start)}{indent}".encode()


def _checked(changed: bytes, expected: Exact) -> bytes:
    if exact(changed) != expected:
        raise NotSplicedError(_ALTERS)
    return changed


class _Outer:
    """The map or list that holds the last step of a path."""

    def __init__(self, text: str, path: Path) -> None:
        outer = find(text, path[:-1]) if path else None
        opening = "[" if path and isinstance(path[-1], int) else "{"
        if outer is None or text[outer.value] != opening:
            what = "list" if opening == "[" else "map"
            raise NotSplicedError(f"No {what} to add the value to.")
        self._text = text
        self._style = style_of(text)
        self.start = outer.value
        self.items, self._end = container(text, outer.value, opening)

    def without(self, item: Item) -> str:
        """The text without an item, its comma and its blanks."""
        at = self.items.index(item)
        if len(self.items) == 1:
            return self._replaced(self.start + 1, self._end - 1, "")
        if at + 1 < len(self.items):
            return self._replaced(item.start, self.items[at + 1].start, "")
        return self._replaced(self.items[at - 1].end, item.end, "")

    def with_last(self, new: str) -> str:
        """The text with an item after the others, separated like these."""
        if self.items:
            last = self.items[-1].end
            return self._replaced(last, last, self._between() + new)
        if self._style.indent is not None:
            end = f"\n{_indentation(self._text, self.start)}"
            new = f"{end}{self._style.indent}{new}{end}"
        return self._replaced(self.start + 1, self._end - 1, new)

    def named(self, step: str | int) -> str:
        """The text before an added value: its key, and a colon in the file's style."""
        if isinstance(step, int):
            return ""
        style = self._style._replace(ended=False)
        colon = ":" if style.compact else ": "
        if self.items:
            like = self._text[self.items[-1].start : self.items[-1].value]
            colon = like[like.rindex('"') + 1 :]
        return f"{style.dumps(step)}{colon}"

    def _between(self) -> str:
        """The separator between two items, comma included."""
        *others, last = self.items
        if others:
            return self._text[others[-1].end : last.start]
        before = self._text[self.start + 1 : last.start]
        if "\n" in before:
            return f",{before}"
        return "," if self._style.compact else ", "

    def _replaced(self, start: int, end: int, new: str) -> str:
        return self._text[:start] + new + self._text[end:]


def _indentation(text: str, position: int) -> str:
    """The indentation of the line that contains a position."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]
