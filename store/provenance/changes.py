"""The changes that were made from here, as their journal keeps them: bytes and all."""

import os
from collections.abc import Iterator

from rapidfuzz.distance import Indel

from store.derive.whereabouts import Placed
from store.edits.kept.deeds import FileDeed
from store.edits.kept.operation import Kind, Operation, State
from store.edits.kept.workshop import Workshop
from store.errors import RecollectError
from store.places import Places
from store.provenance.made import Maker, Told
from store.provenance.replay import Call
from store.times import parse

_ALIKE = 0.5
"""So much of a file is in another that it became, at least."""


class Changes:
    """What the journal tells of how files came to be."""

    def __init__(self, places: Places) -> None:
        """Nothing is read before somebody asks, and nothing is ever written."""
        self._folder = places.state / "changes"
        self._done: list[Operation] | None = None
        self._blobs = self._folder
        self.notice = ""
        """What was in the way, where something was."""

    def changes_of(self, place: Placed) -> list[Told]:
        """The changes of a file that were done, undone and redone, in order of time."""
        root = os.path.realpath(place.store)
        return [
            self._told(operation, deed, place)
            for operation in self._operations()
            for deed in _files(operation)
            if deed.path == place.path and os.path.realpath(deed.root) == root
        ]

    def files_of(self, store: str) -> Iterator[str]:
        """The files of a store that were ever changed from here."""
        root = os.path.realpath(store)
        for operation in self._operations():
            for deed in _files(operation):
                if os.path.realpath(deed.root) == root:
                    yield deed.path

    def _operations(self) -> list[Operation]:
        """All that was done; nothing where the journal cannot be read."""
        if self._done is None:
            self._done = []
            try:
                if self._folder.is_dir():
                    with Workshop(self._folder) as workshop:
                        known = list(workshop.operations().values())
                        self._blobs = workshop.blobs.folder
                    self._done = [one for one in known if one.state is State.DONE]
            except RecollectError as error:
                self.notice = str(error)
        return self._done

    def _told(self, operation: Operation, deed: FileDeed, place: Placed) -> Told:
        gone = self._origin(operation, deed)
        before = deed.before if gone is None else gone.before
        call = Call("change", self._text(deed.after), before=self._text(before))
        return Told(
            _maker(operation), call, gone and Placed(_named(gone, place), gone.path)
        )

    def _origin(self, operation: Operation, deed: FileDeed) -> FileDeed | None:
        """What the file was before it was moved: of what went, what is most like it."""
        if deed.before is not None or deed.after is None:
            return None
        went = [
            (self._likeness(one, deed), one)
            for one in _files(operation)
            if one.before is not None and one.after is None
        ]
        likeness, origin = max(went, key=lambda one: one[0], default=(0.0, None))
        return origin if likeness >= _ALIKE else None

    def _likeness(self, gone: FileDeed, new: FileDeed) -> float:
        """How much of one file there is in another."""
        if gone.before == new.after:
            return 1.0
        before, after = self._text(gone.before), self._text(new.after)
        if before is None or after is None:
            return 0.0
        return Indel.normalized_similarity(before.split("\n"), after.split("\n"))

    def _text(self, name: str | None) -> str | None:
        """What was kept: nothing where there was no file, None where it is lost."""
        if name is None:
            return ""
        try:
            raw = (self._blobs / name).read_bytes()
        except OSError:
            return None
        return raw.decode("utf-8", "surrogateescape")


def _files(operation: Operation) -> Iterator[FileDeed]:
    """The files that an operation made, changed or removed."""
    return (deed for deed in operation.deeds if isinstance(deed, FileDeed))


def _named(deed: FileDeed, place: Placed) -> str:
    """The store of a file: as it is called, where it is the one that is asked about."""
    is_same = os.path.realpath(deed.root) == os.path.realpath(place.store)
    return place.store if is_same else str(deed.root)


def _maker(operation: Operation) -> Maker:
    is_change = operation.kind is Kind.CHANGE
    return Maker(
        by="change",
        what=operation.action if is_change else f"{operation.kind} {operation.action}",
        at=parse(operation.time).iso,
        moment=operation.time,
        ref=operation.change,
    )
