"""Carry changes out, or show what they would do: what all commands of changes share."""

import argparse
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path

from store.clean import clean
from store.edits.port import Changeable
from store.edits.refusals import ChangedOnDiskError, ReadOnlyError
from store.errors import RecollectError
from store.library import Library
from store.planning import Planned
from store.records.intents import Intent
from store.records.reports import Change, Plan
from tui.cli.changing.consent import LINES, ask_for, needs_consent
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.json_lines import write_json
from tui.faces.plan import done, told, write_conflicts, write_plans

_WARNINGS = 5
"""So many are told where a change is about many records."""

_NOTHING = "Nothing differs from what it would be."


@contextmanager
def changing(session: Session, arguments: argparse.Namespace) -> Generator[Library]:
    """The library, for who means to change something; else nothing is even read."""
    refuse_if_read_only(session, arguments)
    with session.library() as library:
        yield library


def refuse_if_read_only(session: Session, arguments: argparse.Namespace) -> None:
    """What is not to be written is not even asked about."""
    if session.is_read_only and not arguments.dry_run:
        raise ReadOnlyError(
            "This session is read-only (--read-only or RECOLLECT_READ_ONLY): "
            "nothing is changed."
        )


def carry_out_each(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    intent: Intent,
    records: Sequence[Changeable],
) -> None:
    """Do the same to some records, all of which must be possible before any is done."""
    planned = library.plan_each(intent, records)
    if arguments.dry_run:
        show([one.plan for one in planned], session)
        return
    agree(library, arguments, planned)

    def again(one: Planned) -> Planned:
        here = [record for record in records if Path(record.store) == one.root]
        return library.plan(intent, here)

    do_all(library, session, planned, again)


def carry_out(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    planned: Planned,
) -> Change | None:
    """Make a change, and tell of it; with `--dry-run` only say what it would do."""
    if arguments.dry_run:
        show([planned.plan], session)
        return None
    agree(library, arguments, [planned])
    return do(library, session, planned)


def agree(
    library: Library, arguments: argparse.Namespace, planned: Sequence[Planned]
) -> None:
    """See to it that nothing forbids the changes and the user wants them."""
    for one in planned:
        for root in one.roots:
            library.refuse_if_read_only(root)
    if needs_consent(planned) and not arguments.yes:
        ask_for(planned)
    else:
        _warn_shortly([w for one in planned for w in one.draft.warnings])


def do(library: Library, session: Session, planned: Planned) -> Change | None:
    """Make a change and tell of it; where nothing is left to do, say that."""
    if planned.is_idle:
        leave(planned.draft.action, planned.refs, session)
        return None
    with telling_conflicts():
        change = library.change(planned, is_permitted=True)
    tell(change, session)
    return change


def do_all(
    library: Library,
    session: Session,
    planned: Sequence[Planned],
    again: Callable[[Planned], Planned] | None = None,
) -> None:
    """Make changes one after another; at the first that fails, say what is done.

    `again` plans one anew, for those before it may have written where it writes.
    """
    for number, one in enumerate(planned):
        try:
            do(library, session, again(one) if again and number else one)
        except RecollectError:
            if len(planned) > 1:
                left = len(planned) - number
                complain(f"{number} of {len(planned)} changes are made, {left} not.")
            raise


@contextmanager
def telling_conflicts() -> Generator[None]:
    """Where another program wrote meanwhile, show what it made of the files."""
    try:
        yield
    except ChangedOnDiskError as error:
        write_conflicts(
            error.conflicts, coloured=sys.stderr.isatty(), to=sys.stderr, most=LINES
        )
        raise


def leave(action: str, refs: Sequence[str], session: Session) -> None:
    """Say that nothing is left to be done; for scripts, a change that is none."""
    complain(_NOTHING)
    if session.json:
        write_json([_aside(action, refs, (), None)])


def tell_aside(
    action: str,
    refs: Sequence[str | None],
    session: Session,
    *,
    paths: Sequence[str] = (),
    undo: str | None = None,
) -> None:
    """Say that something was done which is no change of a store; no journal has it."""
    if session.json:
        write_json([_aside(action, refs, paths, undo)])
    else:
        say(f"{done(action)} · undo with: {undo}" if undo else done(action))


def show_aside(session: Session, actions: Iterable[str]) -> None:
    """Say that it would be done, and do nothing."""
    for action in actions:
        if session.json:
            write_json([Plan(action=action, steps=(), warnings=())])
        else:
            say(clean(action))


def _aside(
    action: str, refs: Sequence[str | None], paths: Sequence[str], undo: str | None
) -> dict[str, object]:
    change = {"change": None, "action": action, "refs": refs, "paths": paths}
    return {**change, "backup": None, "undo": undo, "notes": ()}


def show(plans: Sequence[Plan], session: Session) -> None:
    """Say what would be done, and do nothing."""
    if session.json:
        write_json(plans)
        return
    for plan in plans:
        _warn(plan.warnings)
    if not all(plan.steps for plan in plans):
        complain(_NOTHING)
    write_plans(plans, coloured=is_for_a_person())


def tell(change: Change, session: Session) -> None:
    """Say what was done, how it is taken back, and what else there is to say."""
    for note in change.notes:
        complain(note)
    if session.json:
        write_json([change])
        return
    say(told(change))


def say(line: str) -> None:
    """Print a line that is fit to show."""
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        complain(warning)


def _warn_shortly(warnings: Sequence[str]) -> None:
    """Say the first of many, and how many more there are."""
    _warn(warnings[:_WARNINGS])
    if len(warnings) > _WARNINGS:
        more = len(warnings) - _WARNINGS
        complain(f"And {more} more of the kind; --dry-run tells all beforehand.")
