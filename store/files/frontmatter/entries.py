"""Entries of a list of mappings, put in and taken out in its own indentation."""

from collections.abc import Sequence as Entry

from store.files.frontmatter.blocks import dash_column, item_lines, placed
from store.files.frontmatter.brackets import with_member
from store.files.frontmatter.expected import inserted
from store.files.frontmatter.header import Header
from store.files.frontmatter.items import without_item
from store.files.frontmatter.keys import with_lines, without_key
from store.files.frontmatter.nodes import Scalar, Sequence
from store.files.frontmatter.splice import (
    check,
    encoded,
    in_brackets,
    refuse_duplicates,
)
from store.files.frontmatter.wording import Told, dashed_entry, in_braces
from store.findings import Value


def with_entry(
    header: Header, key: str, entry: Entry[Told], order: Entry[str] = ()
) -> Header:
    """The header with a mapping more at the end of the list under a top-level key.

    Where there is no such list yet, it is put where `order` has it.
    """
    node = header.root.get(key)
    told: dict[str, Value] = {each.key: each.value for each in entry}
    if node is not None and not _holds(node):
        header = without_key(header, (key,))
        node = None
    if not isinstance(node, Sequence):
        lines = [f"{key}:", *dashed_entry(entry, dash_column(header))]
        return with_lines(header, (key,), lines, [told], order)
    path = (key, len(node.items))
    refuse_duplicates(header, path)
    if node.flow or in_brackets(header, path):
        new = encoded(in_braces(entry))
        changed = with_member(header, node, len(node.items), new)
    else:
        end = item_lines(header, node, len(node.items) - 1)[1]
        lines = dashed_entry(entry, 0)
        changed = placed(header, end, lines, header.column(node.start))
    return check(header, changed, inserted(header.fields(), path, told))


def without_entry(header: Header, key: str, index: int) -> Header:
    """The header without an entry; the key goes with the last one."""
    node = header.root.get(key)
    if isinstance(node, Sequence) and len(node.items) == 1 and index == 0:
        return without_key(header, (key,))
    return without_item(header, (key, index))


def _holds(node: object) -> bool:
    """Whether there is anything beneath a key."""
    if isinstance(node, Scalar):
        return node.value not in {"", "~", "null", "Null", "NULL"}
    return not isinstance(node, Sequence) or bool(node.items)
