"""The page of keys: what can be pressed here today, what it does, and why not."""

from collections.abc import Iterator, Sequence

from tui.browser.popups.popup import Popup, Row
from tui.browser.popups.rows import Choice, Heading
from tui.commands.listing import Entry, Listing
from widgets.columns.cells import fit
from widgets.lines.pieces import Piece
from widgets.styles.palette import Palette

_KEYS = 14
_GAP = 2


class KeysPage(Popup[str]):
    """Closes with a command that shall be carried out, by its id."""

    is_wide = True

    def __init__(self, where: str, listing: Listing, palette: Palette) -> None:
        """`where` says where these keys hold."""
        super().__init__(f"keys · {where}", "type to search", palette)
        self._listing = listing

    def rows(self, typed: str) -> Sequence[Row]:
        """All that has a key under its heading; what is typed is looked for in all."""
        if typed.strip():
            return [_row(entry) for entry in self._listing.similar(typed)]
        return list(self._grouped())

    def action_keys(self) -> None:
        """The key that opens the page closes it too."""
        self.dismiss(None)

    def _grouped(self) -> Iterator[Row]:
        for group, entries in self._listing.grouped():
            keyed = [entry for entry in entries if entry.keys]
            if keyed:
                yield Heading(group)
                yield from map(_row, keyed)


def _row(entry: Entry) -> Choice[str]:
    """A command with its keys before it."""
    tone = "faint" if entry.why_not else "key"
    keys: list[Piece] = [("  ".join(entry.keys), tone)]
    return Choice(
        entry.command,
        entry.title,
        entry.help,
        before=[*fit(keys, _KEYS, is_right=True), (" " * _GAP, "")],
        detail=entry.help,
        why_not=entry.why_not,
    )
