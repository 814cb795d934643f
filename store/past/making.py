"""Make a store as it was: what can be told is laid in a folder, the rest is noted."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.catalogue.provenance import standing_by
from store.catalogue.reader import Reader
from store.derive.whereabouts import Placed
from store.discover import Found
from store.errors import UnreadableError
from store.formats.port import Source
from store.past.deciding import Fate, Known, Left, decided, is_undated
from store.past.then import Then
from store.provenance.gathering import replayed
from store.provenance.git.running import GitError
from store.provenance.git.trees import Tree, tree_at
from store.provenance.made import Leaving, Made, Past, Told


class Remade(Struct, frozen=True):
    """A store as it was, and how well that is known."""

    store: Found
    then: Then
    commit: str = ""
    """The commit that tells of it, where one does."""
    doubtful: tuple[str, ...] = ()
    """The files that changed since and of which nothing tells how they were."""
    undated: tuple[str, ...] = ()
    """The files that are there no more, and nothing tells since when."""
    notes: tuple[str, ...] = ()
    """What was in the way of knowing more."""


class Maker(Struct):
    """Makes one store after the other as it was at a time."""

    reader: Reader
    """The catalogue of now."""
    pasts: Sequence[Past]
    """Whoever tells how files were."""
    leaving: Leaving
    """Tells when files were taken away, or came from elsewhere."""
    at: int
    folder: Path
    """Where what is made anew is laid; for the user alone."""

    def remake(self, found: Found) -> Remade:
        """A store as it was; raises UnreadableError where it cannot be looked at."""
        with found.format.open(found.path) as store:
            sources = {s.path: s for s in store.scan() if isinstance(s, Source)}
        tree, committed, notes = self._committed(found.path)
        made = self._made(found.path)
        left = self._left(found.path, made.keys() - sources.keys())
        known = Known(self.at, sources, made, tree, committed, left)
        paths = dict.fromkeys([*sources, *(tree.files if tree else ()), *made])
        fates = {path: decided(known, path) for path in paths}
        mirror = self.folder / str(found.path).lstrip("/")
        mirror.mkdir(parents=True, exist_ok=True)
        texts = {path: raw for path, raw in fates.items() if isinstance(raw, bytes)}
        laid = frozenset(self._lay(mirror, texts, tree.moment if tree else self.at))
        return Remade(
            found,
            Then(
                self.at,
                mirror,
                laid,
                frozenset(p for p, fate in fates.items() if fate is Fate.ABSENT),
            ),
            commit=tree.commit if tree else "",
            doubtful=self._doubtful(found.path, fates),
            undated=tuple(p for p in texts if is_undated(known, p)),
            notes=notes,
        )

    def _doubtful(
        self, store: Path, fates: Mapping[str, bytes | Fate]
    ) -> tuple[str, ...]:
        """The files that are read as they are though they changed since."""
        told = standing_by(self.reader, store, self.at)
        return tuple(p for p, fate in fates.items() if fate is Fate.DATED and p in told)

    def _committed(
        self, path: Path
    ) -> tuple[Tree | None, dict[str, bytes], tuple[str, ...]]:
        """What git tells of a store."""
        try:
            tree = tree_at(path, self.at)
            return tree, tree.contents(path) if tree else {}, ()
        except GitError as error:
            return None, {}, (str(error),)

    def _made(self, store: Path) -> dict[str, Sequence[Made]]:
        """What is known of the changes of a store's files, of which any is."""
        place = str(store)
        paths = {path for past in self.pasts for path in past.files_of(place)}
        told = {
            path: [
                _as_new(one)
                for past in self.pasts
                for one in past.changes_of(Placed(place, path))
            ]
            for path in sorted(paths)
        }
        return {path: replayed(several) for path, several in told.items() if several}

    def _left(self, store: Path, gone: Iterable[str]) -> Left:
        """What commands tell of files that are no longer there."""
        left = Left()
        for path in sorted(gone):
            for parting in self.leaving.partings(Placed(str(store), path)):
                left.since.setdefault(path, []).append(parting.moment)
                if parting.to and parting.to.store == str(store):
                    left.arrived[parting.to.path] = parting.moment
        return left

    def _lay(self, mirror: Path, texts: dict[str, bytes], moment: int) -> Iterable[str]:
        """Put files into the mirror; those that cannot be are as if they were not."""
        for path, raw in texts.items():
            file = mirror / path
            if ".." in Path(path).parts or Path(path).is_absolute():
                continue
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(raw)
                os.utime(file, ns=(moment * 1000, moment * 1000))
            except (OSError, ValueError):
                continue
            yield path


def _as_new(told: Told) -> Told:
    """A change as it is told of the name that it gave: nothing went by that before."""
    if told.origin is None:
        return told
    return replace(told, call=replace(told.call, before=""))


def unreadable(found: Found, error: UnreadableError, at: int, folder: Path) -> Remade:
    """A store that cannot be looked at was, as far as anybody knows, empty."""
    return Remade(
        found, Then(at, folder, frozenset(), frozenset()), notes=(str(error),)
    )
