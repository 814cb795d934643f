"""What agents read at their start, shown with its size and where it is cut."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from store.context import Part
from store.discover import beneath
from store.formats.register import FORMATS
from store.kinds.memories import Memory
from store.library import Library
from store.machine import Places
from tests.tui.browser.stories.visit import visiting
from tui.browser.agents import context_menu
from tui.browser.popups.popup import Choice
from tui.browser.session import Kept
from widgets.sheet import width_of


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

        assert "~/kilnbook: what agents read first ─" in visit.text
        rows = [row for row in visit.screen if "~/kilnbook/" in row]
        assert [row.split("│")[1].split()[0] for row in rows] == [
            *("claude", "claude", "claude", "codex", "copilot", "copilot", "cursor"),
            *("goose", "opencode", "pi", "pi"),
        ]
        assert "10,000 tokens" in rows[1]
        sums = [row for row in visit.screen if "% of a context of 200k" in row]
        assert "claude: 5.0%" in sums[0]
        assert len(sums) == 7
        assert "2 of 2 lines are read. Project instructions." in visit.text
        await visit.press("down", "down")
        assert "No such file. 0 of 0 lines are read." in visit.text
        assert "no such file" in rows[2]
        await visit.press("down")
        assert "of 12,000 characters" in visit.text
        await visit.press("down")
        assert "Cut at line 3277 of 4000. 3,276 of 4,000 lines are read" in visit.text
        assert "8,190 to line 3,276" in rows[3]
        await visit.press("enter")
        assert visit.status.strip().startswith("◆")


async def test_a_conversation_shows_what_its_agent_read(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("4", "g", "a")

        assert "kilnbook" in visit.text.partition("what agents read first")[0][-60:]


async def test_a_memory_shows_what_is_read_in_its_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "koe"
    memory = project / ".claude/memory"
    memory.mkdir(parents=True)
    (project / "CLAUDE.md").write_text("Use tabs.\n", "utf-8")
    (memory / "tabs.md").write_text("---\nname: tabs\ntype: user\n---\nT\n", "utf-8")
    (memory / "MEMORY.md").write_text("- [tabs](tabs.md)\n", "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir("/")
    with Library(tmp_path / "cache" / "catalogue.db", 0) as own:
        own.stores.choose(beneath([project], FORMATS).stores)
        own.sync()
        async with visiting(own, (120, 36)) as visit:
            await visit.press("g", "a")

            assert "koe, ~/koe: what agents read first ─" in visit.text
            assert "claude   ~/koe/CLAUDE.md" in visit.text
            assert "claude   ~/koe/.claude/memory/MEMORY.md" in visit.text


async def test_a_prompt_shows_what_would_be_recalled_and_what_just_misses(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "kilnbook/.memory"
    memory.mkdir(parents=True)
    for name, about in (("glaze", "cone tables"), ("fire", "slow"), ("shop", "Berlin")):
        text = f"---\nname: {name}\ndescription: {about}\n---\n\nNothing.\n"
        (memory / f"{name}.md").write_text(text, "utf-8")
    (memory / "late.md").write_text("---\nname: late\n---\nCone tables.\n", "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / "kilnbook")
    async with visiting(library, (120, 36)) as visit:
        await visit.press("g", "q", *"a", "b", "enter")
        assert "Only words of four letters or more count." in visit.text
        await visit.press("ctrl+u", *"cone", "enter")

        assert "/.memory: 1 of 4 recalled by words · cone" in visit.text
        first = [row for row in visit.screen if "│ recalled" in row]
        assert [row.split("│")[1].split()[:2] for row in first] == [
            ["recalled", "glaze"]
        ]
        assert "Recalled: 6 lines" in visit.text
        await visit.press("down")
        assert "Near miss: only its text has cone" in visit.text
        await visit.press("down", "enter")
        assert visit.status.strip().startswith("◆")


async def test_a_folder_without_memories_offers_the_projects_of_the_stores(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    kept = Kept(places=Places(tmp_path, tmp_path / "state", tmp_path))
    async with visiting(library, (100, 30), kept=kept) as visit:
        await visit.ask("ndots")
        await visit.press("g", "q")
        assert "choose a project; no memories for ~/empty" in visit.text
        await visit.press("enter")
        await visit.press(*"index", "enter")
        assert "recalled by words · index" in visit.text
        before = visit.text.partition(" recalled by words · index")[0][-30:]
        await visit.press("ctrl+o", "down", "enter")
        assert before not in visit.text
        assert "recalled by words · index" in visit.text
        chosen = visit.text.partition(": 0 of ")[0].rpartition(" ")[2]
        await visit.press("escape")
    async with visiting(library, (100, 30), kept=kept) as visit:
        await visit.press("g", "q")
        assert f"{chosen}: what would a prompt recall?" in visit.text
        await visit.press("escape", "g", "a")
        assert "claude: nothing at its start" in visit.text


async def test_a_tag_names_the_project_of_a_prompt(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    async with visiting(library, (100, 30)) as visit:
        await visit.ask("tag:kilnbook tag:postgres type:fix")
        await visit.press("g", "q")

        assert "kilnbook: what would a prompt recall?" in visit.text
        assert "^o project" in visit.screen[-1]


async def test_a_file_of_an_open_store_is_shown_as_a_record(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PAGER", "false")
    monkeypatch.chdir(tmp_path)
    async with visiting(library, (100, 30)) as visit:
        await visit.press("7", "g", "q", "enter", *"index", "enter")
        (row, *_) = (
            one for one in visit.screen if "│ recalled" in one or "│ no" in one
        )
        name = row.split("│")[1].split()[1]
        await visit.press("enter")
        assert visit.browser.parts.lists.kind == "memories"
        assert isinstance(visit.here, Memory)
        assert visit.here.title.startswith(name)
        await visit.press("H")
        assert visit.browser.parts.lists.kind == "documents"


def test_paths_make_room_for_the_widest_size() -> None:
    folder = "/home/zoe/src/some/long/path/of/kilnbook"
    sized = Part("claude", "rule", f"{folder}/one.md", tokens=1)
    cut = Part("codex", "rule", f"{folder}/AGENTS.md", tokens=8190, loaded_bytes=32760)
    cut = replace(cut, loaded_lines=1234, note="cut at line 1235 of 4000")

    rows = context_menu([sized, cut], Path("/home/x"))
    rows = [row for row in rows if isinstance(row, Choice)]

    assert [row.title.rpartition("/")[2] for row in rows] == ["one.md", "AGENTS.md"]
    widest = max(width_of(row.right) for row in rows)
    assert {len(row.title) for row in rows} == {62 - widest}
