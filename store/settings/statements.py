"""Where in a TOML file each of its statements stands.

The standard library reads TOML but tells no line, and libraries that write it put new
lines between a comment and the heading that it belongs to. TOML is made of lines,
though: from where one statement begins, the first lines that make sense by themselves
are that statement.
"""

import re
from collections.abc import Iterator, Sequence
from typing import cast

from msgspec import Struct

Key = tuple[str, ...]
"""A name, and the names of what it lies in."""

LONGEST = 500
"""How many lines one statement may have; what follows a longer one is not looked at."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Statement(Struct, frozen=True):
    """A heading or an assignment."""

    key: Key
    """What it is about, the heading above it included."""
    begin: int
    """The index of its first line."""
    end: int
    """The index of the line after its last."""
    is_heading: bool


def lines_of(text: str) -> list[str]:
    """The lines, their ends included: TOML knows line feeds and no other."""
    return _LINE.findall(text)


def statements(lines: Sequence[str]) -> Iterator[Statement]:
    """The statements of a valid file in order; comments and blank lines are none."""
    heading: Key = ()
    begin = 0
    for end in range(1, len(lines) + 1):
        data = read_toml("".join(lines[begin:end]))
        if data is None:
            if end - begin == LONGEST:
                return
            continue
        if data:
            is_heading = lines[begin].lstrip().startswith("[")
            key = _path(data) if is_heading else heading + _path(data)
            heading = key if is_heading else heading
            yield Statement(key, begin, end, is_heading)
        begin = end


def line_of(text: str, key: Key) -> int | None:
    """The line, from 1, that is about a key; None where that cannot be told."""
    found = list(statements(lines_of(text)))
    within = [one for one in found if one.key[: len(key)] == key]
    around = [one for one in found if one.key and key[: len(one.key)] == one.key]
    around.sort(key=lambda one: len(one.key), reverse=True)
    return next((one.begin + 1 for one in (*within, *around)), None)


def read_toml(text: str) -> dict[str, object] | None:
    """What a text says; None where it is no TOML, or none yet."""
    import tomllib  # noqa: PLC0415  # for changes and complaints only

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _path(data: dict[str, object]) -> Key:
    """The names that lead to the first value that is no table with one name in it."""
    path: list[str] = []
    table = data
    while len(table) == 1:
        ((name, value),) = table.items()
        path.append(name)
        table = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    return tuple(path)
