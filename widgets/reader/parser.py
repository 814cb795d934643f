"""The parser of Markdown. HTML is text like any other; links are never opened here."""

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from widgets.reader.inline import wikilink

_DEEPEST = 40
"""Blocks within blocks that are told apart; what lies deeper the parser drops."""


def parsed(text: str) -> Sequence[Token] | None:
    """The blocks of a text; None where the parser would drop some of it."""
    tokens = parser().parse(text)
    is_whole = all(token.level < _DEEPEST - 1 for token in tokens)
    return tokens if is_whole else None


@cache
def parser() -> MarkdownIt:
    """A parser of blocks; what is within them is parsed when it is laid out."""
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    made.enable(["table", "strikethrough"])
    made.inline.ruler.before("link", "wikilink", wikilink)
    made.core.ruler.disable("inline")
    return made
