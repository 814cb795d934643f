"""Carry changes out, or show what they would do: what all commands of changes share."""

import argparse
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

from store.edits.port import Changeable
from store.edits.refusals import ReadOnlyError
from store.library import Library
from store.planning import Planned
from store.records.intents import Intent
from store.records.reports import Change, Plan
from tui.cli.changing.consent import ask_for, needs_consent
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.json_lines import write_json
from tui.faces.plan import told, write_plans

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
    intents: Sequence[Intent],
    records: Sequence[Changeable],
) -> None:
    """Do the same to some records, all of which must be possible before any is done."""
    planned = [library.plan_each(intent, records) for intent in intents]
    together = [one for of_intent in planned for one in of_intent]
    if arguments.dry_run:
        show([one.plan for one in together], session)
        return
    agree(library, arguments, together)
    for intent, first in zip(intents, planned, strict=True):
        again = (
            library.plan_each(intent, records) if intent is not intents[0] else first
        )
        for one in again:
            do(library, session, one)


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
    change = library.change(planned, is_permitted=True)
    tell(change, session)
    return change


def leave(action: str, refs: Sequence[str], session: Session) -> None:
    """Say that nothing is left to be done; for scripts, a change that is none."""
    complain(_NOTHING)
    if session.json:
        change = {"change": None, "action": action, "refs": refs, "paths": ()}
        write_json([{**change, "backup": None, "undo": None, "notes": ()}])


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
    sys.stdout.buffer.write(f"{told(change)}\n".encode("utf-8", "replace"))
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
