"""New files, as the format's own writer makes them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from store.files.frontmatter.wording import dashed, in_brackets, scalar
from store.formats.cognitive.scribe.fields import LISTS, form_of
from store.formats.cognitive.scribe.sides import identifying

_INDENT = 2

Entry = tuple[str, str | Sequence[str]]
"""A key and its text, or its texts."""


class NewEdge(NamedTuple):
    """All that an edge file says."""

    id: str
    type: str
    from_id: str
    from_title: str
    to_id: str
    to_title: str
    strength: str | None
    created: str
    updated: str


def page(entries: Sequence[Entry], body: str) -> bytes:
    """A header and a text; the text ends with a newline."""
    header = [line for key, value in entries for line in _lines(key, value)]
    text = body.strip("\n")
    return "\n".join(["---", *header, "---", "", f"{text}\n" if text else ""]).encode()


def edge_page(edge: NewEdge, body: str) -> bytes:
    """An edge file."""
    told = [(key, value) for key, value in edge._asdict().items() if value is not None]
    return page(told, body)


def _lines(key: str, value: str | Sequence[str]) -> Iterator[str]:
    form = form_of(key)
    if isinstance(value, str):
        is_id = key == "id" or key.endswith("_id")
        yield f"{key}: {scalar(value, identifying(value) if is_id else form)}"
    elif key == "tags" or key not in LISTS or not value:
        yield f"{key}: {in_brackets(value)}"
    else:
        yield f"{key}:"
        yield from dashed(value, _INDENT, form)
