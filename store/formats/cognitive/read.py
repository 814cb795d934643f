"""Read the files of a store, each by its role, and rebuild the index from them."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from store.errors import RefusedError, UnreadableError
from store.files.beneath import NOTE_LIMIT, Blob, Root
from store.findings import Findings, Flaw, Severity, not_read
from store.formats.cognitive.derived import (
    HEAD,
    INDEX,
    read_config,
    read_embeddings,
    read_index,
    read_state,
    read_vectors,
    rebuild_index,
)
from store.formats.cognitive.format import NOT_IGNORED
from store.formats.cognitive.layout import CONFIG, Role
from store.formats.cognitive.memories import read_edge, read_memory
from store.formats.cognitive.pages import (
    core_link,
    read_core,
    read_episodes,
    read_other_page,
    read_reflection,
)
from store.formats.port import Rebuilt, Refused, Source, Vectors

# .gitignore: whether secret and derived files are ignored.

_DERIVED = ("_state.json", "_index.json", "_embeddings.json")

LIMIT = 64 * 1024
"""Bytes of the file that are read, as every pattern is tried on every name."""

_LONGEST_PATTERN = 255
"""Longer patterns match no file of the store, and take long to parse."""

_ESCAPED = re.compile(r"\\(.)")


def read_ignore(_path: str, blob: Blob) -> Findings:
    """A flaw for each file that should be ignored but is not."""
    flaws = [] if blob.whole else [_TOO_LARGE]
    flaws += [
        NOT_IGNORED
        if name == CONFIG
        else Flaw(
            code="derived-not-ignored",
            message=f"`{name}` is generated, but not in .gitignore.",
            severity=Severity.NOTE,
        )
        for name in not_ignored(blob.raw)
    ]
    return Findings(flaws=tuple(flaws))


def not_ignored(raw: bytes) -> list[str]:
    """The files that should be ignored but are not, secret ones first."""
    lines = raw.decode("utf-8-sig", errors="replace").split("\n")
    patterns = [line.removesuffix("\r").rstrip(" ") for line in lines]
    return [name for name in (CONFIG, *_DERIVED) if not _ignored(name, patterns)]


_TOO_LARGE = Flaw(
    code="too-large",
    message="Very large file; only the beginning was read.",
)


def _ignored(name: str, patterns: list[str]) -> bool:
    """Whether the last pattern that matches a file at the root ignores it."""
    ignored = False
    for pattern in patterns:
        if _matches(name, pattern.removeprefix("!")):
            ignored = not pattern.startswith("!")
    return ignored


def _matches(name: str, pattern: str) -> bool:
    """Whether a pattern, in git's syntax, matches a file at the root."""
    if len(pattern) > _LONGEST_PATTERN:
        return False
    here = pattern.removeprefix("/")
    while here.startswith("**/"):
        here = here.removeprefix("**/")
    return fnmatchcase(name, _ESCAPED.sub(_literal, here))


def _literal(escaped: re.Match[str]) -> str:
    """An escaped character, in fnmatch syntax."""
    return f"[{escaped[1]}]" if escaped[1] in "*?[" else escaped[1]


# Files by their role.

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
    Role.IGNORE: LIMIT,
}
"""The read limits of files that may be larger, or need not be read in full."""

_INDEXED = frozenset({Role.MEMORY, Role.EDGE})
"""The roles that go into an index."""


class CognitiveReader:
    """Reads the files of one graph."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def read(self, source: Source) -> Findings:
        """Read one file."""
        if source.role == Role.CORE_LINK:
            return core_link(source.path)
        limit = _LIMITS.get(Role(source.role), NOTE_LIMIT)
        try:
            blob = self._root.read(source.path, limit=limit)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))
        return _READERS[source.role](source.path, blob)

    def rebuild(self, found: Sequence[Source | Refused]) -> Iterator[Rebuilt]:
        """The index rebuilt from the memories and edge files."""
        before = next((self._text(one) for one in found if one.path == INDEX), None)
        sources = [one for one in found if isinstance(one, Source)]
        indexed = [one for one in sources if one.role in _INDEXED]
        indexed.sort(key=lambda one: os.fsencode(one.path))
        yield rebuild_index(before, ((one.path, self.read(one)) for one in indexed))

    def vectors(self) -> Vectors | None:
        """The vectors of the memories, if there are any."""
        return read_vectors(self._root)

    def _text(self, found: Source | Refused) -> str:
        """The text of a derived file, from which its exact bytes can be restored."""
        if isinstance(found, Refused):
            raise RefusedError(found.flaw.message)
        blob = self._root.read(found.path, limit=_DERIVED_LIMIT)
        if not blob.whole:
            raise UnreadableError(f"{found.path} is too large to rebuild.")
        return blob.raw.decode(errors="surrogateescape")
