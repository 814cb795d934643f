"""`[[Names]]` in a text that follow a memory when it is called otherwise."""

from collections.abc import Iterator
from typing import NamedTuple

from store.files.fences import fenced
from store.files.frontmatter import read_page
from store.findings import name_key
from store.formats.cognitive.wikilinks import CODE_OR_LINK

_BRACKETS = 2
_NEVER = frozenset("[]|\n`")
"""What no name between brackets may hold."""


class Names(NamedTuple):
    """What a memory is called: by its title, and by its file."""

    title: str
    stem: str


def with_names(raw: bytes, old: Names, new: Names) -> bytes:
    """A file whose links call a memory by its new names.

    A link that said the title says the new title, one that said the file's name says
    the new one. Raises UnicodeDecodeError for what is no UTF-8.
    """
    body = read_page(raw).body
    text = raw.decode()
    start = len(text) - len(body)
    for begin, end, name in reversed(list(_linked(body))):
        told = _told(name, old, new)
        if told is not None:
            text = text[: start + begin] + told + text[start + end :]
    return text.encode()


def _linked(body: str) -> Iterator[tuple[int, int, str]]:
    """Every name between brackets, and where it stands."""
    lines = body.split("\n")
    code = fenced(lines)
    offset = 0
    for number, line in enumerate(lines):
        if "[[" in line and number not in code:
            for found in CODE_OR_LINK.finditer(line):
                name = (found[1] or "").partition("|")[0].rstrip()
                if name:
                    begin = offset + found.start() + _BRACKETS
                    yield begin, begin + len(name), name
        offset += len(line) + 1


def _told(name: str, old: Names, new: Names) -> str | None:
    """What a link says then; None where it says something else or need not change."""
    key = name_key(name)
    if key in {name_key(new.title), name_key(new.stem)}:
        return None
    by_title = key == name_key(old.title)
    if not by_title and key != name_key(old.stem):
        return None
    says_title = name == old.title or (by_title and name != old.stem)
    return new.title if says_title and _NEVER.isdisjoint(new.title) else new.stem
