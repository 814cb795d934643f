"""One record is changed, told in a sentence, and put back."""

import re

import pytest

from tests.tui.cli.changing.stores import Desk

CHANGE = ["change", "action", "refs", "paths", "backup", "undo", "notes"]

ACTS = [
    (("tag", "REF", "+glaze"), "tagged"),
    (("set", "REF", "category=kiln"), "set"),
    (("pin", "REF"), "pinned"),
    (("archive", "REF"), "archived"),
    (("delete", "REF", "--yes"), "deleted"),
]
WORDS = [act for act, _ in ACTS]


@pytest.fixture
def ref(agents: Desk) -> str:
    """A memory that is neither important nor put away."""
    found = agents.memories("type:learning", "!is:archived")
    return next(row["ref"] for row in found if row["importance"] != "high")


def words(act: tuple[str, ...], ref: str) -> list[str]:
    return [ref if word == "REF" else word for word in act]


@pytest.mark.parametrize(("act", "done"), ACTS)
def test_it_is_told_in_one_line_that_says_how_to_undo_it(
    agents: Desk, ref: str, act: tuple[str, ...], done: str
) -> None:
    before = agents.contents()

    answer = agents.run(*words(act, ref))

    assert answer.code == 0
    told = re.fullmatch(
        rf"{done} “.+”(?:: \w+)? · undo with: (recollect undo [0-9a-f]{{8}})\n",
        answer.out,
    )
    assert told
    assert agents.contents() != before
    undone = agents.machine.run(*told[1].split()[1:])
    assert undone.code == 0
    assert undone.out.startswith("undone: ")
    assert agents.contents() == before


@pytest.mark.parametrize("act", WORDS)
def test_a_dry_run_says_what_would_differ_and_writes_nothing(
    agents: Desk, ref: str, act: tuple[str, ...]
) -> None:
    before = agents.contents()

    plan = agents.one(*words(act, ref), "--dry-run")
    shown = agents.run(*words(act, ref), "--dry-run")

    assert list(plan) == ["action", "steps", "warnings"]
    assert plan["action"].split()[0] == act[0]
    for step in plan["steps"]:
        assert list(step) == ["path", "before", "after", "diff"]
        assert step["diff"].startswith("--- ")
    assert shown.code == 0
    assert "\n@@ " in shown.out
    assert agents.contents() == before
    assert agents.rows("history") == []


@pytest.mark.parametrize("act", WORDS)
def test_for_scripts_it_is_one_object(
    agents: Desk, ref: str, act: tuple[str, ...]
) -> None:
    change = agents.one(*words(act, ref))

    assert list(change) == CHANGE
    assert change["undo"] == f"recollect undo {change['change']}"
    assert change["refs"] == [ref]
    assert "learnings.jsonl" in change["paths"]
    assert agents.rows("history")[0]["change"] == change["change"]


@pytest.mark.parametrize("act", WORDS)
@pytest.mark.parametrize("way", ["--read-only", "RECOLLECT_READ_ONLY"])
def test_a_session_that_is_read_only_changes_nothing(
    agents: Desk, ref: str, act: tuple[str, ...], way: str
) -> None:
    before = agents.contents()

    if way.startswith("--"):
        answer = agents.run(*words(act, ref), way)
    else:
        answer = agents.run(*words(act, ref), **{way: "1"})

    assert (answer.code, answer.out) == (4, "")
    assert "read-only" in answer.err
    assert agents.contents() == before


def test_what_is_read_only_can_be_planned(agents: Desk, ref: str) -> None:
    plan = agents.one("tag", ref, "+glaze", "--dry-run", "--read-only")

    assert plan["steps"]


def test_what_is_so_already_is_done_and_no_change(agents: Desk, ref: str) -> None:
    agents.run("tag", ref, "+glaze")
    before = agents.contents()

    again = agents.run("tag", ref, "+glaze")
    change = agents.one("tag", ref, "+glaze")

    assert (again.code, again.out) == (0, "")
    assert "Nothing differs" in again.err
    assert list(change) == CHANGE
    assert (change["change"], change["undo"], change["paths"]) == (None, None, [])
    assert agents.contents() == before


def test_a_record_of_another_kind_than_can_be_changed_is_told(agents: Desk) -> None:
    document = agents.rows("list", "documents")[0]["ref"]

    answer = agents.run("pin", document)

    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1


def test_a_name_of_nothing_is_told(agents: Desk) -> None:
    answer = agents.run("pin", "memory:fffffffff")

    assert (answer.code, answer.out) == (1, "")
    assert "Nothing goes by" in answer.err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pin", "A REF is missing"),
        ("tag memory:5b", "Which tags?"),
        ("tag memory:5b +", "Which tags?"),
        ("set memory:5b", "FIELD=VALUE is missing"),
        ("set memory:5b =x", "names no field"),
        ("pin memory:5b --query x", "not both"),
        ("link a", "REF"),
        ("link a b --type x --strength 2", "0…1"),
        ("unlink a b c", "both its ends"),
        ("append story", "'story'"),
        ("new --body x", "needs a title"),
        ("new --title x --field y", "no FIELD=VALUE"),
        ("archive memory:5b --due", "told by the store"),
        ("rebuild indx", "'index'"),
        ("move memory:5b", "--to"),
    ],
)
def test_wrong_use_is_told_in_one_sentence(agents: Desk, line: str, told: str) -> None:
    answer = agents.run(*line.split())

    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert answer.err.count("\n") == 1


def test_several_fields_are_one_change_and_all_must_be_possible(
    agents: Desk, ref: str
) -> None:
    before = agents.contents()
    refused = agents.run("set", ref, "category=kiln", "importance=enormous")
    assert refused.code == 1
    assert agents.contents() == before

    change = agents.one("set", ref, "category=kiln", "importance=high")

    shown = agents.show(ref)
    assert (shown["importance"], shown["fields"]["category"]) == ("high", "kiln")
    agents.one("undo", change["change"])
    assert agents.contents() == before


def test_a_memory_of_another_type_and_title_lies_elsewhere_in_one_change(
    graph: Desk,
) -> None:
    ref = graph.memory("type:fix", "!is:pinned", "has:edges")["ref"]
    before = graph.contents()

    change = graph.one("set", ref, "type=insight", "title=Late", "importance=.9")

    shown = graph.show(ref)
    assert (shown["type"], shown["title"], shown["importance"]) == (
        "insight",
        "Late",
        0.9,
    )
    assert shown["path"].startswith("graph/insights/")
    graph.one("undo", change["change"])
    assert graph.contents() == before


def test_an_edge_gets_a_type_and_a_strength_at_once(graph: Desk) -> None:
    edge = graph.rows("list", "edges", "edge:SOLVES")[0]
    before = graph.contents()

    change = graph.one("set", edge["ref"], "type=CAUSES", "strength=0.35")

    (told,) = (
        row
        for row in graph.rows("list", "edges", "edge:CAUSES")
        if (row["from"], row["to"]) == (edge["from"], edge["to"])
    )
    assert told["strength"] == 0.35
    assert {"file", "outgoing", "incoming"} <= {*told["sides"]}
    graph.one("undo", change["change"])
    assert graph.contents() == before


def test_tags_come_and_go_in_one_change(agents: Desk, ref: str) -> None:
    tags = agents.show(ref)["tags"]

    agents.one("tag", ref, "+glaze", f"-{tags[0]}")

    assert agents.show(ref)["tags"] == [*tags[1:], "glaze"]
    assert len(agents.rows("history")) == 1


def test_what_was_put_away_comes_back(agents: Desk, ref: str) -> None:
    agents.one("archive", ref)
    assert agents.show(ref)["archived"]

    agents.one("restore", ref)

    assert not agents.show(ref)["archived"]


def test_a_memory_counts_as_recalled(graph: Desk, agents: Desk) -> None:
    for store in (graph, agents):
        ref = store.memory("!is:archived")["ref"]
        before, files = store.show(ref)["access_count"], store.contents()

        assert store.one("touch", ref, "--dry-run")["steps"]
        assert store.contents() == files
        assert store.one("touch", ref)["action"].startswith("touch ")
        assert store.show(ref)["access_count"] == before + 1

        store.run("undo")
        assert store.contents() == files
