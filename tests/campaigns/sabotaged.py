"""A browser with a deliberate mistake, named by its first argument."""

import sys
import threading
from pathlib import Path

from tests.campaigns.browsed import Browsed, run

LEAK = 16 << 20
"""Bytes that are lost with every command."""


class Sabotaged(Browsed):
    """Makes its mistake with every command from the sixth on."""

    mistake = ""
    _obeyed = 0
    _lost: tuple[bytes, ...] = ()

    async def obey(self, command: str) -> None:
        self._obeyed += 1
        if self._obeyed > 5:
            getattr(self, self.mistake)()
        await super().obey(command)

    def crash(self) -> None:
        raise IndexError

    def hang(self) -> None:
        threading.Event().wait()

    def leak(self) -> None:
        self._lost += (b"x" * LEAK,)

    def write(self) -> None:
        """Write into a store without recording it."""
        (Path(sys.argv[1]) / "stray.md").write_bytes(b"stray\n")


if __name__ == "__main__":
    Sabotaged.mistake = sys.argv.pop(1)
    sys.exit(run(Sabotaged))
