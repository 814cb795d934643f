"""An operation that failed, taken back."""

from store.edits.doing.hands import Hands
from store.edits.doing.stage import Stage
from store.edits.kept import entries
from store.edits.kept.deeds import Deed, is_derived
from store.edits.kept.operation import Operation, State
from store.edits.kept.workshop import Workshop
from store.errors import RecollectError


def take_back(
    workshop: Workshop, operation: Operation, hands: Hands, *, is_over: bool = False
) -> State:
    """Take back what was done; the state that it is in then, BEGUN if that failed too.

    Where all was done and only the last entry may be missing, it is taken back only if
    the journal says so first: a crash on the way would leave it half undone.
    """
    try:
        workshop.journal.append(entries.backwards(operation))
    except OSError:
        if is_over:
            return State.BEGUN
    try:
        deeds = reversed(list(enumerate(operation.deeds)))
        results = [_is_undone(hands, number, deed) for number, deed in deeds]
        is_whole = all(results)
        workshop.remember(operation, is_back=True)
        end = entries.aborted if is_whole else entries.unsettled
        workshop.journal.append(end(operation))
    except (OSError, RecollectError):
        return State.BEGUN
    return State.ABORTED if is_whole else State.UNSETTLED


def _is_undone(hands: Hands, number: int, deed: Deed) -> bool:
    """Take one back; False where somebody else has changed what was done."""
    if number not in hands.touched:
        return True
    hands.tidy(number, deed)
    back = deed.reversed()
    if hands.stage(number, back) is Stage.FOREIGN:
        return is_derived(deed)
    hands.finish(number, back)
    return True
