"""`recollect vault`: the conversations that are kept, and those that ought to be."""

import argparse

from store.errors import RecollectError
from tui.cli.answer import answer_list
from tui.cli.changing.carrying import refuse_if_read_only
from tui.cli.changing.consent import MANY, agree_to
from tui.cli.changing.vaulting import tell_kept
from tui.cli.session import Session
from tui.cli.terminal import complain
from tui.faces.quantities import sized


class DamagedError(RecollectError):
    """Something that was kept is not what it was."""


class StillInDangerError(RecollectError):
    """Something that its agent removes soon could not be kept."""


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List what is kept or in danger, keep what is, or read all of it again."""
    match arguments.what:
        case "verify":
            _verify(session)
        case "endangered":
            _list_endangered(session, arguments.days)
        case "rescue":
            _rescue(session, arguments)
        case _:
            with session.library() as library:
                kept = library.kept()
            answer_list("kept", kept, json=session.json, nothing="Nothing is kept yet.")


def _verify(session: Session) -> None:
    """Read every byte of what is kept again."""
    with session.library_of_none() as library:
        damages = library.verify_vault()
    answer_list("damages", damages, json=session.json, nothing="All is as it was kept.")
    if damages:
        raise DamagedError(f"Not as they were kept: {len(damages)} files.")


def _list_endangered(session: Session, days: int) -> None:
    """List what its agent removes soon."""
    nothing = "Nothing is removed so soon that is not kept."
    with session.library() as library:
        found = library.endangered(days)
        answer_list("endangered", found, json=session.json, nothing=nothing)


def _rescue(session: Session, arguments: argparse.Namespace) -> None:
    """Keep all of that."""
    refuse_if_read_only(session, arguments)
    with session.library() as library:
        found = library.endangered(arguments.days)
        if arguments.dry_run:
            answer_list("endangered", found, json=session.json, nothing="")
            return
        if len(found) >= MANY and not arguments.yes:
            size = sized(sum(one.bytes for one in found))
            agree_to(f"keep {len(found)} conversations, {size}")
        kept = library.rescue(found)
        tell_kept(session, kept)
        safe = {(one.store, one.path) for one in kept}
        again = library.endangered(arguments.days)
        left = [one.path for one in again if (one.store, one.path) not in safe]
    if left:
        told = ", ".join(map(repr, left))
        raise StillInDangerError(f"Not kept, for not all of it can be read: {told}.")
    if not kept:
        complain("Nothing is removed so soon that is not kept.")
