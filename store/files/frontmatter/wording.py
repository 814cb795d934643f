"""New values as they are put into words: plain, quoted where need be, or quoted."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from store.files.frontmatter.quoting import quote, written


class Form(Enum):
    """How a new value shall stand."""

    AS_IS = "as is"
    """A number, a date, an identifier: never in quotes."""
    AS_NEEDED = "as needed"
    """A text, in quotes only where YAML would read it otherwise."""
    QUOTED = "quoted"
    """A text, always in double quotes."""


class Told(NamedTuple):
    """A key and its value, as an entry of a list tells them."""

    key: str
    value: str
    form: Form = Form.AS_NEEDED


def scalar(text: str, form: Form, *, flow: bool = False) -> str:
    """One text in a form."""
    if form is Form.AS_IS:
        return text
    return written(text, flow=flow, quoted=form is Form.QUOTED)


def in_brackets(texts: Sequence[str], form: Form = Form.AS_NEEDED) -> str:
    """A list on one line."""
    return f"[{', '.join(scalar(text, form, flow=True) for text in texts)}]"


def in_braces(entry: Sequence[Told]) -> str:
    """A mapping on one line."""
    pairs = (f"{key}: {scalar(v, form, flow=True)}" for key, v, form in entry)
    return f"{{{', '.join(pairs)}}}"


def dashed(texts: Sequence[str], indent: int, form: Form) -> list[str]:
    """A list, an item a line."""
    return [f"{' ' * indent}- {scalar(text, form)}" for text in texts]


def dashed_entry(entry: Sequence[Told], indent: int) -> list[str]:
    """A mapping as an item of a list, a key a line."""
    lines = [f"{key}: {scalar(value, form)}" for key, value, form in entry]
    first, *others = lines
    return [f"{' ' * indent}- {first}", *(f"{' ' * indent}  {one}" for one in others)]


__all__ = [
    "Form", "Told", "dashed", "dashed_entry", "in_braces", "in_brackets", "quote",
    "scalar",
]  # fmt: skip
