"""A line of cells, as wanted or as shown."""

from msgspec import Struct

from tui.driver.clusters import reach
from tui.driver.look import PLAIN, Look

_UNKNOWN = "\0"


class Row(Struct):
    """What is in each cell, and how it looks."""

    text: list[str]
    """A cluster in its first cell, nothing in the further ones that it takes."""
    looks: list[Look]
    """As many as there are cells."""

    @classmethod
    def blank(cls, width: int, look: Look = PLAIN) -> "Row":
        """Nothing but ground."""
        return cls([" "] * width, [look] * width)

    @classmethod
    def unknown(cls, width: int) -> "Row":
        """Like no line that is wanted."""
        return cls([_UNKNOWN] * width, [PLAIN] * width)

    def copy(self) -> "Row":
        """The same cells, to be changed apart."""
        return Row(self.text.copy(), self.looks.copy())

    def resized(self, width: int) -> "Row":
        """The same cells as far as there is room, and ground where there is more."""
        more = Row.blank(max(width - len(self.text), 0))
        text, looks = self.text[:width], self.looks[:width]
        row = Row(text + more.text, looks + more.looks)
        if width < len(self.text) and not self.text[width]:
            row.halve(width - 1)
        return row

    def halve(self, column: int) -> None:
        """Leave blanks of the cluster in a cell, since a part of it was overwritten."""
        while not self.text[column] and column:
            self.text[column] = " "
            column -= 1
        self.text[column] = " "

    def end(self, column: int) -> int:
        """The first column from here on that does not belong to a cluster before it."""
        while column < len(self.text) and not self.text[column]:
            column += 1
        return column

    def put(self, column: int, cells: str | tuple[str, ...], look: Look) -> None:
        """Overwrite cells, and what is left of clusters at both ends."""
        end = column + len(cells)
        if column and not self.text[column]:
            self.halve(column - 1)
        cut = self.end(end) - end
        self.text[end : end + cut] = [" "] * cut
        self.text[column:end] = cells
        self.looks[column:end] = [look] * len(cells)

    def differences(self, wanted: "Row") -> list[int]:
        """The cells that must be written, given what is wanted."""
        columns = [
            column
            for column, (is_text, text, is_look, look) in enumerate(
                zip(self.text, wanted.text, self.looks, wanted.looks, strict=True)
            )
            if is_text != text
            or (is_look is not look and (text != " " or is_look.bare is not look.bare))
        ]
        if columns and any(map(reach, {*self.text, *wanted.text})):
            return self._spread(wanted, columns)
        return columns

    def _spread(self, wanted: "Row", columns: list[int]) -> list[int]:
        """Add the cells that a terminal may have taken for a cluster beside them.

        Such a cluster that is written again may take the cells after it again.
        """
        changed, spread, taken = set(columns), list[int](), 0
        for column, (is_text, text) in enumerate(
            zip(self.text, wanted.text, strict=True)
        ):
            if column in changed or column < taken:
                spread.append(column)
                taken = max(taken, column + max(reach(is_text), reach(text)))
        return spread
