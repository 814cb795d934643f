"""The fields of conversations and messages, and of what journals tell."""

from store.records.conversation import MESSAGE_KINDS, STATUSES
from store.search.language.fields.field import Field, Match, Type
from store.search.language.kinds import (
    AGENTS,
    CONVERSATIONS,
    EVENTS,
    MEASURES,
    MESSAGES,
)

_NUMBER = (Type.NUMBER,)
_TIME = (Type.TIME,)
_CHOICE = (Type.CHOICE,)

FIELDS = (
    Field("status", "where it stands", CONVERSATIONS, _CHOICE, choices=STATUSES),
    Field("project", "the project", CONVERSATIONS | MESSAGES),
    Field("tool", "a tool that was called", CONVERSATIONS | EVENTS),
    Field("tool", "a tool that it calls", MESSAGES, aliases=("tools",)),
    Field("tools", "how many calls of tools", CONVERSATIONS, _NUMBER),
    Field(
        "tool_errors",
        "how many of them failed",
        CONVERSATIONS,
        _NUMBER,
        aliases=("errors",),
    ),
    Field("first", "when it began", CONVERSATIONS, _TIME),
    Field("last", "when it ended", CONVERSATIONS, _TIME),
    Field(
        "duration",
        "how long it took",
        CONVERSATIONS | MEASURES,
        (Type.SECONDS,),
        aliases=("duration_s",),
    ),
    Field("entries", "how many entries", CONVERSATIONS, _NUMBER),
    Field("messages", "how many messages", CONVERSATIONS, _NUMBER),
    Field("prompts", "how many prompts", CONVERSATIONS, _NUMBER),
    Field("tokens", "how many tokens, all told", CONVERSATIONS, _NUMBER),
    Field("compactions", "how often compacted", CONVERSATIONS, _NUMBER),
    Field("models", "a model", CONVERSATIONS, match=Match.PART, aliases=("model",)),
    Field("branch", "the git branch", CONVERSATIONS),
    Field("cwd", "the folder it was held in", CONVERSATIONS, match=Match.PART),
    Field(
        "files_written",
        "a file that it wrote",
        CONVERSATIONS,
        match=Match.PART,
        aliases=("wrote",),
    ),
    Field("parent", "what started it", CONVERSATIONS, match=Match.BEGINS),
    Field("kind", "what it is", MESSAGES, _CHOICE, choices=MESSAGE_KINDS),
    Field("kind", "what it is", EVENTS),
    Field(
        "kind",
        "what it is",
        MEASURES,
        _CHOICE,
        choices=("session", "task", "claim", "toolstats"),
    ),
    Field("role", "who speaks", MESSAGES),
    Field("at", "when", MESSAGES | EVENTS | MEASURES, _TIME),
    Field("text", "what it says", MESSAGES, match=Match.PART),
    Field("conversation", "its conversation", MESSAGES, match=Match.BEGINS),
    Field("uuid", "its own identifier", MESSAGES, match=Match.BEGINS),
    Field("source", "the transcript", CONVERSATIONS | MESSAGES, match=Match.PART),
    Field("event_class", "the class of event", EVENTS, aliases=("class",)),
    Field(
        "file_path",
        "the file it was about",
        EVENTS,
        match=Match.PART,
        aliases=("file",),
    ),
    Field("name", "what was measured", MEASURES, match=Match.PART),
    Field("metric", "what was counted", MEASURES, match=Match.PART),
    Field("source", "who says so", MEASURES, match=Match.PART),
    Field("exit", "the exit status", MEASURES, _NUMBER),
    Field("start", "when it began", MEASURES, _TIME),
    Field("end", "when it ended", MEASURES, _TIME),
    Field("pointer", "what proves it", MEASURES, match=Match.PART),
    Field("started", "when it began", AGENTS, _TIME),
)
"""In the order in which they are offered."""
