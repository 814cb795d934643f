"""What ties memories together, or makes one of several, or takes them elsewhere."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.library import Library
from tui.browser.changing.vaulting import Vaulting

if TYPE_CHECKING:
    from store.records.memory import Memory
    from tui.browser.changing.targets import Target
    from tui.browser.popups.prompt import Wanted

_ALIKE = 12
_USUAL = "RELATED_TO"


class Relating(Vaulting):
    """Carries out what concerns more than one memory."""

    def action_relate(self) -> None:
        """Link this one to another."""
        self.begin_flow(self._relate())

    async def _relate(self) -> None:
        from store.records.intents import Relate
        from tui.browser.changing.typed import strength

        start = (await self.targets())[0]
        near = await self.ask(lambda library: _near(library, start.ref))
        picker = self.popups.MemoryPicker(
            f"link “{start.title}” to", self.desk, self.palette, near
        )
        end = await self.asked(picker)
        if end is None:
            return
        types = await self.ask(lambda library: library.values(["edges"], "type"))
        kind = await self.typed(self.popups.changing.linking(types, _USUAL))
        if kind is None:
            return
        much = await self.typed(self.popups.changing.strengthening())
        if much is None:
            return
        other = await self.ask(lambda library: _memory(library, end))
        targets = [start, *([target_of(other)] if other else [])]
        await self.change(Relate(type=kind.strip(), strength=strength(much)), targets)

    def action_merge(self) -> None:
        """Make one of all that are marked, or of this and another."""
        self.begin_flow(self._merge())

    async def _merge(self) -> None:
        targets = list(await self.targets())
        if len(targets) == 1:
            other = await self._other(targets[0])
            if other is None:
                return
            targets.append(other)
        await self.make_one(targets)

    async def make_one(self, targets: "Sequence[Target]") -> None:
        """Ask which of several stays and what it says then, show the plan, do it."""
        from store.records.intents import Merge

        menu = self.popups.changing.stay_menu(targets)
        stays = await self.asked(
            self.popups.Picker("which of them stays?", menu, self.palette)
        )
        if stays is None:
            return
        ordered = sorted(targets, key=lambda one: one.ref != stays)
        fulls = await self.ask(
            lambda library: [library.show(one.ref) for one in ordered]
        )
        choice = await self.asked(self.popups.MergeChoices(fulls, self.palette))
        if choice is not None:
            await self.change(
                Merge(fields=choice.fields, body=choice.body), ordered, shows=True
            )

    async def _other(self, target: "Target") -> "Target | None":
        """What becomes one with a memory: what is most like it is offered."""
        near = await self.ask(lambda library: _alike(library, target.ref))
        picker = self.popups.MemoryPicker(
            f"merge “{target.title}” with", self.desk, self.palette, near
        )
        ref = await self.asked(picker)
        other = ref and await self.ask(lambda library: _memory(library, ref))
        return target_of(other) if other else None

    def action_move_to_store(self) -> None:
        """Take it to another store."""
        self.begin_flow(self._move(keeps=False))

    def action_copy_to_store(self) -> None:
        """Put it into another store as well."""
        self.begin_flow(self._move(keeps=True))

    async def _move(self, *, keeps: bool) -> None:
        from store.records.intents import Move

        targets = await self.targets()
        here = targets[0].store
        stores = await self.ask(lambda library: list(library.stores()))
        form = next(one.format for one in stores if one.path == here)
        others = [one for one in stores if one.format == form and one.path != here]
        if not others:
            self.message = "There is no other store of this format."
            self.tell()
            return
        menu = self.popups.stores_menu(others, ())[1:]
        to = await self.asked(self.popups.Picker("to", menu, self.palette))
        if to:
            await self.change(Move(to=to, keeps=keeps), targets)

    async def typed(self, wanted: "Wanted") -> str | None:
        """What is typed where something is asked for; None where it was left."""
        return await self.asked(self.popups.Prompt(wanted, self.palette))


def _alike(library: Library, ref: str) -> "list[Memory]":
    """What it could become one with."""
    return [one.memory for one in library.similar(ref, _ALIKE, _say_nothing)]


def _near(library: Library, ref: str) -> "list[Memory]":
    """What it could be linked to: what is like it without a link."""
    found = library.similar(ref, _ALIKE, _say_nothing, unlinked=True)
    return [one.memory for one in found]


def _memory(library: Library, ref: str) -> "Memory | None":
    from store.records.memory import Memory

    row = library.number("memories", ref)
    found = library.numbered("memories", [row]).get(row) if row is not None else None
    return found if isinstance(found, Memory) else None


def target_of(memory: "Memory") -> "Target":
    """A memory as something that shall be changed."""
    from tui.browser.changing.targets import Target

    return Target(memory.ref, memory.title, memory.store, memory)


def _say_nothing(_sentence: str) -> None:
    """What is in the way of vectors is told where one asks for what is alike."""
