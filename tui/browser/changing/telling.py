"""What the status line says of a change once it is made."""

from store.records.intents import Archive, Intent, Move, Pin, Transit

_LONGEST = 40

_DONE = {
    "pin": "pinned",
    "archive": "archived",
    "delete": "deleted",
    "set": "changed",
    "tag": "tagged",
    "edit": "edited",
    "new": "made",
    "rename": "renamed",
    "link": "linked",
    "merge": "merged",
    "move": "moved",
    "append": "added",
    "transit": "passed on",
    "rebuild": "rebuilt",
    "fix": "mended",
    "touch": "counted as recalled:",
    "return": "put back",
}


def done(intent: Intent) -> str:
    """What was done, in one word."""
    match intent:
        case Pin(pins=False):
            return "unpinned"
        case Archive(archives=False):
            return "restored"
        case Move(keeps=True):
            return "copied"
        case _:
            return _DONE[intent.word]


def told(intent: Intent, titles: list[str]) -> str:
    """What was done to what."""
    if not titles:
        return done(intent)
    what = f"“{short(titles[0])}”" if len(titles) == 1 else f"{len(titles)} records"
    if isinstance(intent, Transit):
        return f"took {what} to {intent.status}"
    return f"{done(intent)} {what}"


def short(title: str) -> str:
    """As much of a title as tells which it is."""
    return title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1].rstrip()}…"
