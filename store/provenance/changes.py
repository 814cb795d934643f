"""The changes that were made from here, as their journal keeps them: bytes and all."""

import os
from collections.abc import Iterator
from pathlib import Path

from store.derive.whereabouts import Placed
from store.edits.kept.deeds import FileDeed
from store.edits.kept.operation import Kind, Operation, State
from store.edits.kept.workshop import Workshop
from store.errors import RecollectError
from store.places import Places
from store.provenance.made import Maker, Told
from store.provenance.replay import Call
from store.times import parse


class Changes:
    """What the journal tells of how files came to be."""

    def __init__(self, places: Places) -> None:
        """Nothing is read before somebody asks, and nothing is ever written."""
        self._folder = places.state / "changes"
        self.notice = ""
        """What was in the way, where something was."""

    def changes_of(self, place: Placed) -> list[Told]:
        """The changes of a file that were done, undone and redone, in order of time."""
        if not self._folder.is_dir():
            return []
        try:
            with Workshop(self._folder) as workshop:
                return list(_told(workshop, place))
        except RecollectError as error:
            self.notice = str(error)
            return []


def _told(workshop: Workshop, place: Placed) -> Iterator[Told]:
    root = os.path.realpath(place.store)
    for operation in workshop.operations().values():
        for deed in operation.deeds if operation.state is State.DONE else ():
            if (
                isinstance(deed, FileDeed)
                and deed.path == place.path
                and os.path.realpath(deed.root) == root
            ):
                before, after = (
                    _text(workshop, name) for name in (deed.before, deed.after)
                )
                yield Told(_maker(operation), Call("change", after, before=before))


def _maker(operation: Operation) -> Maker:
    is_change = operation.kind is Kind.CHANGE
    return Maker(
        by="change",
        what=operation.action if is_change else f"{operation.kind} {operation.action}",
        at=parse(operation.time).iso,
        moment=operation.time,
        ref=operation.change,
    )


def _text(workshop: Workshop, name: str | None) -> str | None:
    """What was kept: nothing where there was no file, None where it is lost."""
    if name is None:
        return ""
    path = Path(workshop.blobs.folder, name)
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return None
