"""Stores of the kit as its hooks make them, and helpers to read one."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from store.files.beneath import Root
from store.findings import (
    START,
    EventFound,
    Findings,
    Json,
    Mark,
    MeasureFound,
    MessageFound,
    Severity,
)
from store.formats.kei.format import FORMAT, KeiStore
from store.formats.port import Refused, Source
from store.machine import Machine
from store.transcript.messages import join

SID = "bf053cbd-a6f8-47a6-a80f-11b829d63980"
TRACE = f"traces/{SID}.jsonl"
TASKS = "time-metrics/tasks.jsonl"
SESSIONS = "time-metrics/sessions.jsonl"
CLAIMS = "time-metrics/numeric-claims.jsonl"
TOOLSTATS = "time-metrics/agent-toolstats.jsonl"
AGENT_EVENTS = "agent-events.jsonl"

Line = dict[str, Json]


def write(store: Path, path: str, content: str | bytes) -> Path:
    """Write a file of a store, with its folders."""
    file = store / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def jsonl(*lines: Mapping[str, Json] | str) -> str:
    """Lines of JSON; text is used unchanged."""
    texts = (
        line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
        for line in lines
    )
    return "".join(f"{text}\n" for text in texts)


def user(
    content: Json, at: str | None = "2026-04-30T18:27:10.311Z", **more: Json
) -> Line:
    """A line of type `user`."""
    return _line("user", content, at) | more


def assistant(
    *blocks: Json, at: str | None = "2026-04-30T18:27:12.000Z", **more: Json
) -> Line:
    """A line of type `assistant`."""
    return _line("assistant", [*blocks], at) | more


def _line(kind: str, content: Json, at: str | None) -> Line:
    message: Line = {"role": kind, "content": content}
    line: Line = {"type": kind, "sessionId": SID, "message": message}
    if at is not None:
        line["timestamp"] = at
    return line


def call(name: str, own: str = "t1", **arguments: Json) -> Line:
    """A block that calls a tool."""
    return {"type": "tool_use", "id": own, "name": name, "input": arguments}


def result(content: Json, own: str = "t1", **more: Json) -> Line:
    """A block with the result of a tool."""
    return {"type": "tool_result", "tool_use_id": own, "content": content, **more}


def said(text: str) -> Line:
    """A block of text."""
    return {"type": "text", "text": text}


def opened(store: Path, **settings: str) -> KeiStore:
    """The store on a machine with a known home and settings."""
    home = store.parent.parent
    return KeiStore(store, Machine(home, home, settings))


def scanned(store: Path) -> dict[str, Source | Refused]:
    with opened(store) as kei:
        return {found.path: found for found in kei.scan()}


def refusals(store: Path) -> dict[str, str]:
    """The code of every refusal, by path."""
    found = scanned(store).values()
    return {each.path: each.flaw.code for each in found if isinstance(each, Refused)}


def read_pieces(kei: KeiStore, source: Source, since: Mark = START) -> Findings:
    """The findings of a source, with pieces joined."""
    found = [kei.read(source, since)]
    while found[-1].more:
        found.append(kei.read(source, found[-1].mark))
    return together(*found)


def read_all(store: Path) -> dict[str, Findings]:
    with opened(store) as kei:
        sources = [found for found in kei.scan() if isinstance(found, Source)]
        return {source.path: read_pieces(kei, source) for source in sources}


def read_one(store: Path, path: str, *lines: Mapping[str, Json] | str) -> Findings:
    """The findings in a journal with these lines."""
    write(store, path, jsonl(*lines))
    return read_all(store)[path]


def events(store: Path, *lines: Mapping[str, Json] | str) -> tuple[EventFound, ...]:
    """The events of a trace with these lines."""
    return read_one(store, TRACE, *lines).events


def event(store: Path, *lines: Mapping[str, Json] | str) -> EventFound:
    """The last event of a trace with these lines."""
    return events(store, *lines)[-1]


def measures(
    store: Path, path: str, *lines: Mapping[str, Json] | str
) -> tuple[MeasureFound, ...]:
    """The metrics of a journal with these lines."""
    found = read_one(store, path, *lines)
    assert not found.flaws
    return found.measures


def together(*parts: Findings) -> Findings:
    """Pieces joined as in the catalogue: messages by their keys."""
    begins = max((n for n, part in enumerate(parts) if part.anew), default=0)
    kept, last = parts[begins:], parts[-1]
    lines: Counter[str] = Counter()
    for part in kept:
        for about in part.sessions:
            lines.update(about.lines)
    told = [about for part in kept for about in part.sessions]
    titles = tuple(title for about in told for title in about.titles)
    abouts = (replace(told[0], lines=dict(lines), titles=titles),) if told else ()
    return Findings(
        events=tuple(e for part in kept for e in part.events),
        measures=tuple(m for part in kept for m in part.measures),
        agents=tuple(a for part in kept for a in part.agents),
        documents=tuple(d for part in kept for d in part.documents),
        messages=tuple(_joined(m for part in kept for m in part.messages)),
        sessions=abouts,
        flaws=tuple(f for part in kept for f in part.flaws),
        tail=last.tail,
        mark=last.mark,
    )


def _joined(messages: Iterable[MessageFound]) -> Iterable[MessageFound]:
    found: dict[str, MessageFound] = {}
    for message in messages:
        before = found.get(message.key)
        if before is None:
            found[message.key] = message
        elif message.role == "assistant":
            found[message.key] = join(before, message)
    return found.values()


def codes(findings: Findings) -> list[str]:
    """The codes of all problems except notes."""
    worse = (flaw for flaw in findings.flaws if flaw.severity is not Severity.NOTE)
    return [flaw.code for flaw in worse]


def ask(
    store: Path, question: str, *words: str, now: int = 0, **settings: str
) -> Sequence[Mapping[str, Json]]:
    """The rows of a report."""
    with opened(store, **settings) as kei:
        return list(kei.ask(question, words, now))


def sniffs(folder: Path) -> bool:
    with Root(folder) as root:
        return FORMAT.sniff(root)
