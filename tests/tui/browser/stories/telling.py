"""The table of stories: one for every command, with its keys and the screen."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tests.tui.browser.stories.visit import USUAL, Visit


class Story(NamedTuple):
    """Keys and screens, in a terminal of some size."""

    tell: Callable[[Visit], Awaitable[None]]
    size: tuple[int, int]
    changes: bool = False
    """Whether something is changed in it, so that it has stores of its own."""


STORIES: dict[str, Story] = {}
"""The story of each command, by the command's id."""


def story(
    *commands: str, size: tuple[int, int] = USUAL, changes: bool = False
) -> Callable[[Callable[[Visit], Awaitable[None]]], Callable[[Visit], Awaitable[None]]]:
    """Register a story about these commands."""

    def enter(
        tell: Callable[[Visit], Awaitable[None]],
    ) -> Callable[[Visit], Awaitable[None]]:
        for command in commands:
            STORIES[command] = Story(tell, size, changes)
        return tell

    return enter
