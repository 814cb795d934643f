"""Where the values of a JSON text lie, told from its bytes and without reading them.

All that gives JSON its shape is ASCII, so bytes that are no UTF-8, numbers of any size
and escapes of every kind are passed over as they stand.
"""

import json
import re
from typing import NamedTuple, cast

from store.errors import RecollectError

Path = tuple[str | int, ...]
"""Leads to a value: keys of maps and places in lists, the outermost first."""

_BLANK = re.compile(rb"(?:[ \t\r\n\0]|\xef\xbb\xbf)*+")
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PLAIN = re.compile(rb'[^\s\0,:{}\[\]"]++')
_MARK = re.compile(rb"[{}\[\],:]")
_OPENING, _CLOSING = b"{[", b"}]"


class NotSplicedError(RecollectError):
    """A JSON text could not be changed at one place alone; nothing was changed."""


class Span(NamedTuple):
    """Some bytes of a text."""

    start: int
    end: int


class Item(NamedTuple):
    """A member of a map, or an item of a list."""

    start: int
    """Where it begins: at its key, where it has one."""
    value: int
    """Where its value begins."""
    end: int
    """The byte after its value."""
    key: str | None
    """Its key in a map; None in a list."""


class Container(NamedTuple):
    """A map or a list, and what is in it."""

    start: int
    """Where its bracket opens."""
    end: int
    """The byte after the bracket that closes it."""
    items: tuple[Item, ...]


def values_in(raw: bytes) -> list[Span]:
    """The values on a line, in order, as far as they can be told from one another."""
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
    """What a path leads to in the first value of a text; None where nothing is there.

    Raises NotSplicedError for what is no JSON, and where a map on the way names a key
    twice: nobody could tell which one is meant.
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
    """The map or list that begins there."""
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
    """The byte after the value that begins there."""
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
    """The next byte that is not blank, or the end."""
    found = _BLANK.match(raw, position)
    return found.end() if found else position


def spelt_key(raw: bytes) -> str:
    """The key that a string stands for."""
    try:
        return cast("str", json.loads(raw.decode("utf-8", "surrogateescape")))
    except ValueError:
        return raw.decode("utf-8", "surrogateescape")


def _whole(raw: bytes, start: int, end: int) -> int:
    if raw[start : start + 1] in (b"}", b"]", b",", b":", b""):
        raise NotSplicedError("There is no value where one ought to be.")
    return end


def _item(raw: bytes, start: int, *, is_map: bool) -> Item:
    if not is_map:
        return Item(start, start, value_end(raw, start), None)
    key = _STRING.match(raw, start)
    colon = after_blank(raw, key.end()) if key else start
    if not key or raw[colon : colon + 1] != b":":
        raise NotSplicedError("There is no key where one ought to be.")
    value = after_blank(raw, colon + 1)
    return Item(start, value, value_end(raw, value), spelt_key(key[0]))


def _token_end(raw: bytes, position: int) -> int:
    found = _STRING.match(raw, position) or _PLAIN.match(raw, position)
    if not found:
        raise NotSplicedError("The text ends where a value ought to be.")
    return found.end()


def _within(inner: Container, step: str | int) -> Item | None:
    if isinstance(step, int):
        return inner.items[step] if 0 <= step < len(inner.items) else None
    return next((item for item in inner.items if item.key == step), None)


def _refuse_duplicates(items: list[Item]) -> None:
    known: set[str] = set()
    for item in items:
        if item.key is not None and item.key in known:
            sentence = f"`{item.key:.40}` stands twice, so that none can be changed."
            raise NotSplicedError(sentence)
        known.add(item.key or "")
