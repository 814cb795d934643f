"""A format that reads a store as it was at a time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import UnreadableError
from store.files.beneath import Root
from store.findings import START, Findings, Mark, Side
from store.formats.defaults import FormatDefaults, OpenStoreDefaults
from store.formats.port import Format, OpenStore, Passage, Place, Refused, Source
from store.machine import Machine
from store.past.filtering import findings_at
from store.past.then import Then

if TYPE_CHECKING:
    from store.edits.draft import Shown


@dataclass(frozen=True)
class AsOf(FormatDefaults):
    """Reads the stores of another format, each as it was; it changes none of them."""

    inner: Format
    then: Then

    editable = False

    @property
    def name(self) -> str:
        """The same word: it is the same format."""
        return self.inner.name

    @property
    def two_sided(self) -> frozenset[Side]:
        """As the format has it."""
        return self.inner.two_sided

    @property
    def usually(self) -> str:
        """As the format has it."""
        return self.inner.usually

    def shown(self, path: str) -> "Shown | None":
        """As the format has it."""
        return self.inner.shown(path)

    def places(self, machine: Machine) -> Iterable[Path]:
        """Nobody looks for the past."""
        del machine
        return ()

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store now."""
        return self.inner.sniff(root)

    def keeps(self, folder: str) -> bool:
        """As the format has it."""
        return self.inner.keeps(folder)

    def open(self, path: Path) -> "OpenAsOf":
        """Open the store as it was."""
        return OpenAsOf(self.inner, path, self.then)


class OpenAsOf(OpenStoreDefaults):
    """A store as it was, that is being read: some files made anew, others as they are.

    Files that did not change since are read as they are; of all others what is dated
    later is left out.
    """

    def __init__(self, inner: Format, path: Path, then: Then) -> None:
        """Raises UnreadableError where the store cannot be opened."""
        self._then = then
        self._now = inner.open(path)
        self._mirror: OpenStore | None = None
        if then.mirrored:
            self._mirror = inner.open(then.mirror)

    @property
    def title(self) -> str:
        """What it is called now."""
        return self._now.title

    def glance(self) -> bytes | None:
        """It is looked at but once."""
        return None

    def scan(self) -> Iterator[Source | Refused]:
        """What there was: files made anew, and those that are as they were."""
        made = self._then.mirrored
        for item in self._mirror.scan() if self._mirror else ():
            if item.path in made:
                yield item
        for item in self._now.scan():
            if item.path not in made and item.path not in self._then.absent:
                yield item

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source as it was."""
        if source.path in self._then.mirrored and self._mirror:
            return self._mirror.read(source, since)
        findings = self._now.read(source, since)
        if source.stamp.mtime_ns // 1000 <= self._then.at:
            return findings
        return findings_at(findings, self._then.at)

    def passage(self, source: Source, place: Place) -> Passage:
        """A message whole: what was said stays as it was said."""
        if source.path in self._then.absent:
            raise UnreadableError(f"{source.path} was not there then.")
        return self._now.passage(source, place)

    def close(self) -> None:
        """Let go of both."""
        self._now.__exit__(None, None, None)
        if self._mirror:
            self._mirror.__exit__(None, None, None)
