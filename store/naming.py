"""Find the one record that a user names: by its ref, or by a beginning of it."""

from collections.abc import Callable

from store.catalogue.reader import Reader, Span
from store.catalogue.rows.cells import holdable
from store.catalogue.views import (
    AGENTS,
    CONVERSATIONS,
    DOCUMENTS,
    EDGES,
    EPISODES,
    EVENTS,
    MEASURES,
    MEMORIES,
    MESSAGES,
    Record,
    View,
)
from store.clean import clean
from store.errors import AmbiguousError, NothingFoundError
from store.records.agent import Agent
from store.records.conversation import Conversation, Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.event import Event
from store.records.measure import Measure
from store.records.memory import Memory

Named = (
    Memory
    | Edge
    | Episode
    | Document
    | Conversation
    | Message
    | Event
    | Measure
    | Agent
)
"""The records that have a ref of their own."""

_KINDS: dict[str, View[Named]] = {
    "memory": MEMORIES,
    "edge": EDGES,
    "episode": EPISODES,
    "document": DOCUMENTS,
    "conversation": CONVERSATIONS,
    "message": MESSAGES,
    "event": EVENTS,
    "measure": MEASURES,
    "agent": AGENTS,
}
"""The kinds of record that have a ref, by the word that the ref begins with."""

_TITLE = 80
"""Characters of what it says that tell a record without a title."""

_SHOWN = 10
"""How many candidates an ambiguous name lists."""


def find(reader: Reader, name: str, now: int) -> Record:
    """The record that goes by a ref or an own id, or an unambiguous beginning of it."""
    text = holdable(name.strip())
    kind, colon, rest = text.partition(":")
    if not (colon and kind in _KINDS):
        kind, rest = "", text
    if not rest:
        raise NothingFoundError("An empty name names nothing; give a ref.")
    kinds = [kind] if kind else list(_KINDS)
    for span in (Span.of, Span.beginning):
        candidates = _candidates(reader, kinds, rest, span, now)
        if len(candidates) == 1:
            return next(iter(candidates.values()))
        if candidates:
            raise AmbiguousError(_sentence(name, candidates))
    raise NothingFoundError(f"Nothing goes by {name!r}.")


def find_memory(reader: Reader, name: str, now: int) -> Memory:
    """The same, where nothing but a memory will do."""
    found = find(reader, name, now)
    if not isinstance(found, Memory):
        raise NothingFoundError(
            f"{name!r} names no memory; only memories are compared."
        )
    return found


def _candidates(
    reader: Reader, kinds: list[str], name: str, span: Callable[[str], Span], now: int
) -> dict[str, Named]:
    """The records that a name could mean, by ref."""
    limit = _SHOWN + 1
    found: list[Named] = []
    for kind in kinds:
        ref = f"{kind}:{name.lower()}"
        found += reader.called(_KINDS[kind], span(ref), now, limit)
    if "memory" in kinds and not (found and span == Span.of):
        found += reader.identified(span(name), now, limit)
    if "conversation" in kinds and not found:
        found += reader.of_session(span(name), now, limit)
    return {record.ref: record for record in found}


def _sentence(name: str, candidates: dict[str, Named]) -> str:
    """What an ambiguous name could be, one line each."""
    lines = [f"  {ref}  {_title(record)}" for ref, record in candidates.items()]
    more = ["  …"] if len(lines) > _SHOWN else []
    return "\n".join([f"{name!r} could be any of:", *lines[:_SHOWN], *more])


def _title(record: Named) -> str:
    """What a record is called."""
    if isinstance(record, Edge):
        return f"{record.from_title} {record.type} {record.to_title}"
    for name in ("title", "text", "message", "name"):
        if text := getattr(record, name, None):
            return clean(str(text))[:_TITLE]
    return ""
