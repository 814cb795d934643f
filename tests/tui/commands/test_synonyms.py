"""A command is found by the words of git, vim and the command line, too."""

import pytest

from tui.commands.command import Scope, Situation
from tui.commands.registry import REGISTRY, Keyed, Listing
from tui.names import COMMANDS

KEYED = Keyed(REGISTRY, REGISTRY.usual_keys)
AT_A_MEMORY = Situation(rows=9, has_record=True, links=2, stores=2, has_file=True)

SYNONYMS = {
    "vault": "pin",
    "backup": "backups",
    "restore": "archive",
    "history": "change-log",
    "rename": "rename",
    "search": "filter",
    "find": "filter",
    "refresh": "read-again",
    "reload": "read-again",
    "config": "settings",
    "settings": "settings",
    "trash": "archive",
    "delete": "delete",
    "dedupe": "dedupe",
    "duplicate": "dedupe",
    "help": "keys",
    "quit": "quit",
    "exit": "quit",
    "graph": "into-links",
    "tags": "tag",
    "export": "export",
    "sort": "sort",
}
"""What is typed, and the command that is among the first two found."""

ON_THE_COMMAND_LINE = {
    "stores": "go-to-store",
    "sync": "read-again",
    "list": "view-memories",
    "search": "filter",
    "queries": "saved-queries",
    "show": "read",
    "links": "into-links",
    "blame": "to-writer",
    "versions": "backups",
    "export": "export",
    "similar": "more-like-this",
    "context": "context",
    "report": "reports",
    "new": "new-memory",
    "edit": "edit",
    "set": "edit-fields",
    "tag": "tag",
    "pin": "pin",
    "unpin": "pin",
    "archive": "archive",
    "restore": "archive",
    "delete": "delete",
    "rename": "rename",
    "move": "move-to-store",
    "copy": "copy-to-store",
    "link": "relate",
    "unlink": "relate",
    "merge": "merge",
    "dedupe": "dedupe",
    "append": "reports",
    "touch": "touch",
    "transit": "transit",
    "review": "review",
    "undo": "undo",
    "redo": "redo",
    "resolve": "resolve",
    "history": "change-log",
    "backups": "backups",
    "return": "backups",
    "rebuild": "rebuild",
    "health": "view-problems",
    "vault": "pin",
    "doctor": "recollect doctor",
    "embed": "by-meaning",
    "demo": "recollect demo",
    "bench": "recollect bench",
}
"""Each command of the command line, and its counterpart in the browser."""

DESTRUCTIVE = {"delete", "merge", "fix-all"}


def found(typed: str, scope: Scope = Scope.MEMORIES) -> list[str]:
    """What a text finds, best first."""
    listing = Listing(KEYED, scope, AT_A_MEMORY)
    return [entry.command for entry in listing.similar(typed)]


@pytest.mark.parametrize(("typed", "command"), SYNONYMS.items())
def test_a_synonym_finds_the_command(typed: str, command: str) -> None:
    assert command in found(typed)[:2]


def test_every_name_of_the_command_line_has_a_counterpart() -> None:
    assert ON_THE_COMMAND_LINE.keys() == {one.name for one in COMMANDS}


@pytest.mark.parametrize(("typed", "command"), ON_THE_COMMAND_LINE.items())
def test_a_name_of_the_command_line_finds_the_command(typed: str, command: str) -> None:
    assert command in found(typed)[:3]


def test_a_command_without_a_counterpart_says_where_it_runs() -> None:
    (entry,) = Listing(KEYED, Scope.MEMORIES, AT_A_MEMORY).similar("doctor")

    assert entry.why_not == "Run `recollect doctor` in a shell."


def test_a_title_that_begins_so_comes_before_one_that_contains_it() -> None:
    titles = [
        entry.title
        for entry in Listing(KEYED, Scope.MEMORIES, AT_A_MEMORY).similar("copy")
    ]

    assert titles.index("Copy path") < len(titles)
    begin = [title.casefold().startswith("copy") for title in titles]
    assert begin == sorted(begin, reverse=True)


def test_a_destructive_command_is_found_by_its_title_alone() -> None:
    for scope in (Scope.MEMORIES, Scope.PROBLEMS):
        words = {
            word
            for entry in Listing(KEYED, scope, AT_A_MEMORY).entries
            for text in (*entry.names, *entry.help.split())
            for word in [text.casefold().strip(".,;:()`")]
        }
        for word in words - {""}:
            for command in DESTRUCTIVE & set(found(word, scope)):
                title = REGISTRY.command(command).title.casefold()
                assert word in title, (word, command)


@pytest.mark.parametrize(
    "typed", ["dlete", "remov", "erase", "mrge", "deleet", "dellte"]
)
def test_a_destructive_command_is_never_a_near_miss(typed: str) -> None:
    assert not DESTRUCTIVE & set(found(typed))
