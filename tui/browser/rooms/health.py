"""The room of problems: how grave they are together, and what can be done for each."""

from collections.abc import Iterable

from textual.widget import Widget

from tui.browser.data.desk import Desk
from tui.browser.data.found import Found
from tui.browser.rooms.room import Room
from tui.commands.scopes import Scope
from widgets.bars.bar import Bar
from widgets.bars.health import health


class HealthRoom(Room):
    """Problems, and above them how healthy all is."""

    holding = Scope.PROBLEMS

    def above(self) -> Iterable[Widget]:
        """The score."""
        self._score = Bar(classes="score")
        return (self._score,)

    async def shown(self, found: Found, desk: Desk) -> None:
        """Count what is listed, by how grave it is and whether it can be mended."""
        counted = await desk.ask(
            lambda library: library.facets(self.kind, found.tree, ("severity", "fix"))
        )
        severities = dict(counted.get("severity", ()))
        mendable = sum(count for _, count in counted.get("fix", ()))
        memories = await desk.ask(lambda library: library.count("memories"))
        self._score.items = health(severities, mendable, memories)
