"""Commands for saved conversations, and pins."""

import argparse
from collections.abc import Sequence

from msgspec.structs import replace

from store.answers.vault import Saved
from store.edits.draft import Changeable
from store.errors import NoStoresError, RecollectError
from store.kinds.conversations import Conversation
from store.library import Library
from store.records.intents import Pin
from tui.cli.apply import (
    MANY,
    agree_to,
    carry_out_each,
    changing,
    chosen,
    refuse_if_read_only,
    show_aside,
    tell,
    tell_aside,
)
from tui.cli.session import Session, answer_list
from tui.output.text import sized
from tui.terminal.streams import complain

# Conversations in the vault: copies of what an agent will delete some day.


def keep(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    records: Sequence[Changeable],
) -> list[Changeable]:
    """Copy the conversations into the vault; returns the other records."""
    talks, others = _divided(records)
    if arguments.dry_run:
        show_aside(session, (_copying(one, session) for one in talks))
    elif talks:
        tell_saved(session, "pin", library.vault.keep(talks))
    return others


def release(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    records: Sequence[Changeable],
) -> list[Changeable]:
    """Remove the conversations from the vault; returns the other records."""
    talks, others = _divided(records)
    if not talks:
        return others
    kept = library.vault.kept_of(talks)
    if arguments.dry_run:
        show_aside(session, (f"unpin “{one.title}”" for one in kept))
        return others
    for one in kept:
        if one.gone and not arguments.yes:
            agree_to(f"unpin “{one.title}”; this is the only copy")
    tell_saved(session, "unpin", library.vault.release(talks))
    return others


def tell_saved(session: Session, word: str, saved: Saved) -> None:
    """Report the sessions that were saved or released, and how to undo that.

    Undo has nothing to do with those that were saved before, or whose only copy is
    gone now.
    """
    aside = [one for one in saved.kept if one.gone or not saved.change]
    for one in aside:
        paths, action = (one.path,), f"{word} “{one.title or one.session}”"
        tell_aside(action, (one.ref,), session, paths=paths)
    if saved.change:
        paths = tuple(one.path for one in saved.kept if one not in aside)
        tell(replace(saved.change, paths=paths), session)


def _copying(talk: Conversation, session: Session) -> str:
    """What pinning a conversation would do."""
    return f"pin “{talk.title or talk.session}”: copy it to {session.places.vault}"


def _divided(
    records: Sequence[Changeable],
) -> tuple[list[Conversation], list[Changeable]]:
    """Split records into conversations and others."""
    talks = [one for one in records if isinstance(one, Conversation)]
    return talks, [one for one in records if not isinstance(one, Conversation)]


# `recollect pin REF…`: protect memories from fading and conversations from clean-up.


def run_pin(arguments: argparse.Namespace, session: Session) -> None:
    """Pin memories; conversations are copied into the vault."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Pin.word)
        rest = keep(library, session, arguments, records)
        carry_out_each(library, session, arguments, Pin(), rest)


# `recollect unpin REF…`: undo `pin`.


def run_unpin(arguments: argparse.Namespace, session: Session) -> None:
    """Unpin memories; conversations are removed from the vault."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Pin.word)
        rest = release(library, session, arguments, records)
        carry_out_each(library, session, arguments, Pin(pins=False), rest)


# `recollect vault`: list, verify and rescue saved conversations.


_SAFE = "No unpinned conversations expire soon."


class DamagedError(RecollectError):
    """A file in the vault has changed since it was saved."""


class StillInDangerError(RecollectError):
    """A conversation that expires soon could not be saved."""


def run_vault(arguments: argparse.Namespace, session: Session) -> None:
    """List saved or endangered conversations, save the latter, or verify the vault."""
    match arguments.what:
        case "verify":
            _verify(session)
        case "endangered":
            _list_endangered(session, arguments.days)
        case "rescue":
            _rescue(session, arguments)
        case _:
            try:
                with session.library() as library:
                    kept = library.vault.kept()
            except NoStoresError:  # when the vault is needed most
                with session.library_of_none() as library:
                    kept = library.vault.kept()
            answer_list(
                "kept", kept, json=session.json, nothing="No pinned conversations yet."
            )


def _verify(session: Session) -> None:
    """Read every byte of the vault and compare it with what was saved."""
    with session.library_of_none() as library:
        damages = library.vault.verify()
    answer_list("damages", damages, json=session.json, nothing="All files intact.")
    if damages:
        raise DamagedError(f"Damaged files in the vault: {len(damages)}.")


def _list_endangered(session: Session, days: int) -> None:
    """List conversations that expire soon and are not saved."""
    with session.library() as library:
        found = library.vault.endangered(days)
        answer_list("endangered", found, json=session.json, nothing=_SAFE)


def _rescue(session: Session, arguments: argparse.Namespace) -> None:
    """Save all endangered conversations."""
    refuse_if_read_only(session, arguments)
    with session.library() as library:
        found = library.vault.endangered(arguments.days)
        if arguments.dry_run:
            answer_list("endangered", found, json=session.json, nothing=_SAFE)
            return
        if len(found) >= MANY and not arguments.yes:
            size = sized(sum(one.bytes for one in found))
            agree_to(f"pin {len(found)} conversations ({size})")
        saved = library.vault.rescue(found)
        tell_saved(session, "pin", saved)
        kept = saved.kept
        safe = {(one.store, one.path) for one in kept}
        again = library.vault.endangered(arguments.days)
        left = [one.path for one in again if (one.store, one.path) not in safe]
    if left:
        names = ", ".join(map(repr, left))
        raise StillInDangerError(f"Not pinned, because parts can't be read: {names}.")
    if not kept:
        complain(_SAFE)
