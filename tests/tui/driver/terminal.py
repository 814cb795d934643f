"""A terminal in memory, stricter than pyte's own."""

import pyte
from pyte.screens import Char
from rich.cells import cell_len

ALL = 2
OTHER_SCREEN = 1049
PRIVATE = 5
"""How far pyte shifts the numbers of private modes."""

_DEFAULT = 0
_EXTENDED = {38, 48}
_OFF = {22: {2}, 24: {21}, 25: {6}, 28: {8}, 54: {51, 52}, 55: {53}}
_NOTED = {2, 6, 8, 21, 51, 52, 53}


class Terminal(pyte.Screen):
    """Knows clusters, halves of wide characters, and attributes that pyte passes over.

    The attributes are noted beside the foreground.
    """

    def __init__(
        self,
        columns: int,
        lines: int,
        *,
        erases_to_background: bool = True,
        is_naive: bool = False,
    ) -> None:
        self._erases = erases_to_background
        self._is_naive = is_naive
        self._noted: set[int] = set()
        self._last: tuple[int, int, str] | None = None
        super().__init__(columns, lines)
        self._stream = pyte.Stream(self, strict=False)

    def feed(self, data: str) -> None:
        self._stream.feed(data.replace("\n", "\r\n"))

    def draw(self, data: str) -> None:
        for character in data:
            self._draw(character)

    def set_mode(self, *modes: int, **kwargs: bool) -> None:
        super().set_mode(*modes, **kwargs)
        if kwargs.get("private") and OTHER_SCREEN in modes:
            self.erase_in_display(2)
            self.cursor_position()

    def reset_mode(self, *modes: int, **kwargs: bool) -> None:
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and OTHER_SCREEN in modes:
            self.erase_in_display(2)

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002  # as in pyte
        at = self.cursor.x
        first, end = [(at, self.columns), (0, at + 1), (0, self.columns)][how]
        self._erase(self.cursor.y, first, end)

    def erase_in_display(self, how: int = 0, *_args: int, **_kwargs: bool) -> None:
        at = self.cursor.y
        first, end = [(at + 1, self.lines), (0, at), (0, self.lines)][how]
        for row in range(first, end):
            self._erase(row, 0, self.columns)
        if how != ALL:
            self.erase_in_line(how)

    def erase_characters(self, count: int | None = None) -> None:
        at = self.cursor.x
        self._erase(self.cursor.y, at, min(at + (count or 1), self.columns))

    def select_graphic_rendition(self, *attrs: int) -> None:
        super().select_graphic_rendition(*attrs)
        self._last = None
        self._note(list(attrs or (0,)))
        colour = self.cursor.attrs.fg.partition("|")[0]
        noted = "".join(f"|{code}" for code in sorted(self._noted))
        self.cursor.attrs = self.cursor.attrs._replace(fg=f"{colour}{noted}")

    def seen(self) -> list[list[Char]]:
        """A cell as a person sees it: of a blank its background and lines."""
        return [
            [seen(self.buffer[row][column]) for column in range(self.columns)]
            for row in range(self.lines)
        ]

    def has_mode(self, mode: int) -> bool:
        return mode << PRIVATE in self.mode

    def text(self) -> str:
        rows = ("".join(cell.data for cell in row) for row in self.seen())
        return "\n".join(row.rstrip() for row in rows)

    def _erase(self, row: int, first: int, end: int) -> None:
        self._blank(row, first, -1)
        self._blank(row, end, 1)
        attrs = self.cursor.attrs if self._erases else Char(" ")
        for column in range(first, end):
            self.buffer[row][column] = attrs._replace(data=" ")

    def _note(self, codes: list[int]) -> None:
        while codes:
            code = codes.pop(0)
            if code in _EXTENDED:
                del codes[: 4 if codes[0] == 2 else 2]
            elif code == _DEFAULT:
                self._noted.clear()
            elif code in _NOTED:
                self._noted.add(code)
            self._noted -= _OFF.get(code, set())

    def _draw(self, character: str) -> None:
        column, row = self.cursor.x, self.cursor.y
        last = self._last
        if last and last[:2] == (column, row) and self._joins(last[2], character):
            cluster = last[2] + character
            self._put(column - self._size(last[2]), row, cluster)
        elif self._size(character):
            self._put(column, row, character)
        elif column:
            self._mark(column - 1, row, character)

    def _joins(self, cluster: str, character: str) -> bool:
        if self._is_naive:
            return not cell_len(character)
        is_flag = len(cluster) == 1 and "\U0001f1e6" <= cluster <= "\U0001f1ff"
        return (
            not cell_len(character)
            or cluster.endswith("\u200d")
            or (is_flag and "\U0001f1e6" <= character <= "\U0001f1ff")
        )

    def _size(self, cluster: str) -> int:
        if self._is_naive:
            return max(map(cell_len, cluster))
        return cell_len(cluster)

    def _put(self, column: int, row: int, cluster: str) -> None:
        line, size = self.buffer[row], self._size(cluster)
        if column + size > self.columns:
            return
        self._blank(row, column, -1)
        self._blank(row, column + size, 1)
        line[column] = self.cursor.attrs._replace(data=cluster)
        for further in range(column + 1, column + size):
            line[further] = self.cursor.attrs._replace(data="")
        self.cursor.x = column + size
        self._last = (self.cursor.x, row, cluster)

    def _blank(self, row: int, column: int, step: int) -> None:
        """Blank the rest of a cluster that a column cuts in two."""
        line = self.buffer[row]
        if column >= self.columns or line[column].data:
            return
        column += min(step, 0)
        while 0 <= column < self.columns:
            was_first = bool(line[column].data)
            if step > 0 and was_first:
                return
            line[column] = line[column]._replace(data=" ")
            if was_first:
                return
            column += step

    def _mark(self, column: int, row: int, mark: str) -> None:
        line = self.buffer[row]
        while column and not line[column].data:
            column -= 1
        line[column] = line[column]._replace(data=line[column].data + mark)


def seen(cell: Char) -> Char:
    if cell.data != " ":
        return cell
    noted = set(cell.fg.split("|")[1:]) & {"21", "51", "52", "53"}
    if noted or cell.underscore or cell.strikethrough or cell.reverse:
        return cell
    return Char(" ", bg=cell.bg)
