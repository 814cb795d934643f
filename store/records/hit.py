"""A hit: a record that a query found, and where."""

from msgspec import Struct

from store.records.agent import Agent
from store.records.conversation import Conversation, Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.event import Event
from store.records.measure import Measure
from store.records.memory import Memory
from store.records.problem import Problem

Found = (
    Memory
    | Edge
    | Episode
    | Conversation
    | Message
    | Event
    | Measure
    | Agent
    | Document
    | Problem
)
"""What a query can find."""


class Snippet(Struct, frozen=True, kw_only=True):
    """The stretch of text that matched."""

    text: str
    """The text around the match."""
    spans: tuple[tuple[int, int], ...]
    """Where in it the matches lie, as start and end."""


class Hit(Struct, frozen=True, kw_only=True):
    """A record with its rank."""

    record: Found
    """The record itself; its fields come first in the JSON."""
    kind: str
    """Which kind of record it is."""
    score: float
    """How well it matches; more is better."""
    snippet: Snippet | None
    """What matched, where it was text."""
    similar: bool
    """Whether it holds what was typed only nearly, by its names or by its meaning."""
    reasons: tuple[str, ...]
    """Why it ranks where it does, the weightiest first."""
