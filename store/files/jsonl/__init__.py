"""JSON Lines of any size, read in pieces and forgivingly, changed value by value."""

from store.files.jsonl.lines import (
    LONGEST,
    PIECE,
    AtHand,
    Line,
    read_lines,
    split_lines,
)
from store.files.jsonl.values import Parsed, parse

__all__ = [
    "LONGEST",
    "PIECE",
    "AtHand",
    "Line",
    "Parsed",
    "parse",
    "read_lines",
    "split_lines",
]
