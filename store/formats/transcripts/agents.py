"""Sub-agents: which have a transcript of their own, and what is written about them."""

from store.errors import UnreadableError
from store.files.beneath import Entry
from store.files.jsonl import parse
from store.findings import Rank, TitleFound
from store.formats.transcripts.bases import Bases
from store.formats.transcripts.naming import named
from store.formats.transcripts.scan import DEPTH
from store.transcript import text

_LONGEST = 64 * 1024


class Agents:
    """What the store knows of its sub-agents, looked up once."""

    def __init__(self, bases: Bases) -> None:
        self._bases = bases
        self._known: frozenset[str] | None = None

    def has_file(self, agent: str) -> bool:
        """Whether an agent has a transcript of its own, wherever it lies."""
        if self._known is None:
            self._known = frozenset(self._all())
        return agent in self._known

    def titles(self, path: str) -> tuple[TitleFound, ...]:
        """What an agent was started for, as the file beside its transcript says."""
        beside = path[: -len(".jsonl")] + ".meta.json"
        try:
            raw = self._bases.read(beside, _LONGEST)
        except UnreadableError:
            return ()
        for facts in parse(raw).values:
            name = text(facts, "description") if isinstance(facts, dict) else ""
            if name:
                return (TitleFound(rank=Rank.AGENT, text=name[:1000], line=0),)
        return ()

    def _all(self) -> list[str]:
        return [
            agent
            for root in self._bases.folders
            for entry in root.walk(depth=DEPTH)
            if isinstance(entry, Entry) and entry.name.endswith(".jsonl")
            if (agent := named(entry.path).agent)
        ]
