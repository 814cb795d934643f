"""What is made anew: a memory, or an entry in what is only ever added to."""

from pathlib import Path
from typing import TYPE_CHECKING

from tui.browser.changing.doubling import Doubling

if TYPE_CHECKING:
    from store.findings import Json
    from store.records.intents import Intent

_CLAIMS = "kind:claim"
"""In the query where one looks at claims."""


class Adding(Doubling):
    """Carries out what adds to a store."""

    def action_new_memory(self) -> None:
        """Make a memory; where one looks at a log, an entry of it."""
        match self.kind:
            case "episodes":
                self.begin_flow(self._append("episode"))
            case "measures":
                is_claim = _CLAIMS in self.text
                self.begin_flow(self._append("claim" if is_claim else "task"))
            case _:
                self.begin_flow(self._new_memory())

    async def _new_memory(self) -> None:
        from store.records.intents import Create

        store = await self._place("new")
        if not store:
            return
        types = await self.ask(lambda library: library.values(["memories"], "type"))
        kind = await self.typed(self.popups.changing.typing(types))
        if kind is None:
            return
        title = await self.typed(self.popups.changing.titling())
        if title is None:
            return
        fields = {"type": kind.strip()} if kind.strip() else {}
        ref = await self._make(Create(title=title.strip(), fields=fields), store)
        self.message = "made · e edits it · u undo"
        if ref:
            await self.go("memories", ref, "")
        self.tell()

    async def _append(self, kind: str) -> None:
        from store.records.intents import Append

        store = await self._place("append")
        if not store:
            return
        fields: dict[str, Json] = {}
        for name, wanted in self.popups.changing.entry_prompts(kind):
            typed = await self.typed(wanted)
            if typed is None:
                return
            if typed.strip():
                fields[name] = _value(name, typed.strip())
        await self._make(Append(kind=kind, fields=fields), store)
        self.message = "added · u undo"
        self.tell()

    async def _place(self, word: str) -> str | None:
        """The store in which something is made: the one that can, or a chosen one."""
        able = await self.changes.ask(lambda library: library.able(word))
        stores = await self.ask(lambda library: list(library.stores()))
        shown = [
            one
            for one in stores
            if Path(one.path) in able and (not self.stores or one.path in self.stores)
        ]
        if len(shown) == 1:
            return shown[0].path
        if not shown:
            self.message = "None of these stores can do that."
            self.tell()
            return None
        menu = self.popups.stores_menu(shown, ())[1:]
        return await self.asked(self.popups.Picker("where", menu, self.palette))

    async def _make(self, intent: "Intent", store: str) -> str | None:
        """Make it; what it goes by then."""
        planned = await self.changes.ask(
            lambda library: library.plan(intent, store=Path(store))
        )
        done = await self.carry_out(planned)
        await self.changed()
        return next(iter(done.refs), None)


def _value(name: str, typed: str) -> "Json":
    """What was typed, as its field holds it."""
    from tui.browser.changing.typed import SECONDS, seconds

    return seconds(typed) if name == SECONDS else typed
