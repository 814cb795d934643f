"""What writes to the terminal, as tersely as it can."""

from collections.abc import Sequence

from tui.driver.abilities import Abilities
from tui.driver.clusters import reach
from tui.driver.look import PLAIN, Look, transition
from tui.driver.moves import move

_WORTH_ERASING = 9
"""Fewer blanks than this are written sooner than erased and skipped."""


class Pen:
    """Knows where the cursor is and how it writes, and keeps what it has written."""

    def __init__(self, abilities: Abilities) -> None:
        """At a place and with a look that are not known."""
        self.row: int | None = None
        self.column: int | None = None
        self.look: Look | None = None
        self._abilities = abilities
        self._written: list[str] = []

    def copy(self) -> "Pen":
        """Another that has written the same, to try another way from here."""
        pen = Pen(self._abilities)
        pen.row, pen.column, pen.look = self.row, self.column, self.look
        pen._written = self._written.copy()
        return pen

    @property
    def length(self) -> int:
        """How much was written since it was taken."""
        return sum(map(len, self._written))

    def take(self) -> str:
        """What was written since this was asked last."""
        written = "".join(self._written)
        self._written.clear()
        return written

    def say(self, sequence: str) -> None:
        """Write a sequence that leaves cursor and look alone."""
        self._written.append(sequence)

    def go(self, row: int, column: int) -> None:
        """Move the cursor."""
        self.say(move(self.row, self.column, row, column))
        self.row, self.column = row, column

    def wear(self, look: Look) -> None:
        """Write like this from now on."""
        if look is not self.look:
            self.say(transition(self.look, look))
            self.look = look

    def writes_like(self, text: str, look: Look) -> bool:
        """Whether a cell would come out right without changing the look."""
        if look is self.look or self.look is None:
            return look is self.look
        return text == " " and look.bare is self.look.bare

    def put(self, cells: Sequence[str], look: Look, width: int) -> None:
        """Write cells that look alike and are no blanks."""
        self.wear(look)
        if not any(map(reach, set(cells))):
            self._advance("".join(cells), len(cells), width)
            return
        for column, cluster in enumerate(cells):
            if cluster:
                after = column + 1
                while after < len(cells) and not cells[after]:
                    after += 1
                self._put_cluster(cluster, after - column, width)

    def _put_cluster(self, cluster: str, size: int, width: int) -> None:
        """Write a cluster; where widths are disputed, trust only absolute places."""
        if not reach(cluster):
            self._advance(cluster, size, width)
            return
        row, column = self._place()
        if size > 1:
            self._advance(" " * size, size, width)
            self.go(row, column)
        self.say(cluster)
        self.column = None
        if column + size < width:
            self.go(row, column + size)

    def blank(self, count: int, look: Look, width: int) -> None:
        """Write blanks, or erase: the cursor then stays before them."""
        if not self.writes_like(" ", look):
            self.wear(look)
        if count > _WORTH_ERASING and self.can_erase(look):
            self.say(f"\x1b[{count}X")
        else:
            self._advance(" " * count, count, width)

    def end_line(self, look: Look) -> None:
        """Erase to the end of the line."""
        if not self.writes_like(" ", look):
            self.wear(look)
        self.say("\x1b[K")

    def again(self, text: str) -> None:
        """Write over what is there already, which looks as would be written now."""
        self.say(text)
        _, column = self._place()
        self.column = column + len(text)

    def can_erase(self, look: Look) -> bool:
        """Whether erasing leaves the ground that a blank of this look has."""
        if not look.is_ground:
            return False
        return self._abilities.erases_to_background or not look.background

    def clear(self) -> None:
        """Erase the whole screen to the terminal's own ground."""
        self.wear(PLAIN)
        self.say("\x1b[2J")

    def scroll(self, top: int, bottom: int, lines: int) -> None:
        """Move lines up, or down if negative; what comes in is not known."""
        self.say(f"\x1b[{top + 1};{bottom + 1}r")
        self.row = self.column = None
        self.go(top, 0)
        count = "" if abs(lines) == 1 else abs(lines)
        self.say(f"\x1b[{count}{'M' if lines > 0 else 'L'}\x1b[r")
        self.row = self.column = None

    def _advance(self, text: str, cells: int, width: int) -> None:
        """Write text of a certain width; after the last column a cursor is anywhere."""
        self.say(text)
        _, column = self._place()
        self.column = column + cells if column + cells < width else None

    def _place(self) -> tuple[int, int]:
        """Where the cursor is, when it was just put there."""
        if self.row is None or self.column is None:
            raise RuntimeError("writing begins at a known place")
        return self.row, self.column
