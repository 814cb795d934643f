"""What can be gone through in a review, with how much there is of each."""

from collections.abc import Mapping

from store.reviewing.queues import QUEUES
from tui.browser.popups.rows import Choice
from widgets.columns.numbers import brief


def review_menu(counts: Mapping[str, int]) -> list[Choice[str]]:
    """All of it, and each queue that holds anything."""
    everything = Choice(
        "",
        "everything",
        "one queue after the other",
        detail="Space keeps, p pins, d archives, e edits, . leaves it for later.",
        why_not=None if any(counts.values()) else "Nothing is due.",
    )
    return [
        everything,
        *(
            Choice(
                queue.name,
                queue.name,
                queue.why,
                right=[(brief(counts[queue.name]), "muted")],
                detail=queue.query or queue.why,
            )
            for queue in QUEUES
            if counts[queue.name]
        ),
    ]
