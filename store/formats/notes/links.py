"""Links in markdown as people and models write them, unfinished ones passed over."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from msgspec import Struct

from store.findings import name_key

_TITLE = r"""(?:[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'))?"""
_BARE = r"(?=\S)[^\s()<>]*+(?:\([^\s()]*+\)[^\s()]*+)*+"
_TOKEN = re.compile(
    r"\\.|(?P<link>\]\([ \t]*+"
    rf"(?:(?:<(?P<angle>[^<>\n]*+)>|(?P<bare>{_BARE})){_TITLE}[ \t]*+"
    r"|(?P<loose>[^()<>\n]*\.md)[ \t]*+)\))|[\[\]\n]"
)
_WIKILINK = re.compile(
    r"\[\[(?P<name>[^\[\]|#\n]++)(?:#[^\[\]|\n]*+)?(?:\|(?P<label>[^\[\]\n]*+))?\]\]"
)
_WEB = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+:", re.IGNORECASE)


class Link(Struct, frozen=True):
    """A link and where it stands in the text that it was found in."""

    start: int
    end: int
    label: str
    target: str
    """As written."""

    @property
    def path(self) -> str | None:
        """The file that it names; None for the web and for a place on the same page."""
        if _WEB.match(self.target):
            return None
        return self.target.partition("#")[0].strip() or None

    @property
    def names_a_note(self) -> bool:
        """Whether it names a markdown file."""
        return is_note(unquote(self.path or ""))


def links(prose: str) -> Iterator[Link]:
    """The `[label](target)` links of a text, in the order in which they end.

    One pass over brackets, so that no text makes it slow; a label may hold brackets.
    """
    if "](" not in prose:
        return
    open_brackets: list[int] = []
    for token in _TOKEN.finditer(prose):
        if token[0] == "[":
            open_brackets.append(token.start())
        elif token[0] == "\n":
            open_brackets.clear()
        elif token[0].startswith("]") and open_brackets:
            start = open_brackets.pop()
            if token["link"]:
                label = prose[start + 1 : token.start()]
                target = token["angle"] or token["bare"] or token["loose"] or ""
                yield Link(start, token.end(), label, target)


def wikilinks(prose: str) -> Iterator[Link]:
    """The `[[name]]` and `[[name#heading|label]]` links of a text, in order."""
    if "[[" not in prose:
        return
    for found in _WIKILINK.finditer(prose):
        name = found["name"].strip()
        if name:
            label = (found["label"] or "").strip() or name
            yield Link(found.start(), found.end(), label, name)


def is_note(path: str) -> bool:
    """Whether a file's name is that of a markdown file."""
    return path.casefold().endswith(".md")


def called(name: str) -> str:
    """The key of the memory that goes by this name or file name."""
    return name_key(name[:-3] if is_note(name) else name)
