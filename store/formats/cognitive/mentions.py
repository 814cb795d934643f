"""Links of a page, resolved to the memories that they name."""

from typing import NamedTuple

from store.files.links import inside
from store.findings import Flaw


class Resolved(NamedTuple):
    """Where a link leads: a memory's key, or a flaw that says why nowhere."""

    target: str | None
    flaw: Flaw | None


def resolve(folder: str, link: str, line: int | None, whose: str) -> Resolved:
    """The key of the memory that a link in a page of `folder` leads to."""
    path = inside(folder, link)
    if path is not None:
        return Resolved(f"path:{path}", None)
    message = f"{whose} leads to {link[:80]!r}, which lies outside of the store."
    return Resolved(None, Flaw(code="link-leads-out", message=message, line=line))
