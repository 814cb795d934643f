"""The short way for headers as programs write them: no YAML parser, the same fields.

Reads `key: value`, lists in one line, lists of dashes with texts or flat mappings, and
one level of `key: value` beneath a key. At the first doubt it gives up, and a YAML
parser decides: what it accepts means to YAML what it means here.
"""

import re

from store.findings import Value

_LINE = re.compile(
    r"^( *)(- )?"
    r"(?:([A-Za-z_][\w-]{0,99}):(?: |$))?"
    r'("[^"\\\n]*"'
    r"|'[^'\n]*'"
    r"|\[(?:\w[\w ./+@-]*(?:, *\w[\w ./+@-]*)*)?\]"
    r"|[\w/(.~+][^:\n]*(?::[^ \n][^:\n]*)*(?<! ))?$",
    re.MULTILINE,
)
_Line = tuple[str, str, str, str]


class _DoubtError(Exception):
    """A line that means something only to a YAML parser, if to anyone."""


def read_regular(header: str) -> dict[str, Value] | None:
    """The fields of a regular header; nothing at the first doubt."""
    if "\r" in header:
        header = header.replace("\r\n", "\n")
    text = header.removesuffix("\n")
    if " #" in text or not text.replace("\n", "").isprintable():
        return None
    lines: list[_Line] = _LINE.findall(text)
    if len(lines) != text.count("\n") + 1:
        return None
    try:
        return _fields(lines)
    except _DoubtError:
        return None


def _fields(lines: list[_Line]) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    children = _Children()
    for indent, dash, key, value in lines:
        if key and not indent and not dash:
            if key in fields:
                raise _DoubtError
            fields[key] = _plain(value)
            children = _Children() if value else _Children(fields, key)
        elif dash:
            children.item(len(indent), key, value)
        else:
            children.entry(len(indent), key, value)
    return fields


class _Children:
    """What stands beneath one key: nothing yet, then a list or a mapping."""

    __slots__ = ("_fields", "_indent", "_items", "_key", "_mapping")

    def __init__(self, fields: dict[str, Value] | None = None, key: str = "") -> None:
        self._fields = fields
        self._key = key
        self._indent = -1
        self._items: list[Value] | None = None
        self._mapping: dict[str, Value] | None = None

    def item(self, indent: int, key: str, value: str) -> None:
        """A line with a dash."""
        if self._items is None:
            if self._fields is None or self._mapping is not None:
                raise _DoubtError
            self._items = self._fields[self._key] = []
            self._indent = indent + 2
        if indent + 2 != self._indent or not (key or value):
            raise _DoubtError
        self._mapping = {key: _plain(value)} if key else None
        self._items.append(_plain(value) if self._mapping is None else self._mapping)

    def entry(self, indent: int, key: str, value: str) -> None:
        """An indented line without a dash."""
        if self._indent < 0 < indent and self._fields is not None:
            self._mapping = self._fields[self._key] = {}
            self._indent = indent
        if self._mapping is None or indent != self._indent or not key:
            raise _DoubtError
        if key in self._mapping:
            raise _DoubtError
        self._mapping[key] = _plain(value)


def _plain(value: str) -> Value:
    first = value[:1]
    if first == "[":
        inner = value[1:-1]
        return [item.strip() for item in inner.split(",")] if inner else []
    return value[1:-1] if first in {'"', "'"} else value
