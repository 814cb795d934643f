"""What a record is, what it has, and where in it text is looked for: `is has in`."""

from store.search.language.fields.field import Field, Type
from store.search.language.kinds import (
    AGENTS,
    CONVERSATIONS,
    DOCUMENTS,
    EDGES,
    EPISODES,
    EVENTS,
    MEASURES,
    MEMORIES,
    MESSAGES,
    PROBLEMS,
    TIMED,
    Kinds,
)

STAGES = ("vault", "active", "fading", "dormant", "archived")
"""The stages of a memory's decay, the strongest first."""

_LOOKED_AT = ("marked", "changed", "new", "hidden-text", "secret")
"""What can be said of everything that somebody looks at."""


def _is(kinds: Kinds, *choices: str) -> Field:
    return Field("is", "what it is", kinds, (Type.CHOICE,), choices=choices)


def _has(kinds: Kinds, *choices: str) -> Field:
    return Field("has", "what it has", kinds, (Type.CHOICE,), choices=choices)


def _in(kinds: Kinds, *choices: str) -> Field:
    """Where text is looked for; where a kind has a time, when that is, too."""
    if kinds <= TIMED:
        types, text = (Type.CHOICE, Type.DAYS), "where text is looked for, or when"
    else:
        types, text = (Type.CHOICE,), "where text is looked for"
    return Field("in", text, kinds, types, choices=choices)


FIELDS = (
    _is(
        MEMORIES,
        "pinned",
        *STAGES,
        "orphan",
        "broken",
        "onesided",
        "duplicate",
        *_LOOKED_AT,
    ),
    _is(EDGES, "broken", "onesided", "duplicate", *_LOOKED_AT),
    _is(CONVERSATIONS, "subagent", *_LOOKED_AT),
    _is(EVENTS, "error", *_LOOKED_AT),
    _is(EPISODES | MESSAGES | MEASURES | AGENTS | DOCUMENTS | PROBLEMS, *_LOOKED_AT),
    _has(MEMORIES, "edges", "tags", "description", "steps", "problems"),
    _has(EDGES, "context", "strength", "file", "problems"),
    _has(EPISODES, "tags", "summary", "memory", "link"),
    _has(
        CONVERSATIONS,
        "tools",
        "errors",
        "files",
        "parent",
        "summary",
        "tokens",
        "compactions",
    ),
    _has(MESSAGES, "tools", "conversation"),
    _has(EVENTS, "tool", "file", "message"),
    _has(MEASURES, "session", "metric", "source", "pointer"),
    _has(DOCUMENTS, "category"),
    _has(PROBLEMS, "fix", "ref"),
    _in(MEMORIES, "title", "tags", "description", "body"),
    _in(EDGES, "title", "context", "body"),
    _in(EPISODES, "title", "tags", "summary"),
    _in(CONVERSATIONS, "title", "summary"),
    _in(MESSAGES, "text"),
    _in(EVENTS, "message"),
    _in(MEASURES, "name", "metric"),
    _in(DOCUMENTS, "title", "body"),
    _in(PROBLEMS, "message", "path"),
)
"""In the order in which they are offered."""
