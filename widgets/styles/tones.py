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
