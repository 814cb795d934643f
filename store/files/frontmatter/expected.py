"""What a header has to say after a change: worked out from values alone.

A change of bytes is held against this, so that no slip in placing them goes unseen.
"""

from collections.abc import Mapping

from store.files.frontmatter.header import Path
from store.findings import Value


def put(value: Value, path: Path, new: Value) -> Value:
    """The same value with another one at a path; a key that is not there is added."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        return [put(v, rest, new) if i == step else v for i, v in enumerate(value)]
    if isinstance(value, Mapping) and isinstance(step, str):
        return {**value, step: put(value.get(step, ""), rest, new)}
    return value


def dropped(value: Value, path: Path) -> Value:
    """The same value without the key or item that a path leads to."""
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        kept = ((i, v) for i, v in enumerate(value) if rest or i != step)
        return [dropped(v, rest) if i == step else v for i, v in kept]
    if isinstance(value, Mapping):
        pairs = ((k, v) for k, v in value.items() if rest or k != step)
        return {k: dropped(v, rest) if k == step else v for k, v in pairs}
    return value


def inserted(value: Value, path: Path, new: Value) -> Value:
    """The same value with an item more, in front of the place that a path names."""
    at, step = path[:-1], path[-1]
    items = value_at(value, at)
    if not isinstance(items, list) or not isinstance(step, int):
        return value
    return put(value, at, [*items[:step], new, *items[step:]])


def value_at(value: Value | None, path: Path) -> Value | None:
    """What a path leads to; None where it leads nowhere."""
    for step in path:
        if isinstance(value, Mapping) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if 0 <= step < len(value) else None
        else:
            return None
    return value
