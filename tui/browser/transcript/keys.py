"""The transcript as keys reach it: how one moves, opens, closes."""

from tui.browser.walked import Walked
from widgets.transcript.transcript import Transcript


class TranscriptKeys(Walked, Transcript):
    """What keys do that is the transcript's own business."""

    def action_unfold(self) -> None:
        """Open what is pointed at, or close it."""
        self.toggle()

    def action_unfold_all(self) -> None:
        """Open everything, or close it."""
        self.toggle_all()
