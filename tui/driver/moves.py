"""The shortest way for the cursor from one place to another."""

_FEEDS = 3
"""Further down than this, saying the place is always shorter."""


def move(row: int | None, column: int | None, to_row: int, to_column: int) -> str:
    """The fewest bytes that bring the cursor there; None is a place that is not known.

    A line feed is always sent with a carriage return: whether a terminal's line returns
    by itself is its user's to say.
    """
    ways = [_place(to_row, to_column)]
    if row == to_row:
        if column == to_column:
            return ""
        ways += [f"\r{_along(0, to_column)}", f"\x1b[{to_column + 1}G"]
        if column is not None:
            ways.append(_along(column, to_column))
    elif row is not None:
        down = to_row - row
        if 0 < down < _FEEDS:
            ways.append("\r\n" * down + _along(0, to_column))
        if column == to_column:
            ways.append(_steps(down, "B") if down > 0 else _steps(-down, "A"))
    return min(ways, key=len)


def _place(row: int, column: int) -> str:
    if column:
        return f"\x1b[{row + 1};{column + 1}H"
    return f"\x1b[{row + 1}H" if row else "\x1b[H"


def _along(column: int, to_column: int) -> str:
    """Within a line."""
    steps = to_column - column
    if steps >= 0:
        return _steps(steps, "C")
    return min("\b" * -steps, _steps(-steps, "D"), key=len)


def _steps(count: int, direction: str) -> str:
    if not count:
        return ""
    return f"\x1b[{count if count > 1 else ''}{direction}"
