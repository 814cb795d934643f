"""`recollect review`: go through what is worth a look, one memory after the other."""

import argparse

from store.errors import WrongUseError
from store.keeping.looked import last_looks
from store.library import Library
from store.records.memory import Memory
from tui.cli.answer import answer_list
from tui.cli.changing.carrying import refuse_if_read_only, show_aside, tell_aside
from tui.cli.changing.consent import can_be_asked
from tui.cli.session import Session
from tui.cli.terminal import is_for_a_person

_NOTHING = "Nothing is left to be reviewed."


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Walk through what is due; where nobody can be asked, list it."""
    refs = [*arguments.keep, *arguments.again]
    if refs:
        refuse_if_read_only(session, arguments)
    with session.library() as library:
        library.look_since(last_looks(session.places))
        if refs:
            _note(library, session, arguments)
            return
        dues = library.review(arguments.queues)[: arguments.limit]
        if dues and _can_walk(arguments, session):
            from tui.cli.reviewing.walk import Walk  # noqa: PLC0415  # not for lists
            from tui.faces.reviewing import Progress  # noqa: PLC0415  # the same

            Walk(library, session, arguments, Progress(dues)).run()
            return
        answer_list("due", dues, json=session.json, nothing=_NOTHING)


def _can_walk(arguments: argparse.Namespace, session: Session) -> bool:
    """Whether somebody is there to decide, and may."""
    is_to_be_read = session.json or session.is_read_only or arguments.dry_run
    return not is_to_be_read and can_be_asked() and is_for_a_person()


def _note(library: Library, session: Session, arguments: argparse.Namespace) -> None:
    """Note that memories are right as they stand, or that they are not."""
    is_right = bool(arguments.keep)
    for record in library.changeable([*arguments.keep, *arguments.again]):
        if not isinstance(record, Memory):
            raise WrongUseError(f"{record.ref} is no memory; only those are reviewed.")
        option = "--again" if is_right else "--keep"
        word = "keep" if is_right else "review"
        action = f"{word} “{record.title}”"
        if arguments.dry_run:
            show_aside(session, [action])
            continue
        library.note_reviewed(record, is_right=is_right)
        undo = f"recollect review {option} {record.ref}"
        tell_aside(action, (record.ref,), session, undo=undo)
