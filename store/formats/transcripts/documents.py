"""Files beside the transcripts that tell about them."""

from collections import Counter
from collections.abc import Callable

from store.files.jsonl import parse
from store.findings import DocumentFound, Findings, Flaw, Value
from store.formats.port import Source
from store.formats.transcripts.bases import Bases, has
from store.formats.transcripts.naming import named
from store.formats.transcripts.roles import AGENT_FACTS, HISTORY_ROLE, INDEX
from store.transcript import Record, text

_LONGEST = 32 * 1024 * 1024
_LONGEST_TEXT = 1_000_000
_MOST_FLAWS = 20

Maker = Callable[[Bases, Source, bytes], Findings]


def read_document(bases: Bases, source: Source) -> Findings:
    """What a file beside the transcripts says; raises UnreadableError."""
    makers: dict[str, Maker] = {
        INDEX: _index,
        HISTORY_ROLE: _history,
        AGENT_FACTS: _agent_facts,
    }
    raw = bases.read(source.path, _LONGEST)
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
    """The entries of a list of sessions, and what it says beside them."""
    values, problem = parse(raw)
    about = values[0] if values and isinstance(values[0], dict) else {}
    entries = about.get("entries")
    if problem or not isinstance(entries, list):
        message = f"The list of sessions cannot be read. {problem or ''}".strip()
        return [], about, (Flaw(code="broken-index", message=message),)
    return [entry for entry in entries if isinstance(entry, dict)], about, ()


def _history(bases: Bases, source: Source, raw: bytes) -> Findings:
    """Every prompt that was ever typed, also those whose transcripts are gone.

    A document and no messages: most prompts stand in transcripts as well.
    """
    del bases, source
    words: list[str] = []
    projects: Counter[str] = Counter()
    flaws: list[Flaw] = []
    for number, line in enumerate(raw.split(b"\n"), 1):
        values, problem = parse(line)
        if problem and len(flaws) < _MOST_FLAWS:
            flaws.append(Flaw(code="broken-line", message=problem, line=number))
        for value in values:
            if isinstance(value, dict):
                words.append(text(value, "display"))
                projects[text(value, "project")] += 1
    facts = {"prompts": str(len(words)), "projects": str(len(projects))}
    said = "\n".join(words)
    return _document("history.jsonl", said, "history", facts, tuple(flaws))


def _agent_facts(bases: Bases, source: Source, raw: bytes) -> Findings:
    """What a sub-agent was started for, and as what."""
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
