"""The contract of every format, as tests.

A format's own test module subclasses `FormatContract` under a name that begins with
`Test`, makes a small healthy store, and names what can damage one.
"""

import os
import socket
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path

import pytest

from store.files.beneath import Root, Stamp
from store.findings import START, Findings, Mark, Severity
from store.formats.port import Format, Refused, Source

Damage = Callable[[Path], str]
"""Spoils one source of the store at a path; answers which, relative to the store."""

OUTSIDE = "a sentence that lies outside of every store"


NO_PARTS = {"mark", "more", "anew", "tail", "replaced"}
PARTS = [name for name in Findings.__struct_fields__ if name not in NO_PARTS]


def counted(findings: list[Findings]) -> dict[str, int]:
    return {n: sum(len(getattr(found, n)) for found in findings) for n in PARTS}


def joined(before: Findings, after: Findings) -> Findings:
    parts = {n: getattr(before, n) + getattr(after, n) for n in PARTS}
    return Findings(**parts, tail=after.tail, mark=after.mark, more=after.more)


def tree(path: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every entry below a folder: mode, time, content."""

    def seen(entry: Path) -> tuple[int, int, bytes]:
        status = entry.lstat()
        content = b""
        if stat.S_ISLNK(status.st_mode):
            content = os.fsencode(entry.readlink())
        elif stat.S_ISREG(status.st_mode):
            content = entry.read_bytes()
        return status.st_mode, status.st_mtime_ns, content

    return {str(e.relative_to(path)): seen(e) for e in [path, *path.rglob("*")]}


def make_fifo(path: Path, _outside: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path, _outside: Path) -> None:
    # The path of a socket may not be longer than 108 bytes, so it is bound from beside.
    with chdir(path.parent), socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


def make_link_out(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def make_relative_link_out(path: Path, outside: Path) -> None:
    path.symlink_to(os.path.relpath(outside, path.parent))


def make_device_link(path: Path, _outside: Path) -> None:
    path.symlink_to("/dev/zero")


def make_dangling_link(path: Path, _outside: Path) -> None:
    path.symlink_to("nowhere-at-all")


def make_looping_link(path: Path, _outside: Path) -> None:
    path.symlink_to(path.name)


TRAPS = (
    make_fifo,
    make_socket,
    make_link_out,
    make_relative_link_out,
    make_device_link,
    make_dangling_link,
    make_looping_link,
)


class FormatContract(ABC):
    """Subclass it as `Test…`, and implement the abstract methods."""

    @property
    @abstractmethod
    def format(self) -> Format:
        """The format under test."""

    @abstractmethod
    def make(self, folder: Path) -> Mapping[str, int]:
        """Write a small healthy store into an empty folder.

        Answers how many it holds of each part of `Findings` (`memories=3, …`); a part
        that is not named is not counted. A healthy store has no flaw but notes.
        """

    trap: str | None = None
    """Where a source may lie (its folder is made), so that a link or pipe is put there;
    None for a format whose stores are no files."""

    damages: Mapping[str, Damage] = {}
    """What can befall a store, by name; each must be answered by a flaw."""

    is_sniffed = True
    """Whether a store shows by its content what it is, so that nobody has to say it."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "damage" in metafunc.fixturenames:
            metafunc.parametrize("damage", self.damages.values(), ids=self.damages)
        if "lay" in metafunc.fixturenames:
            traps = TRAPS if self.trap else ()
            metafunc.parametrize("lay", traps, ids=[t.__name__ for t in traps])

    @pytest.fixture
    def expected(self, tmp_path: Path) -> Mapping[str, int]:
        (tmp_path / "store").mkdir()
        return self.make(tmp_path / "store")

    @pytest.fixture
    def store(self, tmp_path: Path, expected: Mapping[str, int]) -> Path:
        assert any(expected.values()), "an empty store proves nothing"
        return tmp_path / "store"

    def bytes_of(self, store: Path, path: str) -> bytes:
        """The content of a source; overridden by formats without files."""
        return (store / path).read_bytes()

    def put(self, store: Path, path: str, raw: bytes) -> None:
        """Write the content of a source."""
        (store / path).write_bytes(raw)

    def scanned(self, store: Path) -> list[Source | Refused]:
        with self.format.open(store) as opened:
            return list(opened.scan())

    def sources(self, store: Path) -> list[Source]:
        return [found for found in self.scanned(store) if isinstance(found, Source)]

    def read_all(self, store: Path) -> dict[str, Findings]:
        with self.format.open(store) as opened:
            return {
                source.path: opened.read(source)
                for source in list(opened.scan())
                if isinstance(source, Source)
            }

    def read_one(self, store: Path, path: str, since: Mark = START) -> Findings:
        with self.format.open(store) as opened:
            found = (one for one in opened.scan() if isinstance(one, Source))
            source = next(one for one in found if one.path == path)
            return opened.read(source, since)

    def sniffs(self, folder: Path) -> bool:
        with Root(folder) as root:
            return self.format.sniff(root)

    def test_a_format_has_a_name(self) -> None:
        assert self.format.name
        assert self.format.name == self.format.name.strip().lower()

    def test_a_format_recognises_its_own_store(self, store: Path) -> None:
        assert self.sniffs(store) is self.is_sniffed

    def test_a_format_does_not_recognise_an_empty_folder(self, tmp_path: Path) -> None:
        assert not self.sniffs(tmp_path)

    def test_a_format_does_not_recognise_an_unrelated_folder(
        self, tmp_path: Path
    ) -> None:
        for name, text in {
            "README.md": "# A program\n\nIt has a [guide](docs/guide.md).\n",
            "docs/guide.md": "# Guide\n\nHow to use it.\n",
            "package.json": '{"name": "program", "version": "1.0.0"}\n',
            "data/rows.jsonl": '{"x": 1}\n{"x": 2}\n',
            "graph/plot.py": "print('a graph of another kind')\n",
        }.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        assert not self.sniffs(tmp_path)

    def test_a_store_has_a_title(self, store: Path) -> None:
        with self.format.open(store) as opened:
            assert opened.title

    def test_scan_lists_every_source_once(self, store: Path) -> None:
        paths = [found.path for found in self.scanned(store)]
        assert paths
        assert len(paths) == len(set(paths))

    def test_scan_lists_sources_in_the_same_order_every_time(self, store: Path) -> None:
        assert self.scanned(store) == self.scanned(store)

    def test_scan_stamps_every_source(self, store: Path) -> None:
        for source in self.sources(store):
            file = store / source.path
            if file.exists():
                seen = file.stat()
                stamp = Stamp(seen.st_size, seen.st_mtime_ns, seen.st_ino)
                assert source.stamp == stamp

    def test_reading_finds_everything_in_the_store(
        self, store: Path, expected: Mapping[str, int]
    ) -> None:
        found = counted(list(self.read_all(store).values()))
        assert {part: found[part] for part in expected} == dict(expected)

    def test_a_healthy_store_has_no_flaw(self, store: Path) -> None:
        for path, findings in self.read_all(store).items():
            flaws = [f for f in findings.flaws if f.severity is not Severity.NOTE]
            assert not flaws, path
        assert not [f for f in self.scanned(store) if isinstance(f, Refused)]

    def test_reading_twice_finds_the_same(self, store: Path) -> None:
        assert self.read_all(store) == self.read_all(store)

    def test_reading_changes_nothing_on_disk(self, store: Path) -> None:
        before = tree(store)
        self.sniffs(store)
        self.read_all(store)
        assert tree(store) == before

    def test_a_growing_source_is_read_on_from_where_it_ended(self, store: Path) -> None:
        for path in [s.path for s in self.sources(store) if s.grows]:
            raw = self.bytes_of(store, path)
            whole = self.read_one(store, path)
            for cut in [at for at in range(1, len(raw)) if raw[at - 1 : at] == b"\n"]:
                self.put(store, path, raw[:cut])
                before = self.read_one(store, path)
                self.put(store, path, raw)
                after = self.read_one(store, path, before.mark)
                assert 0 < before.mark.offset <= cut
                assert joined(before, after) == whole

    def test_a_file_deleted_since_the_scan_is_a_flaw(self, store: Path) -> None:
        with self.format.open(store) as opened:
            for source in [s for s in opened.scan() if isinstance(s, Source)]:
                if (store / source.path).exists():
                    (store / source.path).unlink()
                    assert opened.read(source).flaws

    def test_damage_is_a_flaw_and_never_an_exception(
        self, store: Path, damage: Damage
    ) -> None:
        spoiled = damage(store)
        refused = [f for f in self.scanned(store) if isinstance(f, Refused)]
        flaws = [f.flaw for f in refused if f.path == spoiled]
        flaws += self.read_all(store).get(spoiled, Findings()).flaws
        assert flaws
        assert all(flaw.code and flaw.message for flaw in flaws)

    def test_anything_but_a_plain_file_of_the_store_is_refused(
        self, store: Path, tmp_path: Path, lay: Callable[[Path, Path], None]
    ) -> None:
        assert self.trap
        outside = tmp_path / "outside.md"
        outside.write_text(OUTSIDE)
        laid = store / self.trap
        laid.parent.mkdir(parents=True, exist_ok=True)
        laid.unlink(missing_ok=True)
        lay(laid, outside)
        found = {f.path: f for f in self.scanned(store)}
        refused = found[self.trap]
        assert isinstance(refused, Refused)
        assert refused.flaw.message
        assert OUTSIDE not in repr(self.read_all(store))
