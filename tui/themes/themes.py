"""The themes: what Textual's own parts look like, to go with the palettes of widgets.

Colours are the hues of the widgets' palettes, each of which styles may use by its name
too (`$hue-gold`); what is drawn by palettes needs none of this.
"""

from collections.abc import Mapping

from textual.theme import BUILTIN_THEMES, Theme

from tui.themes.choice import ANSI, CONTRAST, DARK, LIGHT, NONE
from widgets.styles.palette import PALETTES, Palette
from widgets.styles.tones import HUES

_DEFAULT = "ansi_default"

_PARTS = BUILTIN_THEMES["ansi-dark"].variables
"""What Textual colours beside that where the terminal's own colours are used."""

_PARTS_BY_STYLE = {
    **dict.fromkeys((*_PARTS, "border", "scrollbar", "scrollbar-background"), _DEFAULT),
    "block-cursor-text-style": "reverse",
    "block-cursor-blurred-text-style": "bold",
    "input-cursor-text-style": "reverse",
}
"""The same without any colour: a cursor is told by how its text is set."""


def _coloured(name: str, column: int, foreground: str, background: str) -> Theme:
    """A theme whose colours are one column of the hues."""
    hue = {name: hues[column] for name, hues in HUES.items()}
    return Theme(
        name=name,
        primary=hue["blue"],
        secondary=hue["slate"],
        accent=hue["gold"],
        warning=hue["orange"],
        error=hue["red"],
        success=hue["green"],
        foreground=foreground,
        background=background,
        surface=background,
        panel=hue["well"],
        dark=name != LIGHT,
        variables={f"hue-{name}": colour for name, colour in hue.items()},
    )


def _with_own_colours(
    name: str, colours: Mapping[str, str], parts: Mapping[str, str]
) -> Theme:
    """A theme of the terminal's own colours."""
    return Theme(
        name=name,
        **dict.fromkeys(("primary", "secondary", "accent"), colours["accent"]),
        warning=colours["warning"],
        error=colours["error"],
        success=colours["success"],
        **dict.fromkeys(("foreground", "background"), _DEFAULT),
        **dict.fromkeys(("surface", "panel", "boost"), _DEFAULT),
        ansi=True,
        variables=dict(parts)
        | {f"hue-{name}": colours.get(name, _DEFAULT) for name in HUES},
    )


_SIXTEEN = {
    "accent": "ansi_cyan",
    "warning": "ansi_yellow",
    "error": "ansi_red",
    "success": "ansi_green",
    "gold": "ansi_bright_yellow",
    "green": "ansi_green",
    "amber": "ansi_yellow",
    "blue": "ansi_blue",
    "sky": "ansi_cyan",
    "red": "ansi_red",
    "orange": "ansi_yellow",
}
_WITHOUT: dict[str, str] = dict.fromkeys(
    ("accent", "warning", "error", "success"), _DEFAULT
)

TEXTUAL_THEMES = {
    theme.name: theme
    for theme in (
        _coloured(DARK, 0, "#d7dde6", "#12171f"),
        _coloured(LIGHT, 1, "#1c2430", "#fbfcfd"),
        _coloured(CONTRAST, 2, "#ffffff", "#000000"),
        _with_own_colours(ANSI, _SIXTEEN, _PARTS),
        _with_own_colours(NONE, _WITHOUT, _PARTS_BY_STYLE),
    )
}
"""What Textual is to know of each theme."""


def palette_of(theme: str, *, is_ascii: bool) -> Palette:
    """What widgets draw with."""
    palette = PALETTES[theme]
    return palette.in_ascii() if is_ascii else palette
