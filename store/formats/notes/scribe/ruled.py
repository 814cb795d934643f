"""An index as a program makes it: a line for each note, in the order of their files."""

from collections.abc import Callable, Iterable

from store.formats.notes.index import generated_for, is_generated
from store.formats.notes.scribe.note import Listed


def is_by_rule(text: str) -> bool:
    """Whether an index is nothing but such lines, in such an order."""
    lines = text.removesuffix("\n").split("\n") if text else []
    return is_generated(text) and all(line.strip() for line in lines)


def by_rule(note: Listed) -> str:
    """The line of a note."""
    return f"- [{note.name}]({note.path}) — {note.description}"


def files(text: str) -> set[str]:
    """The files of all lines."""
    found = (generated_for(line) for line in text.split("\n"))
    return {file for file in found if file}


def dropped(text: str, path: str) -> str:
    """The index without the line of a note."""
    return _with(
        text, lambda lines: [one for one in lines if generated_for(one) != path]
    )


def added(text: str, note: Listed) -> str:
    """The index with a line more, where its file belongs."""

    def add(lines: list[str]) -> list[str]:
        if any(generated_for(line) == note.path for line in lines):
            return lines
        return _in_order([*lines, by_rule(note)])

    return _with(text, add)


def changed(text: str, old: Listed, new: Listed) -> str:
    """The index that says what a note says by now.

    Words behind the dash that were not the note's own stay: somebody chose them.
    """

    def change(lines: list[str]) -> list[str]:
        told = [
            _retold(line, old, new) if generated_for(line) == old.path else line
            for line in lines
        ]
        return _in_order(told) if old.path != new.path else told

    return _with(text, change)


def _retold(line: str, old: Listed, new: Listed) -> str:
    name, description = new.name, new.description
    head, _, hook = line.partition(f"]({old.path}) — ")
    label = head.removeprefix("- [")
    return by_rule(
        new._replace(
            name=name if label == old.name else label,
            description=description if hook == old.description else hook,
        )
    )


def _in_order(lines: Iterable[str]) -> list[str]:
    """The lines in the order of their files; those of one file stay in theirs."""
    return sorted(lines, key=lambda line: generated_for(line) or "")


def _with(text: str, change: Callable[[list[str]], list[str]]) -> str:
    """The text with other lines; what ends each, and whether the last is, stays."""
    newline = "\r\n" if "\r\n" in text else "\n"
    ended = text.endswith("\n") or not text
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    after = change([line for line in lines if line])
    return newline.join(after) + (newline if ended and after else "")
