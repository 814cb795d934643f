"""`list KIND QUERY`: results, or a sentence about an error in the query."""

import json
from pathlib import Path

import pytest

from tests.tui.cli import promises
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Machine

WRONG = [
    ("memories", "titel:x", "'title'"),
    ("memories", "stage:fadign", "'fading'"),
    ("memories", "is:pined", "'pinned'"),
    ("memories", "i:x", "id, importance, in, is"),
    ("memories", "created<soon", "2026-02-14"),
    ("memories", "importance>much", ".7"),
    ("memories", "/(/", "missing )"),
    ("memories", "tool:Bash", "Memories have no field 'tool'"),
    ("conversations", "prompts>", "'prompts>'"),
]
"""What cannot be understood, and what the sentence about it names."""

RIGHT = ["'", '"', "(", "-", "!", "*", "NEAR(", "a OR b", ";", "%", "\x1b[31m"]
"""What looks like something else and is only text."""


@pytest.mark.parametrize(("kind", "query", "named"), WRONG)
def test_an_invalid_query_is_refused_in_one_sentence(
    machine: Machine, samples: Path, kind: str, query: str, named: str
) -> None:
    answer = machine.run("list", kind, query, "-s", samples)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("recollect: ")
    assert answer.err.count("\n") == 1
    assert answer.err.count(named) == 1


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ('"abc', "A quote isn't closed in '\"abc'; it ends with the query."),
        ('tag:"abc', "A quote isn't closed in 'tag:\"abc'; it ends with the query."),
        ("a(b", "A parenthesis isn't closed in 'a(b'."),
        ("(a b", "A parenthesis isn't closed in '(a b'; it ends with the query."),
        ("redis !", "'!' needs a word after it, so it does nothing here."),
        ("redis | ", "'|' needs a word after it, so it does nothing here."),
        ("created < 7d", "'<' was searched as text; write field<value without spaces."),
    ],
)
def test_what_looks_unfinished_is_reported(
    machine: Machine, samples: Path, query: str, sentence: str
) -> None:
    answer = machine.run("list", "memories", query, "-s", samples, "--json")

    assert answer.code == 0
    assert f"recollect: {sentence}\n" in answer.err


def test_an_unknown_field_leads_to_the_list_of_fields(
    machine: Machine, samples: Path
) -> None:
    answer = machine.run("list", "foo:bar", "-s", samples)

    assert (answer.code, answer.out) == (2, "")
    assert "`recollect help query`" in answer.err
    assert "fades_in" in machine.run("help", "query").out


@pytest.mark.parametrize("query", ["-draft", "!draft", "/re(dis|try)/"])
def test_what_cannot_be_a_kind_is_a_query_for_memories(
    machine: Machine, samples: Path, query: str
) -> None:
    options = ("-s", samples, "--json", "--now", NOW)
    answer = machine.run("list", query, *options)

    assert answer == machine.run("list", "memories", query, *options)
    assert answer.rows


@pytest.mark.parametrize("kind", promises.LISTS)
def test_apparent_errors_are_text(machine: Machine, samples: Path, kind: str) -> None:
    machine.run("sync", "-s", samples)
    for text in RIGHT:
        answer = machine.run("list", kind, text, "--no-sync", "--json")
        assert answer.code == 0
        assert "\x1b" not in answer.err


@pytest.mark.parametrize("kind", promises.LISTS)
def test_negation_works_with_either_sign(
    machine: Machine, samples: Path, kind: str
) -> None:
    def lines(*query: str) -> list[str]:
        answer = machine.run(
            "list", kind, *query, "-s", samples, "--json", "--now", NOW
        )
        assert answer.code == 0
        return answer.out.splitlines()

    everything, found = lines(), lines("a")
    assert lines("-a") == lines("!a") == [x for x in everything if x not in found]
    assert lines("(-a)") == lines("-a", "-a") == lines("-a -a")


@pytest.mark.parametrize("query", ["stage:fading", "store:work", "sessions"])
def test_negated_terms_may_look_like_options(
    machine: Machine, samples: Path, query: str
) -> None:
    more = ("-s", samples, "--json", "--now", NOW)
    answer = machine.run("list", "memories", f"-{query}", *more)

    assert answer == machine.run("list", "memories", f"!{query}", *more)
    assert answer.code == 0


def test_words_may_be_before_and_after_options(machine: Machine, samples: Path) -> None:
    one = machine.run("list", "memories", "redis", "-timeout", "-s", samples)
    other = machine.run("list", "memories", "-s", samples, "redis -timeout")

    assert one == other
    assert one.out


def test_a_list_with_a_query_keeps_its_fields_and_its_sort(
    machine: Machine, samples: Path
) -> None:
    command = ("list", "memories", "-s", samples, "--json", "--now", NOW)
    rows = machine.run(*command, "redis", "--sort", "title").rows

    assert [list(row) for row in rows] == [promises.MEMORY] * len(rows)
    titles = [row["title"].casefold() for row in rows]
    assert titles == sorted(titles)
    page = machine.run(
        *command, "redis", "--sort", "title", "--limit", "2", "--offset", "1"
    )
    assert page.rows == rows[1:3]


def test_without_exact_results_similar_ones_are_shown_and_reported(
    machine: Machine, samples: Path
) -> None:
    command = ("list", "memories", "rdeis", "-s", samples, "--json", "--now", NOW)
    answer = machine.run(*command)

    assert answer.err == f"recollect: No exact match; {len(answer.rows)} similar.\n"
    assert "redis" in answer.rows[0]["title"].casefold()
    assert machine.run(*command, "--limit", "2").rows == answer.rows[:2]
    assert machine.run(*command, "--offset", "1").rows == answer.rows[1:]


@pytest.mark.parametrize(
    "query",
    ["type:fix,fixx", "type:fix|type:fixx", "!type:fixx", "-(zzzz type:fixx)"],
)
@pytest.mark.parametrize("command", [("list", "memories"), ("search", "redis")])
def test_an_unknown_value_is_reported_even_if_records_are_found(
    machine: Machine, samples: Path, command: tuple[str, ...], query: str
) -> None:
    answer = machine.run(*command, query, "-s", samples, "--json", "--limit", "3")

    assert answer.rows
    assert "recollect: No type 'fixx'" in answer.err
    known = query.replace("fixx", "decision")
    answer = machine.run(*command, known, "-s", samples, "--json", "--limit", "3")
    assert "is never" not in answer.err


def test_a_list_without_results_succeeds_too(machine: Machine, samples: Path) -> None:
    answer = machine.run("list", "memories", "zzzzqqqq", "-s", samples)

    assert (answer.code, answer.out) == (0, "")


def test_only_the_beginning_of_an_endless_query_counts(
    machine: Machine, samples: Path
) -> None:
    more = ("-s", samples, "--json", "--now", NOW)
    answer = machine.run("list", "memories", "redis " * 1000, *more)

    first = machine.run("list", "memories", "redis", *more)
    assert answer.out == first.out
    assert "first 4000 characters" in answer.err


def test_new_records_are_those_since_the_last_visit(
    machine: Machine, samples: Path
) -> None:
    command = ("list", "memories", "is:new", "-s", samples, "--json")
    everything = machine.run("list", "memories", "-s", samples, "--json").rows

    assert len(machine.run(*command).rows) == len(everything)
    looks = {row["store"]: 4_000_000_000_000_000 for row in everything}
    graph = next(store for store in looks if store.endswith("graphs/work"))
    machine.state.mkdir(parents=True, mode=0o700, exist_ok=True)
    (machine.state / "looked").write_text(json.dumps(looks), encoding="utf-8")
    assert machine.run(*command).rows == []

    del looks[graph]
    (machine.state / "looked").write_text(json.dumps(looks), encoding="utf-8")
    assert {row["store"] for row in machine.run(*command).rows} == {graph}


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("redis AND timeout", "AND is a word here"),
        ("NOT redis && x", "NOT and && are words here"),
        ('"redis AND timeout"', ""),
        ("redis and timeout, NOTES", ""),
    ],
)
def test_operators_of_other_programs_are_explained(
    machine: Machine, samples: Path, query: str, told: str
) -> None:
    err = machine.run("list", "memories", query, "-s", samples / "code").err

    assert ("here: all words must be there" in err) == bool(told)
    assert told in err
