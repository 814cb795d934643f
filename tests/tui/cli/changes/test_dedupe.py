"""Duplicates are found and merged."""

import pytest

from tests.tui.cli.changes.stores import Desk
from tests.tui.cli.conftest import NOW


@pytest.fixture
def redis(graph: Desk) -> list[str]:
    """Two nearly identical memories of the graph, older one first."""
    return [row["ref"] for row in graph.rows("dedupe")]


def test_duplicates_are_listed_with_the_first_of_each_group(
    graph: Desk, agents: Desk, redis: list[str]
) -> None:
    first, second = graph.rows("dedupe", "--now", NOW)
    assert first["of"] == second["of"] == first["ref"]
    assert first["created"] < second["created"]
    assert 0.4 < first["share"] < 1
    assert (first["nearest"], second["nearest"]) == (second["ref"], first["ref"])
    assert list(first)[-4:] == ["of", "share", "why", "nearest"]

    copies = agents.rows("dedupe")
    assert {row["why"] for row in copies} == {"same id"}
    assert len({row["id"] for row in copies}) == 1
    assert graph.rows("dedupe", redis[1], "--now", NOW) == [first, second]
    alone = graph.memory("is:pinned")["ref"]
    assert graph.run("dedupe", alone).out == ""


def test_all_texts_are_joined_and_undo_restores_them(
    graph: Desk, redis: list[str]
) -> None:
    before, texts = graph.contents(), [graph.show(ref)["body"] for ref in redis]

    graph.one("dedupe", redis[1], "--way", "merge", "--yes")

    left = graph.show(redis[0])
    assert all(text.strip() in left["body"] for text in texts)
    assert {"worker", "production"} <= set(left["tags"])
    assert graph.run("show", redis[1]).code == 1
    assert graph.run("dedupe").out == ""
    graph.run("undo")
    assert graph.contents() == before


@pytest.mark.parametrize(("way", "stays"), [("first", 0), ("newest", 1)])
def test_one_memory_keeps_its_text(
    graph: Desk, redis: list[str], way: str, stays: int
) -> None:
    text = graph.show(redis[stays])["body"]

    graph.one("dedupe", redis[0], "--way", way, "--yes")

    assert graph.show(redis[stays])["body"] == text
    assert graph.run("show", redis[1 - stays]).code == 1


@pytest.mark.parametrize("way", ["first", "newest", "merge"])
def test_of_copies_with_one_id_one_stays(agents: Desk, way: str) -> None:
    before = agents.contents()
    first, second = agents.rows("dedupe")

    agents.one("dedupe", second["ref"], "--way", way, "--yes")

    (left,) = [one for one in agents.memories() if one["id"] == first["id"]]
    told = "Tests have to open two connections." in agents.show(left["ref"])["body"]
    assert told == (way != "first")
    agents.run("undo")
    assert agents.contents() == before


def test_nothing_is_merged_without_a_request(graph: Desk, redis: list[str]) -> None:
    before = graph.contents()

    assert graph.run("dedupe", redis[0], "--way", "merge").code == 2
    assert graph.run("dedupe", "--way", "merge").code == 2
    alone = graph.memory("is:pinned")["ref"]
    refused = graph.run("dedupe", alone, "--way", "first", "--yes")
    assert refused.code == 1
    assert "has no duplicates" in refused.err
    plan = graph.one("dedupe", redis[0], "--way", "first", "--dry-run")
    assert plan["steps"]
    assert graph.contents() == before


def test_a_review_shows_similar_memories(graph: Desk, redis: list[str]) -> None:
    assert [row["ref"] for row in graph.rows("review", "duplicates")] == redis
