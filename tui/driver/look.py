"""How a cell looks, and the shortest way from one look to another."""

from collections.abc import Iterator
from functools import lru_cache

_OFF = {
    22: {1, 2},
    23: {3},
    24: {4, 21},
    25: {5, 6},
    27: {7},
    28: {8},
    29: {9},
    54: {51, 52},
    55: {53},
}
"""The code that ends some attributes, and which."""

_ENDED_EVERYWHERE = {1: 22, 2: 22, 3: 23, 4: 24, 5: 25, 7: 27, 9: 29}
"""What every terminal can end by itself; to end anything else, all is reset."""

_ATTRIBUTES = {attribute for ended in _OFF.values() for attribute in ended}

_SEEN_ON_BLANKS = frozenset({4, 7, 9, 21, 51, 52, 53})
"""Lines through and around, and reversal: a blank shows nothing else but its ground."""

_NONE: frozenset[int] = frozenset()

_RESET = 0
_COMPONENTS = {2: 3, 5: 1}
"""How many numbers follow the kind of an extended colour."""


class Look:
    """Attributes and colours of a cell; equal ones are one object."""

    __slots__ = ("attributes", "background", "bare", "foreground")

    def __init__(
        self, attributes: frozenset[int], foreground: str, background: str
    ) -> None:
        """Colours are the parameters that choose them; empty for the terminal's own."""
        self.attributes = attributes
        self.foreground = foreground
        self.background = background
        self.bare = self if self._is_bare() else look(_NONE, "", background)
        """As much of it as can be seen on a blank."""

    @property
    def is_ground(self) -> bool:
        """Whether a blank of this look is nothing but ground, as erasing leaves it."""
        return not self.bare.attributes

    def _is_bare(self) -> bool:
        if self.attributes & _SEEN_ON_BLANKS:
            return True
        return not self.attributes and not self.foreground


@lru_cache(maxsize=8192)
def look(attributes: frozenset[int], foreground: str, background: str) -> Look:
    """The one look that is like this."""
    return Look(attributes, foreground, background)


PLAIN = look(_NONE, "", "")
"""How a terminal writes after a reset."""


@lru_cache(maxsize=8192)
def styled(before: Look, parameters: str) -> Look:
    """The look after an SGR sequence; codes that mean nothing here change nothing."""
    attributes = set(before.attributes)
    colours = {"3": before.foreground, "4": before.background}
    codes = iter([int(code or 0) for code in parameters.split(";")])
    for code in codes:
        if code == _RESET:
            attributes.clear()
            colours = {"3": "", "4": ""}
        elif code in _ATTRIBUTES:
            attributes.add(code)
        elif code in _OFF:
            attributes -= _OFF[code]
        else:
            colours.update(_colour(code, codes))
    return look(frozenset(attributes), colours["3"], colours["4"])


def _colour(code: int, following: Iterator[int]) -> dict[str, str]:
    """The colour that a code chooses, by the digit of what it colours."""
    tens, ones = divmod(code, 10)
    ground = {3: "3", 9: "3", 4: "4", 10: "4"}.get(tens)
    if ground is None:
        return {}
    if tens in {9, 10} or ones < 8:  # noqa: PLR2004  # the eight colours of old
        return {ground: str(code)}
    if ones == 9:  # noqa: PLR2004  # the terminal's own
        return {ground: ""}
    kind = next(following, 0)
    numbers = [str(next(following, 0)) for _ in range(_COMPONENTS.get(kind, 0))]
    return {ground: ";".join([str(code), str(kind), *numbers])} if numbers else {}


@lru_cache(maxsize=8192)
def transition(before: Look | None, after: Look) -> str:
    """The shortest SGR sequence from one look, or from any, to another."""
    if before is after:
        return ""
    ways = [_anew(after)]
    if before and before.attributes - after.attributes <= _ENDED_EVERYWHERE.keys():
        ways.append(_onwards(before, after))
    return f"\x1b[{min(ways, key=len)}m"


def _anew(after: Look) -> str:
    """The parameters after a reset."""
    wanted = [*_codes(after.attributes), after.foreground, after.background]
    codes = [code for code in wanted if code]
    return ";".join(["0", *codes]) if codes else ""


def _onwards(before: Look, after: Look) -> str:
    """The parameters that only say what changes."""
    gone = before.attributes - after.attributes
    ends = {_ENDED_EVERYWHERE[attribute] for attribute in gone}
    left = before.attributes.difference(*(_OFF[end] for end in ends))
    codes = [*_codes(ends), *_codes(after.attributes - left)]
    if before.foreground != after.foreground:
        codes.append(after.foreground or "39")
    if before.background != after.background:
        codes.append(after.background or "49")
    return ";".join(codes)


def _codes(codes: frozenset[int] | set[int]) -> list[str]:
    return [str(code) for code in sorted(codes)]
