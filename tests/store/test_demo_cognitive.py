import json
import math
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from store.demo import write

NOW = datetime(2026, 3, 29, 14, 30, tzinfo=UTC)
WEIGHTS = {
    "procedure": 1.4,
    "decision": 1.3,
    "insight": 1.25,
    "solution": 1.2,
    "code_pattern": 1.1,
    "configuration": 1.1,
    "fix": 1.0,
    "workflow": 1.0,
    "problem": 0.9,
    "error": 0.8,
    "general": 0.8,
}
FLOORS = (("active", 0.5), ("fading", 0.2), ("dormant", 0.05))
RELATIONS = {
    *("SOLVES", "CAUSES", "BUILDS_ON", "ALTERNATIVE_TO"),
    *("REQUIRES", "FOLLOWS", "RELATED_TO"),
}
BROKEN = "dark mode"

Header = dict[str, Any]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("demo"), NOW)[0]


@pytest.fixture(scope="module")
def memories(root: Path) -> dict[str, Header]:
    """The headers of all memories that are valid YAML, by path."""
    headers: dict[str, Header] = {}
    for page in [*root.glob("graph/*/*.md"), *root.glob("vault/*.md")]:
        if page.parent.name != "edges" and BROKEN not in page.read_text("utf-8"):
            headers[page.relative_to(root).as_posix()] = header_of(page)
    return headers


@pytest.fixture(scope="module")
def edges(root: Path) -> list[Header]:
    return [header_of(page) for page in root.glob("graph/edges/*.md")]


def header_of(page: Path) -> Header:
    _, header, _ = page.read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(header)


def read(root: Path, name: str) -> Any:  # noqa: ANN401  JSON may be anything
    return json.loads((root / name).read_text("utf-8"))


def relations_of(memories: dict[str, Header]) -> list[tuple[str, Header]]:
    return [
        (memory["id"], relation)
        for memory in memories.values()
        for relation in memory.get("relations", [])
    ]


def score(memory: Header, state: Header, now: datetime) -> float:
    used = state.get(memory["id"], {"access_count": 0})
    last = used.get("last_accessed", memory["updated"].isoformat())
    days = (now - datetime.fromisoformat(last)).total_seconds() / 86400
    count = used["access_count"]
    usage = math.log2(count + 1) if count else 0.5
    weight = WEIGHTS[memory["type"]]
    return memory["importance"] * math.exp(-0.03 * max(days, 0)) * usage * weight


def test_there_is_enough_to_browse(
    root: Path, memories: dict[str, Header], edges: list[Header]
) -> None:
    outgoing = [r for _, r in relations_of(memories) if r["direction"] == "outgoing"]
    days = list(root.glob("episodes/*.md"))
    entries = [line for day in days for line in day.read_text("utf-8").splitlines()]
    assert 110 <= len(memories) <= 140
    assert 140 <= len(outgoing) <= 180
    assert 50 <= len(edges) <= 70
    assert 85 <= sum(line.startswith("## ") for line in entries) <= 100
    assert {memory["type"] for memory in memories.values()} == WEIGHTS.keys()
    assert {relation["type"] for relation in outgoing} == RELATIONS
    assert {edge["type"] for edge in edges} == RELATIONS


def test_every_stage_occurs(root: Path, memories: dict[str, Header]) -> None:
    state = read(root, "_state.json")["entries"]
    stages = Counter(
        next(
            (stage for stage, floor in FLOORS if score(memory, state, NOW) >= floor),
            "archived",
        )
        for path, memory in memories.items()
        if not path.startswith("vault/")
    )
    assert min(stages[stage] for stage in ("active", "fading", "dormant")) >= 15
    assert stages["archived"] >= 15
    assert 3 <= sum(path.startswith("vault/") for path in memories) <= 8


def test_scores_in_the_state_are_right_for_their_day(
    root: Path, memories: dict[str, Header]
) -> None:
    state = read(root, "_state.json")["entries"]
    scored = datetime(2026, 3, 25, 4, tzinfo=UTC)
    for path, memory in memories.items():
        if path.startswith("vault/"):
            assert state[memory["id"]]["decay_score"] == 999.0
        elif memory["id"] in state and memory["created"] < scored:
            noted = state[memory["id"]]["decay_score"]
            assert noted == pytest.approx(score(memory, state, scored), abs=1e-3)


def test_files_are_named_after_their_memories(memories: dict[str, Header]) -> None:
    for path, memory in memories.items():
        assert re.search(rf"/[a-z0-9-]+-{memory['id'][:6]}\.md$", path), path
    assert len({memory["id"][:6] for memory in memories.values()}) == len(memories)


def test_links_are_written_on_both_sides_except_one(
    root: Path, memories: dict[str, Header]
) -> None:
    known = set(read(root, "_index.json")["entries"])
    sides = Counter(
        (holder, relation["target"], relation["type"])
        if relation["direction"] == "outgoing"
        else (relation["target"], holder, relation["type"])
        for holder, relation in relations_of(memories)
    )
    alone = [link for link, count in sides.items() if count == 1]
    dangling = [link for link in alone if link[1] not in known]
    assert len(dangling) == 1
    assert len(alone) - len(dangling) == 1
    assert set(sides.values()) == {1, 2}


def test_edge_files_and_relations_name_each_other(
    memories: dict[str, Header], edges: list[Header]
) -> None:
    named = {r["edge_id"] for _, r in relations_of(memories) if "edge_id" in r}
    assert named == {edge["id"] for edge in edges}
    titles = {memory["id"]: memory["title"] for memory in memories.values()}
    stale = [edge for edge in edges if edge["to_title"] != titles[edge["to_id"]]]
    assert all(edge["from_title"] == titles[edge["from_id"]] for edge in edges)
    assert [edge["to_title"] for edge in stale] == ["Replace Celery by Postgres"]


def test_one_file_is_broken_and_its_index_entry_is_not(root: Path) -> None:
    broken = [
        page
        for page in root.glob("graph/*/*.md")
        if page.parent.name != "edges" and BROKEN in page.read_text("utf-8")
    ]
    assert len(broken) == 1
    with pytest.raises(yaml.YAMLError):
        header_of(broken[0])
    entries = read(root, "_index.json")["entries"].values()
    path = broken[0].relative_to(root).as_posix()
    assert path in {entry["path"] for entry in entries}


def test_the_index_matches_except_for_one_title(
    root: Path, memories: dict[str, Header], edges: list[Header]
) -> None:
    index = read(root, "_index.json")
    entries = index["entries"]
    stale: list[str] = []
    for path, memory in memories.items():
        entry = entries[memory["id"]]
        assert entry["path"] == path
        assert entry["tags"] == memory["tags"]
        assert entry["updated"] == memory["updated"].isoformat()
        if entry["title"] != memory["title"]:
            stale.append(entry["title"])
    assert stale == ["Blue-green deploys with Caddy"]
    assert index["version"] == 2
    assert index["count"] == len(entries) == len(memories) + 1
    assert index["edges"].keys() == {edge["id"] for edge in edges}
    assert all((root / edge["path"]).is_file() for edge in index["edges"].values())


def test_the_daily_logs_link_to_memories_that_exist(root: Path) -> None:
    names = {page.name for page in root.rglob("*.md")}
    for day in sorted(root.glob("episodes/*.md")):
        text = day.read_text("utf-8")
        assert text.startswith(f"# {day.stem}\n\n## ")
        times = re.findall(r"^## (\d\d:\d\d) - ", text, re.MULTILINE)
        assert times == sorted(times)
        links = re.findall(r"\(\.\./(graph/[^)]+)\)", text)
        assert all(Path(link).name in names for link in links)


def test_core_lists_the_strong_and_fits_its_budget(root: Path) -> None:
    core = (root / "CORE.md").read_text("utf-8")
    sections = core.split("\n## ")[1:]
    links = re.findall(r"\]\(([^)]+)\)", core)
    assert len(core) <= 12_000
    assert len(sections) == 5
    assert all(section.count("\n- ") <= 15 for section in sections)
    assert all((root / link).is_file() for link in links)


def test_reflection_names_what_is_there(root: Path) -> None:
    reflection = (root / "REFLECTION.md").read_text("utf-8")
    themes, patterns, accessed, insights, history = reflection.split("\n## ")[1:]
    assert themes.count("\n- **") == 8
    assert "appears in kilnbook (" in patterns
    assert accessed.count(" accesses") == 10
    assert insights.count("](graph/insights/") >= 3
    assert "Total merges performed: 2" in history
    links = re.findall(r"\]\(([^)]+\.md)\)", reflection)
    assert all((root / link).is_file() for link in links)


def test_embeddings_have_the_dimensions_of_their_model(root: Path) -> None:
    embeddings = read(root, "_embeddings.json")
    assert embeddings["model"] == read(root, "_config.json")["ollama_model"]
    assert {len(vector) for vector in embeddings["entries"].values()} == {768}


def test_no_date_is_after_now(memories: dict[str, Header]) -> None:
    for memory in memories.values():
        assert memory["created"] <= memory["updated"] < NOW


def test_procedures_have_steps_and_conditions(memories: dict[str, Header]) -> None:
    for memory in memories.values():
        procedure = memory["type"] == "procedure"
        for key in ("steps", "preconditions", "postconditions"):
            assert (key in memory) is procedure


def test_a_clone_has_only_what_git_keeps(tmp_path: Path) -> None:
    clone = write(tmp_path / "demo", NOW)[1]
    assert not list(clone.glob("_*"))
    assert (clone / "CORE.md").is_file()
    assert len(list(clone.glob("graph/[!e]*/*.md"))) == 11
    assert (clone / ".gitignore").read_text().split() == [
        *("_state.json", "_index.json", "_embeddings.json", "_config.json")
    ]
