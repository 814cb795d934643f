"""Saved queries: add and remove them in the settings file."""

import json
from collections.abc import Callable
from typing import Any, cast

from store.errors import NothingFoundError, RecollectError, WrongUseError
from store.machine import Places, only_writer, read_own, replace_own
from store.settings import (
    LIMIT,
    Statement,
    lines_of,
    read_toml,
    settings_file,
    statements,
)
from store.text import regex

# Change one assignment in a TOML file and leave everything around it as it is.

_BARE = regex(r"[A-Za-z0-9_-]+")


def key_text(name: str) -> str:
    """A name as written before an equals sign."""
    return name if _BARE.fullmatch(name) else value_text(name)


def value_text(text: str) -> str:
    """A text as written after an equals sign: JSON, but for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def with_value(assignment: str, text: str) -> str:
    """The assignment with another value; a trailing comment stays."""
    equals = next(
        at
        for at, character in enumerate(assignment)
        if character == "=" and _is_toml(f"{assignment[:at]}= 0")
    )
    behind = assignment[equals + 1 :]
    end = next(
        at
        for at, character in enumerate(behind + "#")
        if character == "#" and _is_toml(f"x ={behind[:at]}")
    )
    tail = behind[len(behind[:end].rstrip()) :]
    return f"{assignment[:equals]}= {value_text(text)}{tail}"


def _parsed(text: str) -> dict[str, Any]:
    """Settings as Python has them; raises ValueError."""
    import tomllib  # noqa: PLC0415  # only to save a query

    return tomllib.loads(text)


def _is_toml(text: str) -> bool:
    try:
        _parsed(text)
    except ValueError:
        return False
    return True


# Add saved queries to the text of the settings, or remove them.
#
# All other lines stay the same, byte for byte. The result is parsed again; if it does
# not have exactly the intended change, the change is refused.

TABLE = "queries"

Queries = dict[str, object]
"""The saved queries in the file."""


class NotEditableError(RecollectError):
    """The settings are written in a way that cannot be edited safely."""


def saved(text: str, name: str, query: str) -> str:
    """The settings with a query saved under a name, whether or not it exists."""
    lines = lines_of(text)
    found = _assignment(lines, name)
    if found:
        lines[found.begin : found.end] = [with_value(_of(lines, found), query)]
    else:
        _add(lines, f"{key_text(name)} = {value_text(query)}")
    return _checked(lines, text, _queries(text) | {name: query})


def deleted(text: str, name: str) -> str:
    """The settings without a query; a comment above it stays."""
    queries = _queries(text)
    if name not in queries:
        raise NothingFoundError(f"No saved query {name!r}.")
    lines = lines_of(text)
    found = _assignment(lines, name)
    if found:
        del lines[found.begin : found.end]
    del queries[name]
    return _checked(lines, text, queries)


def _queries(text: str) -> Queries:
    """The saved queries of a valid file; raises NotEditableError."""
    queries = _parsed(text).get(TABLE, {})
    if isinstance(queries, dict):
        return cast("Queries", queries)
    raise _not_editable()


def _assignment(lines: list[str], name: str) -> Statement | None:
    found = (one for one in statements(lines) if not one.is_heading)
    return next((one for one in found if one.key == (TABLE, name)), None)


def _of(lines: list[str], statement: Statement) -> str:
    return "".join(lines[statement.begin : statement.end])


def _add(lines: list[str], assignment: str) -> None:
    """A new line after the last query, after the heading, or after a new heading."""
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    ours = [one for one in statements(lines) if one.key[:1] == (TABLE,)]
    ours = [one for one in ours if len(one.key) == (1 if one.is_heading else 2)]
    at = ours[-1].end if ours else len(lines)
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += end
    if not ours:
        blank = [end] if lines and lines[-1].strip() else []
        lines += [*blank, f"[{TABLE}]{end}", assignment + end]
        return
    above = lines[ours[-1].begin]
    indent = above[: len(above) - len(above.lstrip())]
    dotted = "" if any(one.is_heading for one in ours) else f"{TABLE}."
    lines.insert(at, indent + dotted + assignment + end)


def _checked(lines: list[str], before: str, queries: Queries) -> str:
    """The lines as text, if they parse as intended; raises NotEditableError."""
    text = "".join(lines)
    found = read_toml(text)
    meant = _parsed(before) | {TABLE: queries}
    if found is None or {TABLE: {}} | found != meant:
        raise _not_editable()
    return text


def _not_editable() -> NotEditableError:
    return NotEditableError(
        f"Can't change the saved queries in this form; put them under [{TABLE}], "
        "one per line."
    )


# Saved queries: stored in the settings, where users can see and edit them.
#
# If a change fails, it raises a RecollectError, and the settings are unchanged.


def save_query(places: Places, name: str, query: str) -> None:
    """Save a query under a name; overwrites a query with that name."""
    name = _name(name)
    if not query.strip():
        raise WrongUseError("No query to save.")
    _change(places, lambda text: saved(text, name, query))


def delete_query(places: Places, name: str) -> None:
    """Delete a saved query."""
    _change(places, lambda text: deleted(text, name))


def _name(name: str) -> str:
    name = name.strip()
    if not name or not name.isprintable():
        raise WrongUseError("Give the saved query a name on one line.")
    return name


def _change(places: Places, change: Callable[[str], str]) -> None:
    """Change the text of the settings while holding the lock."""
    path = settings_file(places)
    with only_writer(places.state):
        raw = read_own(path, LIMIT) or b""
        try:
            text = raw.decode()
            _parsed(text)
        except (ValueError, RecursionError) as error:
            sentence = f"Invalid TOML in {path}; fix it first. Nothing was changed."
            raise NotEditableError(sentence) from error
        try:
            after = change(text).encode()
        except UnicodeEncodeError as error:
            sentence = "The query contains invalid Unicode and can't be saved."
            raise NotEditableError(sentence) from error
        if after != raw:
            replace_own(path, after)
