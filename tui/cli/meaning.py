"""Search by meaning on the command line: asked for only where the settings say so."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.library import Library
from store.search.language.tree import Node
from store.settings.reading import read_settings
from store.settings.record import Provider
from tui.cli.session import Session
from tui.cli.terminal import complain

if TYPE_CHECKING:
    from store.search.similar import Near


def meant(library: Library, query: Node, session: Session) -> Sequence["Near"]:
    """The memories that mean what a query says; why there are none goes to stderr."""
    settings = read_settings(session.places)
    for notice in settings.complaints:
        complain(notice)
    if settings.semantic.provider is Provider.OFF:
        return ()
    found = library.meant(query, settings.semantic, session.machine.environment)
    for note in found.notes:
        complain(note)
    return found.near
