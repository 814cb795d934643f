"""Where words and options stand on the command line, told before argparse sees it."""

from collections.abc import Sequence
from itertools import islice

_WITH_VALUE = frozenset(
    {
        "-s",
        "--store",
        "--theme",
        "--now",
        "--at",
        "--gap",
        "--limit",
        "--offset",
        "--sort",
        "--saved",
        "--save",
        "--delete",
        "--query",
        "--format",
        "--kind",
        "--output",
        "-o",
        "--to",
        "--type",
        "--field",
        "--body",
        "--from",
    }
)
"""The options that take a value."""

_HELP = "-h"

_STORES = ("-s/", "-s.", "-s~")
"""How the option begins whose value may stand in the same word, where that is plainly
a path: anything else, such as `-stage:fading`, is what a query is not to find."""

_OPTION = "--"
"""How other options begin; alone it stands behind the last of them."""

_WORDY = frozenset(
    {
        *("ask", "export", "list", "queries", "search"),
        *("archive", "copy", "delete", "merge", "move", "pin", "restore", "unpin"),
        *("append", "set", "tag", "unlink"),
    }
)
"""The commands whose words can be anything, or stand on both sides of options."""


def first_word(argv: Sequence[str]) -> str | None:
    """The first word that is neither an option nor an option's value."""
    place = _place_of_first_word(argv)
    return None if place is None else argv[place]


def with_words_last(argv: Sequence[str]) -> list[str]:
    """The command line, with all options before the words that can be anything.

    argparse takes words in one go and loses those behind an option, and it takes for
    an option whatever begins with a dash, as folders of transcripts do, and what a
    query is not to find.
    """
    place = _place_of_first_word(argv)
    if place is None or argv[place] not in _WORDY:
        return list(argv)
    options: list[str] = []
    words: list[str] = []
    rest = iter(argv[place + 1 :])
    for word in rest:
        if word == _OPTION:
            words += rest
        elif word in _WITH_VALUE:
            options += [word, *islice(rest, 1)]
        elif word == _HELP or word.startswith((_OPTION, *_STORES)):
            options.append(word)
        else:
            words.append(word)
    behind = [_OPTION, *words] if words else []
    return [*argv[: place + 1], *options, *behind]


def _place_of_first_word(argv: Sequence[str]) -> int | None:
    places = iter(range(len(argv)))
    for place in places:
        if argv[place] in _WITH_VALUE:
            next(places, None)
        elif not argv[place].startswith("-"):
            return place
    return None
