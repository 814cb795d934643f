"""Saved queries: kept in the settings, where people can see and change them.

What is changed here raises a RecollectError where it cannot be, and then the settings
are as they were.
"""

import tomllib
from collections.abc import Callable

from store.errors import WrongUseError
from store.places import Places
from store.private import only_writer, read_own, replace_own
from store.settings.editing import NotEditableError, deleted, renamed, saved
from store.settings.reading import LIMIT
from store.settings.record import settings_file


def save_query(places: Places, name: str, query: str) -> None:
    """Save a query under a name; one that goes by it already gives way."""
    name = _name(name)
    if not query.strip():
        raise WrongUseError("There is no query to be saved.")
    _change(places, lambda text: saved(text, name, query))


def rename_query(places: Places, old: str, new: str) -> None:
    """Give a saved query another name, unless another goes by that."""
    new = _name(new)
    _change(places, lambda text: renamed(text, old, new))


def delete_query(places: Places, name: str) -> None:
    """Forget a saved query."""
    _change(places, lambda text: deleted(text, name))


def _name(name: str) -> str:
    name = name.strip()
    if not name or not name.isprintable():
        raise WrongUseError("A saved query needs a name that can be shown on a line.")
    return name


def _change(places: Places, change: Callable[[str], str]) -> None:
    """Change the text of the settings while nobody else does."""
    path = settings_file(places)
    with only_writer(places.state):
        raw = read_own(path, LIMIT) or b""
        try:
            text = raw.decode()
            tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            sentence = f"{path} is no valid TOML and is left as it is; put it right."
            raise NotEditableError(sentence) from error
        try:
            after = change(text).encode()
        except UnicodeEncodeError as error:
            sentence = "This holds what is no Unicode text, so it cannot be saved."
            raise NotEditableError(sentence) from error
        if after != raw:
            replace_own(path, after)
