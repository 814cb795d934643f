"""Every format that the program knows, in the order in which a folder is tried."""

from store.formats.cognitive import FORMAT as COGNITIVE
from store.formats.notes import FORMAT as NOTES
from store.formats.port import Format

FORMATS: tuple[Format, ...] = (COGNITIVE, NOTES)
