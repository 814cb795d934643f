"""Fields of a header: read, given another value, put where the writer puts them."""

from collections.abc import Sequence

from store.files.frontmatter.errors import EditRefusedError
from store.files.frontmatter.header import Header
from store.files.frontmatter.items import with_list
from store.files.frontmatter.keys import with_key, without_key
from store.files.frontmatter.nodes import Scalar
from store.files.frontmatter.splice import with_scalar
from store.files.frontmatter.wording import Form
from store.files.moments import moment_like
from store.formats.cognitive.vocabulary import NULLS

ORDER = (
    "id", "type", "title", "tags", "importance", "confidence", "steps",
    "preconditions", "postconditions", "created", "updated", "relations",
)  # fmt: skip
"""The keys of a memory, as the writer puts them."""

EDGE_ORDER = (
    "id", "type", "from_id", "from_title", "to_id", "to_title", "strength",
    "created", "updated",
)  # fmt: skip
"""The keys of an edge."""

LISTS = frozenset({"tags", "steps", "preconditions", "postconditions"})
"""Keys with a list of texts."""

_FORMS = {
    "title": Form.QUOTED, "from_title": Form.QUOTED, "to_title": Form.QUOTED,
    "context": Form.QUOTED, "steps": Form.QUOTED, "preconditions": Form.QUOTED,
    "postconditions": Form.QUOTED,
    "id": Form.AS_IS, "type": Form.AS_IS, "importance": Form.AS_IS,
    "confidence": Form.AS_IS, "strength": Form.AS_IS, "created": Form.AS_IS,
    "updated": Form.AS_IS, "archived_importance": Form.AS_IS,
}  # fmt: skip


def form_of(key: str) -> Form:
    """How the writer puts the value of a key."""
    return _FORMS.get(key, Form.AS_NEEDED)


def told(header: Header, key: str) -> str | None:
    """A text of the header; None where there is none."""
    node = header.root.get(key)
    text = node.value if isinstance(node, Scalar) else ""
    return None if text in NULLS else text


def with_text(
    header: Header, key: str, text: str, order: Sequence[str] = ORDER
) -> Header:
    """The header with a text under a key."""
    if header.root.get(key) is None:
        return with_key(header, (key,), text, form_of(key), order)
    return with_scalar(header, (key,), text)


def with_texts(header: Header, key: str, texts: Sequence[str]) -> Header:
    """The header with a list of texts under a key; one text with commas stays one."""
    node = header.root.get(key)
    if node is None:
        return with_key(header, (key,), list(texts), form_of(key), ORDER)
    if isinstance(node, Scalar) and node.value not in NULLS:
        if key != "tags" or any("," in text for text in texts):
            raise EditRefusedError(f"“{key}” is one text and ought to be a list.")
        return with_scalar(header, (key,), ", ".join(texts))
    return with_list(header, (key,), texts)


def without(header: Header, key: str) -> Header:
    """The header without a key."""
    return header if header.root.get(key) is None else without_key(header, (key,))


def stamped(header: Header, now: int) -> Header:
    """The header that says it was changed now, if it says when that was."""
    updated = told(header, "updated")
    if updated is None:
        return header
    return with_scalar(header, ("updated",), moment_like(updated, now))
