"""Add and remove keys, items and entries of a YAML header, in its own style."""

from collections.abc import Collection
from collections.abc import Sequence as Lines
from difflib import SequenceMatcher

from store.files.frontmatter import EditRefusedError
from store.files.frontmatter_edit import (
    Form,
    Header,
    Path,
    Told,
    check,
    dashed,
    dashed_entry,
    dropped,
    encoded,
    in_braces,
    in_brackets,
    in_brackets_wording,
    inserted,
    put,
    refuse_duplicates,
    replace,
    scalar,
    with_scalar,
)
from store.files.frontmatter_yaml import Mapping, Node, Scalar, Sequence, Style
from store.findings import Value

# Add and remove members of lists and mappings in brackets or braces.

Flow = Sequence | Mapping
"""A list or mapping written in brackets or braces."""

_USUAL = b", "


def with_member(header: Header, flow: Flow, index: int, written: bytes) -> bytes:
    """The file with a member inserted before the one at `index`, or at the end."""
    spans = _spans(flow)
    raw = header.raw
    if not spans:
        return raw[: flow.start + 1] + written + raw[flow.end - 1 :]
    between = _between(raw, spans)
    if index < len(spans):
        start = spans[index][0]
        return raw[:start] + written + between + raw[start:]
    end = spans[-1][1]
    return raw[:end] + between + written + raw[end:]


def without_member(header: Header, flow: Flow, index: int) -> bytes:
    """The file without a member and its separator."""
    spans = _spans(flow)
    raw = header.raw
    if len(spans) == 1:
        return raw[: flow.start + 1] + raw[flow.end - 1 :]
    if index + 1 < len(spans):
        return raw[: spans[index][0]] + raw[spans[index + 1][0] :]
    return raw[: spans[index - 1][1]] + raw[spans[index][1] :]


def _spans(flow: Flow) -> list[tuple[int, int]]:
    """The start and end of each member."""
    if isinstance(flow, Sequence):
        return [(item.start, item.end) for item in flow.items]
    return [(key.start, max(key.end, node.end)) for key, node in flow.pairs]


def _between(raw: bytes, spans: list[tuple[int, int]]) -> bytes:
    """The separator between two members, or `, ` if there is nothing to copy."""
    if len(spans) == 1:
        return _USUAL
    found = raw[spans[0][1] : spans[1][0]]
    return found if found.strip(b" \t\r\n") == b"," else _USUAL


# Add and remove members of block lists and mappings, by whole lines.
#
# New members get the indentation of the existing ones.

USUAL_INDENT = 2
"""The indentation of a list's dashes if no other list in the header shows one."""


def dash_of(header: Header, block: Sequence, index: int) -> int:
    """The position of an item's dash."""
    column = header.column(block.start)
    item = block.items[index]
    start = header.raw.rfind(b"\n", 0, item.start) + 1
    while start >= header.start:
        dash = start + column
        if header.raw[start : dash + 1] == b" " * column + b"-":
            return dash
        start = header.raw.rfind(b"\n", 0, max(start - 1, 0)) + 1
    raise EditRefusedError("Can't edit a list in this form; edit the file instead.")


def item_lines(header: Header, block: Sequence, index: int) -> tuple[int, int]:
    """The whole lines of an item."""
    dash = dash_of(header, block, index)
    if header.raw[header.raw.rfind(b"\n", 0, dash) + 1 : dash].strip():
        raise EditRefusedError("Can't edit a list in this form; edit the file instead.")
    return header.lines(dash, max(dash + 1, block.items[index].end))


def entry_lines(header: Header, mapping: Mapping, index: int) -> tuple[int, int]:
    """The whole lines of a key and its value."""
    key, node = mapping.pairs[index]
    return header.lines(key.start, max(key.end + 1, node.end))


def end_of_entry(header: Header, mapping: Mapping, index: int) -> int:
    """The position for a new line after a key and its value.

    Blank lines after a text block belong to the block.
    """
    _, node = mapping.pairs[index]
    if isinstance(node, Scalar) and node.style in {Style.LITERAL, Style.FOLDED}:
        following = mapping.pairs[index + 1 : index + 2]
        after = following[0][0].start if following else header.end
        return header.raw.rfind(b"\n", 0, after) + 1
    return entry_lines(header, mapping, index)[1]


def placed(header: Header, offset: int, lines: Lines[str], indent: int) -> bytes:
    """The file with indented lines inserted at an offset."""
    text = "".join(f"{' ' * indent}{line}{header.newline}" for line in lines)
    return replace(header.raw, offset, offset, encoded(text))


def dash_column(header: Header) -> int:
    """The column for the dashes of a new list, taken from the other lists."""
    for _, node in header.root.pairs:
        if isinstance(node, Sequence) and not node.flow and node.items:
            return header.column(node.start)
    return USUAL_INDENT


# Add keys to a header in their usual place, and remove them with their lines.

_NO_PLACE = "Can't add a key here; edit the file instead."


def with_key(
    header: Header,
    path: Path,
    value: str | Lines[str],
    form: Form = Form.AS_NEEDED,
    order: Lines[str] = (),
) -> Header:
    """The header with a key added: a text or a list of texts.

    `order` lists the keys in the order their writer uses; the new key is placed after
    those that precede it there.
    """
    key = _key(path)
    if isinstance(value, str):
        lines = [f"{key}: {scalar(value, form, flow=_is_flow(header, path))}"]
        return with_lines(header, path, lines, value, order)
    if form is Form.QUOTED and value and not _is_flow(header, path):
        lines = [f"{key}:", *dashed(value, dash_column(header), form)]
    else:
        lines = [f"{key}: {in_brackets_wording(value, form)}"]
    return with_lines(header, path, lines, list(value), order)


def with_lines(
    header: Header, path: Path, lines: Lines[str], value: Value, order: Lines[str] = ()
) -> Header:
    """The header with a key added whose lines are already written and mean `value`."""
    parent, key = _parent(header, path), _key(path)
    if parent.get(key) is not None:
        raise EditRefusedError(f"The key “{key}” already exists.")
    refuse_duplicates(header, path)
    index = _place(parent, key, order)
    if parent.flow:
        if len(lines) > 1:
            raise EditRefusedError(_NO_PLACE)
        changed = with_member(header, parent, index, encoded(lines[0]))
    else:
        changed = _with_lines(header, parent, index, lines)
    return check(header, changed, put(header.fields(), path, value))


def without_key(header: Header, path: Path) -> Header:
    """The header without a key and its value."""
    parent, key = _parent(header, path), _key(path)
    header.at(path)
    refuse_duplicates(header, path)
    index = [name.value for name, _ in parent.pairs].index(key)
    if parent.flow:
        changed = without_member(header, parent, index)
    else:
        start, end = _span(header, parent, index)
        changed = replace(header.raw, start, end, b"")
    return check(header, changed, dropped(header.fields(), path))


def _with_lines(
    header: Header, parent: Mapping, index: int, lines: Lines[str]
) -> bytes:
    if not parent.pairs:
        return placed(header, header.end, lines, 0)
    indent = header.column(parent.pairs[0][0].start)
    if index == 0 and parent is header.root:
        offset = entry_lines(header, parent, 0)[0]
    else:
        offset = end_of_entry(header, parent, max(index - 1, 0))
    return placed(header, offset, lines, indent)


def _span(header: Header, parent: Mapping, index: int) -> tuple[int, int]:
    """The lines of a key; after a dash, only the bytes up to the next key."""
    start, end = entry_lines(header, parent, index)
    key = parent.pairs[index][0]
    if not header.raw[start : key.start].strip():
        return start, end
    following = parent.pairs[index + 1 : index + 2]
    if not following:
        raise EditRefusedError("The entry would be empty.")
    return key.start, following[0][0].start


def _place(parent: Mapping, key: str, order: Lines[str]) -> int:
    """The index of the key that a new one is inserted before."""
    if key not in order:
        return len(parent.pairs)
    names = [name.value for name, _ in parent.pairs]
    before = set(order[: order.index(key)])
    after = set(order[order.index(key) + 1 :])
    last = max((i for i, name in enumerate(names) if name in before), default=None)
    if last is not None:
        return last + 1
    return next((i for i, name in enumerate(names) if name in after), len(names))


def _parent(header: Header, path: Path) -> Mapping:
    parent = header.at(path[:-1])
    if not isinstance(parent, Mapping):
        raise EditRefusedError(_NO_PLACE)
    return parent


def _is_flow(header: Header, path: Path) -> bool:
    return _parent(header, path).flow


def _key(path: Path) -> str:
    key = path[-1] if path else None
    if not isinstance(key, str):
        raise EditRefusedError(_NO_PLACE)
    return key


# Add, remove and replace items of a list, in the list's own style.

_NO_LIST = "The value isn't a list of texts."


def with_list(header: Header, path: Path, texts: Lines[str]) -> Header:
    """The header with a list's items replaced; items that stay keep their bytes."""
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
    """The header with a text inserted into a list before the position of a path."""
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
    """The header without the item at a path."""
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


def _first(header: Header, path: Path, node: Scalar, texts: Lines[str]) -> Header:
    """A list in place of an empty value."""
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
    """The position of the colon after the last key of a path."""
    parent = header.at(path[:-1])
    pairs = parent.pairs if isinstance(parent, Mapping) else ()
    key = next((key for key, _ in pairs if key.value == path[-1]), None)
    if key is None:
        raise EditRefusedError(_NO_LIST)
    return header.raw.index(b":", key.end)


def _like(beside: Node | None, text: str, *, flow: bool) -> str:
    """A text in the same quotes as its neighbour."""
    style = beside.style if isinstance(beside, Scalar) else Style.PLAIN
    if style is Style.SINGLE and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    form = Form.AS_NEEDED if style is Style.PLAIN else Form.QUOTED
    return scalar(text, form, flow=flow)


# Add and remove entries of a list of mappings, with the list's own indentation.


def with_entry(
    header: Header, key: str, entry: Lines[Told], order: Lines[str] = ()
) -> Header:
    """The header with a mapping appended to the list under a top-level key.

    If there is no such list yet, it is placed according to `order`.
    """
    node = header.root.get(key)
    fields: dict[str, Value] = {each.key: each.value for each in entry}
    if node is not None and not _holds(node):
        header = without_key(header, (key,))
        node = None
    if not isinstance(node, Sequence):
        lines = [f"{key}:", *dashed_entry(entry, dash_column(header))]
        return with_lines(header, (key,), lines, [fields], order)
    path = (key, len(node.items))
    refuse_duplicates(header, path)
    if node.flow or in_brackets(header, path):
        new = encoded(in_braces(entry))
        changed = with_member(header, node, len(node.items), new)
    else:
        end = item_lines(header, node, len(node.items) - 1)[1]
        lines = dashed_entry(entry, 0)
        changed = placed(header, end, lines, header.column(node.start))
    return check(header, changed, inserted(header.fields(), path, fields))


def without_entry(header: Header, key: str, index: int) -> Header:
    """The header without an entry; removing the last one also removes the key."""
    node = header.root.get(key)
    if isinstance(node, Sequence) and len(node.items) == 1 and index == 0:
        return without_key(header, (key,))
    return without_item(header, (key, index))


def without_entries(header: Header, key: str, indexes: Collection[int]) -> Header:
    """The header without some entries, read again only once if they have own lines."""
    block = header.root.get(key)
    if not isinstance(block, Sequence) or block.flow:
        for index in sorted(indexes, reverse=True):
            header = without_entry(header, key, index)
        return header
    if indexes and len(block.items) == len(indexes):
        return without_key(header, (key,))
    changed, left = header.raw, header.fields()
    for index in sorted(indexes, reverse=True):
        path = (key, index)
        refuse_duplicates(header, path)
        changed = replace(changed, *item_lines(header, block, index), b"")
        left = dropped(left, path)
    return check(header, changed, left)


def _holds(node: object) -> bool:
    """Whether a key has a non-empty value."""
    if isinstance(node, Scalar):
        return node.value not in {"", "~", "null", "Null", "NULL"}
    return not isinstance(node, Sequence) or bool(node.items)
