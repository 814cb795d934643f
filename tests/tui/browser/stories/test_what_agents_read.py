"""What agents read at their start, shown with its size and where it is cut."""

from pathlib import Path

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting


async def test_what_agents_read_is_listed_with_its_size(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "kilnbook"
    project.mkdir()
    (project / "AGENTS.md").write_text("Use tabs.\n" * 4000, "utf-8")
    (project / "CLAUDE.md").write_text("@AGENTS.md\n@gone.md\n", "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(project)
    async with visiting(library, (120, 36)) as visit:
        await visit.press("g", "a")

        assert "what agents read first in ~/kilnbook" in visit.text
        rows = [row for row in visit.screen if "~/kilnbook/" in row]
        assert [row.split("│")[1].split()[0] for row in rows] == [
            *("claude", "claude", "claude", "codex", "copilot", "copilot", "cursor"),
            *("goose", "opencode", "pi", "pi"),
        ]
        assert "10,000 tokens" in rows[1]
        assert "2 of 2 lines are read." in visit.text
        await visit.press("down", "down")
        assert "0 of 0 lines are read: no such file." in visit.text
        assert "memory core" in visit.text
        await visit.press("down", "down")
        assert "3,276 of 4,000 lines are read: cut at line 3277 of 4000." in visit.text
        await visit.press("enter")
        assert visit.status.strip().startswith("◆")


async def test_a_conversation_shows_what_its_agent_read(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("4", "g", "a")

        assert "kilnbook" in visit.text.partition("what agents read first in")[2][:60]
