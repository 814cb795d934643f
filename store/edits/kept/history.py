"""What was changed, undone and redone, so that either can be done again."""

from collections.abc import Iterable

from msgspec import Struct

from store.edits.kept.operation import Kind, Operation, State
from store.edits.refusals import NotPossibleError


class Chain(Struct, frozen=True):
    """One change, and how often it was undone and redone since."""

    operations: tuple[Operation, ...]
    places: tuple[int, ...]
    """Where they stand among all operations."""

    @property
    def first(self) -> Operation:
        """The change itself."""
        return self.operations[0]

    @property
    def last(self) -> Operation:
        """What was done about it last; taking that back is undoing or redoing it."""
        return self.operations[-1]

    @property
    def is_undone(self) -> bool:
        """Whether it is taken back."""
        return self.last.kind is Kind.UNDO


class History:
    """All changes that were made, the oldest first."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        """Only what was done counts."""
        self._chains: dict[str, Chain] = {}
        for place, operation in enumerate(operations):
            if operation.state is State.DONE:
                chain = self._chains.get(operation.change, Chain((), ()))
                self._chains[operation.change] = Chain(
                    (*chain.operations, operation), (*chain.places, place)
                )

    @property
    def chains(self) -> list[Chain]:
        """Each change with what became of it."""
        return list(self._chains.values())

    def named(self, change: str) -> Chain:
        """The change that goes by a name, or the beginning of one.

        Raises NotPossibleError.
        """
        found = [chain for name, chain in self._chains.items() if name == change] or [
            chain for name, chain in self._chains.items() if name.startswith(change)
        ]
        if len(found) != 1 or not change:
            what = "Several changes are" if found else "No change is"
            raise NotPossibleError(f"{what} called {change!r}.")
        return found[0]

    def to_undo(self, change: str | None) -> Chain:
        """The change to take back: that one, or the last one that stands."""
        if change is not None:
            chain = self.named(change)
            if chain.is_undone:
                raise NotPossibleError(f"{chain.first.action} is undone already.")
            return chain
        standing = [chain for chain in self.chains if not chain.is_undone]
        if not standing:
            raise NotPossibleError("There is nothing to undo.")
        return max(standing, key=_last_place)

    def to_redo(self) -> Chain:
        """The change that was taken back last, unless another was made since."""
        newest = max((chain.places[0] for chain in self.chains), default=-1)
        undone = [
            chain
            for chain in self.chains
            if chain.is_undone and _last_place(chain) > newest
        ]
        if not undone:
            raise NotPossibleError("There is nothing to redo.")
        return max(undone, key=_last_place)


def _last_place(chain: Chain) -> int:
    return chain.places[-1]
