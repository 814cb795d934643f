"""The derived files of a graph, as a second generator makes them from the files.

It shares nothing with the first: YAML is read by PyYAML, and the rules are those of the
specification, written down once more.
"""

import json
import math
import random
from collections import defaultdict
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from store.formats.cognitive.format import FORMAT
from store.records.intents import Rebuild
from tests.store.catalogue.stores import edge, memory, own_id, relation, write
from tests.store.formats.changed_stores import NOW_TEXT, Changed

NOW = datetime.fromisoformat(NOW_TEXT)
FOLDERS = {
    "solution": "solutions",
    "fix": "fixes",
    "decision": "decisions",
    "configuration": "configurations",
    "code_pattern": "code-patterns",
    "workflow": "workflows",
    "procedure": "procedures",
    "insight": "insights",
    "problem": "problems",
}
WEIGHTS = {
    "procedure": 1.4,
    "decision": 1.3,
    "insight": 1.25,
    "solution": 1.2,
    "code_pattern": 1.1,
    "configuration": 1.1,
    "problem": 0.9,
}
SECTIONS = {
    "Critical Solutions": ["solution"],
    "Active Decisions": ["decision"],
    "Key Fixes": ["fix"],
    "Configurations": ["configuration"],
    "Patterns & Workflows": ["code_pattern", "workflow", "procedure"],
}
PROJECTS = ["major-domo", "paper-dynasty", "homelab"]
TAGS = [*PROJECTS, "redis", "python", "docker", "timeout"]


def random_graph(root: Path, seed: int) -> Path:
    """A graph of seventy memories of all kinds, some pinned, linked or merged."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    uses: dict[str, dict[str, Any]] = {}
    for number in range(1, 71):
        kind = dice.choice(list(FOLDERS))
        day = NOW - timedelta(days=dice.randint(0, 60), minutes=number)
        tags = ", ".join(dice.sample(TAGS, dice.randint(0, 4)))
        links = [relation(number - 1, "incoming")] if number % 10 == 0 else []
        links += [relation(number + 1, "outgoing")] if number % 10 == 9 else []
        text = memory(
            number,
            *links,
            title=f"{kind} number {number}",
            body=f"What is {number}?\n" + "Much more to tell. " * dice.randint(0, 9),
            type=kind,
            importance=str(round(dice.random(), 2)),
            tags=f"[{tags}]",
            created=day.isoformat(),
            updated=day.isoformat(),
        )
        folder = "vault" if dice.random() < 0.05 else f"graph/{FOLDERS[kind]}"
        write(root, f"{folder}/{number:02}-{own_id(number)[:6]}.md", text)
        if number % 10 == 0:
            path = f"graph/edges/{number - 1}--SOLVES--{number}-{number:06x}.md"
            write(root, path, edge(500 + number, number - 1, number, strength="0.5"))
        if dice.random() < 0.6:
            last = NOW - timedelta(days=dice.randint(0, 40))
            uses[own_id(number)] = {
                "access_count": dice.randint(0, 9),
                "last_accessed": last.isoformat(),
                "decay_score": 0.5,
            }
    write(root, "_state.json", json.dumps({"version": 1, "entries": uses}))
    entries = "".join(
        f"\n## 09:{n:02} - Note\n- **Tags:** {dice.choice(['merge', 'redis'])}\n"
        for n in range(9)
    )
    write(root, "episodes/2026-02-27.md", f"# 2026-02-27\n{entries}")
    return root


class Oracle:
    """The second generator."""

    def __init__(self, root: Path) -> None:
        self.root = root
        files = [*root.glob("graph/*/*.md"), *root.glob("vault/*.md")]
        self.pages = {
            str(file.relative_to(root)): self.parsed(file) for file in sorted(files)
        }
        state = json.loads((root / "_state.json").read_text())
        self.uses: dict[str, Any] = state["entries"]
        self.memories = {
            path: page for path, page in self.pages.items() if "/edges/" not in path
        }

    @staticmethod
    def parsed(file: Path) -> dict[str, Any]:
        _, header, body = file.read_text().split("---\n", 2)
        return {**yaml.load(header, yaml.BaseLoader), "body": body}  # noqa: S506 - texts

    def score(self, path: str) -> float:
        page = self.memories[path]
        if path.startswith("vault/"):
            return 999.0
        use = self.uses.get(page["id"], {})
        last = datetime.fromisoformat(use.get("last_accessed") or page["updated"])
        days = (NOW - last) / timedelta(days=1)
        count = use.get("access_count", 0)
        usage = math.log2(count + 1) if count else 0.5
        weight = WEIGHTS.get(page["type"], 1.0)
        return float(page["importance"]) * math.exp(-0.03 * days) * usage * weight

    def index(self) -> dict[str, Any]:
        edges = {
            page["id"]: (page["type"], page["from_id"], page["to_id"], 0.5, path)
            for path, page in self.pages.items()
            if "/edges/" in path
        }
        entries = {
            page["id"]: (page["title"], page["type"], page["tags"], path)
            for path, page in self.memories.items()
        }
        return {"count": len(entries), "edges": edges, "entries": entries}

    def core(self) -> str:
        ranked = sorted(
            self.memories, key=lambda path: (-self.score(path), self.title(path), path)
        )
        alive = [path for path in ranked if self.score(path) >= 0.2]
        text = "# Memory Core (auto-generated)\n> Last updated: 2026-03-01 | "
        text += f"Active memories: {len(alive)}/{len(ranked)} | "
        text += "Next refresh: daily (systemd timer)\n"
        for section, kinds in SECTIONS.items():
            text += f"\n## {section}\n"
            mine = [path for path in alive if self.memories[path]["type"] in kinds]
            for path in mine[:15]:
                tags = ", ".join(self.memories[path]["tags"])
                text += f"- [{self.title(path)}]({path})"
                text += f" ({tags})\n" if tags else "\n"
        return text

    def title(self, path: str) -> str:
        return str(self.memories[path]["title"])

    def reflection(self) -> str:
        every = sorted(
            self.memories.items(), key=lambda one: (one[1]["created"], one[0])
        )
        pairs, spans = self.together([page for _, page in every])
        text = "# Reflection Summary (auto-generated)\n> Last updated: 2026-03-01 | "
        text += "Last reflection: never | Total reflections: 0\n"
        text += "\n## Themes\nTop tag co-occurrences revealing recurring themes:\n\n"
        for pair, titles in sorted(pairs.items(), key=lambda o: (-len(o[1]), o[0]))[:8]:
            some = ", ".join(f'"{title}"' for title in titles[:3])
            text += f"- **{pair[0]} + {pair[1]}**: {len(titles)} memories ({some})\n"
        text += "\n## Cross-Project Patterns\nTags that span multiple projects:\n\n"
        for tag, counts in sorted(spans.items(), key=lambda o: (-len(o[1]), o[0])):
            if len(counts) > 1:
                told = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
                where = ", ".join(f"{name} ({count})" for name, count in told)
                text += f"- **{tag}**: appears in {where}\n"
        text += self.used_most()
        log = (self.root / "episodes/2026-02-27.md").read_text()
        merges = log.count("**Tags:** merge\n")
        text += "\n## Consolidation History\n\n"
        return f"{text}- Total merges performed: {merges}\n"

    @staticmethod
    def together(pages: list[dict[str, Any]]) -> tuple[Any, Any]:
        pairs: dict[tuple[str, ...], list[str]] = defaultdict(list)
        spans: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for page in pages:
            for pair in combinations(sorted(page["tags"]), 2):
                pairs[pair].append(page["title"])
            for tag in set(page["tags"]) - set(PROJECTS):
                for project in set(page["tags"]) & set(PROJECTS):
                    spans[tag][project] += 1
        return pairs, spans

    def used_most(self) -> str:
        every = sorted(self.memories, key=lambda p: (self.memories[p]["created"], p))
        text = "\n## Most Accessed\nTop 10 memories by access count:\n\n"
        used = {
            path: self.uses.get(self.memories[path]["id"], {}).get("access_count", 0)
            for path in every
        }
        top = sorted(used, key=lambda path: (-used[path], self.title(path)))[:10]
        for rank, path in enumerate(top, 1):
            text += f"{rank}. [{self.title(path)}]({path}) - {used[path]} accesses\n"
        text += "\n## Recent Insights\nInsight-type memories:\n\n"
        insights = [p for p in every[::-1] if self.memories[p]["type"] == "insight"]
        for path in insights[:10]:
            preview = " ".join(self.memories[path]["body"].split())[:80]
            text += f"- [{self.title(path)}]({path}) - {preview}...\n"
        return text


@pytest.mark.parametrize("seed", range(3))
def test_two_generators_agree_on_every_derived_file(tmp_path: Path, seed: int) -> None:
    root = random_graph(tmp_path / "graph-of-mine", seed)
    oracle = Oracle(root)
    with Changed(root, FORMAT, tmp_path / "own") as store:
        for name in ("index", "state", "core", "reflection"):
            store.do(Rebuild(name=name))
        index = json.loads(store.text("_index.json"))
        state = json.loads(store.text("_state.json"))["entries"]

        assert index["count"] == oracle.index()["count"]
        assert {
            name: tuple(one[key] for key in ("title", "type", "tags", "path"))
            for name, one in index["entries"].items()
        } == oracle.index()["entries"]
        keys = ("type", "from_id", "to_id", "strength", "path")
        assert {
            name: tuple(one[key] for key in keys)
            for name, one in index["edges"].items()
        } == oracle.index()["edges"]
        assert {name: one["decay_score"] for name, one in state.items()} == {
            page["id"]: pytest.approx(oracle.score(path), abs=1e-4)
            for path, page in oracle.memories.items()
        }
        assert store.text("CORE.md") == oracle.core()
        assert store.text("REFLECTION.md") == oracle.reflection()
