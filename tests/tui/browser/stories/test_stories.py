"""Every command has a story, and every story is true."""

import pytest

from store.library import Library
from tests.tui.browser.stories import (
    of_app,
    of_edges,
    of_everywhere,
    of_facets,
    of_links,
    of_lists,
    of_memories,
    of_popups,
    of_query,
    of_reader,
    of_records,
    of_rows,
)
from tests.tui.browser.stories.telling import STORIES, Story
from tests.tui.browser.stories.visit import visiting
from tui.commands.registry import REGISTRY

TOLD = (
    of_app,
    of_edges,
    of_everywhere,
    of_facets,
    of_links,
    of_lists,
    of_memories,
    of_popups,
    of_query,
    of_reader,
    of_records,
    of_rows,
)
"""Where stories are told."""


def test_every_command_has_a_story() -> None:
    assert TOLD
    assert STORIES.keys() == {command.id for command in REGISTRY.commands}


@pytest.mark.parametrize(
    "story", dict.fromkeys(STORIES.values()), ids=lambda story: story.tell.__name__
)
async def test_a_story_is_true(story: Story, library: Library) -> None:
    async with visiting(library, story.size) as visit:
        await story.tell(visit)
        assert visit.browser.failure == ""
