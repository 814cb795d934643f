"""All that a store holds at one time, for questions that no single file answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from store.findings import Findings, MemoryFound
from store.formats.agent_memory.index import Index
from store.formats.agent_memory.layout import Role, is_archive
from store.formats.agent_memory.limits import Limits
from store.formats.port import Refused, Source


class Kept(NamedTuple):
    """A memory, and the file that holds it."""

    memory: MemoryFound
    path: str

    @property
    def category(self) -> str | None:
        """Its category, where it has one."""
        category = self.memory.fields.get("category")
        return category if isinstance(category, str) else None

    def of_task(self, name: str) -> str | None:
        """What its `task_metadata` says under a name."""
        data = self.memory.fields.get("task_metadata")
        value = data.get(name) if isinstance(data, Mapping) else None
        return value if isinstance(value, str) else None

    @property
    def status(self) -> str | None:
        """Where a task stands; version 1.0 says `completed` in its category."""
        told = self.of_task("status")
        return told or ("completed" if self.category == "completed" else None)


@dataclass(frozen=True)
class Taken:
    """A store, read once."""

    found: tuple[Source | Refused, ...]
    read: Mapping[str, Findings]
    """What each source says, by its path."""
    index: Index | None
    limits: Limits

    @property
    def sources(self) -> Iterator[Source]:
        """The files that belong to the store."""
        return (one for one in self.found if isinstance(one, Source))

    @property
    def holders(self) -> Iterator[Source]:
        """The files that hold memories, backups aside."""
        return (one for one in self.sources if one.role in {Role.LINES, Role.AGENT})

    @cached_property
    def everything(self) -> tuple[Kept, ...]:
        """Every memory, in order of the files."""
        return tuple(
            Kept(memory, source.path)
            for source in sorted(self.holders, key=_in_order)
            for memory in self.read[source.path].memories
        )

    @cached_property
    def memories(self) -> tuple[Kept, ...]:
        """Every memory once: of several with one identifier, the first."""
        known: set[str] = set()
        kept: list[Kept] = []
        for one in self.everything:
            own = one.memory.id
            if own is None or own.casefold() not in known:
                kept.append(one)
            known.add((own or "").casefold())
        return tuple(kept)

    @property
    def live(self) -> tuple[Kept, ...]:
        """The memories that were not put away."""
        return tuple(one for one in self.memories if not one.memory.archived)


def _in_order(source: Source) -> tuple[bool, bytes]:
    """Files by their paths, those of the archive last."""
    path = source.path
    return is_archive(path), path.encode("utf-8", "surrogateescape")
