"""What changes would write into a database of Claudia, where its owner allows that."""

from store.formats.claudia.scribe.scribe import ClaudiaScribe

__all__ = ["ClaudiaScribe"]
