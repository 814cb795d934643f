"""What is on CORE.md, what falls outside and why; worked out by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.files.beneath import Root
from store.formats.cognitive.edit_pages import (
    SECTIONS,
    Ranked,
    core_of,
    merges_of,
    sections_with,
)
from store.machine import Places
from store.records.intents import Merge, Rebuild
from store.settings import read_settings, settings_file
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_changes import OTHER, TITLE, opened
from tests.store.formats.cognitive_stores import write

NOW = 1_772_323_200_000_000
"""2026-03-01 in microseconds."""


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Places.usual().config


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


def ranked(title: str, kind: str, strength: float) -> Ranked:
    return Ranked(title, kind, ("a", "b"), f"graph/{title}.md", strength)


def reasons(memories: list[Ranked]) -> dict[str, str]:
    return {one.memory.title: one.why for one in core_of(memories, NOW)[1]}


def test_the_page_of_two_memories_is_the_one_of_the_specification() -> None:
    fixed = ranked("Fixed Redis", "solution", 0.48)
    memories = [ranked("Old", "fix", 0.19), fixed]

    page, _ = core_of(memories, NOW)

    assert page == (
        "# Memory Core (auto-generated)\n"
        "> Last updated: 2026-03-01 | Active memories: 1/2 | "
        "Next refresh: daily (systemd timer)\n\n"
        "## Critical Solutions\n- [Fixed Redis](graph/Fixed%20Redis.md) (a, b)\n\n"
        "## Active Decisions\n\n## Key Fixes\n\n## Configurations\n\n"
        "## Patterns & Workflows\n"
    )


def test_each_memory_outside_has_its_reason() -> None:
    many = [ranked(f"d{n:02}", "decision", 1 - n / 100) for n in range(17)]
    told = reasons(
        [
            *many,
            ranked("faint", "fix", 0.1999),
            ranked("edge", "fix", 0.2),
            ranked("woe", "problem", 0.9),
        ]
    )

    assert told["d14"] == told["edge"] == ""
    assert told["d15"] == told["d16"] == "15 stronger ones are in the section"
    assert told["faint"] == "its strength is below 0.2"
    assert told["woe"] == "no section has the type problem"


def test_the_weakest_make_room_once_the_page_is_full() -> None:
    kinds = ("solution", "fix", "decision")
    long = [ranked(f"{n:02}" + "x" * 300, kinds[n % 3], 1 - n / 100) for n in range(45)]

    page, placed = core_of(long, NOW)

    out = [one for one in placed if one.why]
    assert len(page) <= 12_000 < len(page) + 300 * 2 + 30
    assert {one.why for one in out} == {"the page is full at 12,000 characters"}
    assert placed[-len(out) :] == out


@pytest.mark.parametrize(("length", "over"), [(12_000, []), (12_001, ["1"])])
def test_a_page_over_its_budget_is_a_problem(
    store: Changed, length: int, over: list[str]
) -> None:
    write(store.root, "CORE.md", "x" * (length - 1) + "\n")
    store.library.sync()

    told = store.problems("core-over-budget")
    assert [problem.message.partition(" ")[0] for problem in told] == over


def test_settings_give_a_type_its_own_section() -> None:
    own = sections_with({"Open Problems": ("problem", "procedure")})

    assert [*own] == [*SECTIONS, "Open Problems"]
    assert own["Patterns & Workflows"] == ("code_pattern", "workflow")


def test_a_rebuild_follows_the_settings_and_says_what_is_left_out(
    store: Changed, config: Path
) -> None:
    write(
        config,
        "config.toml",
        '[cognitive]\nprojects = ["redis"]\n'
        '[cognitive.sections]\n"Open Problems" = ["problem"]\n',
    )

    planned = store.do(Rebuild(name="core"))

    assert store.text("CORE.md").endswith("\n## Open Problems\n")
    assert any("not on the page: " in told for told in planned.plan.warnings)
    store.do(Rebuild(name="reflection"))
    assert "homelab (" not in store.text("REFLECTION.md").partition("Most")[0]


def test_invalid_settings_are_reported_and_ignored(config: Path) -> None:
    write(
        config,
        "config.toml",
        '[cognitive]\nprojects = "redis"\nproject = []\n'
        '[cognitive.sections]\nA = ["x", 1]\n',
    )

    settings = read_settings(Places.usual())

    assert settings.cognitive.projects == ()
    file = settings_file(Places.usual())
    assert settings.complaints == (
        f"{file}:2: 'projects' must be a list of texts in quotes.",
        f"{file}:5: 'A' must be a list of texts in quotes.",
        f"{file}:3: Unknown setting 'project'; did you mean projects?",
    )


def test_merges_made_here_and_those_in_logs_are_counted(store: Changed) -> None:
    write(
        store.root,
        "episodes/2025-12-14.md",
        "# 2025-12-14\n\n## 09:00 - Two\n- **Type:** fix\n- **Tags:** merge, redis\n"
        "\n## 10:00 - Three\n- **Type:** Merged\n",
    )
    store.library.sync()
    store.do(Merge(), store.memory(TITLE), store.memory(OTHER))
    path = store.memory(TITLE).path

    with Root(store.root) as root:
        merges = merges_of(root, [path])

    assert merges == {"fix": 1, "Merged": 1, "merged here": 1}
    store.do(Rebuild(name="reflection"))
    assert store.text("REFLECTION.md").endswith("- Total merges performed: 3\n")
