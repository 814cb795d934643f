"""The screen as it is wanted at the end of an update."""

from msgspec import Struct

from tui.driver.row import Row


class Frame(Struct, frozen=True):
    """All lines, never changed after; those that stayed are the same objects."""

    rows: tuple[Row, ...]
    """From the top."""
    cursor: tuple[int, int]
    """Row and column: where an input method shows what is being composed."""
    generation: int
    """Another one than before: what the terminal shows is not known any more."""
    is_synchronized: bool
    """Whether the terminal can be asked to show it in one go."""
