"""Pages beside the memories: a session's own memory, a day's log."""

from pathlib import PurePosixPath

from store.files.frontmatter import Page
from store.findings import DocumentFound, Findings, Value
from store.formats.notes.memory import heading
from store.formats.notes.prose import without_code

ENOUGH_TOKENS = 10_000
"""From here on a session's memory takes the place of a summary at compaction …"""

ENOUGH_MESSAGES = 5
"""… when at least so many messages hold text …"""

MOST_TOKENS = 40_000
"""… and up to here."""

BYTES_A_TOKEN = 4
"""The usual estimate."""


def read_session_memory(path: str, page: Page) -> Findings:
    """The memory of one session, kept apart from what outlives it."""
    session = PurePosixPath(path).parent.name
    tokens = len(page.body.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN
    facts: dict[str, Value] = {
        "session": session,
        "tokens": str(tokens),
        "enough_tokens": str(ENOUGH_TOKENS),
        "enough_messages": str(ENOUGH_MESSAGES),
        "most_tokens": str(MOST_TOKENS),
        "at_compaction": _standing(tokens),
    }
    return _document(path, page, "session-memory", facts)


def read_daily_log(path: str, page: Page) -> Findings:
    """What happened on one day, before anything of it became a memory."""
    return _document(path, page, "daily-log", {"day": PurePosixPath(path).stem})


def _standing(tokens: int) -> str:
    if tokens < ENOUGH_TOKENS:
        return "too short"
    return "used" if tokens <= MOST_TOKENS else "too long"


def _document(
    path: str, page: Page, category: str, facts: dict[str, Value]
) -> Findings:
    file = PurePosixPath(path)
    name = file.parent.name if category == "session-memory" else file.stem
    if page.fields:
        facts["header"] = page.fields
    document = DocumentFound(
        title=heading(without_code(page.body)) or name,
        role="document",
        text=page.body,
        category=category,
        facts=facts,
    )
    return Findings(documents=(document,), flaws=page.flaws)
