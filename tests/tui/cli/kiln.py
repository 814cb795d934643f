"""A machine on which an agent worked: its transcripts and journals."""

from pathlib import Path

import pytest

from store.formats.kei.format import FORMAT as KEI
from store.formats.register import FORMATS
from store.formats.transcripts.format import FORMAT as TRANSCRIPTS
from tests.store.formats import kei_databases, kei_stores
from tests.store.formats import transcripts_stores as told

LATER = 30 * 60
"""Seconds: a silence that is told, and divides where the gap is shorter."""

SAID = "Which cone for the blue glaze?\nThe shelf is \x1b[2Jcold."


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the formats used here."""
    more = [form for form in (TRANSCRIPTS, KEI) if form not in FORMATS]
    monkeypatch.setattr("tui.cli.session.FORMATS", (*FORMATS, *more))


def make_transcripts(folder: Path) -> Path:
    """A session with successful calls and a failed one, and a sub-agent."""
    sessions = folder / "projects" / told.SLUG
    told.put(
        sessions / f"{told.SESSION}.jsonl",
        told.user("ask", SAID, 1),
        told.assistant("think", told.thinks("Cone six, surely."), second=2),
        told.assistant(
            "look",
            told.says("I look.\n\nRead: nothing yet."),
            told.calls("t1", "Read", file_path="/glazes.md"),
            told.calls("t2", "Bash", command="ls -la\nls shelf"),
            second=3,
        ),
        told.user("found", [told.answers("t1", "cone 6\ncone 10")], 4),
        told.user("lost", [told.answers("t2", "no such shelf", is_error=True)], 5),
        told.boundary("full", 6),
        told.user("so far", "It was about glazes.", 7, isCompactSummary=True),
        told.assistant("end", told.says("Cone 6,\n  fired slowly."), second=LATER + 60),
        told.user("thanks", "Thank you.", LATER + 90),
    )
    agent = sessions / told.SESSION / "subagents" / "agent-a0123456789abcdef.jsonl"
    told.put(
        agent,
        told.user("task", "Count the shelves.", 3, isSidechain=True),
        told.assistant("count", told.says("Four."), second=4, isSidechain=True),
    )
    return folder / "projects"


def make_journals(folder: Path) -> Path:
    """Traces of a session, metrics and claims, and a ledger of agents."""
    store = folder / ".claude" / "memory"
    kei_stores.write(
        store,
        kei_stores.TRACE,
        kei_stores.jsonl(
            kei_stores.user("You broke the kiln again."),
            kei_stores.assistant(kei_stores.call("Edit", file_path="/kiln.py")),
            kei_stores.user([kei_stores.result("no such file", is_error=True)]),
        ),
    )
    kei_stores.write(
        store,
        kei_stores.SESSIONS,
        kei_stores.jsonl(
            {
                "kind": "session",
                "id": kei_stores.SID,
                "start_epoch": 1777573630,
                "end_epoch": 1777577430,
                "duration_s": 3800,
                "ts": "2026-04-30T19:30:30Z",
            }
        ),
    )
    kei_stores.write(
        store,
        kei_stores.CLAIMS,
        kei_stores.jsonl(
            {
                "kind": "claim",
                "value": {"tests": 12, "share": 0.33333333},
                "evidence_tier": "REAL",
                "pointer": f"sessions.jsonl#{kei_stores.SID}",
                "ts": "2026-04-30T19:31:00Z",
            },
            {
                "kind": "claim",
                "value": "twice as fast",
                "evidence_tier": "ESTIMATE-HTC",
                "pointer": "tasks.jsonl#gone",
                "ts": "2026-04-30T19:32:00Z",
            },
        ),
    )
    ledger = folder / ".claude" / "agents" / "ledger.sqlite"
    ledger.parent.mkdir()
    kei_databases.make_ledger(ledger)
    return store
