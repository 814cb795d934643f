import json
import os
from pathlib import Path

import pytest

from store.formats.notes.format import FORMAT
from store.machine import Machine
from tests.store.formats.notes_stores import write


def found(home: Path, here: Path, **environment: str) -> set[str]:
    """The places, relative to home if possible."""
    machine = Machine(home, here, environment)
    places = list(FORMAT.places(machine))
    assert len(places) == len(set(places))
    return {
        str(p.relative_to(home)) if p.is_relative_to(home) else str(p) for p in places
    }


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home/work/repository/src").mkdir(parents=True)
    return tmp_path / "home"


def test_a_machine_without_memories_has_no_places(home: Path) -> None:
    assert found(home, home / "work") == set()


def test_parent_folders_up_to_home_are_searched(home: Path) -> None:
    (home / "work/repository/src/.memory").mkdir()
    (home / "work/repository/.claude/memory").mkdir(parents=True)
    (home / "work/.claude/agent-memory").mkdir(parents=True)
    (home / ".memory").mkdir()
    (home.parent / ".memory").mkdir()

    assert found(home, home / "work/repository/src") == {
        "work/repository/src/.memory",
        "work/repository/.claude/memory",
        "work/.claude/agent-memory",
        ".memory",
    }


def test_parent_folders_up_to_the_repository_are_searched(home: Path) -> None:
    (home / "work/repository/.git").mkdir()
    (home / "work/repository/.memory").mkdir()
    (home / "work/.memory").mkdir()

    found_above = found(home, home / "work/repository/src")
    assert found_above == {"work/repository/.memory"}


def test_elsewhere_only_the_folder_itself_is_searched(home: Path) -> None:
    elsewhere = home.parent / "elsewhere/deep"
    (elsewhere / ".memory").mkdir(parents=True)
    (elsewhere.parent / ".memory").mkdir()

    assert found(home, elsewhere) == {str(elsewhere / ".memory")}


def test_claude_codes_own_folders(home: Path) -> None:
    for name in ("projects/-x/memory", "agent-memory", "memory", "session-memory"):
        (home / ".claude" / name).mkdir(parents=True)

    assert found(home, home / "work") == {
        ".claude/projects/-x/memory",
        ".claude/agent-memory",
        ".claude/memory",
        ".claude/session-memory",
    }


@pytest.mark.parametrize(
    ("variable", "base", "place"),
    [
        ("CLAUDE_CONFIG_DIR", "config", "config/projects/-x/memory"),
        ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "remote", "remote/projects/-x/memory"),
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "cowork", "cowork"),
    ],
)
def test_the_environment_may_move_them(
    home: Path, variable: str, base: str, place: str
) -> None:
    (home / place).mkdir(parents=True)

    assert found(home, home / "work", **{variable: str(home / base)}) == {place}


@pytest.mark.parametrize(
    "settings", [".claude/settings.json", "work/repository/.claude/settings.local.json"]
)
@pytest.mark.parametrize("text", ["~/my/memory", "{home}/my/memory"])
def test_settings_may_move_them(home: Path, settings: str, text: str) -> None:
    (home / "my/memory").mkdir(parents=True)
    value = json.dumps(text.format(home=home))
    broken = f'{{"autoMemoryDirectory": {value}, // where I keep it\n'
    write(home / settings, broken)

    assert found(home, home / "work/repository") == {"my/memory"}


def test_settings_may_be_a_link_and_never_block(home: Path) -> None:
    (home / "my/memory").mkdir(parents=True)
    kept = write(home / "dotfiles/c.json", '{"autoMemoryDirectory": "~/my/memory"}')
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(kept)
    local = home / "work/repository/.claude"
    local.mkdir()
    os.mkfifo(local / "settings.local.json")
    (home / "work/.claude/settings.local.json").mkdir(parents=True)

    assert found(home, home / "work/repository") == {"my/memory"}


def test_settings_shared_by_a_project_do_not_count(home: Path) -> None:
    (home / "my/memory").mkdir(parents=True)
    shared = home / "work/repository/.claude/settings.json"
    write(shared, '{"autoMemoryDirectory": "~/my/memory"}')

    assert found(home, home / "work/repository") == set()


@pytest.mark.parametrize(
    "value", ["relative/path", "", "~", "~other/x", "/nowhere\\u0000"]
)
def test_a_setting_that_names_no_folder_is_skipped(home: Path, value: str) -> None:
    (home / "work/relative/path").mkdir(parents=True)
    write(home / ".claude/settings.json", f'{{"autoMemoryDirectory": "{value}"}}')

    assert found(home, home / "work") == set()


def test_projects_that_claude_code_worked_in(home: Path) -> None:
    projects = home / ".claude/projects"
    cwd = json.dumps(str(home / "work/repository/src"))
    slug = str(home / "work/repository").replace("/", "-").replace("_", "-")
    write(projects / slug / "a.jsonl", f'{{"type":"user","cwd":{cwd}}}\n')
    other = json.dumps(str(home / "other"))
    write(
        projects / "-other/sessions-index.json",
        f'{{"entries":[{{"projectPath": {other}}}',
    )
    write(projects / "-gone/b.jsonl", '{"cwd":"/is/gone/now"}\n')
    write(projects / "-broken/c.jsonl", '{"cwd":"\\ud800"}\n{"cwd":4}\nnot json')
    (home / "work/repository/.memory").mkdir()
    (home / "other/.claude/memory").mkdir(parents=True)

    assert found(home, home / "work") == {
        "work/repository/.memory",
        "other/.claude/memory",
    }
