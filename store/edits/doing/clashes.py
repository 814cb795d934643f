"""The files of an operation that somebody else has changed."""

from collections.abc import Iterator
from contextlib import suppress

from store.edits.conflict import Conflict
from store.edits.doing.hands import Hands
from store.edits.doing.stage import Stage
from store.edits.kept.deeds import Deed, is_derived
from store.edits.kept.operation import Operation
from store.errors import RecollectError


def conflicts_of(hands: Hands, operation: Operation) -> list[Conflict]:
    """The files that somebody else has changed, as far as they can be read."""
    found: list[Conflict] = []
    for number, deed in enumerate(operation.deeds):
        with suppress(OSError, RecollectError):
            found.extend(_conflicts(hands, number, deed))
    return found


def _conflicts(hands: Hands, number: int, deed: Deed) -> Iterator[Conflict]:
    if is_derived(deed) or hands.stage(number, deed) is not Stage.FOREIGN:
        return
    for seen in hands.versions(number, deed):
        if seen.now != seen.before:
            yield Conflict(
                root=deed.root,
                path=seen.path,
                base=seen.before,
                ours=seen.after,
                theirs=seen.now,
            )
