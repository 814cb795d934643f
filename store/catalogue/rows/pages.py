"""Rows of episodes and documents."""

from collections.abc import Iterable

from store.catalogue.refs import ref
from store.catalogue.rows.cells import Row, json_text
from store.findings import DocumentFound, EpisodeFound, Mention

COLUMNS = {
    "episodes": "ref date time title type tags summary link target line told",
    "documents": "ref title category text_bytes role",
    "mentions": "target link label note line",
}


def episode(store: bytes, path: str, found: EpisodeFound) -> Row:
    """An episode."""
    return (
        ref("episode", store, path, found.date, found.time or "", str(found.line)),
        found.date,
        found.time,
        found.title,
        found.type,
        json_text(found.tags),
        found.summary,
        found.link,
        found.target,
        found.line,
        found.conversation,
    )


def document(store: bytes, path: str, found: DocumentFound) -> Row:
    """A document."""
    return (
        ref("document", store, path),
        found.title,
        found.category,
        len(found.text.encode("utf-8", "replace")),
        found.role,
    )


def mentions(documents: Iterable[DocumentFound]) -> list[Row]:
    """The memories that documents name."""
    return [_mention(mention) for found in documents for mention in found.mentions]


def _mention(mention: Mention) -> Row:
    return (mention.target, mention.link, mention.label, mention.note, mention.line)
