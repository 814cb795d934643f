"""A query on the command line: understood whole, or refused with the nearest word."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from store.errors import WrongUseError
from store.library import Library
from store.places import Places
from store.search.language.tree import EVERYTHING, Node
from tui.cli.terminal import complain

if TYPE_CHECKING:
    from store.search.language.query import Complaint


def understood(words: Sequence[str], kinds: Iterable[str] | None) -> Node:
    """What the words ask for; what could not be understood ends the program.

    A script that gets an answer to another question than its own would never know.
    """
    text = " ".join(words)
    if not text.strip():
        return EVERYTHING
    from store.search.language.parsing import parse  # noqa: PLC0415  # only here

    query = parse(text, kinds, is_finished=True)
    for complaint in query.complaints:
        if complaint.is_cut:
            complain(complaint.reason)
        else:
            raise WrongUseError(_with_nearest(complaint))
    return query.tree


def _with_nearest(complaint: "Complaint") -> str:
    """What was not understood, and what was probably meant, unless that is said."""
    near = repr(complaint.nearest)
    if complaint.nearest is None or near in complaint.reason:
        return complaint.reason
    return f"{complaint.reason} Did you mean {near}?"


def with_saved(words: Sequence[str], name: str | None, places: Places) -> list[str]:
    """The words of a saved query before those that were typed."""
    if name is None:
        return list(words)
    from store.settings.reading import read_settings  # noqa: PLC0415  # only here

    saved = read_settings(places).queries
    if name not in saved:
        known = ", ".join(saved) or "none yet"
        raise WrongUseError(f"No query is saved as {name!r}. There are: {known}.")
    return [saved[name], *words]


def complain_of_unknown(library: Library, kinds: Sequence[str], query: Node) -> None:
    """Say which values a query that found nothing asks for though no record has one."""
    for complaint in library.unknown(kinds, query):
        complain(complaint.reason)


def looking_back(library: Library, query: Node, places: Places) -> None:
    """Tell the library when the user last looked, where a query asks for that."""
    if query == EVERYTHING:
        return
    from store.keeping.looked import last_looks  # noqa: PLC0415  # only for queries

    library.look_since(last_looks(places))
