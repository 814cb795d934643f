"""The format itself: its name, where its stores lie, how one is known and opened."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from store.files.beneath import Root
from store.findings import Side
from store.formats.cognitive.layout import CONFIG, REBUILT
from store.formats.defaults import FormatDefaults
from store.machine import Machine

if TYPE_CHECKING:
    from store.edits.draft import Shown
    from store.edits.port import Scribe
    from store.formats.cognitive.reading import CognitiveStore

_OWN = frozenset({"graph", "vault", "episodes"})


class CognitiveFormat(FormatDefaults):
    """Markdown memories in a graph of typed edges."""

    name = "cognitive"
    editable = True
    usually = "~/.local/share/cognitive-memory, ~/.claude/memory"
    hosts = frozenset({"cognitive"})
    two_sided = frozenset({Side.OUTGOING, Side.INCOMING})
    rebuilds = REBUILT | {"state", "core", "reflection"}

    def places(self, machine: Machine) -> Iterator[Path]:
        """Where the writer keeps its graphs; named graphs lie beneath."""
        own = machine.folder("COGNITIVE_MEMORY_DIR")
        if own:
            yield own
        data = machine.folder("XDG_DATA_HOME") or machine.home / ".local" / "share"
        yield data / "cognitive-memory"
        yield machine.home / ".claude" / "memory"

    def sniff(self, root: Root) -> bool:
        """Whether the folder is a graph."""
        from store.formats.cognitive.sniff import sniff  # noqa: PLC0415  # by who looks for stores

        return sniff(root)

    def keeps(self, folder: str) -> bool:
        """Memories, pins and episodes are its own; other folders may be graphs."""
        return folder in _OWN

    def scribe(self, path: Path) -> "Scribe":
        """Open a graph to say what changes would write."""
        from store.formats.cognitive.scribe.scribe import (  # noqa: PLC0415  # for changes
            CognitiveScribe,
        )

        return CognitiveScribe(path)

    def shown(self, path: str) -> "Shown | None":
        """The settings hold a key."""
        if path != CONFIG:
            return None
        from store.formats.cognitive.scribe.secrets import (  # noqa: PLC0415  # as above
            masked,
        )

        return masked

    def open(self, path: Path) -> "CognitiveStore":
        """Open a graph for reading."""
        from store.formats.cognitive.reading import CognitiveStore  # noqa: PLC0415  # by who reads alone

        return CognitiveStore(path)
