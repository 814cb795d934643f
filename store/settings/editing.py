"""Saved queries put into the text of the settings, or taken out of it.

Every line that is not about the query stays as it is, byte for byte. What came out is
read again: unless it says what was meant and nothing else, the change is refused.
"""

import tomllib
from typing import cast

from store.errors import NothingFoundError, RecollectError
from store.settings.assignment import key_text, value_text, with_name, with_value
from store.settings.statements import Statement, lines_of, read_toml, statements

TABLE = "queries"

Queries = dict[str, object]
"""Saved queries as the file has them."""


class NotEditableError(RecollectError):
    """The settings are written in a way that cannot be changed safely."""


class NameTakenError(RecollectError):
    """Another saved query goes by the name."""


def saved(text: str, name: str, query: str) -> str:
    """The settings with a query under a name, whether or not there was one."""
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
    _check_known(queries, name)
    lines = lines_of(text)
    found = _assignment(lines, name)
    if found:
        del lines[found.begin : found.end]
    del queries[name]
    return _checked(lines, text, queries)


def renamed(text: str, old: str, new: str) -> str:
    """The settings with a query under another name, in the same place."""
    queries = _queries(text)
    _check_known(queries, old)
    if new in queries and new != old:
        raise NameTakenError(f"Another saved query is called {new!r}.")
    lines = lines_of(text)
    found = _assignment(lines, old)
    if found:
        lines[found.begin : found.end] = [with_name(_of(lines, found), new)]
    queries[new] = queries.pop(old)
    return _checked(lines, text, queries)


def _queries(text: str) -> Queries:
    """The saved queries of a valid file; raises NotEditableError."""
    queries = tomllib.loads(text).get(TABLE, {})
    if isinstance(queries, dict):
        return cast("Queries", queries)
    raise _not_editable()


def _check_known(queries: Queries, name: str) -> None:
    if name not in queries:
        raise NothingFoundError(f"No saved query is called {name!r}.")


def _assignment(lines: list[str], name: str) -> Statement | None:
    found = (one for one in statements(lines) if not one.is_heading)
    return next((one for one in found if one.key == (TABLE, name)), None)


def _of(lines: list[str], statement: Statement) -> str:
    return "".join(lines[statement.begin : statement.end])


def _add(lines: list[str], assignment: str) -> None:
    """A new line behind the last query, beneath the heading, or beneath a new one."""
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
    """The lines as a text, if that says what was meant; raises NotEditableError."""
    text = "".join(lines)
    found = read_toml(text)
    meant = tomllib.loads(before) | {TABLE: queries}
    if found is None or {TABLE: {}} | found != meant:
        raise _not_editable()
    return text


def _not_editable() -> NotEditableError:
    return NotEditableError(
        f"The saved queries are written in a way that cannot be changed from here; "
        f"put them beneath a heading of their own, [{TABLE}], a line each."
    )
