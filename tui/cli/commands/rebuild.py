"""`recollect rebuild WHAT`: make a derived file anew."""

import argparse
from pathlib import Path

from store.edits.refusals import NotPossibleError
from store.errors import NothingFoundError
from store.library import Library
from store.planning import Planned, together
from store.records.intents import Rebuild
from tui.cli.changing.carrying import agree, changing, do_all, show
from tui.cli.session import Session
from tui.cli.terminal import complain


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Make a derived file anew in every store that has one of the kind."""
    with changing(session, arguments) as library:
        planned = together(_planned(library, arguments.what))
        if arguments.dry_run:
            show([one.plan for one in planned], session)
            return
        agree(library, arguments, planned)
        do_all(library, session, planned)


def _planned(library: Library, what: str) -> list[Planned]:
    """What it would take in each store that can; of those that ought to, why not."""
    planned: list[Planned] = []
    refusals: dict[Path, NotPossibleError] = {}
    for store in library.able(Rebuild.word):
        try:
            planned.append(library.plan(Rebuild(name=what), store=store))
        except NotPossibleError as error:
            refusals[store] = error
    if not planned and len(refusals) == 1:
        raise next(iter(refusals.values()))
    if not planned:
        raise NothingFoundError(f"These stores hold no {what} to be made anew.")
    for store in library.rebuilding(what):
        if store in refusals:
            complain(f"{store}: {refusals[store]}")
    return planned
