"""The vault: conversations copied to where no agent cleans up."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from store.edits.refusals import NotPossibleError
from store.errors import RecollectError
from store.files.beneath import Root
from store.places import Places
from store.private import only_writer
from store.records.spans import Keeping
from store.vault.belongings import belongings, transcript_of
from store.vault.kept import Damage, Kept, KeptFile, Source, Version
from store.vault.manifest import Line, Manifest, kept_line, released_line
from store.vault.objects import Objects
from store.vault.shelf import Shelf, place_of

_UNKNOWN = "What it told of is kept still, but nobody knows what it is."


class Vault:
    """What is kept, by the store and the path that it came from.

    What is asked raises UnreadableError where the manifest cannot be read; what changes
    the vault raises NotWrittenError as well, and then what was kept still is.
    """

    def __init__(self, places: Places) -> None:
        """Nothing is made before something is kept."""
        self._home = places.vault
        self._manifest = Manifest(self._home / "manifest.jsonl")
        self._objects = Objects(self._home / "objects")
        self._shelf = Shelf(self.folder, self._objects)

    @property
    def folder(self) -> Path:
        """The store of what is gone where it came from; there only if anything is."""
        return self._home / "projects"

    def keep(self, store: Path, path: str, now: int, title: str = "") -> Kept:
        """Keep a session: its transcript as it is now, and all that belongs to it.

        The transcript of one of its agents stands for the session. What is kept already
        is kept anew where it grew. `now` is in microseconds since 1970.
        """
        main = Source(str(store), transcript_of(path))
        if Path(store).absolute() == self.folder:
            raise NotPossibleError("It is in the vault already.")
        with only_writer(self._home), Root(store) as root:
            before = self._manifest.read().kept.get(main)
            self._keep(root, main, before, title, now)
            kept = self._manifest.read().kept[main]
            self._settle()
        return kept

    def release(self, store: Path, path: str, now: int) -> Kept:
        """Let a conversation go; answers what it was.

        Where its original is gone, this was the last of it.
        """
        with only_writer(self._home):
            kept = self.of(store, path)
            if kept is None:
                raise NotPossibleError("It is not in the vault.")
            self._manifest.add([released_line(kept.source, now)])
            self._settle()
            versions = (version for file in kept.files for version in file.versions)
            self._drop_unused(version.digest for version in versions)
        return kept

    def kept(self) -> list[Kept]:
        """Every conversation that is kept, the latest first."""
        return sorted(self._manifest.read().kept.values(), key=lambda one: -one.at)

    def of(self, store: Path, path: str) -> Kept | None:
        """What is kept of the session that a file belongs to.

        The file is named as it lay in its store, or as it lies in the vault's own.
        """
        kept, stores, _ = self._manifest.read()
        asked = transcript_of(path)
        if Path(store).absolute() != self.folder:
            return kept.get(Source(str(store), asked))
        laid = (k for k in kept.values() if place_of(k.source, stores) == asked)
        return next(laid, None)

    def places(self, kept: Iterable[Kept]) -> list[Source]:
        """Where transcripts lie by now: where they were found, or on the shelf."""
        stores = self._manifest.read().stores
        return [
            Source(str(self.folder), place_of(one.source, stores))
            if one.is_gone
            else one.source
            for one in kept
        ]

    def is_kept(self, store: Path, path: str) -> bool:
        """Whether the session that a file belongs to is kept."""
        return self.of(store, path) is not None

    def standing(self) -> list[tuple[Source, Keeping]]:
        """Where each transcript that is kept lies by now, and what of it is kept."""
        kept = self.kept()
        return list(zip(self.places(kept), map(_keeping, kept), strict=True))

    def rescued(self) -> list[Kept]:
        """What is kept and gone where it came from."""
        return [one for one in self.kept() if one.is_gone]

    def grown(self) -> list[Kept]:
        """What is kept and not as it was when it was kept."""
        return [one for one in self.kept() if any(map(_differs, one.files))]

    def verify(self) -> list[Damage]:
        """Read every byte again: everything that is not what was kept."""
        manifest = Source(str(self._home), self._manifest.path.name)
        unread = [
            Damage(manifest, f"Line {number} cannot be read. {_UNKNOWN}")
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
        """The store of what is gone by now, to be looked at beside all others; if any.

        What cannot be laid out anew stays as it lies. Never raises.
        """
        with suppress(RecollectError):
            self.settle()
        return self.folder if self.folder.is_dir() else None

    def settle(self) -> None:
        """Lay out what is gone by now, and take away what is there again."""
        if self._home.is_dir():
            with only_writer(self._home):
                self._settle()

    def _keep(
        self, root: Root, main: Source, before: Kept | None, title: str, now: int
    ) -> None:
        """Copy what is new, then tell of it: a line speaks only of what is there."""
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

        Where a line of the manifest cannot be read nobody knows which these are: then
        those alone that were let go.
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
    """What is kept of a transcript."""
    if kept.is_gone:
        return Keeping.ONLY
    return Keeping.EARLIER if _differs(kept.files[0]) else Keeping.WHOLE


def _differs(file: KeptFile) -> bool:
    """Whether a file that is still there was written since it was kept."""
    try:
        about = file.source.file.stat()
    except OSError:
        return False
    return (about.st_size, about.st_mtime_ns) != (
        file.newest.size,
        file.newest.mtime_ns,
    )
