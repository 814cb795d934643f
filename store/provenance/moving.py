"""The files that a command of a shell moves or removes, as its words tell them."""

import shlex
from collections.abc import Iterator
from posixpath import basename, join
from typing import NamedTuple

_ENDS = ";&|()<>\n"
"""What ends a command, or begins what is no word of it."""

_LONGEST = 10_000
"""Characters of a command that are looked at."""


class Moved(NamedTuple):
    """A file that got another name: both as written, from the folder it is told in."""

    old: str
    new: str
    """Nothing where the file was removed."""


def moves(command: str, folder: str) -> Iterator[Moved]:
    """The moves in a command that was run in a folder, and what it removes.

    Of a target nobody knows whether it was a folder: both is told.
    """
    here = folder
    for words in _commands(command[:_LONGEST]):
        match words:
            case ["cd", there]:
                here = join(here, there)
            case ["mv", *names] | ["git", "mv", *names]:
                yield from _moved(_plain(names), here)
            case ["rm" | "unlink", *names] | ["git", "rm", *names]:
                for name in _plain(names):
                    yield Moved(join(here, name), "")
            case _:
                pass


def _plain(words: list[str]) -> list[str]:
    """The words of a command that are no options."""
    return [word for word in words if not word.startswith("-")]


def _moved(names: list[str], folder: str) -> Iterator[Moved]:
    *olds, target = (join(folder, name) for name in names) if names else ("",)
    for old in olds:
        yield Moved(old, target)
        yield Moved(old, join(target, basename(old.rstrip("/"))))


def _commands(command: str) -> Iterator[list[str]]:
    """The words of each command, one after the other, as far as they can be read."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=_ENDS)
    lexer.whitespace, lexer.commenters, lexer.whitespace_split = " \t\r", "", True
    words: list[str] = []
    try:
        for word in lexer:
            if word.strip(_ENDS):
                words.append(word)
            else:
                yield words
                words = []
    except ValueError:
        return
    yield words
