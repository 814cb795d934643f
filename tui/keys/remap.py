"""The user's own keys: taken over where they fit, refused by line where they do not."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from store.search.nearest import nearest
from tui.keys.forbidden import refusal
from tui.keys.keymap import Clash, Keymap
from tui.keys.names import Keys, spelt

Wanted = Mapping[str, tuple[Sequence[str], int]]
"""Commands by id, the keys that each is to have, and the line where that is written."""


class Problem(Struct, frozen=True):
    """A wish that was refused."""

    line: int
    """Where it stands."""
    command: str
    """The command that it is about."""
    sentence: str
    """Why."""


class Remapped(Struct, frozen=True):
    """The keymap as the user wants it, as far as that goes."""

    keymap: Keymap
    """What holds: a wish that was refused leaves the command its usual keys."""
    problems: tuple[Problem, ...]
    """The wishes that were refused, in the order of lines."""


def remap(usual: Keymap, wanted: Wanted, needed: frozenset[str]) -> Remapped:
    """Give commands the keys that the user wants.

    The commands that are `needed` keep a key: without them one could not get out.
    """
    problems = list(_unfit(usual, wanted, needed))
    refused = {problem.command for problem in problems}
    wishes = {
        command: tuple(map(spelt, keys))
        for command, (keys, _) in wanted.items()
        if command not in refused
    }
    while wishes and (clash := _first_clash(usual.changed(wishes), wishes)):
        problem = _clashing(clash, wishes, wanted)
        problems.append(problem)
        del wishes[problem.command]
    problems.sort(key=lambda problem: problem.line)
    return Remapped(usual.changed(wishes), tuple(problems))


def _unfit(usual: Keymap, wanted: Wanted, needed: frozenset[str]) -> Iterator[Problem]:
    """What is wrong with wishes in themselves."""
    for command, (texts, line) in wanted.items():
        if command not in usual.bound:
            meant = nearest(command, usual.bound)
            why = f"There is no command {command!r}; the nearest is {meant!r}"
        elif command in needed and not texts:
            why = f"{command!r} needs a key"
        else:
            place = usual.places[usual.bound[command].place]
            why = next(_unfit_keys(texts, is_typing=place.is_typing), "")
        if why:
            yield Problem(line, command, f"{why}.")


def _unfit_keys(texts: Sequence[str], *, is_typing: bool) -> Iterator[str]:
    """Why some of these keys are none, or none to be had."""
    for text in texts:
        keys = spelt(text)
        why = refusal(keys, is_typing=is_typing) if keys else f"{text!r} is no key"
        if why:
            yield why


def _first_clash(
    keymap: Keymap, wishes: Mapping[str, tuple[Keys, ...]]
) -> Clash | None:
    """A clash that a wish is to blame for."""
    return next(
        (one for one in keymap.clashes() if not wishes.keys().isdisjoint(one.commands)),
        None,
    )


def _clashing(
    clash: Clash, wishes: Mapping[str, tuple[Keys, ...]], wanted: Wanted
) -> Problem:
    """Of two wishes the later one gives way; against usual keys the wish does."""
    blamed = [command for command in clash.commands if command in wishes]
    command = max(blamed, key=lambda name: wanted[name][1])
    (other,) = (name for name in clash.commands if name != command)
    line = wanted[command][1]
    already = f"{' '.join(clash.keys)!r} means {other!r} already"
    why = f"{already}; give that another key first"
    return Problem(line, command, f"{why}.")
