"""Pages as the librarian writes them: an episode for each sitting, and its logs."""

from datetime import datetime

from store.demo.claudia.sittings import ZONE, Sitting

_NOON = 12


def clock(moment: datetime) -> str:
    """The time of day as people say it."""
    hour = moment.hour % _NOON or _NOON
    return f"{hour}:{moment.minute:02} {'AM' if moment.hour < _NOON else 'PM'}"


def episode(sitting: Sitting) -> str:
    """What happened in a sitting."""
    when = f"{clock(sitting.first)} – {clock(sitting.last)} ({ZONE})"
    return (
        f"## {when}\n\n{sitting.told}\n\n**Topics:** {', '.join(sitting.topics)}\n"
        f"**Mood:** {sitting.mood}\n**Project:** `{sitting.project.path}`\n"
    )


def log(sitting: Sitting) -> str:
    """What the librarian thought before it wrote."""
    return (
        f"# Conversation {sitting.number}\n\n"
        f"**Content summary**: {sitting.summary}.\n\n"
        f"**Files to write**: `~/memory/{sitting.episode}` (the episode).\n\n"
        "**Decisions**: the way there is worth keeping, the diffs are not.\n\n"
        "All writes succeeded.\n"
    )
