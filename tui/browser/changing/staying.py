"""What a change has said stays for a while: who goes on at once can still read it."""

from functools import partial

from textual.timer import Timer

from tui.browser.choosing import Choosing

SECONDS = 6.0
"""How long it stays, unless something else is said."""


class Staying(Choosing):
    """Says again what would be gone with the next key, as long as it is new."""

    _staying = ""
    _ending: Timer | None = None

    def stay(self) -> None:
        """Let what was said stay, whatever is pressed, until something else is said."""
        if self._ending is not None:
            self._ending.stop()
        self._staying = self.message
        if self.message:
            over = partial(self._say_no_more, self.message)
            self._ending = self.set_timer(SECONDS, over)

    async def obey(self, command: str) -> None:
        """Carry a command out; what is still to be read is not gone by that."""
        await super().obey(command)
        if self.message:
            self._staying = ""
        elif self._staying:
            self.message = self._staying
            self.tell()

    def _say_no_more(self, told: str) -> None:
        self._staying = ""
        if self.message == told:
            self.message = ""
            self.tell()
