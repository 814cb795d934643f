"""Pages that are lists of entries: a crash while one is added must cost no other."""

from msgspec.structs import replace

from store.files.beneath import Blob
from store.files.frontmatter import Page, read_page
from store.findings import Flaw

_NUL = b"\0"

_NUL_TAIL = Flaw(
    code="nul-tail",
    message="The file ends in NUL bytes, as a crash leaves them; they are not shown.",
)


def read_prose(blob: Blob) -> Page:
    """The page, without the NUL bytes that a crash may have left at its end."""
    kept = blob.raw.rstrip(_NUL)
    page = read_page(kept, whole=blob.whole)
    if len(kept) == len(blob.raw):
        return page
    return replace(page, flaws=(*page.flaws, _NUL_TAIL))
