"""How long something took, in few cells: `0.4s`, `12s`, `1m 37s`, `1h 10m`, `3d 4h`."""

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_TEN = 9.95


def took(seconds: float) -> str:
    """A duration in its two largest units."""
    if seconds < _TEN:
        return _rounded(seconds) + "s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m {whole % _MINUTE:02}s"
    if whole < _DAY:
        return f"{whole // _HOUR}h {whole % _HOUR // _MINUTE:02}m"
    return f"{whole // _DAY}d {whole % _DAY // _HOUR}h"


def about(seconds: float) -> str:
    """The same in its largest unit alone: for the scale of a chart."""
    for unit, length in (("d", _DAY), ("h", _HOUR), ("m", _MINUTE)):
        if seconds >= length:
            return _rounded(seconds / length) + unit
    return _rounded(seconds) + "s"


def _rounded(amount: float) -> str:
    """A number with one digit behind the point, where there is only one before it."""
    told = f"{amount:.1f}" if amount < _TEN else f"{amount:.0f}"
    return told.removesuffix(".0")
