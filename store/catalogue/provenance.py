"""Which conversation wrote a memory, and which memories a conversation wrote."""

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from store.catalogue.reader import Reader
from store.catalogue.rows.cells import holdable
from store.catalogue.views import CONVERSATIONS, EPISODES, MEMORIES
from store.records.conversation import Conversation
from store.records.episode import Episode
from store.records.memory import Memory

_TAIL = 4
"""How many last parts of two paths must agree where the whole of them does not: a store
that was copied, or is looked at from another machine, is told by what it lies in."""


def writers_of(reader: Reader, memory: Memory, now: int) -> Iterator[Conversation]:
    """The conversations that wrote a memory's file, then the one that it names."""
    path = f"{memory.store}/{memory.path}"
    rows = reader.ask(
        "SELECT DISTINCT conversations.ref, writes.path FROM writes "
        "JOIN runs ON runs.source = writes.source "
        "AND writes.line BETWEEN runs.first_line AND runs.last_line "
        "JOIN conversations ON conversations.id = runs.conversation "
        "WHERE writes.name = ? ORDER BY conversations.first_at",
        (_name(path),),
    )
    named = reader.ask(
        "SELECT conversations.ref FROM memories "
        "JOIN conversations ON conversations.session = memories.session "
        "AND conversations.agent IS NULL "
        "WHERE memories.ref = ? ORDER BY conversations.first_at",
        (memory.ref,),
    )
    refs = [ref for ref, written in rows if _is_same(path, written)]
    for ref in _each_once([*refs, *(ref for (ref,) in named)]):
        condition = "conversations.ref = ?"
        yield from reader.where(CONVERSATIONS, condition, (ref,), now, None)


def written_by(
    reader: Reader, conversation: Conversation, now: int
) -> Iterator[Memory]:
    """The memories that a conversation wrote, or that say they come from it."""
    written: dict[str, list[str]] = {}
    for path in conversation.files_written:
        written.setdefault(_name(path), []).append(path)
    rows = reader.ask(
        "SELECT memories.ref, stores.path, sources.path FROM memories "
        "JOIN sources ON sources.id = memories.source "
        "JOIN stores ON stores.id = sources.store ORDER BY memories.id",
        (),
    )
    refs = [
        ref
        for ref, store, path in (rows if written else ())
        for other in written.get(_name(os.fsdecode(path)), ())
        if _is_same(f"{os.fsdecode(store)}/{os.fsdecode(path)}", other)
    ]
    named = reader.ask(
        "SELECT ref FROM memories WHERE session = ?1 AND EXISTS (SELECT 1 FROM "
        "conversations WHERE ref = ?2 AND agent IS NULL) ORDER BY id",
        (conversation.session or "", conversation.ref),
    )
    for ref in _each_once([*refs, *(ref for (ref,) in named)]):
        yield from reader.where(MEMORIES, "memories.ref = ?", (ref,), now, None)


def told_by(reader: Reader, conversation: Conversation, now: int) -> list[Episode]:
    """The episodes that say which conversation they tell of."""
    condition = "episodes.told IN (SELECT key FROM conversations WHERE ref = ?)"
    return reader.where(EPISODES, condition, (conversation.ref,), now, None)


def tells_of(reader: Reader, episode: Episode, now: int) -> list[Conversation]:
    """The conversation that an episode tells of."""
    condition = "conversations.key IN (SELECT told FROM episodes WHERE ref = ?)"
    return reader.where(CONVERSATIONS, condition, (episode.ref,), now, None)


def _each_once(refs: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(refs)


def _name(path: str) -> str:
    """The last part of a path, whichever system wrote it."""
    return holdable(path).replace("\\", "/").rpartition("/")[2]


def _is_same(path: str, written: str) -> bool:
    """Whether two paths name one file, here or where the transcript was written."""
    if path == written:
        return True
    parts = PurePosixPath(path).parts
    others = PurePosixPath(written.replace("\\", "/")).parts
    return len(parts) > _TAIL and parts[-_TAIL:] == others[-_TAIL:]
