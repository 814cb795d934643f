"""Every format that the program knows, in the order in which a folder is tried."""

from store.formats.cognitive import FORMAT as COGNITIVE
from store.formats.notes import FORMAT as NOTES
from store.formats.port import Format

FORMATS: tuple[Format, ...] = (COGNITIVE, NOTES)


def format_named(name: str) -> Format:
    """The format that goes by a name, as the catalogue noted it."""
    return next(form for form in FORMATS if form.name == name)
