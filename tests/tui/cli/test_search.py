"""`search QUERY`: the best hits first, with the matching text."""

import re
from pathlib import Path
from typing import Any

import pytest

from store.text import fold
from tests.tui.cli import promises
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Machine

RANK = promises.fields("kind score similar snippet spans")
QUERIES = ["redis", "redis timeout", '"double booking"', "/re(dis|try)/", "kiln|redis"]
STYLE = re.compile(r"\x1b\[[0-9;]*m|\r\n")


def search(machine: Machine, samples: Path, *more: str) -> list[dict[str, Any]]:
    """The hits, as JSON."""
    command = ("search", *more, "-s", samples, "--now", NOW, "--json")
    answer = machine.run(*command)
    assert answer.code == 0
    return answer.rows


def test_hits_have_the_fields_of_their_record_and_their_rank(
    machine: Machine, samples: Path
) -> None:
    hits = search(machine, samples, "e", "--limit", "100000")

    for kind in ("memories", "edges", "episodes", "messages", "events", "documents"):
        rows = machine.run("list", kind, "-s", samples, "--json", "--now", NOW).rows
        listed = {row["ref"]: row for row in rows}
        found = [hit for hit in hits if hit["ref"] in listed]
        assert found
        for hit in found:
            row = listed[hit["ref"]]
            own = {"own_kind": row.pop("kind")} if "kind" in row else {}
            assert list(hit) == [*row, *own, *RANK]
            assert {**hit, **row, **own} == hit


def test_a_message_keeps_its_own_kind_beside_that_of_the_hit(
    machine: Machine, samples: Path
) -> None:
    hits = search(machine, samples, "kind:prompt", "potters")

    assert {hit["kind"] for hit in hits} == {"message"}
    assert {hit["own_kind"] for hit in hits} == {"prompt"}


@pytest.mark.parametrize("query", QUERIES)
def test_spans_match_the_searched_text_in_the_snippet(
    machine: Machine, samples: Path, query: str
) -> None:
    words = re.compile(query.strip('"/').replace(" ", "|" if query[0] != '"' else " "))
    hits = search(machine, samples, query, "--limit", "500")

    assert hits
    assert any(hit["spans"] for hit in hits)
    for hit in hits:
        for begin, end in hit["spans"]:
            assert words.fullmatch(fold(hit["snippet"][begin:end]))
        ends = [place for span in hit["spans"] for place in span]
        assert ends == sorted(ends)


def test_the_best_hit_comes_first_and_says_why(machine: Machine, samples: Path) -> None:
    hits = search(machine, samples, "redis", "--explain")

    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert "redis" in hits[0]["title"].casefold()
    assert all(hit["reasons"] for hit in hits)
    assert list(hits[0])[-1] == "reasons"


def test_pages_of_hits_add_up_to_the_whole(machine: Machine, samples: Path) -> None:
    whole = search(machine, samples, "redis", "--limit", "500")
    pages = [
        search(machine, samples, "redis", "--limit", "9", "--offset", str(at))
        for at in range(0, len(whole) + 9, 9)
    ]

    assert [hit for page in pages for hit in page] == whole
    assert len(whole) > 9


def test_omitted_hits_are_reported(machine: Machine, samples: Path) -> None:
    command = ("search", "redis", "-s", samples)
    total = len(machine.run(*command, "--limit", "500").out.splitlines())
    page = machine.run(*command, "--limit", "2", "--offset", "1")
    beyond = machine.run(*command, "--offset", "500")

    assert len(page.out.splitlines()) == 2
    assert f"2–3 of {total}" in page.err
    assert (beyond.code, beyond.out) == (0, "")
    assert "No more" in beyond.err


def test_similar_hits_are_marked_and_reported(machine: Machine, samples: Path) -> None:
    answer = machine.run("search", "rdeis", "-s", samples, "--json")

    assert answer.rows
    assert all(hit["similar"] and not hit["spans"] for hit in answer.rows)
    assert answer.err == f"recollect: No exact match; {len(answer.rows)} similar.\n"


def test_only_names_about_as_similar_as_the_best_are_listed(
    machine: Machine, samples: Path
) -> None:
    command = ("list", "memories", "postgers", "-s", samples, "--now", NOW, "--json")
    rows = machine.run(*command).rows

    assert rows
    assert all("postgres" in str(row).casefold() for row in rows)


@pytest.mark.parametrize("rest", [(), ("pg_upgrade",)])
def test_a_tilde_ranks_like_the_search_for_typos(
    machine: Machine, samples: Path, rest: tuple[str, ...]
) -> None:
    near = search(machine, samples, "~postgers", *rest, "--explain")
    plain = search(machine, samples, "postgers", *rest)

    assert "postgres" in near[0]["title"].casefold()
    assert near[0]["ref"] == plain[0]["ref"]
    assert "name is similar" in " ".join(near[0]["reasons"])


def test_a_search_without_results_succeeds_too(machine: Machine, samples: Path) -> None:
    answer = machine.run("search", "zzzzqqqq", "-s", samples)

    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "recollect: No matches.\n"


@pytest.mark.parametrize("query", [[], [""], ["  "], ["()"], ["|"]])
def test_an_empty_search_is_wrong_use(
    machine: Machine, samples: Path, query: list[str]
) -> None:
    answer = machine.run("search", *query, "-s", samples)

    assert (answer.code, answer.out) == (2, "")


def test_a_pipe_gets_one_hit_per_line_with_tabs(
    machine: Machine, samples: Path
) -> None:
    hits = search(machine, samples, "redis")
    plain = machine.run("search", "redis", "-s", samples, "--now", NOW)
    why = machine.run("search", "redis", "-s", samples, "--now", NOW, "--explain")

    cells = [line.split("\t") for line in plain.out.splitlines()]
    assert [row[:2] for row in cells] == [[hit["ref"], hit["kind"]] for hit in hits]
    assert {len(row) for row in cells} == {6}
    assert {len(line.split("\t")) for line in why.out.splitlines()} == {7}


def test_on_a_terminal_matches_are_highlighted(machine: Machine, samples: Path) -> None:
    answer = machine.in_terminal(
        "search", "redis", "-s", samples, "--limit", "5", "--explain", columns=100
    )

    assert answer.code == 0
    assert re.search(r"\x1b\[1;4mredis", answer.out, re.IGNORECASE)
    assert "\x1b" not in STYLE.sub("", answer.out)
    shown = STYLE.sub("\n", answer.out).splitlines()
    assert all(len(line) <= 100 for line in shown)


def test_a_negated_word_is_in_no_hit(machine: Machine, samples: Path) -> None:
    hits = search(machine, samples, "redis", "-timeout", "--limit", "500")

    assert hits
    for hit in hits:
        assert "timeout" not in str(hit.get("title")).casefold()


def test_everything_but_a_word_can_be_searched(machine: Machine, samples: Path) -> None:
    assert search(machine, samples, "-redis", "--limit", "3")
    assert search(machine, samples, "tag:redis", "--limit", "3")


def test_what_was_probably_meant_is_said(machine: Machine, samples: Path) -> None:
    def told(*words: str) -> str:
        answer = machine.run("search", *words, "-s", samples)
        assert (answer.code, answer.out) == (0, "")
        return answer.err

    assert re.search(r"^recollect: 0 of \d+\.$", told("redis", "--limit", "0"))
    assert "`recollect list memories`" in told("redis", "kind:memory")
    assert "recollect list" not in told("kind:prompt", "nothinglikeit")
