"""Link, merge, move and copy memories; duplicates."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from store.errors import NotPossibleError
from store.kinds.memories import Memory
from store.library import Library
from store.records.answers import Double
from store.records.intents import Merge, Move, Relate
from store.records.reports import Change
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.plans import Plans
from tui.browser.popups import changes as questions
from tui.browser.popups.changes import MergeChoices
from tui.browser.popups.palette import MemoryPicker, at_a_glance, stores_menu
from tui.browser.popups.popup import Choice
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.targets import Target
from widgets.table import told

# Linking, merging, moving and copying.

_ALIKE = 12
_USUAL = "RELATED_TO"
_ONE_STORE = "These memories are in several stores. Copy them into one first (C)."


class Relations(Part):
    """Links, merges, moves and copies; duplicates."""

    session: Session
    status: Status
    dialogs: Dialogs
    plans: Plans
    _copies: Sequence[Change] = ()
    """The copies of memories of other stores that the current flow made."""

    async def move(self) -> None:
        """Move memories to another store."""
        await self._move(keeps=False)

    async def copy(self) -> None:
        """Copy memories to another store."""
        await self._move(keeps=True)

    async def relate(self) -> None:
        """Link this memory to another."""
        start = (await self.plans.targets())[0]
        near = await self.session.ask(lambda library: _near(library, start.ref))
        end = await self._other(f"link “{start.title}” to", start, near)
        if end is None:
            return
        types = await self.session.ask(
            lambda library: library.search.values(["edges"], "type")
        )
        targets, made = [start, end], list[Change]()

        async def link(typed: str) -> None:
            kind, strength = questions.typed_link(typed)
            made.extend(
                await self.plans.change(Relate(type=kind, strength=strength), targets)
            )

        try:
            await self.dialogs.act_on(questions.linking(types, _USUAL), link)
        finally:
            await self._keep_copies(made)

    async def merge(self) -> None:
        """Merge the marked memories, or this one with another."""
        targets = list(await self.plans.targets())
        if len(targets) == 1:
            target = targets[0]
            near = await self.session.ask(lambda library: _alike(library, target.ref))
            other = await self._other(f"merge “{target.title}” with", target, near)
            if other is None:
                return
            targets.append(other)
        made: Sequence[Change] = ()
        try:
            made = await self.make_one(targets)
        finally:
            await self._keep_copies(made)

    async def make_one(self, targets: Sequence[Target]) -> Sequence[Change]:
        """Ask which memory and values to keep, then preview and apply the merge."""
        if len({one.store for one in targets}) > 1:
            raise NotPossibleError(_ONE_STORE)
        full = await self.session.ask(
            lambda library: {one.ref: library.records.show(one.ref) for one in targets}
        )
        menu = questions.stay_menu(list(full.values()), self.session.now)
        stays = await self.dialogs.pick("keep which memory?", menu)
        if stays is None:
            return ()
        ordered = sorted(targets, key=lambda one: one.ref != stays)
        fulls = [full[one.ref] for one in ordered]
        choice = await self.dialogs.asked(MergeChoices(fulls, self.dialogs.palette))
        if choice is None:
            return ()
        wanted = Merge(fields=choice.fields, body=choice.body)
        made = await self.plans.change(wanted, ordered, shows=True)
        if made and self.session.review is None:
            await self._show(next((r for one in made for r in one.refs), stays))
        return made

    async def _show(self, ref: str) -> None:
        """Move the cursor to a memory, without the query if that doesn't list it."""
        lists = self.plans.lists
        if lists.kind != "memories" or not await lists.listing.go_to(ref):
            await lists.go("memories", ref, "")

    async def _other(
        self, title: str, target: Target, near: Sequence[Memory]
    ) -> Target | None:
        """Another memory of the same store, chosen by the user.

        One of another store is copied first if the user agrees.
        """
        stores = await self.session.ask(lambda library: list(library.lists.stores()))
        formats = {one.path: one.format for one in stores}
        ref = await self.dialogs.asked(self._picker(title, target, near, formats))
        other = ref and await self.session.ask(lambda library: _memory(library, ref))
        if not other:
            return None
        if other.store == target.store:
            return target_of(other)
        question = questions.copy_question(
            other.title, self._name(other.store), self.dialogs.palette
        )
        if await self.dialogs.asked(question) != "do":
            return None
        return await self._copied(target_of(other), target.store)

    async def _copied(self, target: Target, store: str) -> Target | None:
        """A copy of a memory in another store."""
        self._copies = await self.plans.change(Move(to=store, keeps=True), [target])
        refs = [ref for change in self._copies for ref in change.refs]
        copies = await self.session.ask(
            lambda library: [_memory(library, ref) for ref in refs]
        )
        return next(
            (target_of(one) for one in copies if one and one.store == store), None
        )

    async def _keep_copies(self, made: Sequence[Change]) -> None:
        """Undo the copies made for a link or a merge if it was cancelled."""
        copies, self._copies = self._copies, ()
        if made or not copies:
            return
        for copy in copies:
            await self.session.ask_changes(
                lambda library, copy=copy: library.changes.undo(copy.change)
            )
        self.status.message = "Cancelled; the copy was removed, too."
        await self.plans.changed()

    def _name(self, store: str) -> str:
        return self.session.names.get(store, store)

    def _picker(
        self,
        title: str,
        target: Target,
        near: Sequence[Memory],
        formats: Mapping[str, str],
    ) -> MemoryPicker:
        """A picker of memories; those of other formats can be seen, not chosen."""

        def why_not(memory: Memory) -> str | None:
            if memory.ref == target.ref:
                return "This is the same memory."
            if formats.get(memory.store) == formats.get(target.store):
                return None
            return f"In {self._name(memory.store)}, which has another format."

        def where(memory: Memory) -> str:
            return "" if memory.store == target.store else self._name(memory.store)

        able = [memory for memory in near if why_not(memory) is None]
        return MemoryPicker(
            title, self.session.worker, self.dialogs.palette, able, why_not, where
        )

    async def _move(self, *, keeps: bool) -> None:
        targets = await self.plans.targets()
        here = targets[0].store
        stores = await self.session.ask(lambda library: list(library.lists.stores()))
        form = next((one.format for one in stores if one.path == here), None)
        others = [one for one in stores if one.format == form and one.path != here]
        if not others:
            self.status.say("No other store has this format.")
            return
        menu = stores_menu(others, ())[1:]
        to = await self.dialogs.pick("copy to" if keeps else "move to", menu)
        if to:
            await self.plans.change(Move(to=to, keeps=keeps), targets)

    async def dedupe(self) -> None:
        """Choose a group of duplicates and merge it."""
        doubles = await self.session.ask(lambda library: library.search.duplicates())
        if not doubles:
            self.status.say("No duplicates found.")
            return
        menu = doubles_menu(doubles)
        chosen = await self.dialogs.pick("duplicates", menu)
        if chosen is not None:
            await self.make_one(
                [target_of(one.memory) for one in doubles if one.of == chosen]
            )


def _alike(library: Library, ref: str) -> list[Memory]:
    """Memories to offer for a merge: the most similar ones."""
    return [one.memory for one in library.search.similar(ref, _ALIKE, _say_nothing)]


def _near(library: Library, ref: str) -> list[Memory]:
    """Memories to offer for a link: similar ones that are not linked."""
    found = library.search.similar(ref, _ALIKE, _say_nothing, unlinked=True)
    return [one.memory for one in found]


def _memory(library: Library, ref: str) -> Memory | None:
    row = library.lists.number("memories", ref)
    found = (
        library.lists.numbered("memories", [row]).get(row) if row is not None else None
    )
    return found if isinstance(found, Memory) else None


def target_of(memory: Memory) -> Target:
    """A memory as the target of a change."""
    return Target(memory.ref, memory.title, memory.store, memory)


def _say_nothing(_sentence: str) -> None:
    """Ignore notices about embeddings, which “more like this” shows."""


# Duplicates, one choice per group.


def doubles_menu(doubles: Sequence[Double]) -> list[Choice[str]]:
    """The groups of duplicates, each with its first memory, size and similarity."""
    return [
        _choice(of, list(group)) for of, group in groupby(doubles, lambda one: one.of)
    ]


def _choice(of: str, group: Sequence[Double]) -> Choice[str]:
    first, *others = group
    names = " · ".join(one.memory.title for one in others)
    return Choice(
        of,
        first.memory.title,
        before=[(f"{len(group)}× ", "muted"), *at_a_glance(first.memory)],
        right=[(f"{first.share:.2f}", "muted")],
        detail=told(f"{first.why}: {names}"),
    )
