"""Pages of the reader and their bodies: texts, memories, plans, differences."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field
from msgspec.structs import replace
from rich.cells import cell_len

from store.clean import clean
from store.derive.memories import LAMBDA, STAGES, force, stage
from store.kinds.memories import Memory, MemoryInFull
from store.records.reports import Plan, Step
from store.text import regex
from widgets.lines import Key
from widgets.memory_table import STAGE_WORDS, bar, figure, fraction, glyph, share
from widgets.sheet import APART, CHARACTERS_PER_CELL, Piece, Pieces, width_of
from widgets.table import age, fit, fit_path
from widgets.text import (
    EMPTY,
    Look,
    Run,
    Runs,
    Target,
    TextLine,
    chunks,
    flow,
    marked,
    single,
    wrap,
    wrap_anywhere,
)

if TYPE_CHECKING:
    from widgets.markdown import Blocks

# Bodies: the content of a tab, laid out while it is read.


class Body(Protocol):
    """Content that can be laid out."""

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines, made on demand."""
        ...


def blocks_for(look: Look) -> "Blocks":
    """What lays out Markdown and code; it is loaded when the first text is read."""
    from widgets.markdown import Blocks  # noqa: PLC0415  # a tenth of a start

    return Blocks(look)


class Markdown(Body):
    """Markdown text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Paragraphs, lists, code and tables, parsed chunk by chunk."""
        blocks = blocks_for(look)
        for chunk in chunks(self._text):
            lines = blocks.lay(clean(chunk, multiline=True))
            yield from Plain(chunk).lines(look) if lines is None else lines


class Plain(Body):
    """Plain text; wrapped lines keep their indent."""

    def __init__(self, text: str) -> None:
        self._text = text

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines, wrapped between words."""
        for chunk in chunks(self._text):
            shown = clean(chunk, multiline=True).removesuffix("\n")
            for line in shown.split("\n"):
                said = line.lstrip(" ")
                indent = (Run(line[: min(len(line) - len(said), look.width // 2)]),)
                runs = marked([Run(said)], look.needles)
                yield from wrap(runs, look.width, indent, indent)


class Facts(Body):
    """Names and values, in two columns."""

    def __init__(self, facts: Sequence[tuple[str, str]]) -> None:
        self._facts = [(clean(name), value) for name, value in facts]

    def lines(self, look: Look) -> Iterator[TextLine]:
        """One fact per line, or as many lines as its value needs."""
        wide = min(
            max((len(name) for name, _ in self._facts), default=0), look.width // 3
        )
        indent = (Run(" " * (wide + 2)),)
        for name, value in self._facts:
            label = (Run(f"{name[:wide]:<{wide}}  ", "faint"),)
            runs = marked([Run(clean(value, multiline=True))], look.needles)
            yield from wrap(runs, look.width, label, indent)


class Made(Body):
    """Lines from a function: a head, a diff, a graph."""

    def __init__(self, make: Callable[[Look], Iterable[TextLine]]) -> None:
        self._make = make

    def lines(self, look: Look) -> Iterator[TextLine]:
        """The lines of the function."""
        yield from self._make(look)


class Joined(Body):
    """Bodies beneath one another, separated by blank lines."""

    def __init__(self, *bodies: Body) -> None:
        self._bodies = bodies

    def lines(self, look: Look) -> Iterator[TextLine]:
        """The lines of all non-empty bodies."""
        is_apart = False
        for body in self._bodies:
            for line in body.lines(look):
                if is_apart:
                    yield EMPTY
                    is_apart = False
                yield line
            is_apart = True


# Steps or conditions as a checklist.


def checklist(
    title: str, items: Sequence[str], *, is_numbered: bool
) -> Callable[[Look], Iterator[TextLine]]:
    """A heading, and a box for every item."""

    def made(look: Look) -> Iterator[TextLine]:
        yield TextLine((Run(title, "heading"),), is_heading=True)
        blocks = blocks_for(look)
        for number, item in enumerate(items, 1):
            box = f"☐ {number}. " if is_numbered else "☐ "
            runs = marked(blocks.inline(clean(item)), look.needles)
            before, beneath = (Run(box, "bullet"),), (Run(" " * len(box)),)
            yield from wrap(runs, look.width, before, beneath)

    return made


# A raw file: invisible bytes are shown as marks.

_UNDECODED = regex("[\udc80-\udcff]+")
_FIRST = 0xDC00
_PART = 1000
"""Characters processed together."""


class Raw(Body):
    """Bytes, line by line, with marks for control characters, joiners and the like."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines; a missing last newline is noted."""
        at = 0
        while at < len(self._data):
            end = self._data.find(b"\n", at)
            line = self._data[at : end if end >= 0 else None]
            runs = marked(_runs(line), look.needles) if look.needles else _runs(line)
            yield from wrap_anywhere(runs, look.width)
            at = len(self._data) if end < 0 else end + 1
        if not self._data:
            yield single("The file is empty.", "faint")
        elif not self._data.endswith(b"\n"):
            yield single("(no newline at the end)", "faint")


def _runs(line: bytes) -> Iterator[Run]:
    """A line as runs: visible text as it is, and marks for the rest."""
    text = line.decode("utf-8", "surrogateescape")
    for at in range(0, len(text), _PART):
        part = text[at : at + _PART]
        if part.isprintable():
            yield Run(clean(part))
        else:
            yield from _marked(part)


def _marked(part: str) -> Iterator[Run]:
    """A part with invisible characters."""
    for is_seen, characters in groupby(part, lambda one: _mark(one) == one):
        if is_seen:
            yield Run(clean("".join(characters)))
        else:
            yield Run("".join(map(_mark, characters)), "control")


def _mark(character: str) -> str:
    """A character, or its mark."""
    if _UNDECODED.match(character):
        return f"⟨{ord(character) - _FIRST:02X}⟩"
    return "␉" if character == "\t" else clean(character)


# The content of the reader: a title, and a body for each tab.

_TITLE = 22
"""Cells reserved for a title before tabs and notes, however narrow the pane."""

_STEP = 20
"""The most cells for the title of an earlier page."""

_ON: Piece = (" → ", "faint")
_BEFORE: Piece = ("… → ", "faint")

_BETWEEN: Piece = (" · ", "faint")
_MORE = "…"
"""Replaces the tabs that do not fit."""


class Page(Struct, frozen=True):
    """One record, ready to be read."""

    key: Key
    """Identifies it; showing the same page again keeps its place."""
    title: Pieces
    """Its title."""
    bodies: Mapping[str, Body] = field(default_factory=dict[str, Body])
    """The bodies by the names of their tabs, in order."""
    note: str = ""
    """The text at the right end of the title: the position in a list."""
    way: Sequence[str] = ()
    """The titles of the pages that led to it."""


NO_PAGE = Page(None, ())


def heading(page: Page, tab: str, width: int) -> Pieces:
    """The title, and on its right as much as fits: tabs, the note, the current tab.

    If all tabs would cut a title that nearly fills the line, the current tab is shown
    with as many of its neighbours as fit.
    """
    here: list[Piece] = [(tab, "sorted")] if len(page.bodies) > 1 else []
    told = page.note[: width * CHARACTERS_PER_CELL]
    note: list[Piece] = [(told, "head")] if told else []
    noted = [APART, *note] if note else []
    rows = list(_tabs(page, tab))
    choices = [*([*row, *noted] for row in rows), *rows[-1:], here, note]
    least = min(width_of(_came(page)), max(_TITLE, width * 3 // 5))
    room = width - least - width_of([APART])
    right = next((one for one in choices if one and width_of(one) <= room), note[:0])
    apart = [APART] if right else []
    left = max(width - width_of([*apart, *right]), 0)
    return [*fit(_title(page, left), left), *apart, *right]


def _came(page: Page, step: int = _STEP) -> list[Piece]:
    """The path to the title, each step shortened, and the title."""
    way = [[*fit([(one, "muted")], min(step, cell_len(one))), _ON] for one in page.way]
    return [*chain.from_iterable(way), *page.title]


def _title(page: Page, width: int) -> Pieces:
    """The title, preceded by the end of its path if there is room."""
    least = min(width_of(page.title), width // 2)
    for first in range(len(page.way)):
        later = replace(page, way=page.way[first:])
        came = [*([_BEFORE] if first else []), *_came(later, min(_STEP, width // 3))]
        if width_of(came) - width_of(page.title) + least <= width:
            return came
    return page.title


def tab_at(page: Page, tab: str, width: int, x: int) -> str | None:
    """The tab at a position in the heading."""
    at = 0
    for text, _ in heading(page, tab, width):
        at += width_of([(text, "")])
        if x < at:
            return text if text in page.bodies else None
    return None


def _tabs(page: Page, tab: str) -> Iterator[list[Piece]]:
    """The names of the tabs side by side: all, then fewer and fewer around this one.

    A sign replaces those that are left out.
    """
    names = list(page.bodies)
    if len(names) <= 1 or tab not in names:
        return
    at = names.index(tab)
    for count in range(len(names), 1, -1):
        first = max(min(at - (count - 1) // 2, len(names) - count), 0)
        last = first + count
        before, after = [_MORE] * (first > 0), [_MORE] * (last < len(names))
        yield _row([*before, *names[first:last], *after], tab)


def _row(names: Sequence[str], tab: str) -> list[Piece]:
    """Names side by side, with the current tab highlighted."""
    pieces: list[Piece] = []
    for name in names:
        pieces += [_BETWEEN] if pieces else []
        pieces.append((name, "sorted" if name == tab else "head"))
    return pieces


# A forecast: the strength of a memory that is not recalled.

DAYS = 120
"""The days that the forecast covers."""

_CELLS = 24
_LEVELS = "▁▂▃▄▅▆▇█"


def curve(strength: float) -> list[Run]:
    """The future strength, in the tones of the stages it passes."""
    runs: list[Run] = []
    for cell in range(_CELLS):
        then = strength * math.exp(-LAMBDA * DAYS * cell / (_CELLS - 1))
        level = math.ceil(share(then) * len(_LEVELS)) - 1
        runs.append(Run(_LEVELS[max(level, 0)], stage(then)))
    return runs


def changes(strength: float) -> list[tuple[str, int]]:
    """The future stages, and in how many days each is reached."""
    names = [*(name for name, _ in STAGES[1:]), "archived"]
    return [
        (name, round(math.log(strength / floor) / LAMBDA))
        for (_, floor), name in zip(STAGES, names, strict=True)
        if floor < strength < math.inf
    ]


# A memory as a page: facts, checklists, text.

_BAR, _SMALL_BAR = 10, 6
_TOLD = 2
"""The number of future stages shown; one less where there is less room."""

_BROAD = 70
"""The width from which each group of facts has its own line, and names in full."""

_DAY, _MINUTE = len("2026-02-14"), len("2026-02-14T10:30")


_UNSEEN = {
    "cut": "not read at the start: MEMORY.md lists it below the line where it is cut",
    "unlisted": "not read at the start: MEMORY.md doesn't list it",
    "unscanned": "never recalled: 200 memories are newer",
}


def memory_page(full: MemoryInFull, now: int) -> Body:
    """A whole memory."""
    lists = (
        ("Before", full.preconditions, False),
        ("Steps", full.steps, True),
        ("After", full.postconditions, False),
    )
    parts: list[Body] = [
        Made(lambda look: head(full.memory, now, look)),
        *(
            Made(checklist(title, items, is_numbered=is_numbered))
            for title, items, is_numbered in lists
            if items
        ),
    ]
    return Joined(*parts, Markdown(full.body))


def head(memory: Memory, now: int, look: Look) -> Iterator[TextLine]:
    """Facts in a few lines, and a rule."""
    facts = [*_state(memory, look), *_shares(memory)]
    times, future = [*_times(memory, now, look)], [*_future(memory, look)]
    lines = [facts, times] if look.width >= _BROAD else [facts + times]
    for groups in (*lines, future):
        yield from flow(groups, look.width)
    if look.is_zoomed:
        for line in _what_if(memory):
            yield from flow([line], look.width)
    yield from flow([_problem(code) for code in memory.problems], look.width)
    if memory.unseen:
        yield single(f"⊘ {_UNSEEN[memory.unseen]}", "warning")
    tags = [[Run(clean(f"#{tag}"), "tag", Target("tag", tag))] for tag in memory.tags]
    yield from flow(
        [list(marked(tag, look.needles)) for tag in tags], look.width, gap=1
    )
    at = f":{memory.line}" if memory.line else ""
    yield single(fit_path(clean(f"{memory.path}{at}"), look.width), "faint")
    yield single("─" * look.width, "faint")
    if memory.description:
        told = [Run(clean(memory.description), "italic")]
        yield from wrap(marked(told, look.needles), look.width)


def _state(memory: Memory, look: Look) -> Iterator[Runs]:
    """The stage, the strength, and a bar of it."""
    name = "vault" if memory.pinned else memory.stage
    sign, tone = glyph(name)
    if name is None:
        if memory.archived:
            yield [Run("· archived", "archived")]
        return
    shown = [
        Run(f"{sign} ".lstrip(), tone),
        Run(clean(STAGE_WORDS.get(name, name)), tone),
    ]
    if memory.strength is None or (memory.archived and not memory.strength):
        yield shown
    elif memory.pinned:
        yield [*shown, Run(", does not fade", "muted")]
    else:
        drawn = _bar(share(memory.strength), _BAR, tone)
        told = " strength " if look.width >= _BROAD else " "
        yield [*shown, Run(" "), *drawn, Run(f"{told}{figure(memory.strength)}", tone)]


def _shares(memory: Memory) -> Iterator[Runs]:
    value = memory.importance
    if isinstance(value, str):
        yield [Run("importance ", "faint"), Run(clean(value), "importance")]
    elif memory.archived and not value:
        yield [Run("importance comes back on restoring", "faint")]
    elif value is not None:
        drawn = _bar(value, _SMALL_BAR, "importance")
        yield [Run("importance ", "faint"), *drawn, Run(f" {fraction(value)}")]
    if memory.confidence is not None:
        yield [Run("confidence ", "faint"), Run(fraction(memory.confidence))]


def _times(memory: Memory, now: int, look: Look) -> Iterator[Runs]:
    """How often and when it was used: ages, and the day it was created.

    On the whole screen, every time is shown as written.
    """
    if memory.access_count:
        yield [Run(f"used {memory.access_count}×", "muted")]
    is_changed = memory.updated != memory.created
    for word, instant, usual in (
        ("seen", memory.accessed, 0),
        ("created", memory.created, _DAY),
        ("updated", memory.updated if is_changed else None, 0),
        ("file modified", None if memory.updated else memory.modified, _DAY),
    ):
        if instant:
            told = clean(instant[: _MINUTE if look.is_zoomed else usual])
            ago = f"{word} {_ago(age(instant, now))}".rstrip()
            at = [Run(f" {told.replace('T', ' ')}", "faint")] if told else []
            yield [Run(ago, "muted"), *at]


def _ago(told: str) -> str:
    if told in {"", "now"}:
        return told
    return f"in {told[1:]}" if told.startswith("+") else f"{told} ago"


def _future(memory: Memory, look: Look) -> Iterator[Runs]:
    """The forecast without further recalls."""
    if memory.strength is None or memory.pinned or memory.archived:
        return
    to_come = changes(memory.strength)
    if to_come:
        yield [Run(f"next {DAYS}d ", "faint"), *curve(memory.strength)]
    for name, days in to_come[: _TOLD - (look.width < _BROAD)]:
        yield [Run(f"{name} in {days}d", name)]


def _what_if(memory: Memory) -> Iterator[Runs]:
    """The same curve if it were recalled now, mattered most, or were pinned."""
    known, weight = memory.strength, memory.importance
    if not known or memory.pinned or memory.archived or not isinstance(weight, float):
        return
    uses, kind = memory.access_count, memory.type
    recalled = math.exp(force(weight, uses + 1, kind))
    wishes = [("if recalled now", recalled, curve(recalled))]
    if 0 < weight < 1:
        most = known / weight
        wishes.append(("if importance 1", most, curve(most)))
    for word, strength, drawn in wishes:
        lasts = "".join(f", {name} in {days}d" for name, days in changes(strength)[:1])
        told = f" {strength:.2f}{lasts}"
        yield [Run(f"{word} ", "faint"), *drawn, Run(told, "muted")]
    always = Run(_LEVELS[-1] * _CELLS, "vault")
    yield [Run("if pinned       ", "faint"), always, Run(" never fades", "muted")]
    if memory.stored_strength is not None:
        yield [Run(f"stored score {memory.stored_strength:.2f}", "faint")]


def _problem(code: str) -> Runs:
    return [Run("⚠ ", "warning"), Run(clean(code), "warning")]


def _bar(filled: float, width: int, tone: str) -> Iterable[Run]:
    return [Run(*piece) for piece in bar(filled, width, tone)]


# A diff: additions and deletions in colours, with signs.

_TONES = {"+": "ok", "-": "error", "@": "arrow"}
_FILES = ("--- ", "+++ ")


def diff_lines(diff: str, look: Look) -> Iterator[TextLine]:
    """The lines of a unified diff, without its head."""
    for line in diff.split("\n"):
        if line.startswith(_FILES) or not line:
            continue
        sign, said = line[0], clean(line[1:], multiline=False)
        tone = _TONES.get(sign, "muted")
        if sign == "@":
            yield TextLine((Run(line, tone),))
        else:
            indent = (Run(f"{sign} ", tone),)
            is_prose = said and said == " ".join(said.split())
            wrapped = wrap if is_prose else wrap_anywhere
            yield from wrapped([Run(said, tone)], look.width, indent, (Run("  "),))


# A plan to read: what changes in which file, and the consequences.

_MOST = 12
"""The most files named; the others are counted."""


def plan_body(plan: Plan) -> Body:
    """The changes, file by file, and the warnings."""
    return Made(lambda look: _plan(plan, look))


def diff_body(plan: Plan) -> Body:
    """The diff of each file."""
    return Joined(
        *(Made(lambda look, step=step: _step(step, look)) for step in plan.steps)
    )


def _plan(plan: Plan, look: Look) -> Iterator[TextLine]:
    yield from wrap([Run(clean(plan.action), "strong")], look.width)
    yield EMPTY
    for warning in plan.warnings:
        yield from wrap(
            [Run(clean(warning))], look.width, (Run("⚠ ", "warning"),), (Run("  "),)
        )
    if plan.warnings:
        yield EMPTY
    files: dict[str, list[Step]] = {}
    for step in plan.steps:
        files.setdefault(step.path, []).append(step)
    count = len(files)
    yield single(f"{count} {'file' if count == 1 else 'files'} will change", "heading")
    for steps in list(files.values())[:_MOST]:
        yield from _file(steps, look)
    if count > _MOST:
        yield single(f"  … {count - _MOST} more", "muted")
    yield EMPTY
    yield single("A backup is kept; you can undo this.", "muted")


_MODE = regex(r"mode \d{4}\n")
"""The whole text of a step that changes the mode of a file or a folder."""


def _file(steps: Sequence[Step], look: Look) -> Iterator[TextLine]:
    """One file with all its steps: created, changed, or deleted."""
    first, last = steps[0], steps[-1]
    comes, goes = map(sum, zip(*(step.amount for step in steps), strict=True))
    if first.before is None:
        verb, tone, much = "new", "ok", ""
    elif last.after is None:
        verb, tone, much = "delete", "error", ""
    else:
        verb, tone, much = "edit", "warning", f"  +{comes} -{goes}"
        if _MODE.fullmatch(first.before) and _MODE.fullmatch(last.after):
            verb, much = "mode", f"  {first.before[5:-1]} → {last.after[5:-1]}"
    path, start = Run(clean(first.path)), (Run(f"  {verb:<6} ", tone),)
    yield from wrap([path, Run(much, "muted")], look.width, start, (Run(" " * 9),))


def _step(step: Step, look: Look) -> Iterator[TextLine]:
    yield single(clean(step.path), "heading")
    hunks = _HUNKS.split(step.diff)
    own = [one for one in hunks if not _is_automatic(one)]
    own = own if any(one.startswith("@@") for one in own) else hunks
    yield from diff_lines("".join(own), look)
    if len(own) < len(hunks):
        yield single("also sets the date in updated", "muted")


_HUNKS = regex(r"(?m)^(?=@@ )")
_AUTOMATIC = regex(r"[+-]\s*\"?updated\"?:")


def _is_automatic(hunk: str) -> bool:
    """Whether a part of a diff only sets the date of the last change."""
    lines = [one for one in hunk.split("\n") if one.startswith(("+", "-"))]
    return hunk.startswith("@@") and all(map(_AUTOMATIC.match, lines))


# Three versions side by side: the base, mine and theirs.
#
# Only the differences, each line with its owner, because three columns would not fit.

_WIDE = 8
_NOTHING = "(nothing)"


class Part(Struct, frozen=True, kw_only=True):
    """A place where the versions differ."""

    line: int
    """Its first line in the base version, counted from 1."""
    was: Sequence[str]
    mine: Sequence[str]
    theirs: Sequence[str]

    @property
    def told(self) -> tuple[str, str]:
        """Who changed it, and the severity."""
        if self.mine == self.theirs:
            return "both made the same change", "muted"
        if self.mine == self.was:
            return "only they changed it", "muted"
        if self.theirs == self.was:
            return "only you changed it", "muted"
        return "both changed it", "warning"


def three_body(parts: Sequence[Part]) -> Body:
    """All places, one beneath the other, conflicts first."""
    both = [one for one in parts if one.told[1] == "warning"]
    others = [one for one in parts if one.told[1] != "warning"]
    return Made(lambda look: _lines([*both, *others], look))


def _lines(parts: Sequence[Part], look: Look) -> Iterator[TextLine]:
    for part in parts:
        told, tone = part.told
        yield TextLine((Run(f"line {part.line}", "heading"), Run(f"  {told}", tone)))
        yield from _text("was", part.was, "muted", look)
        if part.mine != part.was:
            yield from _text("mine", part.mine, "ok", look)
        if part.theirs not in (part.was, part.mine):
            yield from _text("theirs", part.theirs, "arrow", look)
    if not parts:
        yield single("Both are identical.", "muted")


def _text(
    whose: str, lines: Sequence[str], tone: str, look: Look
) -> Iterator[TextLine]:
    """The text of one version, labelled on its first line."""
    label = f"  {whose:<{_WIDE}}"
    for line in lines or (_NOTHING,):
        said = clean(line) if lines else line
        indent = (Run(label, "faint"),)
        yield from wrap_anywhere(
            [Run(said, tone if lines else "muted")],
            look.width,
            indent,
            (Run(" " * len(label)),),
        )
        label = " " * len(label)
