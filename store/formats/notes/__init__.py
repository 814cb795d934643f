"""Markdown memories: one file a memory, and MEMORY.md that lists them."""

from store.formats.notes.format import NotesFormat

FORMAT = NotesFormat()

__all__ = ["FORMAT", "NotesFormat"]
