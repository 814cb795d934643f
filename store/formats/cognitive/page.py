"""Other pages at the root of a store: a README, say, or a link to CORE.md."""

from store.files.beneath import Blob
from store.findings import DocumentFound, Findings
from store.formats.cognitive.generated import findings_of
from store.formats.cognitive.layout import CORE
from store.formats.cognitive.prose import read_prose


def read_other_page(path: str, blob: Blob) -> Findings:
    """The page as a document of its own."""
    page = read_prose(blob)
    return findings_of(path, page, "document", {}, [])


def core_link(path: str) -> Findings:
    """A link to CORE.md, by which agents load it: named, and not read twice."""
    document = DocumentFound(
        title=path, role="memory-index", text="", facts={"link to": CORE}
    )
    return Findings(documents=(document,))
