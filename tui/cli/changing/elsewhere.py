"""Take records from one store to another, which may lie where nobody looked."""

import argparse
from pathlib import Path

from store.discover import Found, at
from store.errors import NoStoresError
from store.formats.register import FORMATS
from store.records.intents import Move
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import chosen
from tui.cli.session import Session


def take(arguments: argparse.Namespace, session: Session, *, keeps: bool) -> None:
    """Move records, or copy them."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Move.word)
        there = _store(Path(arguments.to).expanduser())
        library.choose_also(there)
        intent = Move(to=str(there.path), keeps=keeps)
        carry_out_each(library, session, arguments, intent, records)


def _store(path: Path) -> Found:
    """The store that lies at a path itself."""
    found = at(path, FORMATS)
    if found is None:
        raise NoStoresError(f"{path} is no store; make one there first.")
    return found
