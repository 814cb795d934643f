"""Earlier queries, walked through in the bar itself, as shells do."""

from collections.abc import Sequence


class Recall:
    """Remembers how far back one is; what is typed ends it."""

    def __init__(self) -> None:
        self.queries: Sequence[str] = ()
        """The newest last."""
        self._back = 0

    @property
    def is_going_on(self) -> bool:
        """Whether an earlier query stands in the bar."""
        return self._back > 0

    def end(self) -> None:
        """What stands in the bar is the user's own again."""
        self._back = 0

    def older(self) -> str | None:
        """The query before; None where there is none."""
        if self._back >= len(self.queries):
            return None
        self._back += 1
        return self.queries[-self._back]

    def newer(self) -> str:
        """The query after; nothing behind the newest."""
        self._back = max(self._back - 1, 0)
        return self.queries[-self._back] if self._back else ""
