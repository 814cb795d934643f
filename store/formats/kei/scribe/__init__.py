"""What changes would write into a store of the kit: lines of two journals."""

from store.formats.kei.scribe.scribe import KeiScribe

__all__ = ["KeiScribe"]
