"""Types of memories as codes of three letters, and stages as glyphs."""

from store.clean import clean
from widgets.lines.pieces import Piece

_CODES = {
    "solution": "SOL",
    "fix": "FIX",
    "decision": "DEC",
    "configuration": "CFG",
    "problem": "PRB",
    "workflow": "WFL",
    "code_pattern": "PAT",
    "error": "ERR",
    "general": "GEN",
    "procedure": "PRC",
    "insight": "INS",
}

_OTHERWISE = {"error": "error_type"}
"""Types whose tone is called something else, because their name is taken."""

GLYPHS = {
    "vault": "◆",
    "active": "●",
    "fading": "◐",
    "dormant": "○",
    "archived": "·",
}
"""The glyph of each stage."""

_LETTERS = 3

PALE = {"dormant", "archived"}
"""Stages whose titles step back."""


def code(kind: str | None) -> Piece:
    """The code of a type; for one that is not known, its first letters."""
    if kind is None:
        return " " * _LETTERS, ""
    known = _CODES.get(kind)
    if known:
        return known, _OTHERWISE.get(kind, kind)
    letters = clean(kind[:_LETTERS].upper())
    return letters[:_LETTERS].ljust(_LETTERS), "general"


def glyph(stage: str | None) -> Piece:
    """The glyph of a stage; nothing where nothing fades."""
    known = GLYPHS.get(stage or "")
    return (known, stage or "") if known else (" ", "")
