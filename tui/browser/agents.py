"""What agents read at their start, and what they would recall for a prompt."""

from collections.abc import Callable, Container, Coroutine, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from store.agents import AGENTS, context_of, memories_of, memory_folders, project_with
from store.clean import clean
from store.context import (
    WINDOW,
    Recalled,
    Surroundings,
    below_home,
    exists,
    recall,
    words_of,
)
from store.context import Part as ContextPart
from store.errors import NotPossibleError, WrongUseError
from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.library import Library, Page
from store.machine import Machine
from store.records.reports import StoreReport
from store.search.tree import All, Named
from tui.browser.bars import counted
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.lists import Lists
from tui.browser.panes import show_file
from tui.browser.popups.popup import Choice, Heading
from tui.browser.popups.question import Wanted
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.worker import formats_seen
from widgets.memory_table import bar
from widgets.sheet import Piece, width_of
from widgets.table import fit_path

_NO_PROJECT = "Nothing for {}, and no open store has the memories of a project."

_OTHER = -1
"""The choice of another project."""

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

        Without one, it is the folder of the project whose memories the store has, else
        the one in which recollect was started, with the CORE.md of the store.
        """
        self._begin(self._context)

    def recall(self) -> None:
        """Ask for a prompt, and show which memories an agent would recall."""
        self._begin(self._recall)

    def _begin(self, doing: _Doing) -> None:
        record, machine = self.lists.here, Machine.this()
        cwd = record.cwd if isinstance(record, Conversation) else None
        has_folder = cwd is not None and cwd.startswith("/")
        folder = Path(cwd) if cwd and has_folder else machine.here
        store = Path(record.store) if record else None
        has_notes = False
        if has_folder:
            store = memories_of(folder, map(Path, self.session.names)) or store
        elif store and "notes" in formats_seen(self.session.library, {str(store)}):
            folder, has_notes = project_with(store), True
        own = machine.home, store, machine.environment
        at = Surroundings(folder, *own, has_notes=has_notes)
        self.dialogs.begin(doing(at))

    async def _context(self, at: Surroundings) -> None:
        parts = await self._parts(at)
        chosen: int | None = None if parts else _OTHER
        what = "instructions or memories"
        while True:
            if chosen == _OTHER:
                project = await self._project(at, "" if parts else what)
                if project is not None:
                    at = replace(at, folder=project_with(project), store=project)
                    parts = await self._parts(at)
                elif not parts:
                    return
            title = clean(f"{self._scope(at, parts)}: what agents read first")
            rows = context_menu(parts, at.home)
            chosen = await self.dialogs.pick(title, rows, verb="open", other=_OTHER)
            if chosen is None:
                return
            if chosen != _OTHER:
                await self._open(parts[chosen].path)
                return

    def _scope(self, at: Surroundings, parts: Sequence[ContextPart]) -> str:
        """The store, if some of its files are read, and the folder, for a title."""
        folder = fit_path(below_home(str(at.folder), at.home), _FOLDER)
        folder += "" if exists(at.folder) else " (not here)"
        has_store = any(at.store in Path(part.path).parents for part in parts)
        return (
            f"{self._named(at.store)}, {folder}" if at.store and has_store else folder
        )

    async def _parts(self, at: Surroundings) -> list[ContextPart]:
        return await self.session.ask(
            lambda _: [part for agent in AGENTS for part in context_of(agent, at)]
        )

    async def _project(self, at: Surroundings, what: str) -> Path | None:
        """The memories of a project of the open stores; `what` the folder has none of.

        None if it is cancelled; raises NotPossibleError.
        """
        folder = below_home(str(at.folder), at.home)
        rows = [
            Choice(one.path, clean(one.name), counted(one.memories, "memories"))
            for one in await self._projects()
        ]
        if not rows:
            raise NotPossibleError(_NO_PROJECT.format(folder))
        title = "choose a project"
        if what:
            title += f"; no {what} for {fit_path(clean(folder), _FOLDER)}"
        chosen = await self.dialogs.pick(title, rows)
        if chosen is None:
            return None
        self.session.project = chosen
        return Path(chosen)

    async def _projects(self) -> list[StoreReport]:
        """The open stores with the memories of a project."""
        stores = await self.session.ask(lambda library: list(library.lists.stores()))
        return [one for one in stores if one.format == "notes" and one.memories]

    async def _likely(self) -> list[Path]:
        """The project that a tag of the record names, else the one chosen last."""
        tags = {tag.casefold() for tag in getattr(self.lists.here, "tags", None) or ()}
        projects = await self._projects()
        tagged = [Path(one.path) for one in projects if one.name.casefold() in tags]
        last = [one.path for one in projects if one.path == self.session.project]
        return (tagged or [Path(one) for one in last])[:1]

    def _named(self, store: Path) -> str:
        """The name of a store, or its path if it is not open."""
        return self.session.names.get(str(store)) or fit_path(str(store), _FOLDER)

    async def _open(self, path: str) -> None:
        """Show a file as a record of the stores on the screen, or in the pager."""
        file, stores = Path(path), self.session.stores
        found = await self.session.ask(lambda lib: _record_at(lib, file, stores))
        if found:
            await self.lists.go(*found, "")
            return
        self.status.message = show_file(self.display, str(file.parent), file.name)

    async def _recall(self, at: Surroundings) -> None:
        folders: Sequence[Path] = memory_folders(at) or await self._likely()
        prompt, is_other = "", not folders
        while is_other or not prompt:
            if is_other:
                project = await self._project(at, "" if folders else "memories")
                folders = [project] if project else folders
            if not folders:
                return
            prompt, is_other = await self._recalled(prompt, folders)

    async def _recalled(self, prompt: str, folders: Sequence[Path]) -> tuple[str, bool]:
        """Show what a prompt brings, and ask for it if it is empty.

        Returns the prompt, and whether to choose another project for it.
        """
        whose = clean(" and ".join(map(self._named, folders)))
        if not prompt:
            wanted = Wanted(f"{whose}: {_RECALL}", _ASKED, check=_checked)
            typed = await self.dialogs.typed(wanted, other="")
            if not typed:
                return _NO_PROMPT if typed is None else "", typed is not None
            prompt = typed
        found = await self.session.ask(lambda _: recall([prompt], folders))
        found.sort(key=lambda one: (not one.is_recalled, not one.near))
        number = sum(one.is_recalled for one in found)
        title = f"{whose}: {number} of {len(found)} recalled by words · {clean(prompt)}"
        menu = recall_menu(found)
        chosen = await self.dialogs.pick(title, menu, verb="open", other=_OTHER)
        if chosen is not None and chosen != _OTHER:
            await self._open(found[chosen].path)
        return prompt, chosen == _OTHER


_NO_PROMPT = " "
_RECALL = "what would a prompt recall?"
_ASKED = "what you would ask the agent"


def _record_at(
    library: Library, file: Path, stores: Container[str]
) -> tuple[str, str] | None:
    """The kind and ref of the record that a file is; None if it is no single one."""
    for store in library.lists.stores():
        is_shown = not stores or store.path in stores
        if not is_shown or not file.is_relative_to(store.path):
            continue
        path = str(file.relative_to(store.path))
        query = All((Named("store", (store.path,)), Named("path", (path,))))
        for kind in ("memories", "documents"):
            for record in library.lists.page(kind, Page(), query=query):
                if not isinstance(record, Memory | Document) or not record.ref:
                    continue
                if record.path == path and not getattr(record, "line", None):
                    return kind, record.ref
    return None


def _checked(prompt: str) -> str:
    """A prompt with a word that counts; raises WrongUseError."""
    if not words_of(prompt):
        raise WrongUseError("Only words of four letters or more count.")
    return prompt


# What an agent is given at its start.


def context_menu(
    parts: Sequence[ContextPart], home: Path
) -> list[Choice[int] | Heading]:
    """The files that agents read, in their order, each with its size.

    Above those of an agent is their sum, as a share of the context.
    """
    rows: list[Choice[int] | Heading] = []
    totals: dict[str, int] = {}
    for agent, own in groupby(parts, key=lambda part: part.agent):
        totals[agent] = sum(part.tokens for part in own if part.is_loaded)
    sizes = [_size(part, totals[part.agent]) for part in parts]
    widest = max([_WIDTH, *map(width_of, sizes)])
    numbered = enumerate(zip(parts, sizes, strict=True))
    for agent, several in groupby(numbered, key=lambda one: one[1][0].agent):
        told = list(several)
        later = sum(part.tokens for _, (part, _) in told if part.when != "always")
        rows.append(Heading(_sum_of(agent, totals[agent], later)))
        rows += [
            Choice(
                number,
                fit_path(clean(below_home(part.path, home)), _ROOM - widest),
                before=[(f"{agent:<8} ", "faint")],
                right=[*size, (" " * (widest - width_of(size)), "")],
                detail=_loaded(part),
            )
            for number, (part, size) in told
        ]
    return rows


_BUDGET = 8
"""Cells of a bar for a budget."""


def _sum_of(agent: str, total: int, later: int) -> str:
    share = f"{_percent(total / WINDOW)} of a context of {WINDOW // 1000}k"
    told = f"{agent}: {share}, ~{total:,} tokens" if total else f"{agent}: nothing"
    more = f"; {later:,} more if needed" if total else f"; ~{later:,} tokens if needed"
    told = told if total else f"{told} at its start"
    return f"{told}{more}" if later else told


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= _LITTLE or not share else f"<{_LITTLE:.1%}"


_LITTLE = 0.001
"""The smallest share that is shown as a number."""


_WIDTH = _BUDGET + len(" 123,456 tokens")
_ROOM, _FOLDER = 62, 24
"""Cells of a path and its size, and of a folder in a title, at 80 columns."""


def _size(part: ContextPart, total: int) -> list[Piece]:
    """How much of the context a file takes; why it is not read, if nothing is."""
    over = part.used is not None and part.used > 1
    share = part.tokens / total if part.is_loaded else 0.0
    tone = "warning" if over or part.note else "key"
    if part.note and not part.loaded_bytes:
        note = clean(part.note)
        short = note if len(note) <= _WIDTH else f"{note[: _WIDTH - 1]}…"
        return [(f"{short:>{_WIDTH}}", "warning")]
    whole = " tokens" if part.when == "always" else " if read"
    until = f" to line {part.loaded_lines:,}" if part.note else whole
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

_OUTCOMES = {
    "recalled": ("recalled  ", "active"),
    "near": ("near miss ", "warning"),
    "no": ("no        ", "faint"),
}


def recall_menu(found: Sequence[Recalled]) -> list[Choice[int]]:
    """The memories of a project, first those that a prompt brings."""
    return [
        Choice(
            number,
            clean(one.name),
            clean(one.description),
            before=[_OUTCOMES[_outcome(one)]],
            right=[(clean(", ".join(one.words)), "key")],
            detail=clean(f"{_why(one)}."),
        )
        for number, one in enumerate(found)
    ]


def _outcome(one: Recalled) -> str:
    return "near" if one.near else "recalled" if one.is_recalled else "no"


def _why(one: Recalled) -> str:
    if one.is_recalled:
        told = f"Recalled: {one.loaded_lines:,} lines, {one.loaded_bytes:,} bytes"
        return f"{told}, {one.note}" if one.note else told
    return f"{'Near miss' if one.near else 'Not recalled'}: {one.note}"
