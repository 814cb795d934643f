"""Links in logs and summaries, and use counts, survive changes of a memory."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.kinds.pages import Episode
from store.library import Page
from store.records.intents import Delete, Fix, Intent, Merge, Move, Pin, Rebuild, Rename
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.cognitive_changes import (
    OTHER,
    PINNED,
    TITLE,
    assert_sound,
    made,
    opened,
)
from tests.store.formats.cognitive_stores import (
    DROPS,
    DROPS_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    memory_text,
    write,
)

LOG = "episodes/2025-12-13.md"
RECALLED = "2026-02-01T09:00:00+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


def entries(root: Path) -> dict[str, Any]:
    """The entries of the state file, by memory."""
    return json.loads((root / "_state.json").read_bytes())["entries"]


def count_uses(store: Changed, **uses: int) -> None:
    """Write use counts of memories; all of them were recalled on one day."""
    state = json.loads(store.text("_state.json"))
    for own, count in uses.items():
        used = {"access_count": count, "last_accessed": RECALLED, "decay_score": 1.5}
        state["entries"][own] = used
    write(store.root, "_state.json", json.dumps(state, indent=2))
    store.library.sync()


def told_of(store: Changed) -> Episode:
    """The daily-log entry about a memory."""
    episodes = store.library.lists.page("episodes", Page())
    (found,) = (one for one in episodes if isinstance(one, Episode) and one.link)
    return found


def test_a_daily_log_still_links_to_a_renamed_memory(store: Changed) -> None:
    planned = store.do(Rename(title="Keepalive for Redis"), store.memory(TITLE))

    assert told_of(store).memory == store.memory("Keepalive for Redis").ref
    assert store.problems("lost-link") == []
    assert not any(LOG in warning for warning in planned.draft.warnings)
    store.do(Rename(title="Once more"), store.memory("Keepalive for Redis"))
    store.do(Pin(), store.memory("Once more"))
    assert told_of(store).memory == store.memory("Once more").ref


def test_a_file_name_without_the_id_breaks_links_after_a_rename(
    store: Changed,
) -> None:
    (store.root / TIMEOUTS_PATH).rename(store.root / "graph/solutions/plain.md")
    log = store.text(LOG).replace(TIMEOUTS_PATH, "graph/solutions/plain.md")
    write(store.root, LOG, log)
    store.library.sync()

    planned = store.do(Rename(title="Keepalive"), store.memory(TITLE))

    assert planned.draft.is_grave
    assert planned.draft.warnings[0] == (
        f"1 daily-log entry ({LOG}) will keep a broken link to “{TITLE}”; daily logs"
        " are append-only."
    )
    assert [one.path for one in store.problems("lost-link")] == [LOG]


def test_an_ambiguous_id_links_to_neither_memory(
    store: Changed,
) -> None:
    twin = TIMEOUTS[:6] + "ff" + TIMEOUTS[8:]
    write(store.root, "graph/fixes/twin-a1b2c3.md", memory_text(twin, "fix", "Twin"))
    store.library.sync()

    store.do(Rename(title="Keepalive"), store.memory(TITLE))

    assert told_of(store).memory is None
    store.do(Delete(), store.memory("Twin"))
    assert told_of(store).memory == store.memory("Keepalive").ref


def test_a_daily_log_links_to_the_merged_memory(store: Changed) -> None:
    before = store.tree()

    store.do(Merge(), store.memory(OTHER), store.memory(TITLE))

    assert told_of(store).memory == store.memory(OTHER).ref
    assert strictly(store.text(DROPS_PATH))["merged_from"] == [TIMEOUTS]
    assert_sound(store)

    store.do(Merge(), store.memory(PINNED), store.memory(OTHER))

    merged = strictly(store.text("vault/deploy-to-production-0dd0aa.md"))["merged_from"]
    assert sorted(merged) == sorted([TIMEOUTS, DROPS])
    assert told_of(store).memory == store.memory(PINNED).ref
    assert_sound(store)
    store.undo()
    store.undo()
    assert store.tree() == before


def test_no_merge_links_a_memory_to_itself(store: Changed) -> None:
    """What a link showed stays as text, code is left alone, other links are kept."""
    texts = {
        TIMEOUTS_PATH: "See [[Redis connection drops]], [[deploy to production]].\n",
        DROPS_PATH: (
            "By [[Fixed Redis connection timeouts|the fix]] and\n"
            "`[[fixed redis connection timeouts]]` and [[redis-connection-drops]].\n"
        ),
    }
    for path, text in texts.items():
        head = store.text(path).rpartition("---\n")[0]
        write(store.root, path, f"{head}---\n\n{text}")
    store.library.sync()

    store.do(Merge(), store.memory(TITLE), store.memory(OTHER))

    assert store.text(TIMEOUTS_PATH).rpartition("---\n")[2] == (
        "\nSee Redis connection drops, [[deploy to production]].\n\n"
        "By the fix and\n`[[fixed redis connection timeouts]]` and"
        " redis-connection-drops.\n"
    )
    kept = store.memory(TITLE)
    assert all(edge.from_ != edge.to for edge in store.edges())
    assert all(relation.get("target") != kept.id for relation in relations(store))


def relations(store: Changed) -> list[dict[str, str]]:
    return strictly(store.text(TIMEOUTS_PATH)).get("relations") or []


def test_a_merge_adds_up_use_counts(store: Changed) -> None:
    count_uses(store, **{TIMEOUTS: 5, DROPS: 3})
    was = store.memory(TITLE).strength or 0
    before = store.tree()

    store.do(Merge(), store.memory(TITLE), store.memory(OTHER))

    assert entries(store.root).keys() == {TIMEOUTS}
    assert entries(store.root)[TIMEOUTS]["access_count"] == 8
    assert entries(store.root)[TIMEOUTS]["last_accessed"] == RECALLED
    merged = store.memory(TITLE)
    assert merged.access_count == 8
    assert (merged.strength or 0) > was
    assert entries(store.root)[TIMEOUTS]["decay_score"] == pytest.approx(
        merged.strength, abs=1e-4
    )
    assert store.problems("state-without-memory") == []
    store.undo()
    assert store.tree() == before


@pytest.mark.parametrize("keeps", [False, True])
def test_use_counts_move_with_their_memory(
    store: Changed, tmp_path: Path, *, keeps: bool
) -> None:
    count_uses(store, **{TIMEOUTS: 5, DROPS: 3})
    other = made(tmp_path / "work")
    for path in (TIMEOUTS_PATH, "_state.json"):
        (other / path).unlink()
    used, before = entries(store.root)[TIMEOUTS], store.tree()

    store.do(Move(to=str(other), keeps=keeps), store.memory(TITLE))

    assert entries(other) == {TIMEOUTS: used}
    assert (TIMEOUTS in entries(store.root)) == keeps
    assert DROPS in entries(store.root)
    store.undo()
    assert store.tree() == before
    assert not (other / "_state.json").exists()


def test_a_deleted_memory_has_no_use_counts(store: Changed) -> None:
    count_uses(store, **{TIMEOUTS: 5, DROPS: 3})
    before = store.tree()

    store.do(Delete(), store.memory(TITLE))

    assert entries(store.root).keys() == {DROPS}
    assert store.problems("state-without-memory") == []
    store.undo()
    assert store.tree() == before


def test_the_memory_that_stays_keeps_its_use_counts(store: Changed) -> None:
    write(store.root, "graph/solutions/zz-a1b2c3.md", store.text(TIMEOUTS_PATH))
    store.library.sync()
    used = entries(store.root)
    copy = next(one for one in store.memories() if "/zz-" in one.path)

    store.do(Delete(), copy)

    assert entries(store.root) == used


def test_a_damaged_state_is_left_alone_and_prevents_no_change(store: Changed) -> None:
    write(store.root, "_state.json", "{")
    store.library.sync()

    planned = store.do(Delete(), store.memory(TITLE))

    assert store.text("_state.json") == "{"
    (warning,) = (one for one in planned.draft.warnings if "_state" in one)
    assert warning == "_state.json is damaged, so it won't be touched."


@pytest.mark.parametrize(
    ("intent", "title"), [(Pin(), TITLE), (Rename(title="New"), "New")]
)
def test_broken_paths_in_summaries_are_reported_and_fixed(
    store: Changed, intent: Intent, title: str
) -> None:
    store.do(Rebuild(name="core"), *())
    store.do(Rebuild(name="reflection"), *())
    assert store.problems("stale-path") == []

    planned = store.do(intent, store.memory(TITLE))

    path = store.memory(title).path
    told = {one.path: one.message for one in store.problems("stale-path")}
    assert told["CORE.md"] == (f"Outdated path “{TIMEOUTS_PATH}”: now “{path}”.")
    assert set(told) == {"CORE.md", "REFLECTION.md"}
    assert (
        f"CORE.md will list the old path of “{TITLE}” until `recollect rebuild core`."
    ) in planned.draft.warnings
    fixes = [one.fix for one in store.problems("stale-path")]
    assert all(fix and "--fix stale-path" in fix for fix in fixes)

    store.do(Fix(), *store.problems("stale-path"))

    assert store.problems("stale-path") == []
    assert path in store.text("CORE.md")
