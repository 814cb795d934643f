"""JSON changed at one value: every other byte stays as it is.

What comes of a change is read again, and has to be what was, but for that value.
"""

from store.files.jsonl.exact import Exact, exact, put, without
from store.files.jsonl.spacing import manner_of, spelt
from store.files.jsonl.spans import (
    Container,
    Item,
    NotSplicedError,
    Path,
    container,
    find,
)
from store.findings import Json

_ALTERS = "The change would alter more than the one value."


def value_at(raw: bytes, path: Path) -> bytes | None:
    """The text of the value that a path leads to; None where nothing is there."""
    item = find(raw, path)
    return raw[item.value : item.end] if item else None


def with_value(raw: bytes, path: Path, value: Json) -> bytes:
    """The text with another value at a path, in the manner of the text.

    A key that its map does not have yet comes last in it, and so does the item after
    the last one of a list. Raises NotSplicedError.
    """
    return with_text(raw, path, spelt(value, manner_of(raw), prefix_at(raw, path)))


def with_text(raw: bytes, path: Path, text: bytes) -> bytes:
    """The same with a value that is spelt already."""
    item = find(raw, path)
    if item:
        changed = _replaced(raw, item.value, item.end, text)
    else:
        outer = _outer(raw, path)
        changed = _added(raw, outer, _named(raw, outer, path[-1]) + text)
    return _checked(changed, put(exact(raw), path, exact(text)))


def without_value(raw: bytes, path: Path) -> bytes:
    """The text without a key, or without an item of a list; raises NotSplicedError."""
    if find(raw, path) is None:
        return raw
    outer = _outer(raw, path)
    at = _place(outer, path[-1])
    return _checked(_removed(raw, outer, at), without(exact(raw), path))


def prefix_at(raw: bytes, path: Path) -> bytes:
    """How far the line is indented that a value begins on, or its list or map."""
    if manner_of(raw).indent is None:
        return b""
    item = find(raw, path)
    if item:
        return _indentation(raw, item.start)
    outer = _outer(raw, path)
    within = outer.items[-1].start if outer.items else outer.start
    own = b"" if outer.items else (manner_of(raw).indent or "").encode()
    return _indentation(raw, within) + own


def _checked(changed: bytes, expected: Exact) -> bytes:
    if exact(changed) != expected:
        raise NotSplicedError(_ALTERS)
    return changed


def _replaced(raw: bytes, start: int, end: int, text: bytes) -> bytes:
    return raw[:start] + text + raw[end:]


def _outer(raw: bytes, path: Path) -> Container:
    """The map or list that the last step of a path is taken in."""
    outer = find(raw, path[:-1]) if path else None
    opening = b"[" if path and isinstance(path[-1], int) else b"{"
    if outer is None or raw[outer.value : outer.value + 1] != opening:
        what = "list" if opening == b"[" else "map"
        raise NotSplicedError(f"There is no {what} that this could be put into.")
    return container(raw, outer.value)


def _place(outer: Container, step: str | int) -> int:
    if isinstance(step, int):
        return step
    return next(at for at, item in enumerate(outer.items) if item.key == step)


def _removed(raw: bytes, outer: Container, at: int) -> bytes:
    """Remove an item with the comma and the blanks that went with it."""
    items = outer.items
    if len(items) == 1:
        return _replaced(raw, outer.start + 1, outer.end - 1, b"")
    if at + 1 < len(items):
        return _replaced(raw, items[at].start, items[at + 1].start, b"")
    return _replaced(raw, items[at - 1].end, items[at].end, b"")


def _added(raw: bytes, outer: Container, text: bytes) -> bytes:
    """Add an item behind the last, set apart from it as the others are."""
    if outer.items:
        last = outer.items[-1].end
        return _replaced(raw, last, last, _between(raw, outer) + text)
    indent = manner_of(raw).indent
    begin, end = b"", b""
    if indent is not None:
        end = b"\n" + _indentation(raw, outer.start)
        begin = end + indent.encode()
    return _replaced(raw, outer.start + 1, outer.end - 1, begin + text + end)


def _between(raw: bytes, outer: Container) -> bytes:
    """What stands between two items of a list or map, comma and all."""
    *others, last = outer.items
    if others:
        return raw[others[-1].end : last.start]
    before = raw[outer.start + 1 : last.start]
    if b"\n" in before:
        return b"," + before
    return b"," if manner_of(raw).compact else b", "


def _named(raw: bytes, outer: Container, step: str | int) -> bytes:
    """What stands before a value that is added: its key, and a colon as elsewhere."""
    if isinstance(step, int):
        return b""
    manner = manner_of(raw)
    colon = b":" if manner.compact else b": "
    if outer.items:
        colon = _colon(raw, outer.items[-1])
    return spelt(step, manner) + colon


def _colon(raw: bytes, item: Item) -> bytes:
    """The colon behind a key, with the blanks around it."""
    between = raw[item.start : item.value]
    return between[between.rindex(b'"') + 1 :]


def _indentation(raw: bytes, position: int) -> bytes:
    """The blanks at the beginning of the line that a byte lies on."""
    line = raw[raw.rfind(b"\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(b" \t"))]
