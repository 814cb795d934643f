"""Edits of JSON and JSON Lines, value by value; every other byte stays the same."""

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import NamedTuple, cast

from store.errors import RecollectError
from store.files.json_read import DamagedJsonError, load_map
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


# Change some members of a large JSON document, and leave the rest as it is.
#
# Derived indexes reach megabytes while a change touches a handful of members. The
# standard library's scanner, written in C, skips everything in between, and all changes
# are made in one pass.

_BOM = "\ufeff"
_BLANK = re.compile(r"[ \t\r\n]*+")
_DECODER = json.JSONDecoder(strict=False)


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


class _Member(NamedTuple):
    """The position of a member: its key, its value and its end."""

    start: int
    value: int
    end: int


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
    start = _after_blank(text, len(text) - len(text.removeprefix(_BOM)))
    body, end = _Writer(text).rewritten(start, edits, 0)
    after = (text[:start] + body + text[end:]).encode()
    if load_map(after) != _expected(load_map(raw) if says is None else says, edits):
        raise _damaged()
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
        members, end = _members(text, start)
        places = list(members.values())
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

    def _member(self, member: _Member, key: str, edits: Edits, depth: int) -> str:
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
        self, members: Mapping[str, _Member], edits: Edits, depth: int
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


def _members(text: str, start: int) -> tuple[dict[str, _Member], int]:
    """The members of the map at `start`, and where it ends."""
    if text[start : start + 1] != "{":
        raise _damaged()
    members: dict[str, _Member] = {}
    position = _after_blank(text, start + 1)
    while text[position : position + 1] != "}":
        key, member = _member_at(text, position)
        if key in members:
            raise DamagedJsonError(f"Duplicate key {key[:40]!r}.")
        members[key] = member
        position = _after_blank(text, member.end)
        if text[position : position + 1] == ",":
            position = _after_blank(text, position + 1)
    return members, position + 1


def _member_at(text: str, start: int) -> tuple[str, _Member]:
    if text[start : start + 1] != '"':
        raise _damaged()
    try:
        key, end = _DECODER.raw_decode(text, start)
        colon = _after_blank(text, end)
        value = _after_blank(text, colon + 1)
        _, end = _DECODER.raw_decode(text, value)
    except (ValueError, RecursionError) as error:
        raise _damaged() from error
    if text[colon : colon + 1] != ":":
        raise _damaged()
    return str(key), _Member(start, value, end)


def _after_blank(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


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


def _damaged() -> DamagedJsonError:
    return DamagedJsonError("Can't edit JSON in this form; edit the file instead.")


# Find values in a JSON text by scanning its bytes, without parsing them.
#
# The structure of JSON is ASCII only, so invalid UTF-8, numbers of any size and all
# kinds of escapes are skipped unchanged.

Path = tuple[str | int, ...]
"""The path to a value: map keys and list indexes, outermost first."""

_SPANS_BLANK = re.compile(rb"(?:[ \t\r\n\0]|\xef\xbb\xbf)*+")
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PLAIN = re.compile(rb'[^\s\0,:{}\[\]"]++')
_MARK = re.compile(rb"[{}\[\],:]")
_OPENING, _CLOSING = b"{[", b"}]"


class NotSplicedError(RecollectError):
    """A JSON text cannot be changed at one place only; nothing was changed."""


class Span(NamedTuple):
    """A range of bytes in a text."""

    start: int
    end: int


class Item(NamedTuple):
    """A member of a map, or an item of a list."""

    start: int
    """The start: of its key, if it has one."""
    value: int
    """The start of its value."""
    end: int
    """The byte after its value."""
    key: str | None
    """Its key in a map; None in a list."""


class Container(NamedTuple):
    """A map or a list, with its items."""

    start: int
    """The position of its opening bracket."""
    end: int
    """The byte after its closing bracket."""
    items: tuple[Item, ...]


def values_in(raw: bytes) -> list[Span]:
    """The values on a line, in order, as far as they can be separated."""
    spans: list[Span] = []
    position = after_blank(raw, 0)
    while position < len(raw):
        try:
            end = value_end(raw, position)
        except NotSplicedError:
            break
        spans.append(Span(position, end))
        position = after_blank(raw, end)
    return spans


def find(raw: bytes, path: Path) -> Item | None:
    """The value at a path in the first value of a text; None if nothing is there.

    Raises NotSplicedError if the text is not JSON, or if a map on the path has a
    duplicate key, since either could be the intended one.
    """
    start = after_blank(raw, 0)
    item = Item(start, start, value_end(raw, start), None)
    for step in path:
        if raw[item.value : item.value + 1] not in (b"{", b"["):
            return None
        found = _within(container(raw, item.value), step)
        if found is None:
            return None
        item = found
    return item


def container(raw: bytes, start: int) -> Container:
    """The map or list at `start`."""
    is_map = raw[start : start + 1] == b"{"
    items: list[Item] = []
    position = after_blank(raw, start + 1)
    while raw[position : position + 1] not in (b"}", b"]"):
        items.append(_item(raw, position, is_map=is_map))
        position = after_blank(raw, items[-1].end)
        if raw[position : position + 1] == b",":
            position = after_blank(raw, position + 1)
    _refuse_duplicates(items)
    return Container(start, position + 1, tuple(items))


def value_end(raw: bytes, start: int) -> int:
    """The byte after the value at `start`."""
    depth, position = 0, start
    while True:
        mark = raw[position : position + 1]
        if _MARK.match(mark):
            depth += (mark in _OPENING) - (mark in _CLOSING)
            position += 1
        else:
            position = _token_end(raw, position)
        if depth <= 0:
            return _whole(raw, start, position)
        position = after_blank(raw, position)


def after_blank(raw: bytes, position: int) -> int:
    """The position of the next non-blank byte, or the end."""
    found = _SPANS_BLANK.match(raw, position)
    return found.end() if found else position


def spelt_key(raw: bytes) -> str:
    """The key in a JSON string."""
    try:
        return cast("str", json.loads(raw.decode("utf-8", "surrogateescape")))
    except ValueError:
        return raw.decode("utf-8", "surrogateescape")


def _whole(raw: bytes, start: int, end: int) -> int:
    if raw[start : start + 1] in (b"}", b"]", b",", b":", b""):
        raise NotSplicedError("A value is missing.")
    return end


def _item(raw: bytes, start: int, *, is_map: bool) -> Item:
    if not is_map:
        return Item(start, start, value_end(raw, start), None)
    key = _STRING.match(raw, start)
    colon = after_blank(raw, key.end()) if key else start
    if not key or raw[colon : colon + 1] != b":":
        raise NotSplicedError("A key is missing.")
    value = after_blank(raw, colon + 1)
    return Item(start, value, value_end(raw, value), spelt_key(key[0]))


def _token_end(raw: bytes, position: int) -> int:
    found = _STRING.match(raw, position) or _PLAIN.match(raw, position)
    if not found:
        raise NotSplicedError("The text ends where a value is expected.")
    return found.end()


def _within(inner: Container, step: str | int) -> Item | None:
    if isinstance(step, int):
        return inner.items[step] if 0 <= step < len(inner.items) else None
    return next((item for item in inner.items if item.key == step), None)


def _refuse_duplicates(items: list[Item]) -> None:
    known: set[str] = set()
    for item in items:
        if item.key is not None and item.key in known:
            sentence = f"Can't change the duplicate key `{item.key:.40}`."
            raise NotSplicedError(sentence)
        known.add(item.key or "")


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
    text = raw.decode("utf-8", "surrogateescape").strip(" \t\r\n\ufeff\0")
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
    raise NotSplicedError("No place to add the value.")


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
    text = raw.decode("utf-8", "surrogateescape")
    return style_of(text)._replace(ended=False)


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
    item = find(raw, path)
    return raw[item.value : item.end] if item else None


def with_value(raw: bytes, path: Path, value: Json) -> bytes:
    """The text with a new value at a path, in the style of the text.

    A new map key goes last, and so does the item after the end of a list. Raises
    NotSplicedError.
    """
    return with_text(raw, path, spelt(value, json_style(raw), prefix_at(raw, path)))


def with_text(raw: bytes, path: Path, text: bytes) -> bytes:
    """The text with a value at a path that is already encoded."""
    item = find(raw, path)
    if item:
        changed = _replaced(raw, item.value, item.end, text)
    else:
        outer = _outer(raw, path)
        changed = _added(raw, outer, _named(raw, outer, path[-1]) + text)
    return _checked(changed, put(exact(raw), path, exact(text)))


def without_value(raw: bytes, path: Path) -> bytes:
    """The text without a key or list item; raises NotSplicedError."""
    if find(raw, path) is None:
        return raw
    outer = _outer(raw, path)
    at = _place(outer, path[-1])
    return _checked(_removed(raw, outer, at), without(exact(raw), path))


def prefix_at(raw: bytes, path: Path) -> bytes:
    """The indentation of the line on which a value, or its container, starts."""
    if json_style(raw).indent is None:
        return b""
    item = find(raw, path)
    if item:
        return _indentation(raw, item.start)
    outer = _outer(raw, path)
    within = outer.items[-1].start if outer.items else outer.start
    own = b"" if outer.items else (json_style(raw).indent or "").encode()
    return _indentation(raw, within) + own


def _checked(changed: bytes, expected: Exact) -> bytes:
    if exact(changed) != expected:
        raise NotSplicedError(_ALTERS)
    return changed


def _replaced(raw: bytes, start: int, end: int, text: bytes) -> bytes:
    return raw[:start] + text + raw[end:]


def _outer(raw: bytes, path: Path) -> Container:
    """The map or list that holds the last step of a path."""
    outer = find(raw, path[:-1]) if path else None
    opening = b"[" if path and isinstance(path[-1], int) else b"{"
    if outer is None or raw[outer.value : outer.value + 1] != opening:
        what = "list" if opening == b"[" else "map"
        raise NotSplicedError(f"No {what} to add the value to.")
    return container(raw, outer.value)


def _place(outer: Container, step: str | int) -> int:
    if isinstance(step, int):
        return step
    return next(at for at, item in enumerate(outer.items) if item.key == step)


def _removed(raw: bytes, outer: Container, at: int) -> bytes:
    """Remove an item with its comma and blanks."""
    items = outer.items
    if len(items) == 1:
        return _replaced(raw, outer.start + 1, outer.end - 1, b"")
    if at + 1 < len(items):
        return _replaced(raw, items[at].start, items[at + 1].start, b"")
    return _replaced(raw, items[at - 1].end, items[at].end, b"")


def _added(raw: bytes, outer: Container, text: bytes) -> bytes:
    """Append an item, separated like the others."""
    if outer.items:
        last = outer.items[-1].end
        return _replaced(raw, last, last, _between(raw, outer) + text)
    indent = json_style(raw).indent
    begin, end = b"", b""
    if indent is not None:
        end = b"\n" + _indentation(raw, outer.start)
        begin = end + indent.encode()
    return _replaced(raw, outer.start + 1, outer.end - 1, begin + text + end)


def _between(raw: bytes, outer: Container) -> bytes:
    """The separator between two items of a list or map, comma included."""
    *others, last = outer.items
    if others:
        return raw[others[-1].end : last.start]
    before = raw[outer.start + 1 : last.start]
    if b"\n" in before:
        return b"," + before
    return b"," if json_style(raw).compact else b", "


def _named(raw: bytes, outer: Container, step: str | int) -> bytes:
    """The text before an added value: its key, and a colon in the file's style."""
    if isinstance(step, int):
        return b""
    style = json_style(raw)
    colon = b":" if style.compact else b": "
    if outer.items:
        colon = _colon(raw, outer.items[-1])
    return spelt(step, style) + colon


def _colon(raw: bytes, item: Item) -> bytes:
    """The colon after a key, with the blanks around it."""
    between = raw[item.start : item.value]
    return between[between.rindex(b'"') + 1 :]


def _indentation(raw: bytes, position: int) -> bytes:
    """The indentation of the line that contains a position."""
    line = raw[raw.rfind(b"\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(b" \t"))]
