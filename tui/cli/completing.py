"""What a shell offers at a tab inside of a query: fields, and the values they have.

A shell calls `recollect --complete-query SHELL …`. This answers within a keystroke, so
it loads little and syncs nothing; and it never complains, for that would stand in the
middle of the line that somebody is typing.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from store.places import Places
from store.recalled import recalled_values
from store.search.language.completing import Completion, completions
from tui.cli.order import first_word, with_words_last
from tui.cli.shells import escaped, words_of_line
from tui.words import KINDS, STORES

_QUERYING = frozenset({"list", "queries", "search"})
"""The commands that take a query."""

_LISTING = "list"
"""The one whose first word is a kind."""

_MOST = 200
"""So many words are offered at most."""

_END = "--"
"""What stands between options and words."""


def main() -> int:
    """Print what may take the place of the last word, a line each."""
    _, _, shell, *rest = [*sys.argv, ""]
    lines = _for_bash(rest) if shell == "bash" else _with_help(rest[:-1])
    text = "".join(f"{line}\n" for line in lines)
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    return 0


def _for_bash(arguments: Sequence[str]) -> Iterator[str]:
    """The words for bash, from a line and the characters that it breaks words at."""
    line, breaks, *_ = [*arguments, "", ""]
    typed = words_of_line(line)
    for word, _ in offered(typed.words[1:]):
        text = escaped(word, typed, breaks)
        if text is not None:
            yield text


def _with_help(words: Sequence[str]) -> Iterator[str]:
    """The words for a shell that tells what they are, from those on its line."""
    return (f"{word}\t{told}" for word, told in offered(words))


def offered(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What may take the place of the last of some words, and what that is.

    Nothing that a terminal might act on is offered, whatever stands in a store.
    """
    kinds = _kinds(words)
    if kinds is None:
        return
    word, catalogue = words[-1], Places.usual().catalogue
    asked = partial(recalled_values, catalogue, _places(words), kinds)
    found = completions(word, len(word), kinds or None, asked)
    for one in found[:_MOST]:
        text = f"{word[: one.span.start]}{one.text}{word[one.span.end :]}"
        if text.isprintable():
            yield text, _told(one)


def _told(completion: Completion) -> str:
    count = completion.count
    return completion.help if count is None else f"×{count}"


def _kinds(words: Sequence[str]) -> Sequence[str] | None:
    """The kinds that the query is about, none for all of them.

    None where the last word is no part of a query.
    """
    command = first_word(words[:-1])
    ordered = with_words_last(words)
    if command not in _QUERYING or _END not in ordered or ordered[-1] != words[-1]:
        return None
    if command != _LISTING:
        return ()
    kind, *query = ordered[ordered.index(_END) + 1 :]
    return (kind,) if kind in KINDS and query else None


def _places(words: Sequence[str]) -> list[Path]:
    """Where the stores lie that the command line or the environment names."""
    options = iter(words[:-1])
    named: list[str] = []
    for word in options:
        if word in {"-s", "--store"}:
            named.append(next(options, ""))
        elif word.startswith("--store="):
            named.append(word.partition("=")[2])
    if not named:
        named = os.environ.get(STORES, "").split(os.pathsep)
    return [Path(name).expanduser().resolve() for name in named if name]
