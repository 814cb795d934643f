"""The format itself: its name, where its stores lie, how one is known and opened."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root
from store.findings import Side
from store.formats.agent_memory.layout import DEPTHS, REBUILT
from store.formats.defaults import FormatDefaults
from store.formats.port import Question
from store.machine import Machine

if TYPE_CHECKING:
    from store.formats.agent_memory.opened import AgentMemoryStore
    from store.formats.agent_memory.scribe import AgentMemoryScribe


class AgentMemoryFormat(FormatDefaults):
    """Core memories, learnings and tasks, one JSON object a line."""

    name = "agent-memory"
    editable = True
    usually = "$MEMORY_DIR, ~/.claude/agents/memories"
    two_sided: frozenset[Side] = frozenset()
    hosts = frozenset({name})
    rebuilds = REBUILT | {"jsonl"}

    @property
    def questions(self) -> tuple[Question, ...]:
        """What its stores can be asked."""
        from store.formats.agent_memory.answers.register import QUESTIONS  # noqa: PLC0415  # loaded by who asks alone

        return QUESTIONS

    def places(self, machine: Machine) -> Iterator[Path]:
        """Folders on this machine beneath which such stores usually lie."""
        from store.formats.agent_memory.places import places  # noqa: PLC0415  # as above

        return places(machine)

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, told by what is in it."""
        from store.formats.agent_memory.sniff import sniff  # noqa: PLC0415  # by who looks for stores

        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """The archive and the backups are its own; other folders may be spaces."""
        return folder in DEPTHS

    def open(self, path: Path) -> "AgentMemoryStore":
        """Open a store for reading."""
        from store.formats.agent_memory.opened import AgentMemoryStore  # noqa: PLC0415  # by who reads alone

        return AgentMemoryStore(path)

    def scribe(self, path: Path) -> "AgentMemoryScribe":
        """Open a store to say what changes would write."""
        from store.formats.agent_memory.scribe import AgentMemoryScribe  # noqa: PLC0415  # for changes alone

        return AgentMemoryScribe(path)


FORMAT = AgentMemoryFormat()
