"""What lies over the screen, until it is answered or left."""

from typing import Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

V = TypeVar("V")


class Over(ModalScreen[V | None], Generic[V]):
    """Closes once: of two clicks that come at once, the second finds it closed."""

    def dismiss(self, result: V | None = None) -> AwaitComplete:
        """Close with a result; where it is closed already, nothing else is."""
        if not self.is_current:
            return AwaitComplete.nothing()
        return super().dismiss(result)
