"""Shell completion of queries.

A shell runs `recollect --complete-query SHELL …` at each tab. The answer has to come
within a keystroke, so this loads little and does not sync. It prints no errors, because
they would appear in the middle of the line being typed.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from store.answers.completion import recalled_values
from store.kinds import KINDS
from store.machine import Places
from store.search.edit import Completion, completions
from tui.cli.words import escaped, first_word, with_words_last, words_of_line
from tui.names import STORES

_QUERYING = frozenset({"list", "queries", "search"})
"""Commands that take a query."""

_LISTING = "list"
"""The command whose first word is a kind."""

_MOST = 200
"""Maximum number of completions."""

_END = "--"
"""The separator between options and words."""


def main() -> int:
    """Print the completions of the last word, one per line."""
    _, _, shell, *rest = [*sys.argv, ""]
    lines = _for_bash(rest) if shell == "bash" else _with_help(rest[:-1])
    text = "".join(f"{line}\n" for line in lines)
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    return 0


def _for_bash(arguments: Sequence[str]) -> Iterator[str]:
    """Completions for bash, given the line and the characters that break words."""
    line, breaks, *_ = [*arguments, "", ""]
    typed = words_of_line(line)
    for word, _ in offered(typed.words[1:]):
        text = escaped(word, typed, breaks)
        if text is not None:
            yield text


def _with_help(words: Sequence[str]) -> Iterator[str]:
    """Completions with descriptions, for zsh and fish, given the words of the line."""
    return (f"{word}\t{about}" for word, about in offered(words))


def offered(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Completions of the last word, each with its description.

    Texts that contain control characters are left out.
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
    """The kinds that the query is about; empty for all kinds.

    None if the last word is not part of a query.
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
    """The paths of stores given on the command line or in the environment."""
    options = iter(words[:-1])
    named: list[str] = []
    for word in options:
        if word in {"-s", "--store"}:
            named.append(next(options, ""))
        elif word.startswith("--store="):
            named.append(word.partition("=")[2])
        elif word.startswith("-s"):
            named.append(word.removeprefix("-s"))
    if not named:
        named = os.environ.get(STORES, "").split(os.pathsep)
    return [Path(name).expanduser().resolve() for name in named if name]
