"""What every view looks like in every theme: its text, and where another look begins.

One file tells all themes, for nothing but looks should differ between them. Under each
line of text a letter stands where another look begins; what each letter looks like,
theme by theme, is told at the end, and before it the lines that are not the same text
in all themes.
"""

import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from itertools import chain
from string import ascii_letters, digits

from textual.app import App

from store.library import Library
from tests.frames.drawn import SMALL, TERMINAL, TOOK, Size, named, steady, visited
from tui.browser.bars import VIEWS, View
from tui.themes import ANSI, CONTRAST, DARK, LIGHT, NONE, Options, choose

SIZES: Mapping[Size, Sequence[View]] = {SMALL: VIEWS, (120, 36): VIEWS[:1]}
"""Which views are told at which sizes."""

THEMES = {
    theme: choose(TERMINAL | machine, None, options)
    for theme, machine, options in (
        (DARK, {}, Options()),
        (LIGHT, {"COLORFGBG": "0;15"}, Options()),
        (CONTRAST, {}, Options(theme=CONTRAST)),
        (ANSI, {"TERM": "linux", "COLORTERM": ""}, Options()),
        (NONE, {"NO_COLOR": "1"}, Options()),
    )
}
"""Every theme, as a terminal or a wish makes the program choose it."""

_PART = f"\n{'-' * SMALL[0]}\n"
"""What parts rows, lines that differ, and the legend."""

_LETTERS = ascii_letters + digits

Cell = tuple[str, str]
"""A character, and what it looks like."""

Rows = list[list[Cell]]


async def paintings(library: Library) -> AsyncGenerator[tuple[str, str]]:
    """Every view in all themes, by name."""
    for size, views in SIZES.items():
        worn = {theme: await _worn(library, size, views, theme) for theme in THEMES}
        for view in views:
            yield (
                f"{named(view, size)}-themes",
                _told({theme: rows[view.label] for theme, rows in worn.items()}),
            )


async def _worn(
    library: Library, size: Size, views: Sequence[View], theme: str
) -> Mapping[str, Rows]:
    """Views in one theme, by their labels."""
    chosen = THEMES[theme]
    assert chosen.theme == theme
    return {
        view.label: _cells(browser)[: size[1]]
        async for view, browser in visited(library, size, chosen, views)
    }


def _cells(app: App[None]) -> Rows:
    """The whole screen, cell by cell."""
    strips = app.screen._compositor.render_strips()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # nothing public tells what stands on the screen
    return [
        _lasting([(c, str(part.style)) for part in strip for c in part.text])
        for strip in strips
    ]


def _lasting(row: list[Cell]) -> list[Cell]:
    """A row without its varying parts: times, ends of bars."""
    seen = "".join(character for character, _ in row)
    looks = [look for _, look in row]
    looks[-1] = looks[-2]
    told = steady(seen.rstrip())
    if took := TOOK.search(told):
        begin, end = took.start("count"), took.end()
        looks[took.start() : begin] = [looks[took.start()]] * (begin - took.start())
        looks[begin:end] = [looks[end - 1]] * (end - begin)
    return list(zip(told.ljust(len(seen)), looks, strict=True))


def _told(worn: Mapping[str, Rows]) -> str:
    """One view in all themes."""
    letters: dict[tuple[str, ...], str] = {}
    rows = chain.from_iterable(_rows(worn, letters))
    parts = ("\n".join(part) for part in (rows, _differing(worn), _legend(letters)))
    return _PART.join(filter(None, parts)) + "\n"


def _rows(
    worn: Mapping[str, Rows], letters: dict[tuple[str, ...], str]
) -> Iterator[tuple[str, str]]:
    """The text of each row, and below it a letter where another style begins."""
    for rows in zip(*worn.values(), strict=True):
        looks = zip(*([look for _, look in row] for row in rows), strict=True)
        begun, last = "", None
        for look in looks:
            letter = letters.setdefault(look, _LETTERS[len(letters)])
            begun += " " if look == last else letter
            last = look
        yield _text(rows[0]), begun.rstrip()


def _differing(worn: Mapping[str, Rows]) -> Iterator[str]:
    """The rows whose text is not that of the first theme, with the themes' names."""
    first = [_text(row) for row in next(iter(worn.values()))]
    themes: dict[tuple[int, str], list[str]] = {}
    for theme, rows in worn.items():
        for number, (row, usual) in enumerate(zip(rows, first, strict=True)):
            if (text := _text(row)) != usual:
                themes.setdefault((number, text), []).append(theme)
    last: list[str] = []
    for (number, text), names in sorted(themes.items()):
        if names != last:
            yield f"{', '.join(names)}:"
            last = names
        yield f"{number:2} {text}"


def _text(row: Sequence[Cell]) -> str:
    return "".join(character for character, _ in row).rstrip()


def _legend(letters: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    """The style of each letter, theme by theme."""
    table = [("", *THEMES), *((letter, *looks) for looks, letter in letters.items())]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(cells).rstrip()


def parted(told: str) -> tuple[list[str], list[str]]:
    """Rows of a stored view, each with its styles below it, and the legend."""
    rows, *_, legend = told.removesuffix("\n").split(_PART)
    return rows.split("\n"), legend.split("\n")


def spread(begun: str, width: int) -> str:
    """The style of every character, from the columns where styles begin."""
    spread = re.sub(r"(\S) *", lambda run: run[1] * len(run[0]), begun)
    return spread.ljust(width, spread[-1:])
