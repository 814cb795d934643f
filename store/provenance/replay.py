"""What calls made of a file, replayed in order: its text before each and after it."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

_BOM = "\ufeff"


class Edit(Struct, frozen=True):
    """One text put in place of another."""

    old: str
    """What was there; nothing for the whole of a new file."""
    new: str
    """What is there then."""
    is_everywhere: bool = False
    """Whether that was done wherever the text stood, or only the first time."""


class Call(Struct, frozen=True):
    """What a tool was asked to write, and what its answer tells."""

    tool: str
    """The tool."""
    content: str | None = None
    """The whole text that it wrote; None for what only edits."""
    edits: tuple[Edit, ...] = ()
    """What it edited, in order."""
    before: str | None = None
    """The text before, where the answer tells it."""


class Replayed(Struct, frozen=True):
    """A call, and what it did to the file."""

    before: str | None
    """The text before; None where that is not known."""
    after: str | None
    """The text after; None where that is not known."""
    edits: tuple[Edit, ...]
    """How the one became the other; nothing where it was written anew."""


def replay(calls: Iterable[Call]) -> Iterator[Replayed]:
    """What each call made of the file, one after the other.

    What a call tells of the text before counts more than what the calls before it would
    have left: somebody else may have changed it in between.
    """
    text: str | None = None
    for call in calls:
        before = text
        if call.before is not None and plain(call.before) != text:
            before = plain(call.before)
        edits = tuple(map(_plain, call.edits)) if call.content is None else ()
        text = edited(before, edits) if edits else None
        if call.content is not None:
            text = plain(call.content)
        yield Replayed(before, text, edits)


def edited(text: str | None, edits: Iterable[Edit]) -> str | None:
    """A text with some edits made, all of them or none."""
    for edit in edits:
        if not edit.old:
            text = edit.new if not text else None
        elif text is None or edit.old not in text:
            return None
        else:
            text = text.replace(edit.old, edit.new, -1 if edit.is_everywhere else 1)
    return text


def plain(text: str) -> str:
    """A text with nothing but line feeds between its lines, as tools see it."""
    return text.removeprefix(_BOM).replace("\r\n", "\n")


def _plain(edit: Edit) -> Edit:
    return Edit(plain(edit.old), plain(edit.new), edit.is_everywhere)
