"""MEMORY.md changed line by line: all that nobody asked about keeps its bytes."""

import re
from collections.abc import Callable, Mapping, Sequence
from posixpath import relpath
from typing import NamedTuple
from urllib.parse import quote

from store.files.frontmatter import read_page
from store.files.links import inside
from store.formats.notes.links import Link, links
from store.formats.notes.prose import without_code
from store.formats.notes.scribe import ruled
from store.formats.notes.scribe.note import Listed
from store.formats.notes.scribe.ruled import is_by_rule

LineEdit = Callable[[str], str]
"""What becomes of an index's text."""

_BULLET = re.compile(r"([ \t]*[-*+][ \t]+)")
_SEPARATOR = re.compile(r"([ \t]*(?:[—–-]+|:)[ \t]*)")
_USUAL_BULLET, _USUAL_SEPARATOR = "- ", " — "
_PLAIN = re.compile(r"[^\s()<>%]+")


class Line(NamedTuple):
    """A line of the index with a link to a note."""

    number: int
    """Its place among the lines, from 0."""
    text: str
    """All of it, without what ends it."""
    link: Link
    target: str
    """The file that the link names, relative to the store."""

    @property
    def leads(self) -> bool:
        """Whether the line is an item of a list that begins with the link."""
        bullet = _BULLET.match(self.text)
        return bullet is not None and bullet.end() == self.link.start

    @property
    def bullet(self) -> str:
        """What the item begins with."""
        found = _BULLET.match(self.text)
        return found[1] if found else _USUAL_BULLET

    @property
    def separator(self) -> str:
        """What stands between the link and the words about it."""
        found = _SEPARATOR.match(self.text, self.link.end)
        return found[1] if found else _USUAL_SEPARATOR

    @property
    def hook(self) -> tuple[int, int]:
        """Where the words about the note stand."""
        found = _SEPARATOR.match(self.text, self.link.end)
        start = found.end() if found else len(self.text)
        return start, max(start, len(self.text.rstrip()))


def lines_of(folder: str, text: str) -> list[Line]:
    """Every link to a note, code aside; `folder` is where the index lies."""
    body = read_page(text.encode(errors="surrogateescape")).body
    before = text[: len(text) - len(body)].count("\n")
    found: list[Line] = []
    pairs = zip(body.split("\n"), without_code(body).split("\n"), strict=True)
    for number, (line, prose) in enumerate(pairs, before):
        for link in links(prose):
            target = inside(folder, link.target) if link.names_a_note else None
            if target:
                found.append(Line(number, line.removesuffix("\r"), link, target))
    return found


def targets(folder: str, text: str) -> set[str]:
    """Every note that an index names."""
    if is_by_rule(text):
        return ruled.files(text)
    return {line.target for line in lines_of(folder, text)}


def dropped(folder: str, path: str) -> LineEdit:
    """Take away the items that begin with a link to a note."""

    def edit(text: str) -> str:
        if is_by_rule(text):
            return ruled.dropped(text, path)
        found = lines_of(folder, text)
        gone = {line.number for line in found if line.leads and line.target == path}
        return _joined([t for n, t in enumerate(_split(text)) if n not in gone])

    return edit


def changed(folder: str, old: Listed, new: Listed) -> LineEdit:
    """Let every link to a note lead to where it is, and its item say what it says.

    Words of the item that are not the note's own stay: somebody chose them.
    """

    def edit(text: str) -> str:
        if is_by_rule(text):
            return ruled.changed(text, old, new)
        lines = _split(text)
        for line in reversed(lines_of(folder, text)):
            if line.target == old.path:
                ended = lines[line.number]
                told = _retold(folder, line, old, new)
                lines[line.number] = told + ended[len(line.text) :]
        return _joined(lines)

    return edit


def added(
    folder: str, note: Listed, types: Mapping[str, str], *, first: bool = False
) -> LineEdit:
    """Put in an item for a note, where it belongs: among its kind, or in order.

    `types` tells the type of each note that is known, by its path.
    """

    def edit(text: str) -> str:
        if is_by_rule(text):
            return ruled.added(text, note)
        found = [line for line in lines_of(folder, text) if line.leads]
        if any(line.target == note.path for line in found):
            return text
        lines = _split(text)
        place, like = _among(found, note, types, first=first)
        if place is None:
            return _at_the_end(lines, _item(folder, note, None), blank=not found)
        return _inserted(lines, place, _item(folder, note, like))

    return edit


def put_first(folder: str, path: str) -> LineEdit:
    """Put the item of a note in front of all others of its list."""

    def edit(text: str) -> str:
        found = [line for line in lines_of(folder, text) if line.leads]
        own = [line for line in found if line.target == path]
        if not own or found[0].target == path:
            return text
        lines = _split(text)
        newline = _newline(text)
        moved = lines.pop(own[0].number)
        if not lines[-1].endswith("\n") or not moved.endswith("\n"):
            moved, last = _with_end(moved, newline), lines.pop()
            lines.append(last.removesuffix("\n").removesuffix("\r"))
        lines.insert(found[0].number, moved)
        return _joined(lines)

    return edit


def target_from(folder: str, path: str, old: str = "") -> str:
    """A link's target that leads from a folder to a file, written as the old one."""
    target = relpath(path, folder or ".")
    fragment = old[old.find("#") :] if "#" in old else ""
    if not _PLAIN.fullmatch(target):
        target = quote(target, safe="/!$&'*+,;=:@~", errors="surrogateescape")
    return f"{'./' if old.startswith('./') else ''}{target}{fragment}"


def _retold(folder: str, line: Line, old: Listed, new: Listed) -> str:
    text, link = line.text, line.link
    if line.leads:
        start, end = line.hook
        told = old.description or _SEPARATOR.match(text, link.end)
        if text[start:end] == old.description and told:
            text = text[:start] + new.description + text[end:]
    if old.path != new.path:
        start = text.rindex(link.target, link.start, link.end)
        target = target_from(folder, new.path, link.target)
        text = text[:start] + target + text[start + len(link.target) :]
    if link.label == old.name:
        start = link.start + 1
        text = text[:start] + _label(new.name) + text[start + len(link.label) :]
    return text


def _item(folder: str, note: Listed, like: Line | None) -> str:
    """An item, with the marks of a neighbour."""
    bullet = like.bullet if like else _USUAL_BULLET
    separator = like.separator if like else _USUAL_SEPARATOR
    link = f"[{_label(note.name)}]({target_from(folder, note.path)})"
    return (
        f"{bullet}{link}{separator}{note.description}"
        if note.description
        else (f"{bullet}{link}")
    )


def _label(name: str) -> str:
    """A name as it may stand between brackets."""
    if name.count("[") == name.count("]") and "](" not in name:
        return name
    return name.replace("[", "(").replace("]", ")")


def _among(
    found: Sequence[Line], note: Listed, types: Mapping[str, str], *, first: bool
) -> tuple[int | None, Line | None]:
    """Where a note belongs among those of its kind, and whose line to take after."""
    if not found:
        return None, None
    if first:
        return found[0].number, found[0]
    alike = [line for line in found if types.get(line.target) == note.type]
    last = (alike or found)[-1]
    return last.number + 1, last


def _inserted(lines: list[str], place: int, item: str) -> str:
    """The text with a line more; whether the last line is ended stays as it was."""
    newline = _newline("".join(lines))
    if place < len(lines) or not lines:
        lines.insert(place, item + newline)
        return _joined(lines)
    if lines[-1].endswith("\n"):
        return _joined([*lines, item + newline])
    return _joined([*lines[:-1], _with_end(lines[-1], newline), item])


def _at_the_end(lines: list[str], item: str, *, blank: bool) -> str:
    text = "".join(lines)
    newline = _newline(text)
    if not text:
        return f"{item}{newline}"
    gap = "" if text.endswith("\n") else newline
    gap += newline if blank and not (text + gap).endswith(newline * 2) else ""
    return f"{text}{gap}{item}{newline}"


def _split(text: str) -> list[str]:
    """The lines with what ends them; a last one that is empty is none."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _joined(lines: Sequence[str]) -> str:
    return "".join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _with_end(line: str, newline: str) -> str:
    return line if line.endswith("\n") else line + newline
