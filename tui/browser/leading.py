"""Where the links of a text lead: to records, or out of here."""

import re
from pathlib import PurePosixPath

from store.library import Library, Page
from store.search.language.tree import All, Named, Start
from tui.browser.data.opened import Opened
from widgets.reader.runs import Target

_KINDS = {
    "memory": "memories",
    "edge": "edges",
    "episode": "episodes",
    "conversation": "conversations",
    "message": "messages",
    "event": "events",
    "measure": "measures",
    "agent": "agents",
    "document": "documents",
}
"""The kind that is listed for each kind of ref."""


_ADDRESS = re.compile(r"(?i:[a-z][a-z0-9+.-]*://|mailto:)[!-~\u00a1-\uffff]+")


def kind_of(ref: str) -> str:
    """The kind of record that a ref names."""
    return _KINDS.get(ref.partition(":")[0], "memories")


def is_address(target: Target) -> bool:
    """Whether a link leads out of here; nobody is taken there."""
    return bool(_ADDRESS.fullmatch(target.text)) and target.text.isprintable()


def leads_to(library: Library, opened: Opened | None, target: Target) -> str | None:
    """The ref of the record that a link means, if there is one."""
    if target.kind == "ref":
        return target.text
    name = target.text.strip().casefold()
    for link in opened.links if opened else ():
        if link.ref and (link.title or "").casefold() == name:
            return link.ref
    return _by_title(library, target.text) or _by_file(library, opened, target.text)


def _by_title(library: Library, text: str) -> str | None:
    """The memory whose title is the text."""
    found = library.order("memories", Page(), Start(text))
    records = library.numbered("memories", found[:50]).values()
    same = (one.ref for one in records if _title(one) == text.casefold())
    return next(same, None)


def _title(record: object) -> str:
    title: str = getattr(record, "title", "")
    return title.casefold()


def _by_file(library: Library, opened: Opened | None, text: str) -> str | None:
    """The record in the file that a path ends in, of the same store."""
    name = PurePosixPath(text.partition("#")[0]).name
    if not name or opened is None:
        return None
    tree = All((Named("path", (name,)), Named("store", (opened.record.store,))))
    for kind in ("memories", "documents"):
        found = library.order(kind, Page(), tree)
        records = library.numbered(kind, found[:1])
        if records:
            return next(iter(records.values())).ref
    return None
