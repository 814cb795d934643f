"""Colours and glyphs: named tones, and a palette for each kind of terminal."""

from typing import NamedTuple

from msgspec import Struct
from rich.style import Style

# The tones: the meaning of a piece of text, and its look.
#
# Nothing is shown by colour alone: a glyph, a code or a stroke shows it too. A tone's
# look is a Rich style with names of hues in place of colours.


class Hue(NamedTuple):
    """A colour on a dark and on a light background, and for high contrast."""

    dark: str
    light: str
    contrast: str


class Tone(Struct, frozen=True):
    """The look of a meaning."""

    hued: str
    """The full-colour style, with names of hues for colours."""
    ansi: str
    """The style with sixteen colours."""
    none: str = ""
    """The style without colours."""


HUES = {
    "gold": Hue("#ffd060", "#785400", "#ffff5f"),
    "green": Hue("#6ed48a", "#176b2e", "#5fff87"),
    "amber": Hue("#e6b450", "#805308", "#ffd75f"),
    "grey": Hue("#a7b1c0", "#4d5664", "#e4e4e4"),
    "slate": Hue("#8892a2", "#606a78", "#c6c6c6"),
    "blue": Hue("#8fb0ff", "#2050ae", "#87d7ff"),
    "sky": Hue("#7cc4ff", "#0a5c97", "#5fd7ff"),
    "teal": Hue("#56c8bd", "#0d675f", "#5fffff"),
    "orange": Hue("#ff9e64", "#943c00", "#ffaf5f"),
    "violet": Hue("#c8a0ff", "#6a2eab", "#d7afff"),
    "pink": Hue("#ff8fd0", "#9c2672", "#ff9fff"),
    "lime": Hue("#b0cf6a", "#516607", "#d7ff5f"),
    "red": Hue("#ff868e", "#ab1b27", "#ff9f9f"),
    "steel": Hue("#223e62", "#d0e1f8", "#ffffff"),
    "shade": Hue("#2a3038", "#e6e8eb", "#3a3a3a"),
    "well": Hue("#20242b", "#f0f1f3", "#262626"),
    "cold": Hue("#5c6b80", "#7d8794", "#9e9e9e"),
    "cool": Hue("#2f7d58", "#4f9468", "#5fd787"),
    "mild": Hue("#3b9a66", "#378353", "#5fd787"),
    "warm": Hue("#4db878", "#246b3e", "#5fff87"),
    "hot": Hue("#93eca5", "#0f5028", "#87ff9f"),
}
"""The colours by name; steel, shade and well are backgrounds."""

TONES = {
    "": Tone("", ""),
    "strong": Tone("bold", "bold", "bold"),
    "italic": Tone("italic", "italic", "italic"),
    "struck": Tone("strike", "strike", "strike"),
    "muted": Tone("grey", "", ""),
    "faint": Tone("slate", "dim", "dim"),
    "title": Tone("", ""),
    "head": Tone("slate", "dim", "dim"),
    "sorted": Tone("bold grey", "bold", "bold"),
    "pane": Tone("bold grey", "bold", "bold"),
    "rule": Tone("cold", "dim", "dim"),
    "focus": Tone("sky", "bright_cyan", ""),
    "heading": Tone("bold sky", "bold bright_cyan", "bold"),
    "vault": Tone("gold", "bright_yellow"),
    "active": Tone("green", "green"),
    "fading": Tone("amber", "yellow"),
    "dormant": Tone("grey", "dim", "dim"),
    "archived": Tone("slate", "dim", "dim"),
    "solution": Tone("green", "green"),
    "fix": Tone("teal", "cyan"),
    "decision": Tone("violet", "magenta"),
    "configuration": Tone("blue", "blue"),
    "problem": Tone("orange", "red"),
    "workflow": Tone("lime", "green"),
    "code_pattern": Tone("sky", "cyan"),
    "error_type": Tone("red", "red"),
    "general": Tone("grey", "", ""),
    "procedure": Tone("gold", "yellow"),
    "insight": Tone("pink", "magenta"),
    "hit": Tone(
        "bold underline gold", "bold underline bright_yellow", "bold underline"
    ),
    "hit_here": Tone("reverse bold gold", "reverse bold", "reverse bold"),
    "marked": Tone("bold gold", "bold bright_yellow", "bold"),
    "edge": Tone("gold", "bold", "bold"),
    "error": Tone("bold red", "bold red", "bold"),
    "warning": Tone("orange", "yellow", "bold"),
    "ok": Tone("green", "green"),
    "broken_row": Tone("bold reverse red", "bold reverse red", "bold reverse"),
    "importance": Tone("blue", "blue"),
    "tag": Tone("blue", "blue"),
    "link": Tone("underline sky", "underline cyan", "underline"),
    "link_here": Tone("reverse sky", "reverse cyan", "reverse"),
    "arrow": Tone("sky", "cyan"),
    "stroke": Tone("grey", ""),
    "stroke_weak": Tone("slate", "dim", "dim"),
    "center": Tone("bold gold", "bold bright_yellow", "bold"),
    "code": Tone("lime on well", "green"),
    "code_keyword": Tone("violet on well", "magenta", "bold"),
    "code_name": Tone("sky on well", "cyan"),
    "code_string": Tone("green on well", "green"),
    "code_number": Tone("orange on well", "yellow"),
    "code_comment": Tone("slate on well", "dim", "dim"),
    "quote": Tone("italic grey", "italic", "italic"),
    "bullet": Tone("sky", "cyan"),
    "control": Tone("reverse orange", "reverse yellow", "reverse"),
    "key": Tone("bold sky", "bold bright_cyan", "bold"),
    "brand": Tone("gold", "bright_yellow", "bold"),
    "tab_here": Tone("bold on steel", "bold reverse", "bold reverse"),
    "tab_empty": Tone("slate", "dim", "dim"),
    "bar": Tone("on well", ""),
    "cursor": Tone("on steel", "reverse", "reverse"),
    "blurred": Tone("on shade", "bold", "bold"),
    "selected": Tone("reverse", "reverse", "reverse"),
    "heat_0": Tone("cold", "dim", "dim"),
    "heat_1": Tone("cool", "green"),
    "heat_2": Tone("mild", "green"),
    "heat_3": Tone("warm", "green"),
    "heat_4": Tone("hot", "green"),
}
"""All tones."""


# Statuses of conversations as glyphs, so that nothing is shown by colour alone.


class Status(NamedTuple):
    """The look of a status."""

    glyph: str
    tone: str
    bar: str
    """The tone of the block."""


STATUSES = {
    "active": Status("●", "active", "active"),
    "ready": Status("◇", "arrow", "arrow"),
    "queued": Status("◌", "fading", "fading"),
    "processing": Status("↻", "fading", "fading"),
    "review": Status("◎", "warning", "warning"),
    "archived": Status("·", "archived", "muted"),
    "skipped": Status("∅", "faint", "faint"),
}
"""All statuses, in the order of a conversation's life."""

_UNKNOWN = Status("?", "muted", "muted")
_NO_STATUS = Status("", "muted", "muted")


def status_of(word: str) -> Status:
    """The look of a status; an unknown one is a question mark."""
    return STATUSES.get(word, _UNKNOWN) if word else _NO_STATUS


# Glyphs for terminals with ASCII only, or with our glyphs two cells wide.
#
# Everything is drawn in Unicode and translated to ASCII character by character at the
# very end, so that no column moves.

_IN_ASCII = (
    ("◆●◇◌◎◐○·–✓✗⚠⊘✎↺↶◉◈▌▎•☐☑…", "*Orq?co--vX!/e&u@#>|+_x~"),
    ("“”«»—", '""""-'),
    ("→←▶◀▸▾⋯∴▲▼━─┄╸│┃┌├└┼↵↳×▁", "><><>v~:^v=-.-||.|`+<`x_"),
    ("▂▃▄▅▆▇█░▒▓■⟨⟩↻∅┊▐▜▟", "_..::##:+*#<>ps:|++"),
)
"""Glyphs, and what each is in ASCII."""

ASCII = {
    **{ord(glyph): one for pair in _IN_ASCII for glyph, one in zip(*pair, strict=True)},
    **dict.fromkeys(range(0x2400, 0x2422), "?"),
}
"""The ASCII form of every glyph that widgets draw; control pictures become `?`."""


# Palettes: the styles of the tones on one kind of terminal.
#
# Widgets draw pieces of text with named tones; only the palette knows colours, and only
# the program knows which palette to use.

FOCUSED, BLURRED, NOWHERE = "cursor", "blurred", ""
"""The cursor as seen by a row: here, here in an unfocused pane, or elsewhere."""

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
        """`base` is the background of tones; by default the widget's own colours.

        A palette with its own base has few colours, so a row at the cursor has a single
        one. Other palettes may have different looks at the cursor, where colours are on
        a coloured background.
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
        """The text in glyphs that the terminal can draw."""
        return text.translate(ASCII) if self.is_ascii else text

    def in_ascii(self) -> "Palette":
        """The same colours with ASCII glyphs."""
        return Palette(
            self.name, self._looks, self.base, at_cursor=self._at_cursor, is_ascii=True
        )

    @property
    def is_flat(self) -> bool:
        """Whether a row at the cursor has a single colour."""
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

    On a lit background, as at the cursor, faint text is less faint.
    """
    colours = {name: hue[column] for name, hue in HUES.items()}
    if is_lit:
        colours["slate"] = colours["grey"]
    return {
        name: " ".join(colours.get(word, word) for word in tone.hued.split())
        for name, tone in TONES.items()
    }


def _sharp() -> dict[str, str]:
    """High-contrast looks: nothing dimmed, and a reversed cursor."""
    return _hued(2) | {"cursor": "reverse", "tab_here": "bold reverse"}


DARK = Palette("dark", _hued(0), at_cursor=_hued(0, is_lit=True))
LIGHT = Palette("light", _hued(1), at_cursor=_hued(1, is_lit=True))
CONTRAST = Palette("high-contrast", _sharp(), Style.parse("#ffffff on #000000"))
ANSI = Palette("ansi", {name: t.ansi for name, t in TONES.items()}, _PLAIN)
NONE = Palette("none", {name: t.none for name, t in TONES.items()}, _PLAIN)

PALETTES = {one.name: one for one in (DARK, LIGHT, CONTRAST, ANSI, NONE)}
"""All palettes by name."""


# A brush: a palette on a line's existing colours.


class Brush(Struct, frozen=True):
    """The means to paint the pieces of one line."""

    palette: Palette
    """The styles of tones."""
    base: Style
    """The background."""
    cursor: str = NOWHERE
    """The cursor as seen by this line."""

    def style(self, tones: str) -> Style:
        """The style of a piece."""
        return self.base + self.palette.style(tones, self.cursor)
