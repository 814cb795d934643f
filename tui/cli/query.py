"""A query on the command line: understood whole, or refused with the nearest word."""

from collections.abc import Iterable, Sequence

from store.errors import WrongUseError
from store.library import Library
from store.places import Places
from store.search.language.tree import EVERYTHING, Node
from tui.cli.terminal import complain


def understood(words: Sequence[str], kinds: Iterable[str] | None) -> Node:
    """What the words ask for; what could not be understood ends the program.

    A script that gets an answer to another question than its own would never know.
    """
    text = " ".join(words)
    if not text.strip():
        return EVERYTHING
    from store.search.language.parsing import LONGEST, parse  # noqa: PLC0415  # only here

    query = parse(text, kinds, is_finished=True)
    for complaint in query.complaints:
        if complaint.span.start >= LONGEST:
            complain(complaint.reason)
        else:
            hint = f" Did you mean {complaint.nearest!r}?" if complaint.nearest else ""
            raise WrongUseError(f"{complaint.reason}{hint}")
    return query.tree


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


def looking_back(library: Library, query: Node, places: Places) -> None:
    """Tell the library when the user last looked, where a query asks for that."""
    if query == EVERYTHING:
        return
    from store.keeping.looked import last_look  # noqa: PLC0415  # only for queries

    library.look_since(last_look(places))
