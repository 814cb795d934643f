"""Lists and mappings with a line, or lines, for each member: whole lines come and go.

New ones stand as far in as those that are there.
"""

from collections.abc import Sequence as Lines

from store.files.frontmatter.errors import EditRefusedError
from store.files.frontmatter.header import Header
from store.files.frontmatter.nodes import Mapping, Node, Scalar, Sequence, Style
from store.files.frontmatter.splice import encoded, replace

USUAL_INDENT = 2
"""How far in a list's dashes stand where no other list of the header shows it."""


def dash_of(header: Header, block: Sequence, index: int) -> int:
    """Where the dash of an item stands."""
    column = header.column(block.start)
    item = block.items[index]
    start = header.raw.rfind(b"\n", 0, item.start) + 1
    while start >= header.start:
        dash = start + column
        if header.raw[start : dash + 1] == b" " * column + b"-":
            return dash
        start = header.raw.rfind(b"\n", 0, max(start - 1, 0)) + 1
    raise EditRefusedError("The list is written in a way that is not edited here.")


def item_lines(header: Header, block: Sequence, index: int) -> tuple[int, int]:
    """The whole lines of an item."""
    dash = dash_of(header, block, index)
    if header.raw[header.raw.rfind(b"\n", 0, dash) + 1 : dash].strip():
        raise EditRefusedError("The list is written in a way that is not edited here.")
    return header.lines(dash, max(dash + 1, block.items[index].end))


def entry_lines(header: Header, mapping: Mapping, index: int) -> tuple[int, int]:
    """The whole lines of a key and its value."""
    key, node = mapping.pairs[index]
    return header.lines(key.start, max(key.end + 1, node.end))


def end_of_entry(header: Header, mapping: Mapping, index: int) -> int:
    """Where a line may stand that follows a key and its value.

    The blank lines behind a text block are a part of it.
    """
    _, node = mapping.pairs[index]
    if isinstance(node, Scalar) and node.style in {Style.LITERAL, Style.FOLDED}:
        following = mapping.pairs[index + 1 : index + 2]
        after = following[0][0].start if following else header.end
        return header.raw.rfind(b"\n", 0, after) + 1
    return entry_lines(header, mapping, index)[1]


def placed(header: Header, offset: int, lines: Lines[str], indent: int) -> bytes:
    """The file with lines more in front of an offset, all so far in."""
    text = "".join(f"{' ' * indent}{line}{header.newline}" for line in lines)
    return replace(header.raw, offset, offset, encoded(text))


def dash_column(header: Header) -> int:
    """How far in the dashes of a new list belong, as those of the other lists do."""
    for _, node in header.root.pairs:
        if isinstance(node, Sequence) and not node.flow and node.items:
            return header.column(node.start)
    return USUAL_INDENT


def is_block(node: Node) -> bool:
    """Whether its members stand on lines of their own."""
    return not isinstance(node, Scalar) and not node.flow
