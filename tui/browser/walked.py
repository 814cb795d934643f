"""What keys do in every pane in which one moves."""

from typing import Protocol


class _Moving(Protocol):
    """A pane that knows what moving is: of a cursor, or of what is in view."""

    def move(self, by: int, /) -> None: ...
    def half_page(self, pages: int, /) -> None: ...
    def page(self, pages: int, /) -> None: ...
    def top(self) -> None: ...
    def bottom(self) -> None: ...


class Walked:
    """Panes are walked with the same keys, whatever they show."""

    def action_move(self: _Moving, by: int) -> None:
        """Move by rows, lines or parts; in what goes on, read to its end first."""
        self.move(by)

    def action_half_page(self: _Moving, pages: int) -> None:
        """Move by half of what is in view."""
        self.half_page(pages)

    def action_page(self: _Moving, pages: int) -> None:
        """Move by what is in view."""
        self.page(pages)

    def action_top(self: _Moving) -> None:
        """Go to the beginning."""
        self.top()

    def action_bottom(self: _Moving) -> None:
        """Go to the end."""
        self.bottom()
