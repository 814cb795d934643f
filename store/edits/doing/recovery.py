"""What broke off is finished, or taken back, or left to people: at the next start.

Where all files are as they were before, nothing was done, and that is noted. Where
some are new, the rest is done too, for the journal has all of it. Where somebody else
wrote meanwhile nothing is touched: both versions are kept, and it is told.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from store.edits.doing.backing import take_back
from store.edits.doing.derived import Pair
from store.edits.doing.hands import Hands
from store.edits.doing.locks import Held, hold
from store.edits.doing.stage import Stage
from store.edits.kept import entries
from store.edits.kept.deeds import FileDeed, is_derived
from store.edits.kept.operation import Operation, State
from store.edits.kept.workshop import Workshop
from store.errors import RecollectError


class Settled(Struct, frozen=True):
    """One thing that was found at the start."""

    message: str
    is_done: bool = True
    """Whether it is settled; else it waits for the next time."""


def recover(workshop: Workshop) -> list[Settled]:
    """Settle everything that broke off, and tell it.

    May be broken off and done again. What lies in a store that cannot be reached, or
    that somebody has locked, waits for the next time.
    """
    open_ones = [each for each in workshop.operations().values() if each.is_open]
    told = [_settled(workshop, operation) for operation in open_ones]
    return told + [Settled(message) for message in _late(workshop)]


def _late(workshop: Workshop) -> Iterator[str]:
    """What others wrote into files that had been replaced already."""
    known = len(workshop.journal.entries())
    workshop.limbo.look()
    for entry in workshop.journal.entries()[known:]:
        operation = workshop.operations().get(str(entry["id"]))
        action = f"“{operation.action}”" if operation else "a change"
        where = workshop.blobs.folder / str(entry["blob"])
        yield f"Another program wrote while {action} was made; that is kept in {where}."


def _settled(workshop: Workshop, operation: Operation) -> Settled:
    told = f"“{operation.action}” had broken off"
    try:
        with Hands(workshop, operation) as hands, Held() as held:
            hold(held, hands, workshop, operation)
            state = _settle(workshop, operation, hands)
    except (OSError, RecollectError) as error:
        return Settled(f"{told} and is still to be settled: {error}", is_done=False)
    return Settled(f"{told}; {_OUTCOMES[state]}", is_done=state is not State.BEGUN)


_OUTCOMES = {
    State.BEGUN: "it could not be settled yet.",
    State.DONE: "it was finished.",
    State.ABORTED: "nothing of it is left.",
    State.UNSETTLED: "another program wrote meanwhile, so nothing was touched.",
}


def _settle(workshop: Workshop, operation: Operation, hands: Hands) -> State:
    for number, deed in enumerate(operation.deeds):
        hands.tidy(number, deed)
        hands.touched.add(number)
    stages = {
        hands.stage(number, deed)
        for number, deed in enumerate(operation.deeds)
        if not is_derived(deed)
    }
    if operation.state is State.BACKWARDS:
        return take_back(workshop, operation, hands)
    if Stage.FOREIGN in stages:
        workshop.journal.append(entries.unsettled(operation))
        return State.UNSETTLED
    if stages <= {Stage.BEFORE}:
        return take_back(workshop, operation, hands)
    done = _forward(operation, hands)
    workshop.remember(done)
    workshop.journal.append(entries.done(done))
    return State.DONE


def _forward(operation: Operation, hands: Hands) -> Operation:
    """Do what is left to do of it."""
    settled: dict[int, Pair | None] = {}
    notes: list[str] = []
    for number, deed in enumerate(operation.deeds):
        if not isinstance(deed, FileDeed) or not deed.is_derived:
            hands.finish(number, deed)
        elif hands.stage(number, deed) is Stage.FOREIGN:
            settled[number] = None
            notes.append(f"{deed.path} could not be brought up to date.")
        else:
            hands.finish(number, deed)
            settled[number] = deed.before, deed.after
    return replace(operation, notes=tuple(notes), settled=settled)
