"""Make a store as it was: what can be told is laid in a folder, the rest is noted."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from store.catalogue.provenance import standing_by, written_files
from store.catalogue.reader import Reader
from store.derive.whereabouts import Placed
from store.discover import Found
from store.errors import UnreadableError
from store.formats.port import Source
from store.past.deciding import Fate, Known, decided
from store.past.then import Then
from store.provenance.gathering import replayed
from store.provenance.git.running import GitError
from store.provenance.git.trees import Tree, tree_at
from store.provenance.made import Made, Past, Told


@dataclass(frozen=True, slots=True)
class Remade:
    """A store as it was, and how well that is known."""

    store: Found
    then: Then
    commit: str = ""
    """The commit that tells of it, where one does."""
    doubtful: tuple[str, ...] = ()
    """The files that changed since and of which nothing tells how they were."""
    notes: tuple[str, ...] = ()
    """What was in the way of knowing more."""


@dataclass(slots=True)
class Maker:
    """Makes one store after the other as it was at a time."""

    reader: Reader
    """The catalogue of now."""
    calls: Past
    """What transcripts tell of how files were."""
    others: Sequence[Past]
    """Whoever else knows."""
    at: int
    folder: Path
    """Where what is made anew is laid; for the user alone."""
    _written: dict[str, list[str]] | None = field(default=None, init=False)

    def remake(self, found: Found) -> Remade:
        """A store as it was; raises UnreadableError where it cannot be looked at."""
        with found.format.open(found.path) as store:
            sources = {s.path: s for s in store.scan() if isinstance(s, Source)}
        tree, committed, notes = self._committed(found.path)
        made = self._made(found.path, sources)
        known = Known(self.at, sources, made, tree, committed)
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

    def _made(
        self, path: Path, sources: dict[str, Source]
    ) -> dict[str, Sequence[Made]]:
        """What is known of the changes of a store's files, of which any is."""
        if self._written is None:
            self._written = {}
            for place in sorted(written_files(self.reader)):
                self._written.setdefault(place.store, []).append(place.path)
        told: dict[str, list[Told]] = {}
        for one in self._written.get(str(path), ()):
            told[one] = self.calls.changes_of(Placed(str(path), one))
        later = [p for p, s in sources.items() if s.stamp.mtime_ns // 1000 > self.at]
        for one in dict.fromkeys([*told, *later]) if self.others else ():
            place = Placed(str(path), one)
            for past in self.others:
                told.setdefault(one, []).extend(past.changes_of(place))
        return {one: made for one in told if (made := replayed(told[one]))}

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


def unreadable(found: Found, error: UnreadableError, at: int, folder: Path) -> Remade:
    """A store that cannot be looked at was, as far as anybody knows, empty."""
    return Remade(
        found, Then(at, folder, frozenset(), frozenset()), notes=(str(error),)
    )
