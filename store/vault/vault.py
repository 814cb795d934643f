"""Save, release and verify conversations, and list those about to be deleted."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, cast

import orjson

from store.derive.statistics import Keeping
from store.errors import NotPossibleError, RecollectError, UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.json_read import parse
from store.machine import NotWrittenError, Places, make_private, only_writer, read_own
from store.vault.storage import (
    Damage,
    Kept,
    KeptFile,
    Line,
    Manifest,
    Objects,
    Source,
    Version,
    kept_line,
    released_line,
)

# A folder laid out as a store of transcripts, for saved files whose originals are gone.

_TRACES = "traces"
"""Not a project: the kit of another format stores copies in a folder of this name."""


class Shelf:
    """Lays conversations out as their agent does, so that its readers work."""

    def __init__(self, folder: Path, objects: Objects) -> None:
        self._folder, self._objects = folder, objects

    def lay(self, kept: Iterable[Kept], stores: tuple[str, ...]) -> None:
        """Make the folder contain exactly these conversations; raises NotWrittenError.

        `stores` are all stores from which anything was ever saved, in order.
        """
        wanted = {
            place_of(file.source, stores): file.newest.digest
            for one in kept
            for file in one.files
        }
        try:
            for path, digest in wanted.items():
                self._link(self._folder / path, self._objects.file(digest))
            self._clear(wanted)
        except OSError as error:
            sentence = f"Can't write {self._folder}: {error.strerror}."
            raise NotWrittenError(sentence) from error

    def _link(self, target: Path, source: Path) -> None:
        """Link a file to an object, or copy it if it cannot be linked."""
        with suppress(FileNotFoundError):
            there, wanted = target.stat(), source.stat()
            is_same = there.st_ino == wanted.st_ino and there.st_dev == wanted.st_dev
            when = (there.st_size, there.st_mtime_ns)
            if is_same or when == (wanted.st_size, wanted.st_mtime_ns):
                return
        if not source.exists():
            return
        for folder in reversed(target.relative_to(self._folder).parents):
            make_private(self._folder / folder)
        new = target.with_name(f".{os.urandom(8).hex()}")
        try:
            os.link(source, new)
        except OSError:
            shutil.copy2(source, new)
        new.replace(target)

    def _clear(self, wanted: Mapping[str, str]) -> None:
        """Remove files that should not be there, and folders left empty."""
        if not self._folder.is_dir():
            return
        for folder, _, names in os.walk(self._folder, topdown=False):
            for name in names:
                file = Path(folder) / name
                if file.relative_to(self._folder).as_posix() not in wanted:
                    file.unlink()
            if not any(Path(folder).iterdir()):
                Path(folder).rmdir()


def place_of(source: Source, stores: tuple[str, ...]) -> str:
    """The path of a file on the shelf.

    The path it had in the first store from which anything was saved; projects of other
    stores get a suffix, so that no two mix.
    """
    project, slash, rest = source.path.partition("/")
    if not slash:
        project, rest = _TRACES, source.path
    if source.store != stores[0] or project == _TRACES:
        seal = blake2b(os.fsencode(source.store), digest_size=3).hexdigest()
        project = f"{project}-{seal}"
    return f"{project}/{rest}"


# The files of a session: its agents' transcripts, its tools' outputs.

DEPTH = 8
_LINES = ".jsonl"
_AGENTS = "subagents"
_AGENT = "agent-"
_HEAD = 256 * 1024


def transcript_of(path: str) -> str:
    """The transcript of the session that a file belongs to; other paths unchanged."""
    parts = path.split("/")
    if _AGENTS in parts[1:]:
        return "/".join(parts[: parts.index(_AGENTS, 1)]) + _LINES
    return path


def belongings(root: Root, transcript: str) -> Iterator[str]:
    """The files of a session besides its transcript, by their paths in the store.

    Raises UnreadableError if anything that may hold some of them cannot be read.
    """
    folder, _, _ = transcript.rpartition("/")
    beside = root.entries(folder)
    own = transcript.removesuffix(_LINES)
    if any(entry.path == own and entry.kind is Kind.FOLDER for entry in beside):
        yield from _files(root, own)
    yield from _agents(root, transcript, beside)


def _files(root: Root, folder: str) -> Iterator[str]:
    for found in root.walk(folder, depth=DEPTH):
        if isinstance(found, tuple):
            raise found[1]
        if found.kind is Kind.FILE:
            yield found.path


def _agents(root: Root, transcript: str, beside: Sequence[Entry]) -> Iterator[str]:
    """Transcripts of agents, which older versions put beside those of sessions."""
    session = transcript.rpartition("/")[2].removesuffix(_LINES)
    for entry in beside:
        is_agent = entry.name.startswith(_AGENT) and entry.name.endswith(_LINES)
        if not is_agent or entry.kind is not Kind.FILE or entry.path == transcript:
            continue
        if _session_of(root, entry.path) == session:
            yield entry.path


def _session_of(root: Root, path: str) -> object:
    """The session named in the first complete line of a transcript."""
    try:
        head = root.read(path, limit=_HEAD).raw
    except UnreadableError:
        return None
    for line in head.split(b"\n"):
        for value in parse(line).values:
            if isinstance(value, dict) and value.get("sessionId"):
                return value["sessionId"]
    return None


# The vault: conversations copied to where no agent deletes them.

_UNKNOWN = "Its copy is still there, but can't be matched to a conversation."


class Vault:
    """Saved conversations, by original store and path.

    Queries raise UnreadableError if the manifest cannot be read. Changes also raise
    NotWrittenError, and then nothing saved before is lost.
    """

    def __init__(self, places: Places) -> None:
        """Creates nothing until something is saved."""
        self._home = places.vault
        self._manifest = Manifest(self._home / "manifest.jsonl")
        self._objects = Objects(self._home / "objects")
        self._shelf = Shelf(self.folder, self._objects)

    @property
    def folder(self) -> Path:
        """The store of files whose originals are gone; exists only if there are any."""
        return self._home / "projects"

    def keep(self, store: Path, path: str, now: int, title: str = "") -> Kept:
        """Save a session: its transcript and everything that belongs to it.

        The transcript of one of its agents means the whole session. Files saved before
        are saved again if they grew. `now` is in microseconds since 1970.
        """
        main = Source(str(store), transcript_of(path))
        if Path(store).absolute() == self.folder:
            raise NotPossibleError("Already in the vault.")
        with only_writer(self._home), Root(store) as root:
            before = self._manifest.read().kept.get(main)
            self._keep(root, main, before, title, now)
            kept = self._manifest.read().kept[main]
            self._settle()
        return kept

    def release(self, store: Path, path: str, now: int) -> Kept:
        """Release a conversation; returns what was saved.

        If its original is gone, this deletes the last copy.
        """
        with only_writer(self._home):
            kept = self.of(store, path)
            if kept is None:
                raise NotPossibleError("Not in the vault.")
            self._manifest.add([released_line(kept.source, now)])
            self._settle()
            versions = (version for file in kept.files for version in file.versions)
            self._drop_unused(version.digest for version in versions)
        return kept

    def kept(self) -> list[Kept]:
        """Every saved conversation, latest first."""
        return sorted(self._manifest.read().kept.values(), key=lambda one: -one.at)

    def of(self, store: Path, path: str) -> Kept | None:
        """The saved conversation of the session that a file belongs to.

        The file may be given by its path in the original store, or by its path in the
        vault.
        """
        kept, stores, _ = self._manifest.read()
        asked = transcript_of(path)
        if Path(store).absolute() != self.folder:
            return kept.get(Source(str(store), asked))
        laid = (k for k in kept.values() if place_of(k.source, stores) == asked)
        return next(laid, None)

    def places(self, kept: Iterable[Kept]) -> list[Source]:
        """The current paths of transcripts: the original, or else on the shelf."""
        stores = self._manifest.read().stores
        return [
            Source(str(self.folder), place_of(one.source, stores))
            if one.is_gone
            else one.source
            for one in kept
        ]

    def homes(self) -> Iterator[tuple[Source, Source]]:
        """The original place of each saved file, and its place on the shelf."""
        kept, stores, _ = self._manifest.read()
        for one in kept.values():
            for file in one.files:
                path = place_of(file.source, stores)
                yield file.source, Source(str(self.folder), path)

    def standing(self) -> list[tuple[Source, Keeping]]:
        """The current path of each saved transcript, and how much of it is saved."""
        kept = self.kept()
        return list(zip(self.places(kept), map(_keeping, kept), strict=True))

    def rescued(self) -> list[Kept]:
        """Saved conversations whose original is gone."""
        return [one for one in self.kept() if one.is_gone]

    def verify(self) -> list[Damage]:
        """Read every byte again and return everything that is damaged."""
        manifest = Source(str(self._home), self._manifest.path.name)
        unread = [
            Damage(manifest, f"Line {number} can't be read. {_UNKNOWN}")
            for number in self._manifest.read().unread
        ]
        return unread + [
            Damage(file.source, wrong)
            for kept in self.kept()
            for file in kept.files
            for version in file.versions
            if (wrong := self._objects.what_is_wrong(version))
        ]

    def laid_out(self) -> Path | None:
        """The store of files whose originals are gone, up to date if possible.

        None if there are no such files. Files that cannot be updated stay as they are.
        Never raises.
        """
        with suppress(RecollectError):
            self.settle()
        return self.folder if self.folder.is_dir() else None

    def settle(self) -> None:
        """Add files whose original is gone, remove those whose original is back."""
        if self._home.is_dir():
            with only_writer(self._home):
                self._settle()

    def _keep(
        self, root: Root, main: Source, before: Kept | None, title: str, now: int
    ) -> None:
        """Copy new data first, then write its lines to the manifest."""
        known = {file.source: file for file in before.files} if before else {}
        lines: list[Line] = []
        unused: list[str] = []
        for path in dict.fromkeys((main.path, *belongings(root, main.path))):
            source = Source(main.store, path)
            last = known[source].newest if source in known else None
            copied = self._objects.take(root, path, last)
            if last and copied.digest == last.digest:
                continue
            version = Version(
                digest=copied.digest,
                size=copied.stamp.size,
                mtime_ns=copied.stamp.mtime_ns,
                at=now,
            )
            replaces = last.digest if last and copied.grew_from else None
            unused += [replaces] if replaces else []
            lines.append(kept_line(main, source, version, title, replaces))
        if lines:
            self._manifest.add(lines)
        if unused:
            self._drop_unused(unused)

    def _settle(self) -> None:
        kept, stores, _ = self._manifest.read()
        self._shelf.lay([one for one in kept.values() if one.is_gone], stores)

    def _drop_unused(self, let_go: Iterable[str]) -> None:
        """Remove the objects that no version needs.

        If a line of the manifest cannot be read, only those in `let_go`, since the
        unreadable line may refer to others.
        """
        kept, _, unread = self._manifest.read()
        used = {
            version.digest
            for one in kept.values()
            for file in one.files
            for version in file.versions
        }
        there = let_go if unread else list(self._objects.digests())
        for digest in [one for one in there if one not in used]:
            self._objects.drop(digest)


def _keeping(kept: Kept) -> Keeping:
    """How much of a transcript is saved."""
    if kept.is_gone:
        return Keeping.ONLY
    return Keeping.EARLIER if _differs(kept.files[0]) else Keeping.WHOLE


def _differs(file: KeptFile) -> bool:
    """Whether a file that still exists has changed since it was saved."""
    try:
        about = file.source.file.stat()
    except OSError:
        return False
    return (about.st_size, about.st_mtime_ns) != (
        file.newest.size,
        file.newest.mtime_ns,
    )


# How long Claude Code retains transcripts, according to its settings.
#
# On start it deletes sessions last written more than `cleanupPeriodDays` ago, in its
# own folder only, so copies elsewhere are safe. It rejects anything that is not a
# number of at least one day; what it does then is unknown.

DAY = 86_400_000_000
"""Microseconds."""

USUAL = 30
"""The default in days."""

_WATCHED, _OWN = "projects", ".claude"
_SETTINGS, _KEY = "settings.json", "cleanupPeriodDays"
_LIMIT = 1024 * 1024
_MOST = 36_500_000
"""The most days that are shown as a date; anything longer counts as forever."""


def kept_for(store: Path) -> int | None:
    """The retention of transcripts in microseconds; None if they are never deleted."""
    if store.name != _WATCHED:
        return None
    try:
        raw = read_own(store.parent / _SETTINGS, _LIMIT)
    except UnreadableError:
        return None
    if raw is None:
        return USUAL * DAY if store.parent.name == _OWN else None
    return _told(raw)


def _told(raw: bytes) -> int | None:
    try:
        settings: object = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(settings, dict):
        return None
    days = cast("dict[str, object]", settings).get(_KEY, USUAL)
    if isinstance(days, bool) or not isinstance(days, int | float):
        return None
    return int(days * DAY) if 1 <= days <= _MOST else None


# The transcripts to be deleted next, by their agent's rule.


class Endangered(NamedTuple):
    """A transcript, and when its agent may delete it."""

    source: Source
    size: int
    mtime_ns: int
    removed_at: int
    """In microseconds since 1970; if in the past, it may be deleted at any time."""

    def is_in(self, version: Version | None) -> bool:
        """Whether this version, the last one saved, is still current."""
        now = (self.size, self.mtime_ns)
        return version is not None and (version.size, version.mtime_ns) == now


def endangered(store: Path, until: int) -> list[Endangered]:
    """What may be deleted from a store until a given time, soonest first.

    Empty if nothing is ever deleted. Raises UnreadableError.
    """
    kept = kept_for(store)
    if kept is None:
        return []
    with Root(store) as root:
        found = [
            Endangered(
                Source(str(store), entry.path),
                entry.stamp.size,
                entry.stamp.mtime_ns,
                entry.stamp.mtime_ns // 1000 + kept,
            )
            for entry in _transcripts(root)
        ]
    due = [one for one in found if one.removed_at <= until]
    return sorted(due, key=lambda one: (one.removed_at, one.source))


def _transcripts(root: Root) -> Iterator[Entry]:
    """The transcripts of sessions, in their project folders."""
    for folder in root.entries():
        if folder.kind is not Kind.FOLDER:
            continue
        try:
            entries = root.entries(folder.path)
        except UnreadableError:
            continue
        for entry in entries:
            if entry.kind is Kind.FILE and entry.name.endswith(".jsonl"):
                yield entry
