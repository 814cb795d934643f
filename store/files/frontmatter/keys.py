"""Keys of a header: put in where they belong, taken out with their lines."""

from collections.abc import Sequence as Keys

from store.files.frontmatter.blocks import (
    dash_column,
    end_of_entry,
    entry_lines,
    placed,
)
from store.files.frontmatter.brackets import with_member, without_member
from store.files.frontmatter.errors import EditRefusedError
from store.files.frontmatter.expected import dropped, put
from store.files.frontmatter.header import Header, Path
from store.files.frontmatter.nodes import Mapping
from store.files.frontmatter.splice import check, encoded, refuse_duplicates, replace
from store.files.frontmatter.wording import Form, dashed, in_brackets, scalar
from store.findings import Value

_NO_PLACE = "There is no place for that key."


def with_key(
    header: Header,
    path: Path,
    value: str | Keys[str],
    form: Form = Form.AS_NEEDED,
    order: Keys[str] = (),
) -> Header:
    """The header with a key more: a text, or a list of texts.

    `order` names the keys as their writer puts them; the new one follows those that
    come before it there.
    """
    key = _key(path)
    if isinstance(value, str):
        lines = [f"{key}: {scalar(value, form, flow=_is_flow(header, path))}"]
        return with_lines(header, path, lines, value, order)
    if form is Form.QUOTED and value and not _is_flow(header, path):
        lines = [f"{key}:", *dashed(value, dash_column(header), form)]
    else:
        lines = [f"{key}: {in_brackets(value, form)}"]
    return with_lines(header, path, lines, list(value), order)


def with_lines(
    header: Header, path: Path, lines: Keys[str], value: Value, order: Keys[str] = ()
) -> Header:
    """The header with a key more that is written out already and says `value`."""
    parent, key = _parent(header, path), _key(path)
    if parent.get(key) is not None:
        raise EditRefusedError(f"The header has a key “{key}” already.")
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


def _with_lines(header: Header, parent: Mapping, index: int, lines: Keys[str]) -> bytes:
    if not parent.pairs:
        return placed(header, header.end, lines, 0)
    indent = header.column(parent.pairs[0][0].start)
    if index == 0 and parent is header.root:
        offset = entry_lines(header, parent, 0)[0]
    else:
        offset = end_of_entry(header, parent, max(index - 1, 0))
    return placed(header, offset, lines, indent)


def _span(header: Header, parent: Mapping, index: int) -> tuple[int, int]:
    """The lines of a key; behind a dash, only what keeps it from the next key."""
    start, end = entry_lines(header, parent, index)
    key = parent.pairs[index][0]
    if not header.raw[start : key.start].strip():
        return start, end
    following = parent.pairs[index + 1 : index + 2]
    if not following:
        raise EditRefusedError("Nothing would be left of the entry.")
    return key.start, following[0][0].start


def _place(parent: Mapping, key: str, order: Keys[str]) -> int:
    """In front of which key a new one belongs."""
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
