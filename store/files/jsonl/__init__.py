"""JSON Lines of any size, read in pieces and forgivingly."""

from store.files.jsonl.lines import LONGEST, PIECE, Line, read_lines, split_lines
from store.files.jsonl.values import Parsed, parse

__all__ = [
    "LONGEST",
    "PIECE",
    "Line",
    "Parsed",
    "parse",
    "read_lines",
    "split_lines",
]
