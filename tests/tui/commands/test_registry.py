"""The register of commands: its keys work and never clash."""

import re

import pytest
from textual.app import App
from textual.widgets import Input

from tui.commands.command import TYPING, Command, Scope, Situation, chain
from tui.commands.registry import NEEDED, REGISTRY, Keyed, Listing
from tui.keys import refusal, spelt

LENT_BY_TEXTUAL = {"quit", "suspend"}
"""The commands that Textual carries out."""

NAMED_AS_IN_TEXTUAL = {"page-down", "page-up"}
"""Commands of the browser that all widgets of Textual have, too; ours comes first."""

KEYED = Keyed(REGISTRY, REGISTRY.usual_keys)

every_command = pytest.mark.parametrize(
    "command", REGISTRY.commands, ids=lambda command: command.id
)


def test_no_command_is_registered_twice() -> None:
    ids = [command.id for command in REGISTRY.commands]

    assert sorted(ids) == sorted(set(ids))


def test_no_key_means_two_commands_anywhere() -> None:
    assert list(REGISTRY.usual_keys.clashes()) == []


@every_command
def test_keys_are_valid_and_available(command: Command) -> None:
    for text in command.keys:
        assert spelt(text), text
        assert refusal(spelt(text), is_typing=command.scope in TYPING) is None


@every_command
def test_a_command_can_be_named_in_the_settings(command: Command) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", command.id)


@every_command
def test_a_command_has_a_description(command: Command) -> None:
    assert command.title[0].isupper()
    assert not command.title.endswith(".")
    assert command.help.endswith(".")
    assert not command.hint or command.keys


@every_command
def test_a_command_is_found_in_palette_and_help_by_its_title(command: Command) -> None:
    listing = Listing(KEYED, command.scope, Situation())

    assert command.id in [entry.command for entry in listing.entries]
    assert command.title in [entry.title for entry in listing.similar(command.title)]


@every_command
def test_a_handler_does_not_shadow_one_of_textual(command: Command) -> None:
    taken = hasattr(App, command.handler) or hasattr(Input, command.handler)

    assert taken == (command.id in LENT_BY_TEXTUAL | NAMED_AS_IN_TEXTUAL)


def test_essential_commands_exist() -> None:
    needed = [REGISTRY.command(one) for one in NEEDED]

    assert all(command.keys for command in needed)
    assert {"q", "escape", ":", "?"} <= {
        key for command in REGISTRY.commands for key in command.keys
    }


def test_a_pane_has_its_own_keys_and_those_around_it() -> None:
    assert chain(Scope.MEMORIES) == (
        Scope.MEMORIES,
        Scope.LIST,
        Scope.ROWS,
        Scope.RECORD,
        Scope.APP,
        Scope.EVERYWHERE,
    )
    assert chain(Scope.QUERY) == (Scope.QUERY, Scope.EVERYWHERE)


@pytest.mark.parametrize(
    ("scope", "keys", "command"),
    [
        (Scope.MEMORIES, "l", "into-links"),
        (Scope.EDGES, "l", "go-to-end"),
        (Scope.READER, "l", "follow-link"),
        (Scope.LINKS, "space", "unfold"),
        (Scope.LINKS, "j", "down"),
        (Scope.EDGES, "space", "mark"),
        (Scope.READER, "y p", "copy-path"),
        (Scope.READER, "g g", "top"),
        (Scope.QUERY, "ctrl+p", "query-up"),
        (Scope.LINKS, "ctrl+p", "palette"),
        (Scope.QUERY, "ctrl+q", "quit"),
        (Scope.POPUP, "escape", "step-back"),
    ],
)
def test_the_same_key_has_the_meaning_of_its_place(
    scope: Scope, keys: str, command: str
) -> None:
    assert REGISTRY.usual_keys.meanings(scope)[spelt(keys)] == command


def test_in_text_fields_no_letter_is_a_command() -> None:
    for scope in TYPING:
        meanings = REGISTRY.usual_keys.meanings(scope)
        assert all(len(keys[0]) > 1 and keys[0] != "space" for keys in meanings)
