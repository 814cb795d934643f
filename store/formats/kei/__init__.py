"""KeiSeiKit: traces of sessions, journals of figures, a database, a ledger."""

from store.formats.kei.format import KeiFormat

__all__ = ["FORMAT", "KeiFormat"]

FORMAT = KeiFormat()
