"""A value of JSON over as many lines as it takes; texts keep their lines."""

from collections.abc import Iterator

from store.clean import clean
from store.findings import Json
from tui.faces.lines import Line
from tui.faces.values import in_whole

_INDENT = "  "


def lines_of_text(text: str, indent: str = "") -> Iterator[Line]:
    """A text, line by line; none where it says nothing."""
    shown = clean(text, multiline=True).strip("\n")
    if shown:
        for line in shown.split("\n"):
            yield Line(f"{indent}{line}".rstrip())


def lines_of_value(name: str, value: Json, indent: str = "") -> Iterator[Line]:
    """A value behind its name; what takes more than a line is indented beneath it."""
    if value in (None, "", [], {}):
        return
    text = value.strip("\n") if isinstance(value, str) else ""
    if isinstance(value, dict | list) or "\n" in text:
        if name:
            yield Line(f"{indent}{clean(name)}:")
        yield from _beneath(value, f"{indent}{_INDENT}" if name else indent)
    else:
        label = f"{clean(name)}: " if name else ""
        yield Line(f"{indent}{label}{in_whole(text or value)}")


def _beneath(value: Json, indent: str) -> Iterator[Line]:
    """What takes more than a line."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from lines_of_value(name, item, indent)
    elif isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield from lines_of_value(str(number), item, indent)
    elif isinstance(value, str):
        yield from lines_of_text(value, indent)
