"""What reads the files of one store, all beneath its root."""

from pathlib import Path

from store.closing import Closing
from store.files.beneath import Root


class Rooted(Closing):
    """Holds a store's folder open until it is closed."""

    def __init__(self, path: Path) -> None:
        self._root = Root(path)

    def close(self) -> None:
        """Let go of the store."""
        self._root.close()
