"""Where the user was when they left, so that they come back to it.

What is damaged is as if it were not there: nothing is lost but the way back.
"""

import json
from collections.abc import Iterable
from hashlib import blake2b
from os import fsencode
from pathlib import Path
from typing import cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from store.errors import UnreadableError
from store.findings import Json
from store.places import Places
from store.private import only_writer, read_own, replace_own

MOST = 100
"""For so many choices of stores it is remembered; those left longest ago go first."""

LONGEST = 2000
"""The longest text that is remembered, in characters."""

_LIMIT = 4 * 1024 * 1024


class Last(Struct, frozen=True):
    """What was looked at, and how."""

    store: str | None = None
    """The one store of those opened that was looked at; None for all of them."""
    view: str | None = None
    """The kind of record that was listed."""
    query: str = ""
    split: int = 0
    """How list and reader shared the screen, as the browser counts it."""
    theme: str | None = None
    """The theme that was chosen, one for all stores; None if none was, or not anew."""


def read_last(places: Places, opened: Iterable[Path]) -> Last:
    """How the user left these stores; as if for the first time where that is unknown.

    Never raises.
    """
    kept = _kept(places)
    left = kept.get("left")
    here = left.get(_name(opened)) if isinstance(left, dict) else None
    here = here if isinstance(here, dict) else {}
    split = here.get("split")
    return Last(
        store=_text(here.get("store")),
        view=_text(here.get("view")),
        query=_text(here.get("query")) or "",
        split=split if isinstance(split, int) and not isinstance(split, bool) else 0,
        theme=_text(kept.get("theme")),
    )


def keep_last(places: Places, opened: Iterable[Path], last: Last) -> None:
    """Remember how the user leaves these stores; raises NotWrittenError.

    Where no theme is named, that of an earlier time goes on holding.
    """
    if len(last.query) > LONGEST:
        last = replace(last, query="")
    here = asdict(last)
    theme = here.pop("theme")
    name = _name(opened)
    with only_writer(places.state):
        kept = _kept(places)
        left, earlier = kept.get("left"), _text(kept.get("theme"))
        others = dict(left) if isinstance(left, dict) else {}
        others.pop(name, None)
        newest = dict([*others.items(), (name, here)][-MOST:])
        text = json.dumps(
            {"theme": earlier if theme is None else theme, "left": newest}
        )
        replace_own(_file(places), f"{text}\n".encode())


def _kept(places: Places) -> dict[str, Json]:
    """All that is remembered, as far as it can be read."""
    try:
        raw = read_own(_file(places), _LIMIT)
        kept = json.loads(raw or b"{}")
    except (UnreadableError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Json]", kept) if isinstance(kept, dict) else {}


def _text(value: Json) -> str | None:
    """A text of a reasonable length, if it is one."""
    return value if isinstance(value, str) and len(value) <= LONGEST else None


def _name(opened: Iterable[Path]) -> str:
    """What stands for a choice of stores, in whatever order; short for any number."""
    paths = b"\0".join(sorted(fsencode(path) for path in opened))
    return blake2b(paths, digest_size=16).hexdigest()


def _file(places: Places) -> Path:
    return places.state / "last"
