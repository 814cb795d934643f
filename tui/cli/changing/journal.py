"""The journal of changes: asked without a store, for each change tells its own."""

import argparse
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from store.discover import at
from store.formats.register import FORMATS
from store.library import Library
from store.records.reports import Past
from tui.cli.changing.carrying import refuse_if_read_only
from tui.cli.session import Session


@contextmanager
def journal(session: Session, arguments: argparse.Namespace) -> Generator[Library]:
    """The library of the stores that were changed, so that what is undone is read."""
    refuse_if_read_only(session, arguments)
    with session.library_of_none() as library:
        places = {Path(past.store) for past in library.changes()}
        found = (at(place, FORMATS) for place in places)
        library.choose([store for store in found if store])
        yield library


def within(session: Session, library: Library) -> Iterator[Past]:
    """The changes that were made where the user looks, newest first."""
    places = [path.resolve() for path in session.paths]
    for past in library.changes():
        store = Path(past.store)
        if not places or any(store.is_relative_to(place) for place in places):
            yield past
