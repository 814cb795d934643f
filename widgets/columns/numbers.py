"""Counts in few cells."""

_THOUSAND = 1000
_UNITS = ("", "k", "M", "G", "T")


def brief(count: int) -> str:
    """A count in at most four characters: `950`, `12k`, `3M`."""
    power = 0
    while count >= _THOUSAND and power < len(_UNITS) - 1:
        count, power = count // _THOUSAND, power + 1
    return f"{min(count, _THOUSAND - 1)}{_UNITS[power]}"
