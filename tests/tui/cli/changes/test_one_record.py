"""One record is changed, reported in a sentence, and restored."""

import re

import pytest

from tests.tui.cli.changes.stores import Desk

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
    """A memory that is neither important nor archived."""
    found = agents.memories("type:learning", "!is:archived")
    return next(row["ref"] for row in found if row["importance"] != "high")


def words(act: tuple[str, ...], ref: str) -> list[str]:
    return [ref if word == "REF" else word for word in act]


@pytest.mark.parametrize(("act", "done"), ACTS)
def test_a_change_is_reported_in_one_line_with_its_undo(
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
def test_a_dry_run_shows_the_diff_and_writes_nothing(
    agents: Desk, ref: str, act: tuple[str, ...]
) -> None:
    before = agents.contents()

    plan = agents.one(*words(act, ref), "--dry-run")
    shown = agents.run(*words(act, ref), "--dry-run")

    assert list(plan) == ["action", "steps", "warnings", "refs", "titles", "count"]
    assert plan["refs"] == [ref]
    assert plan["action"].split()[0] == act[0]
    for step in plan["steps"]:
        assert list(step) == ["path", "before", "after", "diff", "brief"]
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
def test_a_read_only_session_changes_nothing(
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


def test_a_read_only_record_can_be_planned(agents: Desk, ref: str) -> None:
    plan = agents.one("tag", ref, "+glaze", "--dry-run", "--read-only")

    assert plan["steps"]


def test_a_tag_that_is_not_there_or_has_no_sign_is_named(
    agents: Desk, ref: str
) -> None:
    agents.run("tag", ref, "+glaze")

    missing = agents.run("tag", ref, "+cone", "-glaz", "--dry-run")
    assert (missing.code, bool(missing.out)) == (0, True)
    assert "No tag 'glaz' to remove; did you mean 'glaze'?" in missing.err
    plain = agents.run("tag", ref, "glaze")
    assert (plain.code, plain.out) == (2, "")
    assert "'glaze' is no tag: +TAG adds one" in plain.err


def test_setting_the_same_value_succeeds_without_a_change(
    agents: Desk, ref: str
) -> None:
    agents.run("tag", ref, "+glaze")
    before = agents.contents()

    again = agents.run("tag", ref, "+glaze")
    change = agents.one("tag", ref, "+glaze")

    assert (again.code, again.out) == (0, "")
    assert "Nothing to change" in again.err
    assert list(change) == CHANGE
    assert (change["change"], change["undo"], change["paths"]) == (None, None, [])
    assert agents.contents() == before


def test_a_record_of_another_kind_is_reported(agents: Desk) -> None:
    document = agents.rows("list", "documents")[0]["ref"]

    answer = agents.run("pin", document)

    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1


def test_an_unknown_name_is_reported(agents: Desk) -> None:
    answer = agents.run("pin", "memory:fffffffff")

    assert (answer.code, answer.out) == (1, "")
    assert "No record matches" in answer.err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pin", "Give a REF"),
        ("tag memory:5b", "No tags given"),
        ("tag memory:5b +", "'+' is no tag"),
        ("set memory:5b", "Give at least one FIELD=VALUE"),
        ("set memory:5b =x", "No field name in"),
        ("pin memory:5b --query x", "not both"),
        ("link a", "REF"),
        ("link a b --type x --strength 2", "0 to 1"),
        ("unlink a b c", "both its ends"),
        ("append story", "'story'"),
        ("new --body x", "needs --title"),
        ("new --title x --field y", "Invalid FIELD=VALUE"),
        ("archive memory:5b --due", "--due can't be combined"),
        ("rebuild indx", "'index'"),
        ("move memory:5b", "--to"),
    ],
)
def test_wrong_use_is_reported_in_one_sentence(
    agents: Desk, line: str, told: str
) -> None:
    answer = agents.run(*line.split())

    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert answer.err.count("\n") == 1


def test_several_fields_are_one_change_and_all_must_be_possible(
    agents: Desk, ref: str
) -> None:
    before = agents.contents()
    refused = agents.run("set", ref, "category=kiln", "importance=enormous")
    assert refused.code == 2
    assert agents.contents() == before

    change = agents.one("set", ref, "category=kiln", "importance=high")

    shown = agents.show(ref)
    assert (shown["importance"], shown["fields"]["category"]) == ("high", "kiln")
    agents.one("undo", change["change"])
    assert agents.contents() == before


def test_no_field_is_added_without_a_request(agents: Desk, ref: str) -> None:
    before = agents.contents()

    refused = agents.run("set", ref, "importanc=high")

    assert refused.code == 2
    assert refused.err == (
        "recollect: Unknown field 'importanc'. Did you mean 'importance'?"
        " --add adds a new field.\n"
    )
    assert agents.contents() == before
    agents.one("set", ref, "mood=calm", "--add")
    assert agents.show(ref)["fields"]["mood"] == "calm"
    agents.one("set", ref, "mood=glad")
    assert agents.show(ref)["fields"]["mood"] == "glad"


def test_a_new_type_and_title_move_the_file_in_one_change(
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


def test_tags_are_added_and_removed_in_one_change(agents: Desk, ref: str) -> None:
    tags = agents.show(ref)["tags"]

    agents.one("tag", ref, "+glaze", f"-{tags[0]}")

    assert agents.show(ref)["tags"] == [*tags[1:], "glaze"]
    assert len(agents.rows("history")) == 1


def test_an_archived_memory_can_be_restored(agents: Desk, ref: str) -> None:
    agents.one("archive", ref)
    assert agents.show(ref)["archived"]

    agents.one("restore", ref)

    assert not agents.show(ref)["archived"]


def test_a_recall_is_counted(graph: Desk, agents: Desk) -> None:
    for store in (graph, agents):
        ref = store.memory("!is:archived")["ref"]
        before, files = store.show(ref)["access_count"], store.contents()

        assert store.one("touch", ref, "--dry-run")["steps"]
        assert store.contents() == files
        assert store.one("touch", ref)["action"].startswith("touch ")
        assert store.show(ref)["access_count"] == before + 1

        store.run("undo")
        assert store.contents() == files


def test_a_pinned_memory_has_nothing_to_restore(graph: Desk) -> None:
    answer = graph.run("restore", graph.memory("is:pinned")["ref"])

    assert answer.code == 1
    assert "isn't archived; nothing to restore." in answer.err


def test_removing_a_field_that_is_not_there_does_not_advise_to_add_it(
    graph: Desk, agents: Desk
) -> None:
    for store in (graph, agents):
        ref = store.memory("!has:problems")["ref"]

        assert "--add" in store.run("set", ref, "nowhere=x").err
        answer = store.run("set", ref, "nowhere=")
        assert answer.code == 2
        assert answer.err == "recollect: Unknown field 'nowhere'.\n"


def test_an_archived_memory_shows_the_importance_that_comes_back(graph: Desk) -> None:
    ref = graph.memory("!is:pinned", "importance>0", "!has:problems")["ref"]
    known = graph.show(ref)["importance"]
    graph.one("archive", ref)

    shown = graph.machine.in_terminal("show", ref, "-s", graph.store, columns=80).out
    place = ("list", f"ref:{ref}", "-s", graph.store)
    row = graph.machine.in_terminal(*place, columns=120).out.splitlines()[-1]

    assert f"importance once restored  {known}" in shown
    assert row.count("0.00") == 1
    assert graph.machine.run(*place).out.count("\t0.00\t") == 1
