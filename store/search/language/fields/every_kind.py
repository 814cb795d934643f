"""The fields that all kinds have, or all that have a time."""

from store.search.language.fields.field import Field, Match, Type
from store.search.language.kinds import (
    AGENTS,
    ALL,
    CONVERSATIONS,
    EDGES,
    EPISODES,
    EVENTS,
    MEASURES,
    MEMORIES,
    MESSAGES,
    PROBLEMS,
    TIMED,
)

FORMATS = ("cognitive", "agent-memory", "notes", "kei", "transcripts", "claudia")
"""The formats that a store can have."""

FIELDS = (
    Field("ref", "what names it", match=Match.BEGINS),
    Field(
        "id",
        "its own identifier",
        MEMORIES | EDGES | MEASURES | AGENTS,
        match=Match.BEGINS,
    ),
    Field("store", "the store, by name or path", match=Match.PART),
    Field("format", "the store's format", ALL, (Type.CHOICE,), choices=FORMATS),
    Field("path", "the file that it is in", match=Match.PART),
    Field(
        "line",
        "the line that it starts at",
        MEMORIES | EPISODES | MESSAGES | EVENTS | MEASURES | PROBLEMS,
        (Type.NUMBER,),
    ),
    Field(
        "session",
        "the session that it belongs to",
        CONVERSATIONS | MESSAGES | EVENTS | MEASURES,
        match=Match.BEGINS,
    ),
    Field("on", "the day of it", TIMED, (Type.DAYS,)),
    Field("month", "the month of it", TIMED, (Type.DAYS,)),
    Field("year", "the year of it", TIMED, (Type.DAYS,)),
    Field("since", "not before", ALL, (Type.SINCE,), choices=("last",)),
)
"""In the order in which they are offered."""
