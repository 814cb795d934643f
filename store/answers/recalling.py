"""Answers about how all was at another time."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.tracing import Tracing
from store.errors import NoStoresError

if TYPE_CHECKING:
    from store.past.lookback import Lookback
    from store.records.reports import Progress

_MIRRORS = "stores"
"""Where files are laid that were other than they are."""


def _silent(_progress: "Progress") -> None:
    """Tell nobody."""


class Recalling(Tracing):
    """Looks back."""

    def doubt(self, name: str) -> str:
        """Why a record may not have been like this; nothing of what is shown as now."""
        del name
        return ""

    def look_back(
        self, at: int, folder: Path, report: "Callable[[Progress], None]" = _silent
    ) -> "Lookback":
        """The stores as they were at a time, read into a catalogue of their own.

        All that it takes is laid in a folder, which is for the caller to remove. Raises
        NoStoresError and CatalogueUnusableError.
        """
        if not self._stores:
            raise NoStoresError("There is no store whose past could be looked at.")
        from store.past import looking
        from store.past.making import Maker
        from store.provenance.calls import Calls
        from store.provenance.commands import Commands

        formats = {found.path: found.format for found in self._stores}
        with self._reader() as reader:
            pasts = (Calls(reader, formats, self._now), *self._others())
            leaving = Commands(reader, self._finder, formats, self._now)
            maker = Maker(reader, pasts, leaving, at, folder / _MIRRORS)
            remade = tuple(looking.remade(maker, self._stores))
        return looking.read(remade, self.path, folder, self._gap, report)
