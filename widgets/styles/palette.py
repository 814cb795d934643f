"""Palettes: what the tones look like on one kind of terminal.

Widgets draw pieces of text and name their tones; the palette alone knows colours, and
the program alone knows which palette is the right one.
"""

from rich.style import Style

from widgets.styles.glyphs import ASCII
from widgets.styles.tones import HUES, TONES

FOCUSED, BLURRED, NOWHERE = "cursor", "blurred", ""
"""Where the cursor is, as a row sees it: here, here but in another pane, elsewhere."""

_PLAIN = Style.null()


class Palette:
    """Styles by the names of tones."""

    def __init__(
        self,
        name: str,
        looks: dict[str, str],
        base: Style | None = None,
        *,
        at_cursor: dict[str, str] | None = None,
        is_ascii: bool = False,
    ) -> None:
        """`base` is what tones lie upon: by default the widget's own colours.

        A palette with a base of its own has few colours: a row at the cursor has one.
        Another may have other looks at the cursor, where colours lie on a colour.
        """
        self.name = name
        self.base = base
        self.is_ascii = is_ascii
        self._looks = looks
        self._at_cursor = at_cursor or looks
        self._styles: dict[tuple[str, str], Style] = {}

    def __repr__(self) -> str:
        return f"Palette({self.name!r})"

    def style(self, tones: str, cursor: str = NOWHERE) -> Style:
        """The style of one or several tones, in a row with or without the cursor."""
        try:
            return self._styles[tones, cursor]
        except KeyError:
            style = self._styles[tones, cursor] = self._made(tones, cursor)
            return style

    def spelt(self, text: str) -> str:
        """The text in the glyphs that the terminal can draw."""
        return text.translate(ASCII) if self.is_ascii else text

    def in_ascii(self) -> "Palette":
        """The same colours, with ASCII for glyphs."""
        return Palette(
            self.name, self._looks, self.base, at_cursor=self._at_cursor, is_ascii=True
        )

    @property
    def is_flat(self) -> bool:
        """Whether a row at the cursor has one colour, whatever stands in it."""
        return self.base is not None

    def _made(self, tones: str, cursor: str) -> Style:
        looks = self._at_cursor if cursor else self._looks
        style = sum((Style.parse(looks[tone]) for tone in tones.split()), _PLAIN)
        if not cursor:
            return style
        if self.is_flat and cursor == FOCUSED:
            style = Style(
                bold=style.bold, italic=style.italic, underline=style.underline
            )
        return style + Style.parse(looks[cursor])


def _hued(column: int, *, is_lit: bool = False) -> dict[str, str]:
    """The looks of all tones in one column of the hues.

    Where light falls on them, as at the cursor, what is faint is less so.
    """
    colours = {name: hue[column] for name, hue in HUES.items()}
    if is_lit:
        colours["slate"] = colours["grey"]
    return {
        name: " ".join(colours.get(word, word) for word in tone.hued.split())
        for name, tone in TONES.items()
    }


def _sharp() -> dict[str, str]:
    """Looks of high contrast: nothing dim, and the cursor black on white."""
    return _hued(2) | {"cursor": "reverse", "tab_here": "bold reverse"}


DARK = Palette("dark", _hued(0), at_cursor=_hued(0, is_lit=True))
LIGHT = Palette("light", _hued(1), at_cursor=_hued(1, is_lit=True))
CONTRAST = Palette("high-contrast", _sharp(), Style.parse("#ffffff on #000000"))
ANSI = Palette("ansi", {name: t.ansi for name, t in TONES.items()}, _PLAIN)
NONE = Palette("none", {name: t.none for name, t in TONES.items()}, _PLAIN)

PALETTES = {one.name: one for one in (DARK, LIGHT, CONTRAST, ANSI, NONE)}
"""All palettes, by name."""
