"""The queries that were asked, newest last, each of them once."""

import json
from pathlib import Path

from msgspec import Struct

from store.errors import UnreadableError
from store.files.jsonl.values import parse
from store.places import Places
from store.private import NotWrittenError, only_writer, read_own, replace_own

MOST = 500
"""How many queries are remembered."""

LONGEST = 2000
"""The longest query that is remembered, in characters; longer ones were pasted."""

_LIMIT = 16 * 1024 * 1024


class History(Struct, frozen=True):
    """What was asked before, as far as it is known."""

    queries: tuple[str, ...] = ()
    """The newest last."""
    notice: str | None = None
    """What is wrong with the file, in a sentence."""


def read_history(places: Places) -> History:
    """The queries that are remembered; never raises."""
    path = _file(places)
    try:
        raw = read_own(path, _LIMIT)
    except UnreadableError as error:
        return History(notice=str(error))
    lines = [parse(line) for line in (raw or b"").splitlines() if line.strip()]
    values = [value for line in lines for value in line.values]
    queries = [value for value in values if isinstance(value, str)]
    damaged = len(queries) < len(values) or any(line.problem for line in lines)
    notice = f"Some of {path} could not be read." if damaged else None
    return History(_newest(queries), notice)


def remember(places: Places, query: str) -> History:
    """Put a query at the end of what is remembered, and answer with all of that.

    A file that is damaged is set aside first. Raises NotWrittenError.
    """
    query = query.strip()
    with only_writer(places.state):
        history = read_history(places)
        queries = _newest([*history.queries, query])
        if not query or len(query) > LONGEST or queries == history.queries:
            return history
        told = _set_aside(_file(places)) if history.notice else None
        text = "".join(f"{json.dumps(one)}\n" for one in queries)
        replace_own(_file(places), text.encode())
    return History(queries, told)


def _file(places: Places) -> Path:
    return places.state / "queries"


def _newest(queries: list[str]) -> tuple[str, ...]:
    """Each query where it was asked last, and no more than are remembered."""
    newest_first = list(dict.fromkeys(reversed(queries)))[:MOST]
    return tuple(reversed(newest_first))


def _set_aside(path: Path) -> str:
    """Rename a damaged file, so that nothing of it is lost, and say so."""
    aside = path.with_name(f"{path.name}.set-aside")
    try:
        path.rename(aside)
    except OSError as error:
        raise NotWrittenError(
            f"The query history, {path}, is damaged and cannot be set aside: "
            f"{error.strerror}."
        ) from error
    return f"The query history was damaged; it is kept as {aside} and made anew."
