"""Help for commands and topics: grouped, with examples that work."""

import shlex

import pytest

from store.search.parse import parse
from tests.tui.cli.machine import Machine
from tui.cli.arguments import ARGUMENTS
from tui.cli.parser import parser
from tui.cli.topics import TOPICS
from tui.cli.words import with_words_last
from tui.names import COMMANDS, SECTIONS, Command


def test_every_command_has_its_arguments() -> None:
    assert ARGUMENTS.keys() == {command.name for command in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_examples_of_a_command_can_be_typed(command: Command) -> None:
    for example in command.examples:
        words = with_words_last(shlex.split(example))
        assert parser(command.name).parse_args(words).command == command.name


def test_the_help_lists_commands_under_headings(machine: Machine) -> None:
    text = machine.run("help").out

    places = [text.index(f"\n{heading}:\n") for heading in SECTIONS]
    assert places == sorted(places)
    assert "positional arguments" not in text
    assert "\n\noptions:\n" in text


def test_the_help_of_a_command_ends_with_two_examples(machine: Machine) -> None:
    answer = machine.run("help", "undo")

    assert answer == machine.run("undo", "--help")
    assert answer.out.endswith(
        "examples:\n  recollect undo\n  recollect undo 3f2a --dry-run\n"
    )


@pytest.mark.parametrize("topic", ["browse", *TOPICS])
def test_a_topic_is_explained_and_named_in_the_help(
    machine: Machine, topic: str
) -> None:
    answer = machine.run("help", topic)

    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 88
    assert topic in machine.run("--help").out


@pytest.mark.parametrize("word", ["config", "configuration", "configure"])
def test_topics_have_other_names(machine: Machine, word: str) -> None:
    assert machine.run("help", word) == machine.run("help", "settings")
    assert "`recollect help settings`" in machine.run(word).err
    assert "did you mean 'search'?" in machine.run("help", "find").err


def test_the_queries_of_the_topic_are_understood() -> None:
    text = TOPICS["query"]
    for line in text.splitlines():
        if line.startswith("  ") and line[2] != " ":
            for query in line[2:].split("  ")[:1]:
                assert not parse(query, None, is_finished=True).complaints, query


def test_an_unknown_topic_is_named_with_the_nearest(machine: Machine) -> None:
    answer = machine.run("help", "qqery")

    assert answer.code == 2
    assert "unknown command or topic 'qqery'; did you mean 'query'?" in answer.err
