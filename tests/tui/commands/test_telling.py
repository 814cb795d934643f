"""Hints, what may follow a prefix, and the page of keys, all from one register."""

import pytest

from tui.commands.following import following
from tui.commands.hints import GAP, hints
from tui.commands.keyed import Keyed
from tui.commands.listing import Listing
from tui.commands.registry import NEEDED, REGISTRY
from tui.commands.scopes import Scope
from tui.commands.situation import Situation
from tui.keys.keymap import Keymap
from tui.keys.remap import remap

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


def test_hints_name_what_is_at_hand_and_end_with_the_way_to_the_rest() -> None:
    row = told(Scope.MEMORIES, 76)

    assert row[0] == "l links"
    assert "↵ read" in row
    assert "/ filter" in row
    assert row[-2:] == [": command", "? keys"]


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("width", [20, 40, 76, 200])
def test_hints_keep_to_the_width(scope: Scope, width: int) -> None:
    row = hints(KEYED, scope, AT_A_MEMORY, width)

    assert sum(hint.width for hint in row) + GAP * max(len(row) - 1, 0) <= width


def test_hints_grow_with_the_width() -> None:
    few, many = told(Scope.MEMORIES, 40), told(Scope.MEMORIES, 120)

    assert few[:-2] == many[: len(few) - 2]
    assert len(few) < len(many)


def test_where_one_types_hints_name_no_letters() -> None:
    assert told(Scope.QUERY, 76) == [
        "↵ list",
        "tab complete",
        "^r history",
        "F1 keys",
    ]


def test_hints_name_the_users_keys() -> None:
    changed = remap(USUAL, {"filter": (["\\"], 1), "mark": ([], 2)}, NEEDED)

    row = told(Scope.MEMORIES, 200, changed.keymap)

    assert "\\ filter" in row
    assert not [hint for hint in row if hint.endswith(" mark")]


def test_keys_can_be_told_in_ascii() -> None:
    keyed = Keyed(REGISTRY, USUAL, in_ascii=True)

    row = hints(keyed, Scope.MEMORIES, AT_A_MEMORY, 76)

    assert "Enter" in [hint.key for hint in row]


def test_a_hint_knows_whether_it_is_possible() -> None:
    row = hints(KEYED, Scope.MEMORIES, Situation(), 76)

    assert {hint.word for hint in row if hint.is_possible} >= {"filter", "keys"}
    assert not next(hint for hint in row if hint.word == "read").is_possible


def test_what_may_follow_a_prefix_is_told_with_what_is_in_the_way() -> None:
    rows = following(KEYED, Scope.MEMORIES, Situation(), ("g",))

    nothing_here = "There is no record at the cursor."
    assert [(row.key, row.title, row.why_not) for row in rows] == [
        ("c", "To the message that wrote it", nothing_here),
        ("e", "To the episode that tells of it", nothing_here),
        ("g", "To the top", None),
        ("h", "To what is wrong with it", nothing_here),
        ("m", "To the memories of it", nothing_here),
        ("n", "What is new", None),
        ("p", "The way between two", "Mark two memories first, with space."),
        ("r", "Review memories", None),
        ("s", "Go to a store", "There is only one store to look at."),
        ("v", "To the pinned memories", None),
    ]


def test_every_way_to_copy_follows_y() -> None:
    rows = following(KEYED, Scope.READER, AT_A_MEMORY, ("y",))

    assert [row.key for row in rows] == list("bilmpqty")
    assert [row.title for row in rows if row.why_not] == ["Copy the query"]


def test_the_page_of_keys_stands_under_headings() -> None:
    groups = dict(listing().grouped())

    assert "Mark" in [entry.title for entry in groups["marking"]]
    assert [len(entries) for entries in groups.values()]
    assert sum(map(len, groups.values())) == len(listing().entries)


def test_an_entry_says_why_it_is_not_possible() -> None:
    entries = {entry.command: entry for entry in listing(Situation()).entries}

    assert entries["read"].why_not == "There is no record at the cursor."
    assert entries["next-hit"].why_not
    assert entries["quit"].why_not is None
    assert {
        entry.why_not for entry in listing().entries if entry.command == "read"
    } == {None}


def test_an_entry_shows_the_keys_of_today() -> None:
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
    ],
)
def test_a_command_is_found_by_title_help_or_key(typed: str, command: str) -> None:
    assert listing().similar(typed)[0].command == command


def test_nothing_typed_is_everything_and_nonsense_is_nothing() -> None:
    assert listing().similar(" ") == listing().entries
    assert listing().similar("qqqqxxxx") == []
