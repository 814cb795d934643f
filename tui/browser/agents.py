"""What agents read at their start, and what they would recall for a prompt."""

from collections.abc import Callable, Coroutine, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from store.agents import AGENTS, context_of, memory_folders
from store.clean import clean
from store.context import WINDOW, Surroundings, below_home, exists
from store.context import Part as ContextPart
from store.errors import WrongUseError
from store.kinds.conversations import Conversation
from store.machine import Machine
from store.recall import Recalled, recall, words_of
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.lists import Lists
from tui.browser.panes import show_file
from tui.browser.popups.popup import Choice
from tui.browser.popups.question import Wanted
from tui.browser.session import Session
from tui.browser.status import Status
from widgets.memory_table import bar
from widgets.sheet import Pieces
from widgets.table import fit_path

_NO_CONTEXT = "No agent finds instructions or memories for this folder."
_NO_MEMORIES = "No agent finds memories for this folder."

_Doing = Callable[[Surroundings], Coroutine[Any, Any, None]]


class AgentView(Part):
    """Shows the stores as an agent sees them."""

    display: Display
    session: Session
    status: Status
    lists: Lists
    dialogs: Dialogs

    def context(self) -> None:
        """Show what agents read when they start in the folder of a conversation.

        Without one, it is the folder in which recollect was started, with the memories
        of the store that the record is in, if agents read them at their start.
        """
        self._begin(self._context)

    def recall(self) -> None:
        """Ask for a prompt, and show which memories an agent would recall."""
        self._begin(self._recall)

    def _begin(self, doing: _Doing) -> None:
        record, machine = self.lists.here, Machine.this()
        cwd = record.cwd if isinstance(record, Conversation) else None
        at = Surroundings(
            Path(cwd) if cwd and cwd.startswith("/") else machine.here,
            machine.home,
            Path(record.store) if record else None,
            machine.environment,
        )
        self.dialogs.begin(doing(at))

    async def _context(self, at: Surroundings) -> None:
        parts = await self.session.ask(
            lambda _: [part for agent in AGENTS for part in context_of(agent, at)]
        )
        title = f"what agents read first in {below_home(str(at.folder), at.home)}"
        title += "" if exists(at.folder) else " (not on this machine)"
        rows = context_menu(parts, at.home)
        chosen = await self.dialogs.pick(clean(title), rows, nothing=_NO_CONTEXT)
        if chosen is not None and chosen >= 0:
            self._open(parts[chosen].path)

    def _open(self, path: str) -> None:
        file = Path(path)
        self.status.message = show_file(self.display, str(file.parent), file.name)

    async def _recall(self, at: Surroundings) -> None:
        asked = "what you would ask the agent"
        wanted = Wanted("recall for a prompt", asked, check=_checked)
        prompt = await self.dialogs.typed(wanted)
        if prompt is None:
            return
        found = await self.session.ask(lambda _: recall([prompt], memory_folders(at)))
        found.sort(key=lambda one: (not one.is_recalled, not one.near))
        title = f"recalled by words alone, without a model: {prompt}"
        rows = recall_menu(found)
        chosen = await self.dialogs.pick(clean(title), rows, nothing=_NO_MEMORIES)
        if chosen is not None:
            self._open(found[chosen].path)


def _checked(prompt: str) -> str:
    """A prompt with a word that counts; raises WrongUseError."""
    if not words_of(prompt):
        raise WrongUseError("Only words of four letters or more count.")
    return prompt


# What an agent is given at its start.


def context_menu(parts: Sequence[ContextPart], home: Path) -> list[Choice[int]]:
    """The files that agents read, in their order, each with its size.

    Before those of an agent comes their sum, as a share of the context.
    """
    rows: list[Choice[int]] = []
    numbered = enumerate(parts)
    for agent, several in groupby(numbered, key=lambda pair: pair[1].agent):
        own = list(several)
        total = sum(part.tokens for _, part in own if part.is_loaded)
        rows.append(_sum_of(agent, total, -1 - len(rows)))
        rows += [_part(number, part, total, home) for number, part in own]
    return rows


_BUDGET = 8
"""Cells of a bar for a budget."""


def _sum_of(agent: str, total: int, value: int) -> Choice[int]:
    share = total / WINDOW
    tokens = [*bar(share, _BUDGET, "key"), (f" {total:>7,} tokens", "muted")]
    told = f"{agent}: {_percent(share)} of a context of {WINDOW:,}"
    detail = "Tokens are estimated: four bytes each."
    return Choice(value, told, right=tokens, detail=detail)


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= _LITTLE or not share else f"under {_LITTLE:.1%}"


_LITTLE = 0.001
"""The smallest share that is shown as a number."""


def _part(number: int, part: ContextPart, total: int, home: Path) -> Choice[int]:
    over = part.used is not None and part.used > 1
    share = part.tokens / total if part.is_loaded else 0.0
    tone = "warning" if over or part.note else "key"
    return Choice(
        number,
        fit_path(clean(below_home(part.path, home)), _PATH),
        part.role if part.when == "always" else clean(f"{part.role} {part.when}"),
        before=[(f"{part.agent:<8} ", "faint")],
        right=[*_size(part, share, tone)],
        detail=_loaded(part),
    )


_WIDTH = _BUDGET + len(" 123,456 tokens")
_PATH = 39
"""Cells of a path at 80 columns, so that a long one keeps the name of its file."""


def _size(part: ContextPart, share: float, tone: str) -> Pieces:
    """How much of the context a file takes; why it is not read, if nothing is."""
    if part.note and not part.loaded_bytes:
        note = clean(part.note)
        short = note if len(note) <= _WIDTH else f"{note[: _WIDTH - 1]}…"
        return [(f"{short:>{_WIDTH}}", "warning")]
    until = f" to line {part.loaded_lines:,}" if part.note else " tokens"
    return [*bar(share, _BUDGET, tone), (f" {part.tokens:>7,}{until}", "muted")]


def _loaded(part: ContextPart) -> str:
    """How much of a file is read, why not all of it, and what it is."""
    read = f"{part.loaded_lines:,} of {part.lines:,} lines are read"
    if part.used is not None:
        read += f", {part.used:.0%} of {part.limit}"
    why = clean(part.note or "")
    what = part.role if part.when == "always" else f"{part.role} {clean(part.when)}"
    told = (why, read, what)
    return " ".join(f"{one[:1].upper()}{one[1:]}." for one in told if one)


# What an agent would recall for a prompt.

_SIGNS = {True: ("● ", "active"), False: ("◌ ", "faint")}


def recall_menu(found: Sequence[Recalled]) -> list[Choice[int]]:
    """The memories of a project, first those that a prompt brings."""
    return [
        Choice(
            number,
            clean(one.name),
            clean(one.description),
            before=[("◐ ", "warning") if one.near else _SIGNS[one.is_recalled]],
            right=[(clean(", ".join(one.words)), "key")],
            detail=clean(f"{_why(one)}."),
        )
        for number, one in enumerate(found)
    ]


def _why(one: Recalled) -> str:
    if one.is_recalled:
        told = f"Recalled: {one.loaded_lines:,} lines, {one.loaded_bytes:,} bytes"
        return f"{told}, {one.note}" if one.note else told
    return f"{'Near miss' if one.near else 'Not recalled'}: {one.note}"
