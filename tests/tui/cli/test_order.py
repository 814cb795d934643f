"""Options may be between the words of a report, which may begin with a dash."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.cli.machine import Machine
from tui.cli.words import first_word, unaliased, with_words_last

WORDS = st.lists(st.sampled_from(["a", "1", "-home-zoe/b.jsonl", "-Users-x", "-", ""]))
OPTIONS = st.lists(
    st.sampled_from([("--json",), ("-s", "ask"), ("--now", "-1"), ("-s/x",), ("-h",)])
)


@given(WORDS, OPTIONS, OPTIONS, st.data())
def test_words_and_options_keep_their_order(
    words: list[str],
    before: list[tuple[str, ...]],
    options: list[tuple[str, ...]],
    data: st.DataObject,
) -> None:
    places = data.draw(st.permutations(range(len(words) + len(options))))
    mixed = _merged([(word,) for word in words], options, places)
    start = [part for option in before for part in option]

    ordered = with_words_last([*start, "report", *mixed])

    told = [part for option in options for part in option]
    behind = ["--", *words] if words else []
    assert ordered == [*start, "report", *told, *behind]


def _merged(
    words: list[tuple[str, ...]], options: list[tuple[str, ...]], places: list[int]
) -> list[str]:
    """Words and options mixed in any order that keeps each sequence."""
    left, right = iter(words), iter(options)
    return [
        part
        for place in places
        for part in (next(left) if place < len(words) else next(right))
    ]


def test_after_two_dashes_everything_is_a_word() -> None:
    argv = ["report", "search", "--", "--json", "-s"]

    assert with_words_last(argv) == ["report", "--", "search", "--json", "-s"]


def test_other_commands_are_left_unchanged() -> None:
    for argv in (["show", "a", "--json"], ["-s", "report"], ["-s", "report", "stores"]):
        assert with_words_last(argv) == argv
    assert first_word(["-s", "report", "--json", "list"]) == "list"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--limit 3 list memories", "--limit belongs after `list`.\n"),
        ("--at 2026-08-01 list memories", "--at belongs after `list`.\n"),
        ("--gap=30 --json list conversations", "--gap belongs after `list`.\n"),
        ("-s query --dry-run tag a +b", "--dry-run belongs after `tag`.\n"),
        ("--theme foo list", "`list` has no option --theme; see recollect list --help"),
    ],
)
def test_an_option_before_its_command_is_named(
    machine: Machine, words: str, told: str
) -> None:
    answer = machine.run(*words.split())

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"recollect: {told}")


def test_a_value_before_the_command_may_be_called_like_a_word(machine: Machine) -> None:
    answer = machine.run("--store", "kind", "list")

    assert "belongs after" not in answer.err
    assert answer.code == 1


def test_a_transcript_is_named_by_its_printed_path(
    machine: Machine, samples: Path
) -> None:
    one = ("report", "import-check", "--json", "-s", samples)
    path = machine.run(*one).rows[0]["path"]
    assert path.startswith("-home-")

    answer = machine.run("report", "lines", "-s", samples, path, "--json", "1", "2")

    assert (answer.code, answer.err) == (0, "")
    assert [row["line"] for row in answer.rows] == [1, 2]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], []),
        (["-n"], ["-n"]),
        (["-n", "3"], ["--limit", "3"]),
        (["memories", "-n", "3", "redis"], ["memories", "--limit", "3", "redis"]),
        (["-n", "redis"], ["-n", "redis"]),
        (["--", "-n", "3"], ["--", "-n", "3"]),
    ],
)
def test_n_before_a_number_is_the_limit_of_lists(
    words: list[str], expected: list[str]
) -> None:
    for command in ("list", "search", "export"):
        assert unaliased([command, *words]) == [command, *expected]
    assert unaliased(["tag", *words]) == ["tag", *words]


@given(WORDS)
def test_no_words_are_lost(words: list[str]) -> None:
    assert unaliased(["list", *words]) == ["list", *words]
