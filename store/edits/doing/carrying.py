"""An operation carried out: all of it, or nothing, whatever happens meanwhile."""

from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct, field
from msgspec.structs import replace

from store.edits.doing.backing import take_back
from store.edits.doing.clashes import conflicts_of
from store.edits.doing.derived import Pair, derive
from store.edits.doing.hands import Hands
from store.edits.doing.locks import Held, hold
from store.edits.doing.shunning import shun
from store.edits.doing.stage import Stage
from store.edits.doing.troubles import changed_on_disk, reason, translated
from store.edits.draft import Remake
from store.edits.kept import entries
from store.edits.kept.deeds import FileDeed, LinesDeed, blobs_of, is_derived
from store.edits.kept.operation import Operation, State
from store.edits.kept.workshop import Workshop
from store.edits.refusals import NotWrittenError
from store.errors import RecollectError
from store.files.replacing import Manner

_ENDS = {
    State.BEGUN: "What was begun is finished or taken back at the next start.",
    State.UNSETTLED: "It was done in part, and another program wrote there meanwhile.",
}


class Work(Struct, frozen=True):
    """An operation that was not begun yet, and what it needs."""

    operation: Operation
    images: Mapping[str, bytes]
    remakes: Mapping[int, Remake] = field(default_factory=dict[int, Remake])


def carry_out(workshop: Workshop, work: Work) -> Operation:
    """Do it, durably: it is done when this returns.

    Raises ChangedOnDiskError, LockedError, NotWrittenError, UnreadableError, and
    OSError before it is begun; then nothing was done, or the message says what else.
    """
    operation = work.operation
    with Hands(workshop, operation, work.images) as hands, Held() as held:
        _check(hands, operation)
        shun(operation, hands)
        wanted = set[str]().union(*map(blobs_of, operation.deeds))
        workshop.blobs.keep_as({name: hands.image(name) or b"" for name in wanted})
        try:
            workshop.journal.append(entries.begun(operation))
            hold(held, hands, workshop, operation)
            _check(hands, operation)
        except (OSError, RecollectError) as error:
            with suppress(OSError):
                workshop.journal.append(entries.aborted(operation))
            raise translated(error) from error
        return _do(workshop, work, hands, held)


def _check(hands: Hands, operation: Operation) -> None:
    """Look at all files before one is touched; raises ChangedOnDiskError."""
    for number, deed in enumerate(operation.deeds):
        if not is_derived(deed) and hands.stage(number, deed) is not Stage.BEFORE:
            raise changed_on_disk(conflicts_of(hands, operation))


def _do(workshop: Workshop, work: Work, hands: Hands, held: Held) -> Operation:
    is_over = False
    try:
        done = _deeds(work, hands, held)
        workshop.remember(done)
        is_over = True
        workshop.journal.append(entries.done(done), lasts=not _tells_itself(done))
    except (OSError, RecollectError) as error:
        conflicts = conflicts_of(hands, work.operation)
        end = take_back(workshop, work.operation, hands, is_over=is_over)
        if end in _ENDS:
            told = f"{reason(error, conflicts)} {_ENDS[end]}"
            raise NotWrittenError(told) from error
        raise translated(error, conflicts) from error
    return done


def _tells_itself(done: Operation) -> bool:
    """Whether the files alone tell that it is done, whatever others write there.

    So it is with lines that were added: they are durable, and found wherever they are.
    """
    is_added = all(isinstance(one, LinesDeed) and not one.takes for one in done.deeds)
    return is_added and not done.marks


def _deeds(work: Work, hands: Hands, held: Held) -> Operation:
    settled: dict[int, Pair | None] = {}
    notes = held.notes
    for number, deed in enumerate(work.operation.deeds):
        held.refresh()
        if isinstance(deed, FileDeed) and deed.is_derived:
            settled[number] = derive(hands, number, deed, work.remakes.get(number))
            if settled[number] is None:
                notes.append(f"{deed.path} could not be brought up to date.")
        elif hands.do(number, deed) is Manner.IN_PLACE:
            notes.append(f"{deed.path} was overwritten in place, not at once.")
    return replace(
        work.operation, state=State.DONE, notes=tuple(notes), settled=settled
    )
