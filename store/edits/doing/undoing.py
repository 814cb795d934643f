"""What takes an operation back, as deeds of another one."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from store.edits.doing.beginning import temporary
from store.edits.doing.hands import Hands
from store.edits.draft import (
    AppendStep,
    Draft,
    FileStep,
    ModeStep,
    Remake,
    RowStep,
    Step,
)
from store.edits.kept.deeds import (
    Deed,
    FileDeed,
    LinesDeed,
    ModeDeed,
    in_order,
    is_derived,
)
from store.edits.kept.operation import Operation
from store.edits.rows import spelt_of

Remaker = Callable[[Path, str], Remake | None]
"""Says how a derived file of a store is made anew, if it can be."""


def reversed_deeds(operation: Operation, hands: Hands) -> tuple[Deed, ...]:
    """What was done last comes first, as far as their order lets it.

    `hands` look at the stores as they are. Raises UnreadableError and OSError.
    """
    hard = [deed for deed in reversed(operation.deeds) if not is_derived(deed)]
    back = [*(deed.reversed() for deed in hard), *_derived(operation)]
    return tuple(_placed(deed, hands) for deed in in_order(back))


def draft_of(operation: Operation, hands: Hands) -> Draft:
    """The same as a draft, so that people can look at it."""
    deeds = reversed_deeds(operation, hands)
    steps = (step for deed in deeds for step in _steps(operation.root, deed, hands))
    marks = tuple(mark.reversed for mark in operation.marks)
    return Draft(action=operation.action, steps=tuple(steps), marks=marks)


def _steps(root: Path, deed: Deed, hands: Hands) -> Iterator[Step]:
    if isinstance(deed, FileDeed):
        yield FileStep(
            path=deed.path,
            before=hands.image(deed.before),
            after=hands.image(deed.after),
            root=None if deed.root == root else deed.root,
        )
        return
    if isinstance(deed, LinesDeed):
        yield _step_of_lines(deed, None if deed.root == root else deed.root, hands)
        return
    if isinstance(deed, ModeDeed):
        yield ModeStep(
            path=deed.path,
            before=deed.before,
            after=deed.after,
            root=None if deed.root == root else deed.root,
        )
        return
    for row in deed.rows:
        yield RowStep(
            path=deed.path,
            table=row.table,
            key=row.key,
            before=spelt_of(hands.image(row.before)),
            after=spelt_of(hands.image(row.after)),
            triggers=row.triggers,
        )


def _step_of_lines(deed: LinesDeed, root: Path | None, hands: Hands) -> Step:
    """Lines that come, or the file without those that go."""
    if not deed.takes:
        return AppendStep(path=deed.path, end=deed.end, lines=deed.lines, root=root)
    (seen,) = hands.of_lines(deed).versions()
    return FileStep(path=deed.path, before=seen.before, after=seen.after, root=root)


def _derived(operation: Operation) -> Iterator[FileDeed]:
    """Those that were written, between the bytes between which they really went."""
    for number, deed in enumerate(operation.deeds):
        pair = operation.settled.get(number)
        if isinstance(deed, FileDeed) and deed.is_derived and pair:
            yield replace(deed, before=pair[0], after=pair[1]).reversed()


def _placed(deed: Deed, hands: Hands) -> Deed:
    """The deed as it fits what is there now: folders that are missing, and the rest."""
    if isinstance(deed, LinesDeed) and deed.takes:
        return _taken(deed, hands)
    if not isinstance(deed, FileDeed):
        return deed
    seen, missing = hands.now(deed)
    folders = deed.folders if deed.after is None else missing
    return replace(deed, about=seen.attributes if seen else None, folders=folders)


def _taken(deed: LinesDeed, hands: Hands) -> Deed:
    """Lines that others wrote around are taken out of the file as it is by now.

    So they are where another program has the file open, which may write behind them at
    any moment. Where they are not there any more, that is for the hands to find.
    """
    hand = hands.of_lines(deed)
    seen = hand.seen()
    if seen is None or hand.can_be_cut():
        return deed
    rest = hand.without(seen.raw)
    if rest is None:
        return deed
    return FileDeed(
        root=deed.root,
        path=deed.path,
        before=hands.hold(seen.raw),
        after=hands.hold(rest),
        temp=temporary(),
        about=seen.attributes,
    )
