"""The questions by their names."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from store.errors import WrongUseError
from store.findings import Json
from store.formats.kei.questions.backlogs import backlog
from store.formats.kei.questions.classes import classes, commands, events_of_class
from store.formats.kei.questions.ledgers import skills, token_outliers
from store.formats.kei.questions.material import Asked, Rows
from store.formats.kei.questions.relations import coaccess, patterns, similar
from store.formats.kei.questions.sessions import (
    errors_per_session,
    events_per_session,
    retrospective,
    session_durations,
)
from store.formats.kei.questions.tasks import (
    claims,
    running,
    task_median,
    task_medians,
)
from store.formats.kei.questions.threads import thread
from store.formats.port import Question

_Answering = Callable[[Asked, Sequence[str], int], Rows]

_ASKED: tuple[tuple[Question, _Answering], ...] = (
    (
        Question(
            "events-of-class",
            "the events of a class, since a day; `as-kei`: as the kit counts",
            "CLASS [SINCE] [as-kei]",
        ),
        events_of_class,
    ),
    (
        Question("events-per-session", "how many events each session has; the median"),
        events_per_session,
    ),
    (
        Question("errors-per-session", "when something went wrong, by session"),
        errors_per_session,
    ),
    (
        Question(
            "task-median", "how long tasks with a word in their name take", "WORD"
        ),
        task_median,
    ),
    (
        Question("token-outliers", "agents that took more tokens than N", "[N]"),
        token_outliers,
    ),
    (
        Question(
            "classes",
            "how often each class of events came; `as-kei`: as the kit counts",
            "[as-kei]",
        ),
        classes,
    ),
    (
        Question(
            "session-durations", "a histogram of how long sessions took", "[BINS]"
        ),
        session_durations,
    ),
    (
        Question(
            "task-medians", "how long tasks take, by the beginning of their names"
        ),
        task_medians,
    ),
    (Question("commands", "every command that was run in a shell"), commands),
    (
        Question("retrospective", "one session in figures", "SESSION"),
        retrospective,
    ),
    (
        Question(
            "coaccess",
            "files that are touched together; `stored`: as the analyzer counted",
            "[FILE] [stored]",
        ),
        coaccess,
    ),
    (
        Question(
            "patterns",
            "classes of events that recur; `stored`: as the analyzer counted",
            "[stored]",
        ),
        patterns,
    ),
    (
        Question("similar", "the sessions that are most like one", "SESSION [N]"),
        similar,
    ),
    (Question("backlog", "what is to be done, from every list"), backlog),
    (Question("thread", "the lines of a session as a tree", "SESSION"), thread),
    (Question("skills", "which skills agents used, and with what success"), skills),
    (Question("running", "what was begun and has not ended"), running),
    (Question("claims", "claims in figures, and the records that prove them"), claims),
)

QUESTIONS = tuple(question for question, _ in _ASKED)
_BY_NAME = {question.name: answering for question, answering in _ASKED}


def answer(
    store: Asked, question: str, words: Sequence[str], now: int
) -> Iterator[Mapping[str, Json]]:
    """The rows that answer a question; raises WrongUseError for what is none."""
    answering = _BY_NAME.get(question)
    if answering is None:
        known = ", ".join(_BY_NAME)
        raise WrongUseError(f"There is no question {question!r}; there are {known}.")
    return answering(store, words, now)
