"""Conversations in the vault: what an agent removes some day is kept as a copy."""

import argparse
import sys
from collections.abc import Iterable, Sequence

from store.clean import clean
from store.edits.port import Changeable
from store.library import Library
from store.records.conversation import Conversation
from store.records.reports import Plan
from store.records.vault import KeptReport
from tui.cli.changing.consent import agree_to
from tui.cli.session import Session
from tui.faces.json_lines import write_json
from tui.faces.plan import done


def keep(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    records: Sequence[Changeable],
) -> list[Changeable]:
    """Copy the conversations among some records into the vault; the others are left."""
    talks, others = _divided(records)
    if arguments.dry_run:
        _show(session, (f"keep “{one.title or one.session}”" for one in talks))
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
        _show(session, (f"release “{one.title}”" for one in kept))
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


def _show(session: Session, actions: Iterable[str]) -> None:
    """Say what would be done."""
    for action in actions:
        if session.json:
            write_json([Plan(action=action, steps=(), warnings=())])
        else:
            _say(clean(action))


def _tell(session: Session, action: str, kept: KeptReport, undo: str) -> None:
    """Say what was done; it is no change of a store, and the journal has none of it."""
    if session.json:
        change = {"change": None, "action": action, "refs": (kept.ref,)}
        paths = {"paths": (kept.path,), "backup": None, "undo": undo or None}
        write_json([{**change, **paths, "notes": ()}])
    else:
        _say(f"{done(action)} · undo with: {undo}" if undo else done(action))


def _say(line: str) -> None:
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
