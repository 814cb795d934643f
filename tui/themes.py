"""The colours and glyphs for this terminal."""

import io
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from store.text import guess

DARK = "dark"
LIGHT = "light"
CONTRAST = "high-contrast"
ANSI = "ansi"
NONE = "none"

THEMES = (DARK, LIGHT, CONTRAST, ANSI, NONE)
"""The themes by name; the palettes of `widgets` have the same names."""


class Colours(StrEnum):
    """The number of colours of a terminal."""

    NONE = "none"
    SIXTEEN = "16"
    MANY = "256"
    ALL = "16 million"


_SYSTEMS = {"standard": Colours.SIXTEEN, "256": Colours.MANY, "truecolor": Colours.ALL}
"""Rich's names for them."""

_LIGHT_BACKGROUNDS = {"7", "15"}
"""The background colours, of sixteen, that need dark text."""

_LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")
"""The variables that determine the text encoding, in order of precedence."""


class Options(Struct, frozen=True):
    """Options from the command line."""

    theme: str | None = None
    """The name of a theme."""
    is_ascii: bool = False
    """Whether to use ASCII only."""
    is_frugal: bool = True
    """Whether to send only the cells that changed."""


class Chosen(Struct, frozen=True):
    """The look of the program on this terminal."""

    theme: str
    """The name of the theme."""
    colours: Colours
    """The number of colours."""
    is_ascii: bool
    """Whether glyphs are ASCII."""
    complaint: str | None = None
    """What is wrong with the requested theme."""

    @property
    def has_own_colours(self) -> bool:
        """Whether only the terminal's own colours are used."""
        return self.theme in {ANSI, NONE}


def choose(
    environment: Mapping[str, str], remembered: str | None, options: Options
) -> Chosen:
    """Choose the look from the terminal, the saved theme and the command line.

    A saved theme that this terminal cannot show is not forgotten.
    """
    colours = _colours(environment)
    wanted = options.theme or remembered
    possible = possible_themes(colours)
    known = wanted if wanted in possible else None
    return Chosen(
        theme=known or _usual(environment, colours),
        colours=colours,
        is_ascii=options.is_ascii or not _is_utf_8(environment),
        complaint=unknown_theme(wanted),
    )


def possible_themes(colours: Colours) -> tuple[str, ...]:
    """The themes that can be shown with a number of colours."""
    match colours:
        case Colours.NONE:
            return (NONE,)
        case Colours.SIXTEEN:
            return (ANSI, NONE)
        case _:
            return THEMES


def _colours(environment: Mapping[str, str]) -> Colours:
    """The number of colours: none if the user wants none, or else Rich's answer."""
    if environment.get("NO_COLOR"):
        return Colours.NONE
    from rich.console import Console  # noqa: PLC0415  # slow, and not needed without colours

    console = Console(file=io.StringIO(), force_terminal=True, _environ=environment)
    return _SYSTEMS.get(console.color_system or "", Colours.NONE)


def _usual(environment: Mapping[str, str], colours: Colours) -> str:
    """The default theme of a terminal."""
    if colours in {Colours.NONE, Colours.SIXTEEN}:
        return possible_themes(colours)[0]
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in _LIGHT_BACKGROUNDS else DARK


def _is_utf_8(environment: Mapping[str, str]) -> bool:
    """Whether text is in UTF-8, which is the default."""
    said = next(filter(None, map(environment.get, _LOCALE)), "UTF-8")
    return said.lower().replace("-", "").partition("@")[0].endswith("utf8")


def unknown_theme(wanted: str | None) -> str | None:
    """The sentence about a theme that does not exist."""
    if wanted is None or wanted in THEMES:
        return None
    meant = guess(wanted, THEMES)
    return f"Unknown theme {wanted!r}{meant} (choose from {', '.join(THEMES)})."
