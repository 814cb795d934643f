"""Hints, the keys after a prefix, and the page of keys, from one register."""

import pytest

from tui.commands.command import Scope, Situation, chain
from tui.commands.registry import (
    GAP,
    NEEDED,
    REGISTRY,
    Keyed,
    Listing,
    following,
    hints,
)
from tui.keys import Keymap, remap

USUAL = REGISTRY.usual_keys
KEYED = Keyed(REGISTRY, USUAL)
AT_A_MEMORY = Situation(rows=9, has_record=True, links=2, stores=2, has_file=True)


def told(scope: Scope, width: int, keymap: Keymap = USUAL) -> list[str]:
    return [
        f"{hint.key} {hint.word}"
        for hint in hints(Keyed(REGISTRY, keymap), scope, AT_A_MEMORY, width)
    ]


def listing(situation: Situation = AT_A_MEMORY, keymap: Keymap = USUAL) -> Listing:
    return Listing(Keyed(REGISTRY, keymap), Scope.MEMORIES, situation)


def test_hints_name_available_commands_and_end_with_all_keys() -> None:
    row = told(Scope.MEMORIES, 76)

    assert row[0] == "l links"
    assert "↵ read" in row
    assert "/ search" in row
    assert row[-2:] == [": command", "? help"]


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("width", [20, 40, 76, 200])
def test_hints_stay_within_the_width(scope: Scope, width: int) -> None:
    row = hints(KEYED, scope, AT_A_MEMORY, width)

    assert sum(hint.width for hint in row) + GAP * max(len(row) - 1, 0) <= width


def test_hints_grow_with_the_width() -> None:
    few, many = told(Scope.MEMORIES, 40), told(Scope.MEMORIES, 120)

    assert few[:-2] == many[: len(few) - 2]
    assert len(few) < len(many)


def test_the_keys_of_tabs_are_told_where_the_tabs_are() -> None:
    assert "[ ] tabs" in told(Scope.READER, 76)
    assert not [hint for hint in told(Scope.MEMORIES, 200) if hint.endswith("tabs")]


def test_in_text_fields_hints_name_no_letters() -> None:
    assert told(Scope.QUERY, 76) == [
        "↵ list",
        "tab complete",
        "^r history",
        "F1 help",
    ]


def test_hints_name_the_users_keys() -> None:
    changed = remap(USUAL, {"filter": (["\\"], 1), "mark": ([], 2)}, NEEDED)

    row = told(Scope.MEMORIES, 200, changed.keymap)

    assert "\\ search" in row
    assert not [hint for hint in row if hint.endswith(" mark")]


def test_keys_can_be_written_in_ascii() -> None:
    keyed = Keyed(REGISTRY, USUAL, in_ascii=True)

    row = hints(keyed, Scope.MEMORIES, AT_A_MEMORY, 76)

    assert "Enter" in [hint.key for hint in row]


def test_a_hint_says_that_a_command_would_undo_what_was_done() -> None:
    possible = {"pin": "", "archive": ""}
    state = frozenset({"pin"})
    pinned = Situation(rows=9, has_record=True, possible=possible, reverses=state)

    words = [hint.word for hint in hints(KEYED, Scope.MEMORIES, pinned, 200)]

    assert "unpin" in words
    assert "archive" in words


def test_a_hint_knows_whether_it_is_possible() -> None:
    row = hints(KEYED, Scope.MEMORIES, Situation(), 76)

    assert {hint.word for hint in row if hint.is_possible} >= {"search", "help"}
    assert "read" not in {hint.word for hint in row}
    assert hints(KEYED, Scope.QUESTION, AT_A_MEMORY, 76) == ()


def test_the_strip_of_a_prefix_shows_the_reasons() -> None:
    rows = following(KEYED, Scope.MEMORIES, Situation(), ("g",))

    nothing_here = "No record selected."
    assert [(row.key, row.title, row.why_not) for row in rows] == [
        ("?", "Signs and types", None),
        ("@", "Changes since then", "You are viewing the present."),
        ("R", "Reports", None),
        ("a", "What agents read", None),
        ("c", "Source message", nothing_here),
        ("e", "Related episode", nothing_here),
        ("f", "Search by meaning", None),
        ("g", "Top", None),
        ("h", "Problems", nothing_here),
        ("m", "Related memories", nothing_here),
        ("n", "What's new", None),
        ("p", "Path between two", "Mark two memories first, with space."),
        ("q", "Recall for a prompt", None),
        ("r", "Review", None),
        ("s", "Go to store", "Only one store is open."),
        ("u", "Undo in all stores", None),
        ("v", "Pinned memories", None),
    ]


def test_every_way_to_copy_follows_y() -> None:
    rows = following(KEYED, Scope.READER, AT_A_MEMORY, ("y",))

    copies = {
        keys[1]
        for command in REGISTRY.commands
        if command.scope in chain(Scope.READER)
        for keys in map(str.split, command.keys)
        if keys[0] == "y"
    }

    assert [row.key for row in rows] == sorted(copies)
    assert [row.title for row in rows if row.why_not] == ["Copy query"]


def test_the_page_of_keys_has_headings() -> None:
    groups = dict(listing().grouped())

    assert "Mark" in [entry.title for entry in groups["marking"]]
    assert [len(entries) for entries in groups.values()]
    assert sum(map(len, groups.values())) == len(listing().entries)


def test_an_entry_says_why_it_is_not_possible() -> None:
    entries = {entry.command: entry for entry in listing(Situation()).entries}

    assert entries["read"].why_not == "No record selected."
    assert entries["next-hit"].why_not
    assert entries["quit"].why_not is None
    assert {
        entry.why_not for entry in listing().entries if entry.command == "read"
    } == {None}


def test_an_entry_shows_the_current_keys() -> None:
    changed = remap(USUAL, {"top": (["g k", "home"], 1)}, NEEDED).keymap
    entries = {entry.command: entry for entry in listing(keymap=changed).entries}

    assert entries["top"].keys == ("gk", "Home")
    assert entries["live"].keys == ()


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("theme", "theme"),
        ("themw", "theme"),
        ("colours", "theme"),
        ("copy path", "copy-path"),
        ("quit", "quit"),
        ("yp", "copy-path"),
        ("^d", "half-page-down"),
        (" / ", "filter"),
        ("duplicate", "dedupe"),
        ("duplicates", "dedupe"),
    ],
)
def test_a_command_is_found_by_title_help_or_key(typed: str, command: str) -> None:
    assert listing().similar(typed)[0].command == command


def test_an_empty_search_lists_everything_and_nonsense_nothing() -> None:
    assert listing().similar(" ") == listing().entries
    assert listing().similar("qqqqxxxx") == []
