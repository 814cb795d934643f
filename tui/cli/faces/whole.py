"""One record for people: its fields, then its text, every character fit to show."""

import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, cast

from store.clean import clean
from store.opening import InFull
from tui.cli.faces.json_lines import as_object

_TEXTS = ("body", "text")
"""The fields that are shown last and whole."""

_LABEL = 14
"""How wide the names of fields are set."""


def write_whole(record: InFull) -> None:
    """Print a record."""
    sys.stdout.buffer.write(whole(record).encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def whole(record: InFull, *, text: bool = True) -> str:
    """A record as text: a line a field, empty ones left out, then what it says."""
    thing = as_object(record)
    texts = [thing.pop(name) for name in _TEXTS if name in thing]
    lines = [line for name, value in thing.items() for line in _field(name, value)]
    if text:
        lines += [f"\n{clean(said, multiline=True)}".rstrip("\n") for said in texts]
    return "\n".join(lines)


def _field(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401  # whatever is there
    """The lines that show a field; what is nested is indented beneath it."""
    label = clean(name)
    if is_dataclass(value):
        value = as_object(value)
    if value is None or value in ((), [], {}, ""):
        return
    if isinstance(value, dict):
        yield label
        for key, item in cast("dict[str, Any]", value).items():
            yield from (f"  {line}" for line in _field(key, item))
    elif isinstance(value, (tuple, list)):
        items = cast("list[Any]", value)
        if all(isinstance(item, str) for item in items):
            yield f"{label:{_LABEL}} {', '.join(clean(item) for item in items)}"
        else:
            yield label
            for number, item in enumerate(items, start=1):
                yield from (f"  {line}" for line in _field(str(number), item))
    else:
        yield f"{label:{_LABEL}} {_scalar(value)}"


def _scalar(value: object) -> str:
    """A number or a text, on one line."""
    return f"{value:.4g}" if isinstance(value, float) else clean(str(value))
