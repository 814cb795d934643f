"""A document: a page that tells about memories and is none itself."""

from collections.abc import Mapping

from msgspec import Struct

from store.findings import Value


class Document(Struct, frozen=True, kw_only=True):
    """A generated summary, an index, or a page beside the memories."""

    ref: str
    """Names the document for every other command."""
    store: str
    """The absolute path of the store's root."""
    title: str
    """Its first heading; the file's stem where it has none."""
    path: str
    """The file, relative to the store."""
    category: str | None
    """The folder that says what it is about, where there is one."""
    text_bytes: int
    """How long it is."""
    role: str
    """`core reflection memory-index document episode-file`."""


class DocumentInFull(Struct, frozen=True, kw_only=True):
    """A document as `show` gives it."""

    document: Document
    """What a list shows of it."""
    text: str
    """Its text, secrets masked."""
    facts: Mapping[str, Value]
    """What was understood of it: counts, sections, settings."""
