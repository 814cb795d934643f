"""Which colours and glyphs suit this terminal: decided before anything is drawn."""

import io
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

DARK = "dark"
LIGHT = "light"
CONTRAST = "high-contrast"
ANSI = "ansi"
NONE = "none"

THEMES = (DARK, LIGHT, CONTRAST, ANSI, NONE)
"""The themes by name; the palettes of widgets go by the same names."""


class Colours(StrEnum):
    """How many colours a terminal shows."""

    NONE = "none"
    SIXTEEN = "16"
    MANY = "256"
    ALL = "16 million"


_SYSTEMS = {"standard": Colours.SIXTEEN, "256": Colours.MANY, "truecolor": Colours.ALL}
"""Rich's names for the same."""

_LIGHT_BACKGROUNDS = {"7", "15"}
"""The colours, of sixteen, on which dark text is read."""

_LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")
"""What says in which encoding text is written, in the order in which it counts."""


class Options(Struct, frozen=True):
    """What the command line asks for."""

    theme: str | None = None
    """A theme by name."""
    is_ascii: bool = False
    """Nothing but ASCII."""


class Chosen(Struct, frozen=True):
    """How the program looks on this terminal."""

    theme: str
    """The theme's name."""
    colours: Colours
    """How many colours there are."""
    is_ascii: bool
    """Whether glyphs are ASCII."""
    complaint: str | None = None
    """What is wrong with the theme that was asked for."""

    @property
    def has_own_colours(self) -> bool:
        """Whether the terminal's own colours are used, and none is computed."""
        return self.theme in {ANSI, NONE}


def choose(
    environment: Mapping[str, str], remembered: str | None, options: Options
) -> Chosen:
    """What suits a terminal, what was chosen before, and what is asked for now.

    A choice that the terminal cannot show is not forgotten: on another it holds again.
    """
    colours = _colours(environment)
    wanted = options.theme or remembered
    possible = possible_themes(colours)
    known = wanted if wanted in possible else None
    return Chosen(
        theme=known or _usual(environment, colours),
        colours=colours,
        is_ascii=options.is_ascii or not _is_utf_8(environment),
        complaint=_complaint(wanted),
    )


def possible_themes(colours: Colours) -> tuple[str, ...]:
    """The themes that can be shown with so many colours."""
    match colours:
        case Colours.NONE:
            return (NONE,)
        case Colours.SIXTEEN:
            return (ANSI, NONE)
        case _:
            return THEMES


def _colours(environment: Mapping[str, str]) -> Colours:
    """How many colours there are: none where they are not wanted, else as Rich says."""
    if environment.get("NO_COLOR"):
        return Colours.NONE
    from rich.console import Console  # noqa: PLC0415  # slow, and not needed without

    console = Console(file=io.StringIO(), force_terminal=True, _environ=environment)
    return _SYSTEMS.get(console.color_system or "", Colours.NONE)


def _usual(environment: Mapping[str, str], colours: Colours) -> str:
    """The theme of a terminal of which nothing else is known."""
    if colours in {Colours.NONE, Colours.SIXTEEN}:
        return possible_themes(colours)[0]
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in _LIGHT_BACKGROUNDS else DARK


def _is_utf_8(environment: Mapping[str, str]) -> bool:
    """Whether text is written in UTF-8; so it is where nobody says anything."""
    said = next(filter(None, map(environment.get, _LOCALE)), "UTF-8")
    return said.lower().replace("-", "").partition("@")[0].endswith("utf8")


def _complaint(wanted: str | None) -> str | None:
    if wanted is None or wanted in THEMES:
        return None
    return f"There is no theme {wanted!r}; there are {', '.join(THEMES)}."
