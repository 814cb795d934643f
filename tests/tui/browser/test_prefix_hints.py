"""The keys after a prefix are shown in two rows while it waits."""

import pytest

from tests.tui.browser.host import Host
from tests.widgets.hostile import SIZES
from tui.browser.layout import PrefixStrip
from tui.commands.command import Scope, Situation
from tui.commands.registry import REGISTRY, Following, Keyed, following

COPIES = following(
    Keyed(REGISTRY, REGISTRY.usual_keys),
    Scope.READER,
    Situation(has_record=True, has_file=True),
    ("y",),
)


async def test_possible_keys_come_first() -> None:
    strip = PrefixStrip()
    app = Host(strip)
    async with app.at(80, 10) as pilot:
        assert not strip.display
        strip.show("y", COPIES)
        await pilot.pause()

        told = " ".join(app.shown()[:2])
        assert app.shown()[0].startswith("y b Copy ")
        assert app.shown()[1].startswith("  ")
        assert all(f" {one.key} {one.title}" in told for one in COPIES)
        assert told.rstrip().endswith("q Copy query")

        strip.show("", ())
        await pilot.pause()
        assert app.shown()[0] == ""


async def test_without_room_words_replace_titles() -> None:
    strip = PrefixStrip()
    app = Host(strip)
    async with app.at(60, 10) as pilot:
        strip.show("y", COPIES)
        await pilot.pause()

        told = " ".join(app.shown()[:2])
        assert app.shown()[0].startswith("y b text  i reference  l link  m Markdown")
        assert all(f" {one.key} {one.word}" in told for one in COPIES)


async def test_without_more_room_titles_are_cut() -> None:
    entries = [Following(key, f"To the place of {key * 20}", None) for key in "abcdefg"]
    strip = PrefixStrip()
    app = Host(strip)
    async with app.at(80, 10) as pilot:
        strip.show("g", entries)
        await pilot.pause()

        told = " ".join(app.shown()[:2])
        assert all(f" {one.key} To the " in told for one in entries)
        assert told.count("…") == len(entries)


@pytest.mark.parametrize("size", [*SIZES, (40, 12)])
async def test_any_size_works(size: tuple[int, int]) -> None:
    strip = PrefixStrip()
    app = Host(strip)
    async with app.at(*size) as pilot:
        strip.show("\x1b", [*COPIES, Following("x", "x" * 300, None)])
        await pilot.pause()

        assert max(map(len, app.shown())) <= size[0]
        assert "\x1b" not in "".join(app.shown())
