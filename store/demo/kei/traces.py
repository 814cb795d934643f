"""Traces: copies of transcripts, and one of the flat form before that."""

import json
from datetime import timedelta

from store.demo.days import Days, micros
from store.demo.identity import identify
from store.demo.kei.measured import Measured
from store.demo.transcripts.talks import read_talks
from store.demo.transcripts.telling import Telling
from store.demo.tree import Tree

_SECOND = 1_000_000


def put_traces(tree: Tree, root: str, measured: Measured, days: Days) -> None:
    """Put a copy of the transcript of each sitting, and an older one in the mirror."""
    talks = read_talks(days)
    for key in measured.table["traces"]:
        sitting = measured.sitting(key)
        project = measured.story.projects[sitting.project]
        telling = Telling(sitting, project, days)
        telling.tell(talks.get(key, []), [])
        text = telling.lines.text
        path = f"traces/{telling.identifier}.jsonl"
        tree.put(f"{root}/{path}", text, telling.end)
        if key == measured.table["mirrored"]:
            lines = text.splitlines(keepends=True)
            half = "".join(lines[: len(lines) // 2])
            tree.put(f"{root}/sync-repo/{path}", half, telling.end)


def flat_trace(tree: Tree, root: str, measured: Measured) -> None:
    """Put the trace of a sitting as it was written before."""
    told = measured.table["flat"]
    sitting = measured.sitting(told["session"])
    now = measured.begin(sitting)
    lines: list[str] = []
    for kind, tool, path, failed, message in told["events"]:
        now += timedelta(minutes=7)
        line = {
            "ts": micros(now) // _SECOND,
            "kind": kind,
            "tool": tool,
            "file_path": path or None,
            "is_error": failed,
            "message": message or None,
        }
        lines.append(json.dumps({k: v for k, v in line.items() if v is not None}))
    name = identify("session", sitting.key)
    tree.put(f"{root}/traces/{name}.jsonl", "\n".join(lines) + "\n", now)
