"""What stands at the right end of the query bar: what is wrong, or what was found."""

from msgspec import Struct
from rich.cells import cell_len

from store.clean import clean
from tui.browser.data.found import Found
from widgets.columns.cells import fit
from widgets.lines.pieces import Pieces

_SECOND = 1.0
_LEAST = 12
"""Columns that the reason of a complaint gets at least, whatever is typed."""


_USUAL = len("99 ms")
"""How long a time is as a rule: what stands before it keeps its place."""


class Counted(Struct, frozen=True):
    """How many there are, and how long it took to know."""

    found: int
    total: int
    seconds: float = 0.0
    is_cut: bool = False
    """Whether there may be more than were counted."""
    is_similar: bool = False
    """Whether nothing holds what was typed, and these nearly do."""

    @classmethod
    def of(cls, found: Found) -> "Counted":
        """What a list tells of itself."""
        return cls(
            len(found.rows), found.total, found.seconds, is_similar=found.is_similar
        )


def counts(counted: Counted, room: int, *, in_ascii: bool) -> Pieces:
    """Counts and time, as much of them as there is room for."""
    if counted.is_similar:
        forms = [f"no exact match · {counted.found} similar", f"~{counted.found}"]
    else:
        number = f"{counted.found}/{counted.total}"
        if counted.is_cut:
            number = f"{'>=' if in_ascii else '≥'}{counted.found}"
        whole = f"{number} · {_took(counted.seconds)}"
        whole = whole.rjust(len(number) + len(" · ") + _USUAL)
        forms = [whole, number, number.split("/")[0]]
    tone = "warning" if counted.is_similar or not counted.found else "muted"
    fitting = next((form for form in forms if cell_len(form) <= room), "")
    return [(fitting, tone)] if fitting else []


def complaint(reason: str, room: int, *, is_mistake: bool) -> Pieces:
    """Why a part was left out; cut where there is no room for it."""
    told = clean(reason).removesuffix(".")
    width = min(cell_len(told), room)
    return fit([(told, "error" if is_mistake else "muted")], max(width, 0))


def room_for_reason(width: int, typed: int) -> int:
    """How many columns a reason may take beside what is typed."""
    return max(width - typed - 2, min(width // 2, max(width - _LEAST, 0)))


def _took(seconds: float) -> str:
    """A time in few characters."""
    if seconds >= _SECOND:
        return f"{seconds:.1f} s"
    return f"{max(round(seconds * 1000), 1)} ms"
