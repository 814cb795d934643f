"""An impossible command says why, in the status line."""

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting

REASONS = {
    ("H",): "Nothing to go back to.",
    ("L",): "Nothing to go forward to.",
    ("g", "p"): "Mark two memories first, with space.",
    ("n",): "No search active. Press / to search.",
    ("y", "q"): "No search active. Press / to search.",
    ("6", "asterisk"): "Only memories can be compared.",
}

IN_AN_EMPTY_LIST = {
    "The list is empty.": ("s", "S", "space", "v", "V", "a", "tilde"),
    "No record selected.": (
        "enter",
        "J",
        "K",
        "o",
        "right_square_bracket",
    ),
}


async def test_an_impossible_command_says_why(library: Library) -> None:
    async with visiting(library) as visit:
        for keys, reason in REASONS.items():
            await visit.press(*keys)
            assert reason in visit.status
            await visit.press("1")
            assert reason not in visit.status


async def test_a_fix_is_shown_before_it_is_allowed(library: Library) -> None:
    async with visiting(library, (100, 30)) as visit:
        await visit.press("6", "x")
        assert "─ plan ─" in visit.text
        assert "⚠ This session is read-only." in visit.text

        await visit.press("enter")
        assert "│ v show diff   esc cancel" in visit.text, "enter applies nothing"


async def test_a_change_that_never_works_says_on_what(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.ask("format:notes")
        await visit.press("r")
        told = "Link doesn't work on memories of the format notes."
        assert told in visit.status
        await visit.press("escape", "escape", "8")
        await visit.ask("store:projects")
        await visit.press("p")
        told = "Pin / unpin doesn't work on messages of the format transcripts."
        assert told in visit.status


async def test_an_empty_list_offers_few_commands(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.ask("importance>2")
        assert visit.table.count() == 0
        assert "No memory matches `importance>2`" in "\n".join(
            visit.pane("list-memories")
        )
        for reason, keys in IN_AN_EMPTY_LIST.items():
            for key in keys:
                await visit.press(key)
                assert reason in visit.status


@pytest.mark.parametrize("key", ["l", "right"])
async def test_without_links_there_is_nothing_to_follow(
    library: Library, key: str
) -> None:
    async with visiting(library) as visit:
        await visit.ask("is:orphan -is:onesided")
        await visit.press(key)
        assert "This record has no links." in visit.status


async def test_one_store_leaves_no_choice(library: Library) -> None:
    every = library.stores.found
    library.stores.choose(every[:1])
    try:
        async with visiting(library) as visit:
            await visit.press("g", "s")
            assert "Only one store is open." in visit.status
    finally:
        library.stores.choose(every)


async def test_a_query_that_leaves_no_room_has_its_mistake_below(
    library: Library,
) -> None:
    async with visiting(library, (80, 24)) as visit:
        await visit.press("slash")
        await visit.pilot.press(*"importance<.9 strength<.3 crxated<30d")
        assert "did you mean" not in visit.status
        await visit.press("enter")
        assert "Unknown field 'crxated'; did you mean 'created'?" in visit.status
        await visit.ask("crxated<30d")
        assert "did you mean 'created'" in visit.screen[1]
        assert "did you mean" not in visit.status


async def test_a_key_without_a_meaning_says_so(library: Library) -> None:
    async with visiting(library) as visit:
        for key, looks in (("x", "x"), ("f5", "F5"), ("ctrl+w", "^w")):
            await visit.press(key)
            assert f"{looks} does nothing here. ? lists all keys." in visit.status
        await visit.press("j")
        assert "does nothing" not in visit.status

        await visit.press("slash", "x", "f5")
        assert visit.query == "x"
        assert "does nothing" not in visit.status


async def test_a_chord_shows_the_next_keys_and_can_be_left(library: Library) -> None:
    async with visiting(library) as visit:
        before = visit.screen
        await visit.press("g")
        strip = "\n".join(visit.pane("strip"))
        assert "g top" in strip
        assert "s store" in strip
        assert "p path" in strip
        assert not visit.pane("hints")

        await visit.press("x")
        assert not visit.pane("strip")
        assert "gx does nothing here. ? lists all keys." in visit.status
        await visit.press("g", "escape")
        assert visit.screen[:-2] == before[:-2]
