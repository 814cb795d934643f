"""A command carried out: by the pane that can, nearest to where the keys go."""

from collections.abc import Iterable

from textual.app import App
from textual.dom import DOMNode

from tui.commands.command import Command
from tui.commands.situation import Situation


async def obey(app: App[None], command: Command, situation: Situation) -> str | None:
    """Carry a command out; the sentence that says why not, where it is not possible.

    The handler is sought from the pane that has the focus outwards, so that one command
    may mean the list in a list and the reader in a reader.
    """
    why_not = command.guard(situation)
    if why_not is None:
        await app.run_action(command.call, _handling(app, command.handler))
    return why_not


def _handling(app: App[None], handler: str) -> DOMNode:
    """The nearest part of the screen that has a handler; the program without one."""
    focused = app.focused
    nodes: Iterable[DOMNode] = (
        focused.ancestors_with_self if focused else (app.screen, app)
    )
    return next((node for node in nodes if hasattr(node, handler)), app)
