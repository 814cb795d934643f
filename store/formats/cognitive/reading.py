"""A store of this format while it is read."""

import os
from collections.abc import Callable, Iterator, Mapping

from store.errors import RefusedError, UnreadableError
from store.files.beneath import NOTE_LIMIT, Blob
from store.files.rooted import Rooted
from store.findings import START, Findings, Mark, not_read
from store.formats.cognitive.config import read_config
from store.formats.cognitive.core import read_core
from store.formats.cognitive.edge import read_edge
from store.formats.cognitive.embeddings import HEAD, read_embeddings
from store.formats.cognitive.episode import read_episodes
from store.formats.cognitive.ignore import LIMIT as IGNORE_LIMIT
from store.formats.cognitive.ignore import read_ignore
from store.formats.cognitive.index import read_index
from store.formats.cognitive.layout import REBUILT, Role, role_of
from store.formats.cognitive.memory import read_memory
from store.formats.cognitive.page import core_link, read_other_page
from store.formats.cognitive.rebuilding import INDEX, rebuild_index
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

_BY_THEMSELVES = frozenset(
    {Role.MEMORY, Role.EDGE, Role.EPISODE, Role.CORE, Role.REFLECTION, Role.STATE}
)
"""What is no less and no more for what else is there."""

_INDEXED = frozenset({Role.MEMORY, Role.EDGE})
"""What an index is made from."""


class CognitiveStore(Rooted, OpenStoreDefaults):
    """One graph; named graphs are stores of their own."""

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

    def source_at(self, path: str) -> Source | None:
        """A file of the graph, told by its path; what is at the root may be derived."""
        top, *folders = path.split("/")[:-1] or [""]
        role = role_of(path)
        if (
            role is None
            or role not in _BY_THEMSELVES
            or len(folders) > DEPTHS.get(top, 0)
        ):
            return None
        with self._root.opened(path) as file:
            return Source(path, role, file.stamp)

    def read(self, source: Source, since: Mark = START) -> Findings:  # noqa: ARG002 - the port's; no file of this format is only appended to
        """All that one file says."""
        if source.role == Role.CORE_LINK:
            return core_link(source.path)
        limit = _LIMITS.get(Role(source.role), NOTE_LIMIT)
        try:
            blob = self._root.read(source.path, limit=limit)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))
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
