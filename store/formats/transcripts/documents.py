"""Read a file of a store by its role: a transcript, or one beside the transcripts."""

from collections.abc import Callable
from functools import cached_property

from store.errors import UnreadableError
from store.files.beneath import Entry
from store.files.json_read import parse
from store.findings import (
    START,
    DocumentFound,
    Findings,
    Flaw,
    Mark,
    Rank,
    TitleFound,
    Value,
    not_read,
)
from store.formats.port import Passage, Place, Source
from store.formats.transcripts.format import (
    AGENT_FACTS,
    DEPTH,
    GROWING,
    HISTORY_ROLE,
    INDEX,
    JOURNAL,
    Bases,
    has,
    named,
)
from store.formats.transcripts.read import Reader, passage, prompt_passage
from store.transcript.blocks import Record, text

# Sub-agents: which have their own transcript, and the facts about them.

_LONGEST = 64 * 1024


class Agents:
    """The sub-agents of a store, looked up once."""

    def __init__(self, bases: Bases) -> None:
        self._bases = bases

    def has_file(self, agent: str) -> bool:
        """Whether an agent has its own transcript anywhere in the store."""
        return agent in self._all

    def titles(self, path: str) -> tuple[TitleFound, ...]:
        """The purpose of an agent, from the file beside its transcript."""
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

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(
            agent
            for root in self._bases.folders
            for entry in root.walk(depth=DEPTH)
            if isinstance(entry, Entry) and entry.name.endswith(".jsonl")
            if (agent := named(entry.path).agent)
        )


# Files beside the transcripts with information about them.

_DOCUMENTS_LONGEST = 32 * 1024 * 1024
_LONGEST_TEXT = 1_000_000

Maker = Callable[[Bases, Source, bytes], Findings]


def read_document(bases: Bases, source: Source) -> Findings:
    """Read a file beside the transcripts; raises UnreadableError."""
    makers: dict[str, Maker] = {
        INDEX: _index,
        AGENT_FACTS: _agent_facts,
    }
    raw = bases.read(source.path, _DOCUMENTS_LONGEST)
    return makers.get(source.role, _output)(bases, source, raw)


def _index(bases: Bases, source: Source, raw: bytes) -> Findings:
    """The list of a project's sessions; some may be gone."""
    entries, about, flaws = _listed(raw)
    folder = source.path.rpartition("/")[0]
    gone = 0
    lines: list[str] = []
    for entry in entries:
        session = text(entry, "sessionId")
        path = f"{folder}/{session}.jsonl" if folder else f"{session}.jsonl"
        is_gone = not (session and any(has(root, path) for root in bases.folders))
        gone += is_gone
        words = text(entry, "summary") or text(entry, "firstPrompt")
        lines.append(f"{session}{' (gone)' if is_gone else ''} {words}".strip())
    facts = {"sessions": str(len(entries)), "gone": str(gone)}
    project = text(about, "originalPath") or next(
        filter(None, (text(entry, "projectPath") for entry in entries)), ""
    )
    if project:
        facts["project"] = project
    return _document("sessions-index.json", "\n".join(lines), "sessions", facts, flaws)


def _listed(raw: bytes) -> tuple[list[Record], Record, tuple[Flaw, ...]]:
    """The entries of a list of sessions, and its other facts."""
    values, problem = parse(raw)
    about = values[0] if values and isinstance(values[0], dict) else {}
    entries = about.get("entries")
    if problem or not isinstance(entries, list):
        message = f"Can't read the list of sessions. {problem or ''}".strip()
        return [], about, (Flaw(code="broken-index", message=message),)
    return [entry for entry in entries if isinstance(entry, dict)], about, ()


def _agent_facts(bases: Bases, source: Source, raw: bytes) -> Findings:
    """The purpose and type of a sub-agent."""
    del bases
    values, problem = parse(raw)
    about = values[0] if values and isinstance(values[0], dict) else {}
    facts = {key: value for key, value in about.items() if isinstance(value, str)}
    flaws = (Flaw(code="broken-facts", message=problem),) if problem else ()
    agent = named(source.path.removesuffix(".meta.json")).agent
    title = text(about, "description") or agent or source.path
    return _document(title, text(about, "description"), "subagents", facts, flaws)


def _output(bases: Bases, source: Source, raw: bytes) -> Findings:
    """The output of a tool that was too long for its transcript."""
    del bases
    name = source.path.rpartition("/")[2]
    facts = {"bytes": str(source.stamp.size)}
    return _document(name, raw.decode(errors="replace"), "tool-results", facts)


def _document(
    title: str,
    said: str,
    category: str,
    facts: dict[str, str],
    flaws: tuple[Flaw, ...] = (),
) -> Findings:
    told: dict[str, Value] = {**facts}
    document = DocumentFound(
        title=title[:200],
        role="document",
        text=said[:_LONGEST_TEXT],
        category=category,
        facts=told,
    )
    return Findings(documents=(document,), flaws=flaws)


# A file by its role.


class TranscriptsReader:
    """Reads the files of one store."""

    def __init__(self, bases: Bases) -> None:
        self._bases = bases
        self._agents = Agents(bases)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source, a transcript from a mark on; never raises for content."""
        try:
            if source.role in GROWING:
                return self._transcript(source, since)
            return read_document(self._bases, source)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),), mark=since)

    def passage(self, source: Source, place: Place) -> Passage:
        """A whole message, read from its file."""
        read = prompt_passage if source.role == HISTORY_ROLE else passage
        with self._bases.opened(source.path) as file:
            return read(file, source.path, place)

    def _transcript(self, source: Source, since: Mark) -> Findings:
        about = named(source.path)
        titles = self._agents.titles(source.path) if about.agent else ()
        with self._bases.opened(source.path) as file:
            reader = Reader(file, source.path, about, titles, self._agents.has_file)
            is_history = source.role == HISTORY_ROLE
            is_sure = is_history or source.role == JOURNAL
            return reader.read(since, is_sure=is_sure, is_history=is_history)
