"""Quantities as people say them: sizes, counts, durations."""

_BYTES = ("B", "kB", "MB", "GB", "TB")
_COUNTS = ("", "k", "M", "G", "T")
_TEN, _THOUSAND = 10, 1000

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def sized(size: int) -> str:
    """A number of bytes; nothing for none."""
    if not size:
        return ""
    power = min(len(str(size)) - 1, 12) // 3
    return f"{size / 1000**power:.0f} {_BYTES[power]}"


def compact(count: int) -> str:
    """A number in at most five characters: 950, 1.2k, 35k, 1.2M."""
    scaled, power = float(count), 0
    while abs(scaled) >= _THOUSAND - 0.5 and power < len(_COUNTS) - 1:
        scaled, power = scaled / _THOUSAND, power + 1
    digits = 1 if power and abs(scaled) < _TEN - 0.05 else 0
    return f"{scaled:.{digits}f}{_COUNTS[power]}"


def lasted(seconds: float) -> str:
    """A duration in its two largest units: 0.4 s, 12 s, 3 min 20 s, 1 h 5 min."""
    if abs(seconds) < _TEN:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return _two(whole, _MINUTE, "min", 1, "s")
    if whole < _DAY:
        return _two(whole, _HOUR, "h", _MINUTE, "min")
    return _two(whole, _DAY, "d", _HOUR, "h")


def _two(whole: int, large: int, name: str, small: int, smaller: str) -> str:
    """A duration in two units; the smaller one is left out where it is none."""
    rest = whole % large // small
    return f"{whole // large} {name}" + (f" {rest} {smaller}" if rest else "")
