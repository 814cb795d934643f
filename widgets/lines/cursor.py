"""Where a cursor goes: arithmetic of positions, so that a widget need not do any."""


def within(position: int, count: int) -> int:
    """A position among so many rows; 0 where there is none."""
    return max(0, min(position, count - 1))


def scrolled(first: int, room: int, position: int) -> int:
    """The first row in view, once a position is in view too; as little as can be."""
    if position < first or room <= 0:
        return position
    return max(first, position - room + 1)
