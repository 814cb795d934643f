"""Derived files, logs and use counts: written on request, and nothing more."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import NotPossibleError
from store.findings import Json
from store.records.intents import Append, Pin, Rebuild, Rewrite, Set, Touch
from tests.store.formats.changed_stores import NOW_TEXT, Changed
from tests.store.formats.cognitive_changes import (
    OTHER,
    PINNED,
    TITLE,
    made,
    opened,
    rebuilt,
)
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DEPLOY_PATH,
    DROPS,
    EPISODES,
    STATE,
    TIMEOUTS,
    TIMEOUTS_PATH,
    write,
)

DAY = "episodes/2026-03-01.md"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


def test_an_entry_is_appended_to_a_day(store: Changed) -> None:
    fields: dict[str, Json] = {
        "title": "Looked\n## again",
        "date": "2025-12-13",
        "time": "12:00",
        "tags": ["redis", "a b"],
        "summary": "One.\nTwo.",
    }

    store.do(Append(kind="episode", fields=fields), store.memory(TITLE))

    assert store.text("episodes/2025-12-13.md") == (
        f"{EPISODES}\n## 12:00 - Looked ## again\n- **Type:** solution\n"
        "- **Tags:** redis, a b\n- **Memory:** [fixed-redis-connection-timeouts]"
        f"(../{TIMEOUTS_PATH})\n- **Summary:** One. Two.\n"
    )
    store.undo()
    assert store.text("episodes/2025-12-13.md") == EPISODES


def test_the_first_entry_of_a_day_creates_its_file(store: Changed) -> None:
    intent = Append(kind="episode", fields={"title": "Began"})

    planned = store.do(intent)

    assert planned.draft.action == "append “Began” to 2026-03-01"
    assert store.text(DAY) == "# 2026-03-01\n\n## 12:00 - Began\n"
    store.do(intent)
    assert store.text(DAY).count("\n## 12:00 - Began\n") == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "## 12:00 - X\n"),
        ("# 2026-03-01", "# 2026-03-01\n\n## 12:00 - X\n"),
        ("# d\r\n", "# d\r\n\r\n## 12:00 - X\r\n"),
        ("# d\n\n", "# d\n\n## 12:00 - X\n"),
    ],
)
def test_an_entry_begins_after_a_blank_line(
    store: Changed, before: str, after: str
) -> None:
    write(store.root, DAY, before)

    store.do(Append(kind="episode", fields={"title": "X"}))

    assert store.text(DAY) == after


@pytest.mark.parametrize(
    ("kind", "fields", "sentence"),
    [
        ("task", {"title": "x"}, "an `episode`"),
        ("episode", {}, "needs a title"),
        (
            "episode",
            {"title": "x", "date": "today"},
            r"Invalid date 'today'; write YYYY-MM-DD\.",
        ),
        ("episode", {"title": "x", "time": "9"}, r"Invalid time '9'; write HH:MM\."),
        (
            "episode",
            {"title": "x", "mood": "y"},
            r"Unknown field 'mood' for a daily-log entry\.",
        ),
        ("episode", {"title": "x", "memory": "y"}, r"No memory 'y' in this store\."),
    ],
)
def test_an_invalid_entry_is_refused(
    store: Changed, kind: str, fields: dict[str, Json], sentence: str
) -> None:
    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Append(kind=kind, fields=fields))


def test_nothing_is_appended_to_a_log_cut_off_by_a_crash(store: Changed) -> None:
    write(store.root, DAY, "# d\n\0\0")

    with pytest.raises(NotPossibleError, match="NUL"):
        store.plan(Append(kind="episode", fields={"title": "X"}))


def test_a_recall_changes_only_the_state(store: Changed) -> None:
    before = store.tree()

    store.do(Touch(), store.memory(TITLE), store.memory(PINNED))

    state = json.loads(store.text("_state.json"))
    assert state["updated"] == NOW_TEXT
    assert state["entries"][TIMEOUTS] == {
        "access_count": 6,
        "last_accessed": NOW_TEXT,
        "decay_score": 2.6951,
    }
    assert state["entries"][DEPLOY]["access_count"] == 1
    assert state["entries"][DEPLOY]["decay_score"] == 999.0
    assert store.memory(TITLE).strength == pytest.approx(2.6951, abs=1e-4)
    changed = {path for path in before if store.tree()[path] != before[path]}
    assert changed == {"_state.json"}


def test_a_first_recall_creates_the_state(store: Changed) -> None:
    (store.root / "_state.json").unlink()

    store.do(Touch(), store.memory(OTHER))

    state = json.loads(store.text("_state.json"))
    assert state["version"] == 1
    assert set(state["entries"]) == {DROPS}


def test_a_damaged_state_is_not_written(store: Changed) -> None:
    write(store.root, "_state.json", "{")

    with pytest.raises(NotPossibleError, match="damaged"):
        store.plan(Touch(), store.memory(OTHER))


def test_scores_are_recomputed_and_counts_stay(store: Changed) -> None:
    idle: dict[str, object] = {"access_count": 9}
    entries = {**STATE["entries"], "gone": idle}  # type: ignore[dict-item] - a map of maps
    write(store.root, "_state.json", json.dumps({**STATE, "entries": entries}))
    store.library.sync()

    store.do(Rebuild(name="state"))

    state = json.loads(store.text("_state.json"))
    assert set(state["entries"]) == {TIMEOUTS, DROPS, DEPLOY}
    assert state["entries"][TIMEOUTS]["access_count"] == 5
    for memory in store.memories():
        told = state["entries"][memory.id]["decay_score"]
        assert told == pytest.approx(memory.strength, abs=1e-4)


def test_the_index_is_rebuilt(store: Changed) -> None:
    write(store.root, "_index.json", "{")

    planned = store.do(Rebuild(name="index"))

    assert planned.draft.action == "rebuild index"
    assert store.text("_index.json") == rebuilt(store.root)
    assert store.plan(Rebuild(name="index")).is_idle


def test_core_is_rebuilt_and_shown_before(store: Changed) -> None:
    store.do(Touch(), store.memory(TITLE), store.memory(OTHER))

    planned = store.do(Rebuild(name="core"))

    assert planned.draft.is_grave
    assert "-> Last updated: 2025-12-13" in planned.plan.steps[0].diff
    assert store.text("CORE.md") == (
        "# Memory Core (auto-generated)\n"
        "> Last updated: 2026-03-01 | Active memories: 3/3 |"
        " Next refresh: daily (systemd timer)\n"
        "\n## Critical Solutions\n"
        f"- [{TITLE}]({TIMEOUTS_PATH}) (redis, timeout)\n"
        "\n## Active Decisions\n\n## Key Fixes\n\n## Configurations\n"
        "\n## Patterns & Workflows\n"
        f"- [{PINNED}]({DEPLOY_PATH}) (redis, timeout)\n"
    )
    assert store.problems("lost-link") == []


def test_core_has_fifteen_memories_per_section_and_a_size_limit(tmp_path: Path) -> None:
    root = made(tmp_path / "graph")
    for number in range(200):
        own = f"{number:08x}-0000-4000-8000-000000000000"
        kind = ("solution", "fix", "decision", "configuration")[number % 4]
        title = f"Memory {number} " + "long " * 40
        text = (
            f'---\nid: {own}\ntype: {kind}\ntitle: "{title}"\ntags: []\n'
            f"importance: 0.{90 - number // 4}\ncreated: {NOW_TEXT}\n"
            f"updated: {NOW_TEXT}\n---\n\nx\n"
        )
        write(root, f"graph/{kind}s/m-{own[:6]}-{number}.md", text)
    with opened(tmp_path, root) as store:
        store.do(Rebuild(name="core"))

        page = store.text("CORE.md")
        assert 11_000 < len(page) <= 12_000
        assert max(len(part.split("\n- ")) - 1 for part in page.split("## ")) <= 15


def test_reflection_is_rebuilt_by_the_rules_of_its_writer(store: Changed) -> None:
    store.do(Set(name="type", value="insight"), store.memory(OTHER))
    store.do(Set(name="tags", value=["homelab", "fix", "redis"]), store.memory(OTHER))
    store.do(Set(name="tags", value=["our-own", "fix"]), store.memory(TITLE))
    old = store.text("REFLECTION.md").replace("vagabond-rpg", "our-own")
    write(store.root, "REFLECTION.md", old)
    write(
        store.root,
        "episodes/2025-12-14.md",
        "# 2025-12-14\n\n## 09:00 - Merged two\n- **Tags:** merge, redis\n",
    )
    store.library.sync()

    store.do(Rebuild(name="reflection"))

    page = store.text("REFLECTION.md")
    assert page.startswith(
        "# Reflection Summary (auto-generated)\n> Last updated: 2026-03-01 |"
        " Last reflection: 2026-02-13 | Total reflections: 2\n"
    )
    assert f'- **fix + homelab**: 1 memories ("{OTHER}")\n' in page
    assert "- **fix**: appears in homelab (1), our-own (1)\n" in page
    assert f"1. [{TITLE}]({TIMEOUTS_PATH}) - 5 accesses\n" in page
    assert f"- [{OTHER}](graph/insights/redis-connection-drops-def789.md) - " in page
    assert page.endswith("- Total merges performed: 1\n")


def test_four_things_can_be_rebuilt(store: Changed) -> None:
    with pytest.raises(NotPossibleError, match="index, state, core, reflection"):
        store.plan(Rebuild(name="notes-index"))


SECRET = "sk-very-secret"  # noqa: S105 - of no one


def with_secret(store: Changed) -> None:
    text = json.dumps(
        {
            "embedding_provider": "openai",
            "openai_api_key": SECRET,
            "x": {"token": "t0"},
        },
        indent=1,
    )
    write(store.root, "_config.json", text)
    store.library.sync()


def test_a_setting_is_changed_and_the_key_never_shown(store: Changed) -> None:
    with_secret(store)
    config = store.record("documents", "_config.json")
    before = store.text("_config.json")

    planned = store.do(Set(name="embedding_provider", value="ollama"), config)

    assert store.text("_config.json") == before.replace('"openai",', '"ollama",')
    assert SECRET not in repr(planned.plan)
    assert "rebuild all vectors" in planned.draft.warnings[0]


def test_a_key_is_changed_and_neither_is_shown(store: Changed) -> None:
    with_secret(store)
    config = store.record("documents", "_config.json")

    planned = store.do(Set(name="openai_api_key", value="sk-another"), config)

    assert json.loads(store.text("_config.json"))["openai_api_key"] == "sk-another"
    assert "sk-" not in repr(planned.plan)
    assert planned.draft.warnings == (
        "`openai_api_key` changes; its value isn't shown.",
    )


def test_an_editor_sees_no_key_and_loses_none(store: Changed) -> None:
    with_secret(store)
    config = store.record("documents", "_config.json")
    form = store.library.plans.form(config)
    raw = form.raw.replace(b'"openai",', b'"ollama",')

    store.do(Rewrite(was=form.raw, raw=raw), config)

    assert SECRET.encode() not in form.raw
    assert b"t0" not in form.raw
    assert json.loads(store.text("_config.json")) == {
        "embedding_provider": "ollama",
        "openai_api_key": SECRET,
        "x": {"token": "t0"},
    }


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("embedding_provider", "mine", "ollama or openai"),
        ("colour", "red", r"Unknown setting 'colour' in _config\.json\."),
        ("openai_model", ["x"], r"`openai_model` must be a single text\."),
    ],
)
def test_an_invalid_setting_is_refused(
    store: Changed, name: str, value: str, sentence: str
) -> None:
    config = store.record("documents", "_config.json")

    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Set(name=name, value=value), config)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("CORE.md", "rebuild core"),
        ("_index.json", "rebuild index"),
        ("episodes/2025-12-13.md", r"Daily logs are append-only\."),
    ],
)
def test_generated_files_are_not_edited(
    store: Changed, path: str, sentence: str
) -> None:
    with pytest.raises(NotPossibleError, match=sentence):
        store.library.plans.form(store.record("documents", path))


def test_possible_changes_are_listed_for_every_kind_of_record(store: Changed) -> None:
    possible = store.library.plans.possible
    assert possible(None, store.root) == {"new": "", "append": "", "rebuild": ""}
    assert set(possible(store.memory(TITLE)).values()) == {""}
    assert possible(store.memory(PINNED))["archive"] == (
        "Pinned memories can't be archived. Unpin it first."
    )
    assert possible(store.edge("SOLVES")) == {"delete": "", "set": "", "edit": ""}
    assert possible(store.record("documents", "_config.json")) == {
        "set": "",
        "edit": "",
    }
    assert "rebuild core" in possible(store.record("documents", "CORE.md"))["edit"]
    with pytest.raises(
        NotPossibleError, match=r"Only memories can be changed this way\."
    ):
        store.plan(Pin(), store.edge("SOLVES"))
