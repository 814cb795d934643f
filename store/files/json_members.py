"""A large JSON document changed at some of its members: all else stays as it is.

Derived indexes reach megabytes and a change touches a handful of their members, so
what lies between is passed over by the standard library's scanner, which is written
in C, and all changes are made in one go.
"""

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import NamedTuple, cast

from store.files.json_document import DamagedJsonError, load_map
from store.files.json_style import style_of
from store.findings import Json

_BOM = "\ufeff"
_BLANK = re.compile(r"[ \t\r\n]*+")
_DECODER = json.JSONDecoder(strict=False)
_HEAD = 4096
"""How much of a file tells how its lines end."""


class Gone(Enum):
    """Stands for a member that goes."""

    GONE = "gone"


class Within(NamedTuple):
    """Changes of the members of a member, which is a map."""

    edits: "Edits"


Edit = Json | Gone | Within
"""What becomes of one member."""

Edits = Mapping[str, Edit]
"""What becomes of members, by their keys."""


class _Member(NamedTuple):
    """Where a member stands: its key, its value, its end."""

    start: int
    value: int
    end: int


def with_members(
    raw: bytes, edits: Edits, says: Mapping[str, Json] | None = None
) -> bytes:
    """The document with other members; raises DamagedJsonError.

    A member that is not there yet comes last, in the manner of its neighbours. What
    comes of it is read again and held against what it has to say. `says` is what the
    document says now, where that is known already.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise DamagedJsonError("The file is not UTF-8.") from error
    start = _after_blank(text, len(text) - len(text.removeprefix(_BOM)))
    body, end = _Writer(text).rewritten(start, edits, 0)
    after = (text[:start] + body + text[end:]).encode()
    if load_map(after) != _expected(load_map(raw) if says is None else says, edits):
        raise _damaged()
    return after


class _Writer:
    """Writes maps of one document anew."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._style = style_of(text.removeprefix(_BOM))._replace(ended=False)
        self._newline = "\r\n" if "\r\n" in text[:_HEAD] else "\n"

    def rewritten(self, start: int, edits: Edits, depth: int) -> tuple[str, int]:
        """The map that begins there, with its changes, and where it ended."""
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
        """A member that stays, be it with another value."""
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
        """A value in the manner of the file, or on one line where the old one was."""
        style = self._style
        if like[:1] in {"[", "{"} and "\n" not in like and like not in {"[]", "{}"}:
            return style._replace(indent=None).dumps(value)
        return style.dumps(value).replace("\n", self._line(depth))

    def _key(self, key: str) -> str:
        return f"{self._style.dumps(key)}:{'' if self._style.compact else ' '}"

    def _line(self, depth: int) -> str:
        """The end of a line and the beginning of the next, where there are lines."""
        indent = self._style.indent
        return "" if indent is None else self._newline + indent * depth

    def _space(self) -> str:
        return "" if self._style.compact else " "


def _members(text: str, start: int) -> tuple[dict[str, _Member], int]:
    """The members of the map that begins there, and where it ends."""
    if text[start : start + 1] != "{":
        raise _damaged()
    members: dict[str, _Member] = {}
    position = _after_blank(text, start + 1)
    while text[position : position + 1] != "}":
        key, member = _member_at(text, position)
        if key in members:
            raise DamagedJsonError(f"The key {key[:40]!r} stands twice.")
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
    """What the document has to say then."""
    after = {k: v for k, v in value.items() if edits.get(k) is not Gone.GONE}
    for key, edit in edits.items():
        old = value.get(key)
        if isinstance(edit, Within) and isinstance(old, dict):
            after[key] = _expected(old, edit.edits)
        elif not isinstance(edit, Gone):
            after[key] = _made(edit)
    return after


def _made(edit: Json | Within) -> Json:
    """A new value; changes of what is not there make it."""
    return _expected({}, edit.edits) if isinstance(edit, Within) else edit


def _damaged() -> DamagedJsonError:
    return DamagedJsonError("The file is not written as JSON that can be changed.")
