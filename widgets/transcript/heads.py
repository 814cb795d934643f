"""The one line of what is folded, and the lines between messages."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size

from store.clean import clean
from widgets.reader.bodies import Body, Made
from widgets.reader.hits import marked
from widgets.reader.look import Look
from widgets.reader.runs import EMPTY, Run, TextLine, plain
from widgets.transcript.entry import Head

_CLOSED, _OPEN, _NEITHER = "▸ ", "▾ ", "  "
_CUT = "…"
_GAP = 2
_LEAST = 12
"""Cells that what a line is about gets before what else is told of it."""
_LONGEST = 1000
"""Characters of it that are looked at; no line is so wide."""

_OUTCOMES = {True: ("✗ ", "error_type"), False: ("✓ ", "ok"), None: ("· ", "faint")}


class Told(Struct, frozen=True):
    """What a line tells: what it is, what it is about, and what else."""

    name: str
    about: str = ""
    asides: Sequence[str] = ()
    """What else is to be known, the most telling first; told as there is room."""
    sign: str = ""
    tone: str = "muted"
    sign_tone: str = "faint"
    can_fold: bool = True
    aside_tone: str = "faint"
    is_pressing: bool = False
    """Whether the first of what else there is to know must be told."""
    leads: bool = False
    """Whether what it is about can be gone to."""


def call(told: Told, *, has_failed: bool | None) -> Head:
    """A call of a tool, and how it ended; None where nobody knows."""
    sign, tone = _OUTCOMES[has_failed]
    signed = replace(told, sign=sign, sign_tone=tone)
    if has_failed:
        signed = replace(signed, aside_tone="error_type", is_pressing=True)
    return folded(signed)


def folded(told: Told) -> Head:
    """What stands for something that can be opened."""

    def head(look: Look, is_open: bool) -> TextLine:  # noqa: FBT001  # as heads are
        fold = (_OPEN if is_open else _CLOSED) if told.can_fold else _NEITHER
        first = [Run(fold, "faint"), Run(told.sign, told.sign_tone)]
        about = clean(told.about[:_LONGEST])
        room = look.width - cell_len(plain(first))
        name = _cut(clean(told.name[:_LONGEST]), room // 2 if about else room)
        room -= cell_len(name) + _GAP
        spare = room - min(cell_len(about), max(room, _LEAST))
        if told.is_pressing:
            spare = max(spare, room // 2)
        after = _asides(told.asides, spare, is_cut=told.is_pressing)
        room -= cell_len(after)
        runs = [*first, Run(name, told.tone)]
        if about and room > 0:
            said = Run(_cut(about, room), "link" if told.leads else "faint")
            runs += [Run(" " * _GAP), *marked([said], look.needles)]
        return TextLine((*runs, Run(after, told.aside_tone)))

    return head


def speaker(name: str, when: str, tone: str) -> Body:
    """Who speaks, and since when."""
    return _line(lambda _: (Run(name, tone), Run(f"  {clean(when)}", "faint")))


def silence(lasting: str) -> Body:
    """How long nothing was said."""
    return _line(lambda _: (Run(f"┊ {lasting}", "faint"),))


def division(told: str, tone: str = "head") -> Body:
    """Something that divides what comes before from what comes after."""

    def rule(look: Look) -> Sequence[Run]:
        said = f"── {_cut(clean(told[:_LONGEST]), max(look.width - 6, 1))} "
        return (Run(said, tone), Run("─" * (look.width - cell_len(said)), "faint"))

    return _line(rule)


def blank() -> Body:
    """An empty line."""
    return Made(lambda _: (EMPTY,))


def _line(runs: Callable[[Look], Sequence[Run]]) -> Body:
    def lines(look: Look) -> Iterator[TextLine]:
        yield TextLine(tuple(runs(look)))

    return Made(lines)


def _asides(asides: Sequence[str], room: int, *, is_cut: bool) -> str:
    """As many of them as there is room for; the first cut where it must be told."""
    told = ""
    if is_cut and asides and room > _LEAST:
        told = _cut(f"  · {clean(asides[0][:_LONGEST])}", room)
        asides = asides[1:]
    for aside in asides:
        more = f"  · {clean(aside)}" if not told else f" · {clean(aside)}"
        if cell_len(told + more) <= room:
            told += more
    return told


def _cut(text: str, width: int) -> str:
    """As much of a text as fits; a cut shows."""
    if cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, max(width - 1, 0))}{_CUT}"
