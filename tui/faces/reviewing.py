"""How far a review is."""

from collections.abc import Sequence

from msgspec import Struct

from store.records.due import Due

_WIDTH = 10


class Progress(Struct):
    """What is gone through, and where one is in it."""

    dues: Sequence[Due]
    at: int = 0
    kept: int = 0
    changed: int = 0

    @property
    def here(self) -> Due | None:
        """What one looks at; None at the end."""
        return self.dues[self.at] if self.at < len(self.dues) else None

    @property
    def told(self) -> str:
        """How far one is, and why this memory is due."""
        here = self.here
        filled = round(_WIDTH * self.at / max(len(self.dues), 1))
        bar = "━" * filled + "─" * (_WIDTH - filled)
        why = here.why if here else ""
        return f"review {bar} {self.at + 1}/{len(self.dues)} · {why}"

    @property
    def outcome(self) -> str:
        """What came of it."""
        left = len(self.dues) - self.at
        parts = [f"{self.kept} kept", f"{self.changed} changed"]
        return "review: " + ", ".join([*parts, *([f"{left} left"] if left else [])])
