"""Every command has a story, and every story is true."""

from importlib import import_module
from pathlib import Path

import pytest

from store.library import Library
from tests.tui.browser.stories.telling import STORIES, Story
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench
from tui.commands.registry import REGISTRY

for path in Path(__file__).parent.glob("of_*.py"):
    import_module(f"tests.tui.browser.stories.{path.stem}")


def test_every_command_has_a_story() -> None:
    commands = {command.id for command in REGISTRY.commands}

    assert sorted(commands - STORIES.keys()) == [], "tell them in a file of_*.py"
    assert sorted(STORIES.keys() - commands) == []


@pytest.mark.parametrize(
    "story", dict.fromkeys(STORIES.values()), ids=lambda story: story.tell.__name__
)
async def test_a_story_is_true(
    story: Story, library: Library, workbench: Workbench
) -> None:
    looked_at = workbench.library if story.changes else library
    kept = workbench.kept if story.changes else None
    async with visiting(looked_at, story.size, kept=kept) as visit:
        await story.tell(visit)
        assert visit.browser.failure == ""
