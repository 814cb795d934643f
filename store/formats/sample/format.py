"""A format whose stores are dictionaries."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from zlib import crc32

from store.errors import UnreadableError
from store.files.beneath import Root, Stamp
from store.findings import START, Findings, Flaw, Mark, Severity, Side
from store.formats.defaults import FormatDefaults, OpenStoreDefaults
from store.formats.port import Source
from store.formats.sample.page import read_log, read_single
from store.formats.sample.scribe import SampleScribe
from store.machine import Machine

Pages = Mapping[str, bytes]
"""The pages of a store, by path."""

_LOG = "log"


class SampleFormat(FormatDefaults):
    """Knows exactly the stores that it was given."""

    name = "sample"
    editable = True
    usually = "memory alone"
    two_sided: frozenset[Side] = frozenset()

    def __init__(self, stores: Mapping[Path, Pages]) -> None:
        self.stores = stores

    def places(self, machine: Machine) -> Iterable[Path]:
        """The folders that the stores pretend to be, wherever the user is at home."""
        return [path for path in self.stores if path != machine.home]

    def sniff(self, root: Root) -> bool:
        """Whether a store was put there."""
        return root.path in self.stores

    def keeps(self, folder: str) -> bool:
        """A dictionary has no folder for another store to lie in."""
        return bool(folder)

    def open(self, path: Path) -> "SampleStore":
        """Open a store for reading."""
        if path not in self.stores:
            raise UnreadableError(f"No sample was put at {path}.")
        return SampleStore(path.name, self.stores[path])

    def scribe(self, path: Path) -> SampleScribe:
        """Say what changes would write; only `Folder` keeps pages that can be."""
        return SampleScribe(self.stores[path])


class SampleStore(OpenStoreDefaults):
    """A store that is being read."""

    def __init__(self, title: str, pages: Pages) -> None:
        self._title = title
        self._pages = pages

    @property
    def title(self) -> str:
        """What to call the store."""
        return self._title

    def glance(self) -> None:
        """A scan is as cheap as any glance."""

    def scan(self) -> Iterator[Source]:
        """List the pages; a page that changed has another check sum."""
        for path, raw in sorted(self._pages.items()):
            grows = path.endswith(".log")
            stamp = Stamp(len(raw), 0 if grows else crc32(raw), 1)
            yield Source(path, _LOG if grows else "page", stamp, grows)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one page, or what a log has gained."""
        raw = self._pages.get(source.path)
        if raw is None:
            message = f"{source.path} is not there any more."
            flaw = Flaw(code="unreadable", message=message, severity=Severity.ERROR)
            return Findings(flaws=(flaw,))
        if source.role == _LOG:
            return read_log(raw, since.offset)
        return read_single(source.path, raw)

    def close(self) -> None:
        """Nothing is held open."""
