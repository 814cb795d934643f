"""Each story of the campaign once, at the slowest and at the quickest speed."""

from pathlib import Path

import pytest

from tests.campaigns.typed_queries import SPEEDS, STORIES, Story, run


@pytest.mark.parametrize("speed", [min(SPEEDS), max(SPEEDS)])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_key_typed_after_a_query_acts_on_its_hits(
    story: Story, speed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))  # and what it was before comes back

    assert run(story, speed, tmp_path) is None
