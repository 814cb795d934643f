from collections.abc import Mapping
from pathlib import Path

from store.formats.kei.format import FORMAT
from store.formats.port import Format
from tests.store.formats.contract import Damage, FormatContract
from tests.store.formats.kei_databases import make_database
from tests.store.formats.kei_stores import (
    AGENT_EVENTS,
    CLAIMS,
    SESSIONS,
    TASKS,
    TRACE,
    assistant,
    call,
    jsonl,
    read_all,
    result,
    said,
    together,
    user,
    write,
)


def overwritten(path: str, content: str | bytes) -> Damage:
    def damage(store: Path) -> str:
        write(store, path, content)
        return path

    return damage


class TestKei(FormatContract):
    trap = "traces/trap.jsonl"
    damages: Mapping[str, Damage] = {
        "torn line": overwritten(TRACE, '{"type": "user"\n{}\n'),
        "no JSON": overwritten(TRACE, bytes(range(256)) + b"\n"),
        "a list": overwritten(SESSIONS, "[]\n"),
        "unknown figure": overwritten(CLAIMS, '{"kind": "decision"}\n'),
        "unknown task": overwritten(TASKS, "{}\n"),
        "unknown event": overwritten(AGENT_EVENTS, "{}\n"),
        "mark without a time": overwritten("time-metrics/.session-x.start", "soon"),
        "no database": overwritten("kei-memory.sqlite", "SQLite format 3\0"),
        "endless page": overwritten("MEMORY.md", b"x" * (9 << 20)),
        "foreign text": overwritten("error-window.txt", b"\xff\xfe"),
    }

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        trace = (
            user("Why?", uuid="u1"),
            assistant(said("Let me look."), call("Read"), uuid="u2"),
            user([result("…")], uuid="u3"),
            {"ts": 1_777_573_700, "kind": "tool_use", "tool": "Bash"},
        )
        write(folder, TRACE, jsonl(*trace))
        session = {"kind": "session", "id": "s", "duration_s": 5}
        write(folder, SESSIONS, jsonl(session, session))
        start = {"kind": "start", "name": "x", "start_epoch": 5}
        write(folder, TASKS, jsonl(start, start | {"kind": "stop"}))
        write(folder, AGENT_EVENTS, jsonl({"event": "tool_use", "tool": "Bash"}))
        write(folder, "MEMORY.md", "# Index\n")
        make_database(folder / "kei-memory.sqlite")
        return {"events": 8, "messages": 4, "measures": 3, "documents": 2}

    def test_a_growing_source_is_read_on_from_where_it_ended(self, store: Path) -> None:
        """Compared with the joined pieces, because a message may be in several."""
        for path in [s.path for s in self.sources(store) if s.grows]:
            raw = self.bytes_of(store, path)
            whole = read_all(store)[path]
            for cut in range(1, len(raw)):
                self.put(store, path, raw[:cut])
                before = self.read_all(store)[path]
                self.put(store, path, raw)
                with self.format.open(store) as opened:
                    source = next(s for s in self.sources(store) if s.path == path)
                    after = opened.read(source, since=before.mark)
                assert together(before, after) == whole
