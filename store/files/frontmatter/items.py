"""Items of a list: put in, taken out, exchanged, in the list's own style."""

from collections.abc import Sequence as Texts
from difflib import SequenceMatcher

from store.files.frontmatter.blocks import item_lines, placed
from store.files.frontmatter.brackets import with_member, without_member
from store.files.frontmatter.errors import EditRefusedError
from store.files.frontmatter.expected import dropped, inserted, put
from store.files.frontmatter.header import Header, Path
from store.files.frontmatter.nodes import Mapping, Node, Scalar, Sequence, Style
from store.files.frontmatter.splice import (
    check,
    encoded,
    refuse_duplicates,
    replace,
    with_scalar,
)
from store.files.frontmatter.wording import Form, scalar

_NO_LIST = "That value is no list of texts."


def with_list(header: Header, path: Path, texts: Texts[str]) -> Header:
    """The header with these items in a list; those that stay keep their bytes."""
    node = header.at(path)
    if isinstance(node, Scalar) and not node.value:
        return _first(header, path, node, texts)
    old = [item.value for item in _list(header, path).items if isinstance(item, Scalar)]
    if len(old) < len(_list(header, path).items):
        raise EditRefusedError(_NO_LIST)
    steps = SequenceMatcher(a=old, b=texts, autojunk=False).get_opcodes()
    for _, start, end, new_start, new_end in reversed(steps):
        for at in range(min(end - start, new_end - new_start)):
            if texts[new_start + at] != old[start + at]:
                new = texts[new_start + at]
                header = with_scalar(header, (*path, start + at), new)
        for at in range(end - 1, start + (new_end - new_start) - 1, -1):
            header = without_item(header, (*path, at))
        for at in range(new_start + (end - start), new_end):
            place = end + at - new_start - (end - start)
            header = with_item(header, (*path, place), texts[at])
    return header


def with_item(header: Header, path: Path, text: str) -> Header:
    """The header with a text more in a list, in front of the place of a path."""
    block, index = _list(header, path[:-1]), _index(path)
    refuse_duplicates(header, path)
    beside = block.items[max(index - 1, 0)] if block.items else None
    new = _like(beside, text, flow=block.flow)
    if block.flow:
        changed = with_member(header, block, index, encoded(new))
    else:
        at_end = index >= len(block.items)
        last = min(index, len(block.items) - 1)
        offset = item_lines(header, block, last)[1 if at_end else 0]
        changed = placed(header, offset, [f"- {new}"], header.column(block.start))
    return check(header, changed, inserted(header.fields(), path, text))


def without_item(header: Header, path: Path) -> Header:
    """The header without the item that a path leads to."""
    block, index = _list(header, path[:-1]), _index(path)
    header.at(path)
    refuse_duplicates(header, path)
    if block.flow:
        changed = without_member(header, block, index)
    else:
        start, end = item_lines(header, block, index)
        changed = replace(header.raw, start, end, b"")
        if len(block.items) == 1:
            colon = _colon(header, path[:-1]) + 1
            changed = replace(changed, colon, colon, b" []")
    return check(header, changed, dropped(header.fields(), path))


def _first(header: Header, path: Path, node: Scalar, texts: Texts[str]) -> Header:
    """A list in the place of nothing."""
    if not texts:
        return header
    refuse_duplicates(header, path)
    items = ", ".join(scalar(text, Form.AS_NEEDED, flow=True) for text in texts)
    glued = header.raw[node.start - 1 : node.start] == b":"
    new = encoded(f"{' ' if glued else ''}[{items}]")
    changed = replace(header.raw, node.start, node.end, new)
    return check(header, changed, put(header.fields(), path, list(texts)))


def _list(header: Header, path: Path) -> Sequence:
    node = header.at(path)
    if not isinstance(node, Sequence):
        raise EditRefusedError(_NO_LIST)
    return node


def _index(path: Path) -> int:
    step = path[-1]
    if not isinstance(step, int):
        raise EditRefusedError(_NO_LIST)
    return step


def _colon(header: Header, path: Path) -> int:
    """Where the colon stands behind the key that a path ends with."""
    parent = header.at(path[:-1])
    pairs = parent.pairs if isinstance(parent, Mapping) else ()
    key = next((key for key, _ in pairs if key.value == path[-1]), None)
    if key is None:
        raise EditRefusedError(_NO_LIST)
    return header.raw.index(b":", key.end)


def _like(beside: Node | None, text: str, *, flow: bool) -> str:
    """A text in the quotes of its neighbour."""
    style = beside.style if isinstance(beside, Scalar) else Style.PLAIN
    if style is Style.SINGLE and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    form = Form.AS_NEEDED if style is Style.PLAIN else Form.QUOTED
    return scalar(text, form, flow=flow)
