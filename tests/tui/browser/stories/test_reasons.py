"""What is not possible says why, in the line that tells what happened last."""

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting

REASONS = {
    "There is no place to go back to.": ("H",),
    "There is no place to go forward to.": ("L",),
    "Mark two memories first, with space.": ("g", "p"),
    "There is no query whose hits could be walked; / begins one.": ("n",),
    "There is no query; / begins one.": ("y", "q"),
    "Only memories are like one another.": ("6", "asterisk"),
}

IN_AN_EMPTY_LIST = {
    "The list is empty.": ("s", "S", "space", "v", "V", "a", "tilde"),
    "There is no record at the cursor.": (
        "enter",
        "J",
        "K",
        "o",
        "right_square_bracket",
    ),
}


async def test_what_is_not_possible_says_why(library: Library) -> None:
    async with visiting(library) as visit:
        for reason, keys in REASONS.items():
            await visit.press(*keys)
            assert reason in visit.status
            await visit.press("1")
            assert reason not in visit.status


async def test_an_empty_list_leaves_little_to_do(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.ask("importance>2")
        assert visit.table.count() == 0
        assert "No memory matches `importance>2`" in "\n".join(visit.pane("reader"))
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
        assert "Nothing is linked with this record." in visit.status


async def test_one_store_leaves_no_choice(library: Library) -> None:
    every = library._stores  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # to put them back
    library.choose(every[:1])
    try:
        async with visiting(library) as visit:
            await visit.press("g", "s")
            assert "There is only one store to look at." in visit.status
    finally:
        library.choose(every)


async def test_a_key_that_means_nothing_says_so(library: Library) -> None:
    async with visiting(library) as visit:
        for key, looks in (("x", "x"), ("f5", "F5"), ("ctrl+w", "^w")):
            await visit.press(key)
            assert f"{looks} does nothing here. ? tells every key." in visit.status
        await visit.press("j")
        assert "does nothing" not in visit.status

        await visit.press("slash", "x", "f5")
        assert visit.query == "x"
        assert "does nothing" not in visit.status


async def test_a_chord_tells_what_may_follow_and_can_be_left(library: Library) -> None:
    async with visiting(library) as visit:
        before = visit.screen
        await visit.press("g")
        strip = "\n".join(visit.pane("strip"))
        assert "g top" in strip
        assert "s store" in strip
        assert "p way between" in strip
        assert not visit.pane("hints")

        await visit.press("x")
        assert not visit.pane("strip")
        assert "gx does nothing here. ? tells every key." in visit.status
        await visit.press("g", "escape")
        assert visit.screen[:-2] == before[:-2]
