"""Lines of transcripts as Claude Code writes them, and folders of such files."""

import json
from collections.abc import Iterable
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from store.findings import START, Findings, Json, Mark, MessageFound, SessionFound
from store.formats.port import Source
from store.formats.transcripts.format import FORMAT
from store.transcript.messages import join

SESSION = "0b9c5b6e-3a55-4f0c-9a53-6a3f5e0f7c11"
SLUG = "-home-mira-kiln"

Line = dict[str, Json]


def uuid(name: object) -> str:
    return str(uuid5(NAMESPACE_URL, str(name)))


def at(second: int) -> str:
    return f"2026-03-01T10:{second // 60:02d}:{second % 60:02d}.000Z"


def envelope(name: object, second: int = 0, **more: Json) -> Line:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/mira/kiln",
        "sessionId": SESSION,
        "version": "2.1.210",
        "gitBranch": "main",
        "uuid": uuid(name),
        "timestamp": at(second),
        **more,
    }


def user(name: object, content: Json, second: int = 0, **more: Json) -> Line:
    message: Line = {"role": "user", "content": content}
    return envelope(name, second, type="user", message=message, **more)


def assistant(
    name: object,
    *blocks: Json,
    second: int = 0,
    message_id: str = "",
    message: Line | None = None,
    **more: Json,
) -> Line:
    usage: Line = {
        "input_tokens": 3,
        "output_tokens": 5,
        "cache_read_input_tokens": 7,
        "cache_creation_input_tokens": 11,
    }
    whole: Line = {
        "id": message_id or f"msg_{name}",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-4-6",
        "content": list(blocks),
        "usage": usage,
        **(message or {}),
    }
    return envelope(name, second, type="assistant", message=whole, **more)


def says(text: str) -> Line:
    return {"type": "text", "text": text}


def thinks(text: str) -> Line:
    return {"type": "thinking", "thinking": text, "signature": "c2lnbmF0dXJl"}


def calls(call: str, name: str, **given: Json) -> Line:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def answers(call: str, content: Json = "done", **more: Json) -> Line:
    return {"type": "tool_result", "tool_use_id": call, "content": content, **more}


def boundary(name: object, second: int = 0) -> Line:
    return envelope(
        name,
        second,
        type="system",
        subtype="compact_boundary",
        content="Conversation compacted",
        compactMetadata={"trigger": "auto", "preTokens": 120_000},
    )


def dumped(lines: Iterable[Json | bytes]) -> bytes:
    raw = [
        line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines
    ]
    return b"".join(line + b"\n" for line in raw)


def put(path: Path, *lines: Json | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(dumped(lines))
    return path


def healthy(folder: Path) -> dict[str, int]:
    """A small store with some of everything."""
    put(
        folder / SLUG / f"{SESSION}.jsonl",
        {"type": "summary", "summary": "Fire the kiln", "leafUuid": uuid("end")},
        {"type": "file-history-snapshot", "messageId": uuid("ask"), "snapshot": {}},
        user("ask", "Which cone for the blue glaze?", 1),
        assistant("think", thinks("Cone six, surely."), second=2),
        assistant("look", calls("t1", "Read", file_path="/glazes.md"), second=3),
        user("result", [answers("t1", "cone 6")], 4, toolUseResult="cone 6"),
        assistant("end", says("Cone 6, fired slowly."), second=5),
        {"type": "custom-title", "customTitle": "Glazes", "sessionId": SESSION},
    )
    agent = folder / SLUG / SESSION / "subagents" / "agent-a0123456789abcdef.jsonl"
    put(
        agent,
        user("task", "Count the shelves.", 3, isSidechain=True),
        assistant("count", says("Four."), second=4, isSidechain=True),
    )
    agent.with_suffix("").with_suffix(".meta.json").write_text(
        json.dumps({"agentType": "Explore", "description": "Count shelves"})
    )
    results = folder / SLUG / SESSION / "tool-results"
    results.mkdir()
    (results / "toolu_1.txt").write_text("a long list\n")
    return {"messages": 7, "documents": 2, "sessions": 2}


def source_of(path: Path, root: Path) -> Source:
    with FORMAT.open(root) as opened:
        wanted = str(path.relative_to(root))
        return next(
            found
            for found in opened.scan()
            if isinstance(found, Source) and found.path == wanted
        )


def read(path: Path, root: Path | None = None, since: Mark = START) -> Findings:
    """One transcript, in all current pieces."""
    root = root or path.parent
    source = source_of(path, root)
    with FORMAT.open(root) as opened:
        found = opened.read(source, since)
        parts = [found]
        while found.more:
            found = opened.read(source, found.mark)
            parts.append(found)
    return together(parts)


def messages(path: Path, root: Path | None = None) -> tuple[MessageFound, ...]:
    return read(path, root).messages


def together(parts: list[Findings]) -> Findings:
    """Pieces joined as in the catalogue."""
    whole: dict[str, MessageFound] = {}
    sessions = [session for part in parts for session in part.sessions]
    for part in parts:
        if part.anew:
            whole.clear()
        for message in part.messages:
            before = whole.get(message.key)
            whole[message.key] = join(before, message) if before else message
    lines: dict[str, int] = {}
    for session in sessions:
        for kind, count in session.lines.items():
            lines[kind] = lines.get(kind, 0) + count
    titles = tuple(dict.fromkeys(title for s in sessions for title in s.titles))
    last = sessions[-1] if sessions else SessionFound()
    return Findings(
        messages=tuple(whole.values()),
        sessions=(
            SessionFound(
                session=next((s.session for s in sessions if s.session), None),
                agent=last.agent,
                parent=last.parent,
                titles=titles,
                lines=lines,
            ),
        ),
        flaws=sum((part.flaws for part in parts), ()),
        documents=sum((part.documents for part in parts), ()),
        tail=parts[-1].tail,
        mark=parts[-1].mark,
        anew=any(part.anew for part in parts),
    )
