"""What is on CORE.md, what falls outside and why; worked out by hand."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.discover import beneath
from store.files.beneath import Root
from store.findings import Value
from store.formats.cognitive.edit_pages import (
    SECTIONS,
    Ranked,
    core_of,
    merges_of,
    sections_with,
)
from store.formats.register import FORMATS
from store.machine import Places
from store.records.intents import Create, Merge, Rebuild, Set
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
    assert told["faint"] == "strength below 0.2"
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


def outdated(store: Changed) -> list[str]:
    """What a full check says about the page."""
    store.library.sync()
    store.library.index.check_fully()
    return [one.message for one in store.problems("core-outdated")]


def test_a_page_that_a_rebuild_would_change_is_out_of_date(store: Changed) -> None:
    store.do(Rebuild(name="core"))
    before = store.text("CORE.md")
    assert outdated(store) == []

    fields: dict[str, Value] = {"type": "decision", "importance": "0.9"}
    store.do(Create(title="Use uv", fields=fields))
    message = "Out of date: a rebuild would add 1 line and remove 0."
    assert outdated(store) == [message]

    store.fix("core-outdated")
    assert "[Use uv]" in store.text("CORE.md")
    assert outdated(store) == []
    store.undo()
    assert store.text("CORE.md") == before
    assert outdated(store) == [message]


def test_another_day_or_a_page_by_hand_is_not_out_of_date(store: Changed) -> None:
    store.do(Rebuild(name="core"))
    text = store.text("CORE.md")
    write(store.root, "CORE.md", text.replace("2026-03-01", "2026-02-01"))
    assert outdated(store) == []

    write(store.root, "CORE.md", "# What I know\n\n- nothing\n")
    assert outdated(store) == []


def test_problems_that_only_a_full_check_finds_are_fixed_together(
    store: Changed,
) -> None:
    scores = json.loads(store.text("_state.json"))
    for entry in scores["entries"].values():
        entry["decay_score"] = 0.99
    write(store.root, "_state.json", json.dumps(scores))
    write(store.root, "CORE.md", "# Memory Core (auto-generated)\n- [a](b.md)\n")
    outdated(store)

    codes = ("stale-score", "core-outdated", "lost-link")
    several = store.fixable(*codes)

    assert len(several) > 2
    assert store.fix(*codes).count == len(several)
    assert store.problems(*codes) == []
    assert outdated(store) == []


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
    assert any("not in CORE.md: " in told for told in planned.plan.warnings)
    store.do(Rebuild(name="reflection"))
    assert "homelab (" not in store.text("REFLECTION.md").partition("Most")[0]


def test_the_folders_that_agents_worked_in_are_projects(
    store: Changed, tmp_path: Path
) -> None:
    store.do(Set(name="tags", value=["alpha", "beta", "shared"]), store.memory(OTHER))
    store.do(Rebuild(name="reflection"))
    assert "alpha (1)" not in store.text("REFLECTION.md")

    for name in ("alpha", "Beta"):
        line = {"type": "user", "cwd": f"/home/zoe/{name}", "sessionId": "s"}
        line |= {"message": {"role": "user", "content": "Hello"}, "uuid": name}
        path = f"projects/-home-zoe-{name}/{name}.jsonl"
        write(tmp_path / "claude", path, json.dumps(line) + "\n")
    other = beneath([tmp_path / "claude"], FORMATS).stores
    store.library.stores.choose([*store.library.stores.found, *other])
    store.library.sync()
    store.do(Rebuild(name="reflection"))

    assert "- **shared**: appears in alpha (1), beta (1)" in store.text("REFLECTION.md")


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
        f"{file}:3: Unknown setting 'project'; did you mean projects?",
        f"{file}:5: 'A' must be a list of texts in quotes.",
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
