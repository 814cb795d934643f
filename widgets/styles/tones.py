"""The tones: what a piece of text means, and how that looks.

Nothing is told by colour alone: a glyph, a code or a stroke says the same. A tone's
look is a style in Rich's words, but that the names of hues stand for colours.
"""

from typing import NamedTuple


class Hue(NamedTuple):
    """A colour upon dark, upon light, and where contrast counts most."""

    dark: str
    light: str
    contrast: str


class Tone(NamedTuple):
    """How a meaning looks."""

    hued: str
    """With all colours; names of hues stand for colours."""
    ansi: str
    """With sixteen."""
    none: str = ""
    """Without."""


HUES = {
    "gold": Hue("#ffd060", "#8a6100", "#ffff5f"),
    "green": Hue("#6ed48a", "#1b7a35", "#5fff87"),
    "amber": Hue("#e6b450", "#96630a", "#ffd75f"),
    "grey": Hue("#8d97a6", "#5b6472", "#e4e4e4"),
    "slate": Hue("#566070", "#8b94a1", "#c6c6c6"),
    "blue": Hue("#8fb0ff", "#2455b8", "#87d7ff"),
    "sky": Hue("#7cc4ff", "#0b66a8", "#5fd7ff"),
    "teal": Hue("#56c8bd", "#0f756c", "#5fffff"),
    "orange": Hue("#ff9e64", "#b04a06", "#ffaf5f"),
    "violet": Hue("#c8a0ff", "#7038b5", "#d7afff"),
    "pink": Hue("#ff8fd0", "#b02a80", "#ff87ff"),
    "lime": Hue("#b0cf6a", "#5d7608", "#d7ff5f"),
    "red": Hue("#ff6e78", "#bd1f2c", "#ff5f5f"),
    "steel": Hue("#284468", "#c9dcf5", "#ffffff"),
    "shade": Hue("#252e3b", "#e3e8ef", "#4e4e4e"),
    "well": Hue("#1d2531", "#eceff3", "#303030"),
    "cold": Hue("#465468", "#a9b2bf", "#9e9e9e"),
    "cool": Hue("#24694a", "#a3d9b3", "#5fd787"),
    "mild": Hue("#2f8757", "#6cc088", "#5fd787"),
    "warm": Hue("#4db878", "#35965a", "#5fff87"),
    "hot": Hue("#93eca5", "#0f5e2c", "#87ff9f"),
}
"""The colours, by name; steel, shade and well lie behind text."""

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
"""Every tone there is."""
