"""The memory of Claudia, now Anima: its database, and the pages of its librarian."""

from store.formats.claudia.format import ClaudiaFormat

FORMAT = ClaudiaFormat()

__all__ = ["FORMAT"]
