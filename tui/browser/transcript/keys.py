"""The transcript as keys reach it: how one moves, opens, closes."""

from widgets.transcript.transcript import Transcript


class TranscriptKeys(Transcript):
    """What keys do that is the transcript's own business."""

    def action_move(self, parts: int) -> None:
        """Point to another part; one that goes on is read to its end first."""
        self.move(parts)

    def action_half_page(self, pages: int) -> None:
        """Scroll by half of what is in view."""
        self.half_page(pages)

    def action_page(self, pages: int) -> None:
        """Scroll by what is in view."""
        self.page(pages)

    def action_top(self) -> None:
        """Go to the beginning."""
        self.top()

    def action_bottom(self) -> None:
        """Go to the end."""
        self.bottom()

    def action_unfold(self) -> None:
        """Open what is pointed at, or close it."""
        self.toggle()

    def action_unfold_all(self) -> None:
        """Open everything, or close it."""
        self.toggle_all()
