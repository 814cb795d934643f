"""`recollect [PATH…]`: look at stores."""

from store.catalogue.reader import Page
from tui.cli.answer import answer_list
from tui.cli.session import Session

_SHOWN = 15
"""How many memories stand for all of them."""


def browse(session: Session) -> None:
    """Show the stores, and the memories that were changed last."""
    with session.library() as library:
        answer_list("stores", library.stores(), json=session.json, nothing="No store.")
        answer_list(
            "memories",
            library.page("memories", Page(limit=_SHOWN)),
            json=session.json,
            nothing="No memory yet.",
        )
