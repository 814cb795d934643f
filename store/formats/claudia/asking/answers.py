"""What the databases can be asked, and who answers."""

from collections.abc import Iterator, Mapping, Sequence

from store.errors import NothingFoundError, UnreadableError
from store.files.beneath import Kind, Root
from store.files.sqlite import open_database
from store.findings import Json
from store.formats.claudia.asking.asked import Answer, Asked, Prepare
from store.formats.claudia.asking.calendar import day, month, months
from store.formats.claudia.asking.context import context
from store.formats.claudia.asking.files import files
from store.formats.claudia.asking.lists import (
    conversations,
    documents,
    health,
    sections,
)
from store.formats.claudia.asking.locks import locks
from store.formats.claudia.asking.search import search
from store.formats.claudia.asking.transcript import transcript
from store.formats.claudia.layout import REGISTER
from store.formats.claudia.settings import settings_of
from store.formats.claudia.sniff import databases
from store.formats.port import Question

_KNOWN: Mapping[str, tuple[Prepare, str, str]] = {
    "health": (health, "", "what each database holds, and what is stuck"),
    "conversations": (
        conversations,
        "[STATUS]",
        "the latest 50 conversations, of one status where it is named",
    ),
    "transcript": (
        transcript,
        "CONVERSATION",
        "what was said in a conversation, in the configured time zone",
    ),
    "search": (
        search,
        "WORDS… [category:… cwd:… from:… to:…]",
        "documents and summaries that hold all words, best first",
    ),
    "documents": (
        documents,
        "[CATEGORY]",
        "the pages that the database knows",
    ),
    "calendar": (
        month,
        "YYYY-MM",
        "conversations on each day of a month",
    ),
    "day": (day, "YYYY-MM-DD", "the conversations of a day, in order"),
    "months": (months, "", "conversations in each month"),
    "context": (
        context,
        "CWD",
        "the latest messages and summaries about a folder",
    ),
    "sections": (
        sections,
        "[FILE]",
        "the sections of pages, by the register",
    ),
    "files": (
        files,
        "",
        "how far each transcript was read, against what lies on disk",
    ),
    "locks": (locks, "", "who holds what, and whether that is stale"),
}

_ONE = "transcript"
"""The question about one thing, which is there or is not."""

QUESTIONS = tuple(
    Question(name, about, words) for name, (_, words, about) in _KNOWN.items()
)


def answer(
    root: Root, question: str, words: Sequence[str], now: int
) -> Iterator[Mapping[str, Json]]:
    """Ask the databases one after the other; `now` in microseconds since 1970.

    Raises WrongUseError for words that are not understood, and at the end
    UnreadableError for the first database that could not be read.
    """
    known = _KNOWN.get(question)
    return _rows(root, question, known[0](words), now) if known else iter(())


def _rows(
    root: Root, question: str, tell: Answer, now: int
) -> Iterator[Mapping[str, Json]]:
    entries = root.entries()
    if question == "sections":
        asked = [e for e in entries if e.name == REGISTER and e.kind is Kind.FILE]
    else:
        asked = databases(root, entries)
    settings = settings_of(root)
    unread: list[UnreadableError] = []
    has_rows = False
    for entry in asked:
        try:
            with open_database(root, entry.path) as database:
                for row in tell(Asked(root, database, settings, now)):
                    has_rows = True
                    yield {"database": entry.name, **row}
        except UnreadableError as error:
            unread.append(error)
    if unread:
        raise unread[0]
    if question == _ONE and not has_rows:
        raise NothingFoundError("No conversation of that number is told of here.")
