"""Conversations in the vault: what an agent removes some day is kept as a copy."""

import argparse
from collections.abc import Iterable, Sequence

from store.edits.port import Changeable
from store.library import Library
from store.records.conversation import Conversation
from store.records.vault import KeptReport
from tui.cli.changing.carrying import show_aside, tell_aside
from tui.cli.changing.consent import agree_to
from tui.cli.session import Session


def keep(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    records: Sequence[Changeable],
) -> list[Changeable]:
    """Copy the conversations among some records into the vault; the others are left."""
    talks, others = _divided(records)
    if arguments.dry_run:
        show_aside(session, (f"keep “{one.title or one.session}”" for one in talks))
    elif talks:
        for kept in library.keep(talks):
            _tell(session, f"keep “{kept.title}”", kept, f"recollect unpin {kept.ref}")
    return others


def release(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    records: Sequence[Changeable],
) -> list[Changeable]:
    """Let the conversations among some records go; the others are left."""
    talks, others = _divided(records)
    if not talks:
        return others
    kept = library.kept_of(talks)
    if arguments.dry_run:
        show_aside(session, (f"release “{one.title}”" for one in kept))
        return others
    for one in kept:
        if one.gone and not arguments.yes:
            agree_to(f"release “{one.title}”, which is nowhere else any more")
    for one in library.release(talks):
        undo = "" if one.gone else f"recollect pin {one.ref}"
        _tell(session, f"release “{one.title}”", one, undo)
    return others


def tell_kept(session: Session, kept: Iterable[KeptReport]) -> None:
    """Say what was kept."""
    for one in kept:
        _tell(session, f"keep “{one.title}”", one, f"recollect unpin {one.ref}")


def _divided(
    records: Sequence[Changeable],
) -> tuple[list[Conversation], list[Changeable]]:
    """The conversations, and all else."""
    talks = [one for one in records if isinstance(one, Conversation)]
    return talks, [one for one in records if not isinstance(one, Conversation)]


def _tell(session: Session, action: str, kept: KeptReport, undo: str) -> None:
    """Say what was done."""
    tell_aside(action, (kept.ref,), session, paths=(kept.path,), undo=undo or None)
