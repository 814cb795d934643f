"""A store of this format while it is read."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from store.errors import RefusedError, UnreadableError
from store.files.beneath import NOTE_LIMIT, Blob, Root
from store.findings import START, Findings, Flaw, Mark, Severity
from store.formats.cognitive.config import read_config
from store.formats.cognitive.core import read_core
from store.formats.cognitive.edge import read_edge
from store.formats.cognitive.embeddings import HEAD, read_embeddings
from store.formats.cognitive.episode import read_episodes
from store.formats.cognitive.ignore import LIMIT as IGNORE_LIMIT
from store.formats.cognitive.ignore import read_ignore
from store.formats.cognitive.index import read_index
from store.formats.cognitive.layout import Role
from store.formats.cognitive.memory import read_memory
from store.formats.cognitive.page import core_link, read_other_page
from store.formats.cognitive.rebuilding import INDEX, REBUILT, rebuild_index
from store.formats.cognitive.reflection import read_reflection
from store.formats.cognitive.scan import DEPTHS, scan
from store.formats.cognitive.state import read_state
from store.formats.cognitive.vectors import read_vectors
from store.formats.defaults import OpenStoreDefaults
from store.formats.port import Rebuilt, Refused, Source, Vectors

_READERS: Mapping[str, Callable[[str, Blob], Findings]] = {
    Role.MEMORY: read_memory,
    Role.EDGE: read_edge,
    Role.EPISODE: read_episodes,
    Role.CORE: read_core,
    Role.REFLECTION: read_reflection,
    Role.PAGE: read_other_page,
    Role.INDEX: read_index,
    Role.STATE: read_state,
    Role.EMBEDDINGS: read_embeddings,
    Role.CONFIG: read_config,
    Role.IGNORE: read_ignore,
}

_DERIVED_LIMIT = 256 * 1024 * 1024
_LIMITS = {
    Role.INDEX: _DERIVED_LIMIT,
    Role.STATE: _DERIVED_LIMIT,
    Role.EMBEDDINGS: HEAD,
    Role.IGNORE: IGNORE_LIMIT,
}
"""How much is read of files that may be larger, or need not be read whole."""

_INDEXED = frozenset({Role.MEMORY, Role.EDGE})
"""What an index is made from."""


class CognitiveStore(OpenStoreDefaults):
    """One graph; named graphs are stores of their own."""

    def __init__(self, path: Path) -> None:
        self._root = Root(path)

    @property
    def title(self) -> str:
        """The folder's name, which is the name of a named graph."""
        return self._root.path.name or str(self._root.path)

    def glance(self) -> bytes:
        """The same as long as nothing that a scan looks at moved."""
        return self._root.fingerprint({"": 0, **DEPTHS})

    def scan(self) -> Iterator[Source | Refused]:
        """Every file of the store, and what is refused."""
        return scan(self._root)

    def read(self, source: Source, since: Mark = START) -> Findings:  # noqa: ARG002 - the port's; no file of this format is only appended to
        """All that one file says."""
        if source.role == Role.CORE_LINK:
            return core_link(source.path)
        limit = _LIMITS.get(Role(source.role), NOTE_LIMIT)
        try:
            blob = self._root.read(source.path, limit=limit)
        except UnreadableError as error:
            code = "refused" if isinstance(error, RefusedError) else "unreadable"
            flaw = Flaw(code=code, message=str(error), severity=Severity.ERROR)
            return Findings(flaws=(flaw,))
        return _READERS[source.role](source.path, blob)

    def rebuild(self, name: str) -> Iterator[Rebuilt]:
        """The index as it would be, made anew from the memories and the edge files."""
        if name not in REBUILT:
            return
        found = list(self.scan())
        before = next((self._text(one) for one in found if one.path == INDEX), None)
        sources = [one for one in found if isinstance(one, Source)]
        indexed = [one for one in sources if one.role in _INDEXED]
        indexed.sort(key=lambda one: os.fsencode(one.path))
        yield rebuild_index(before, ((one.path, self.read(one)) for one in indexed))

    def vectors(self) -> Vectors | None:
        """The vectors of the memories, where they were made."""
        return read_vectors(self._root)

    def _text(self, found: Source | Refused) -> str:
        """A derived file's text, whose every byte can be told from it again."""
        if isinstance(found, Refused):
            raise RefusedError(found.flaw.message)
        blob = self._root.read(found.path, limit=_DERIVED_LIMIT)
        if not blob.whole:
            raise UnreadableError(f"{found.path} is too large to be made anew.")
        return blob.raw.decode(errors="surrogateescape")

    def close(self) -> None:
        """Let go of the store."""
        self._root.close()
