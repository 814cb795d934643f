"""Rows of a database changed: see `writing`."""

from store.edits.rows.change import Change
from store.edits.rows.images import Columns, columns_of, image_of, raw_of, spelt_of
from store.edits.rows.looking import present, stage_of, whole
from store.edits.rows.safety import back_up
from store.edits.rows.writing import write

__all__ = [
    "Change",
    "Columns",
    "back_up",
    "columns_of",
    "image_of",
    "present",
    "raw_of",
    "spelt_of",
    "stage_of",
    "whole",
    "write",
]
