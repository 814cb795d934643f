"""What is copied goes to the clipboard by way of the terminal, or past it."""

import os

from tui.browser.choosing import Choosing


class Clipping(Choosing):
    """Copies, and says what became of it."""

    def copied(self, text: str) -> str:
        """Copy a text; the sentence that says what became of it."""
        from store.derive.given_away import given_away
        from tui.manners.clipboard import copy

        told = copy(text, os.environ, self._write_out).sentence
        secret = given_away(text)
        return f"Mind that it holds {secret}. {told}" if secret else told

    def _write_out(self, sequence: str) -> None:
        if self._driver is not None:
            self._driver.write(sequence)
            self._driver.flush()
