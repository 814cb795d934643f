import os
from pathlib import Path

import pytest

from store.files.beneath import Root
from store.findings import Severity
from store.formats.cognitive.format import FORMAT
from store.formats.port import Refused
from store.machine import Machine
from tests.store.formats.cognitive_stores import (
    CORE,
    EDGE_PATH,
    EPISODES,
    TIMEOUTS_PATH,
    edge_text,
    make_small_store,
    memory_text,
    scanned,
    write,
)


def places(home: Path, **environment: str) -> list[Path]:
    return list(FORMAT.places(Machine(home, home, environment)))


def sniffs(root: Path) -> bool:
    with Root(root) as opened:
        return FORMAT.sniff(opened)


def refusals(root: Path) -> dict[str, str]:
    return {
        path: found.flaw.code
        for path, found in scanned(root).items()
        if isinstance(found, Refused)
    }


def test_places_are_those_of_the_writer(tmp_path: Path) -> None:
    assert places(tmp_path) == [
        tmp_path / ".local/share/cognitive-memory",
        tmp_path / ".claude/memory",
    ]


def test_the_environment_adds_places(tmp_path: Path) -> None:
    own, data = tmp_path / "own", tmp_path / "data"
    found = places(tmp_path, COGNITIVE_MEMORY_DIR=str(own), XDG_DATA_HOME=str(data))
    assert found == [own, data / "cognitive-memory", tmp_path / ".claude/memory"]


def test_a_store_is_named_after_its_folder(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    with FORMAT.open(tmp_path) as store:
        assert store.title == tmp_path.name


@pytest.mark.parametrize(
    ("files", "is_store"),
    [
        ({TIMEOUTS_PATH: memory_text()}, True),
        ({TIMEOUTS_PATH: "# Just a page\n"}, False),
        ({TIMEOUTS_PATH: "# Just a page\n", "CORE.md": "# Core\n"}, True),
        ({TIMEOUTS_PATH: "# Just a page\n", "vault/.gitkeep": ""}, True),
        ({"vault/a.md": memory_text()}, False),
        ({"vault/a.md": memory_text(), "graph/.gitkeep": ""}, True),
        ({EDGE_PATH: edge_text()}, True),
        ({"graph/.gitkeep": ""}, False),
        ({"graph/.gitkeep": "", "episodes/.gitkeep": ""}, False),
        ({"graph/.gitkeep": "", "CORE.md": "# A core of something else\n"}, False),
        ({"graph/.gitkeep": "", "CORE.md": CORE}, True),
        ({"graph/.gitkeep": "", "episodes/2025-12-13.md": EPISODES}, True),
        ({"graph/.gitkeep": "", "episodes/one.md": "# The pilot\n"}, False),
        ({"graph/.gitkeep": "", "_index.json": '{"version": 2, "entries": {}}'}, True),
        ({"graph/.gitkeep": "", "_index.json": '{"pages": []}'}, False),
        ({"graph": "a file", "CORE.md": CORE}, False),
        ({"CORE.md": CORE, "episodes/2025-12-13.md": EPISODES}, False),
    ],
)
def test_a_store_is_recognised_by_its_content(
    tmp_path: Path, files: dict[str, str], *, is_store: bool
) -> None:
    for path, text in files.items():
        write(tmp_path, path, text)
    assert sniffs(tmp_path) is is_store


def test_a_pipe_among_the_memories_does_not_block_discovery(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    (tmp_path / TIMEOUTS_PATH).unlink()
    os.mkfifo(tmp_path / TIMEOUTS_PATH)
    assert sniffs(tmp_path)


def test_every_file_has_its_role(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    roles = {p: getattr(found, "role", None) for p, found in scanned(tmp_path).items()}
    assert roles == {
        ".gitignore": "ignore",
        "CORE.md": "core",
        "MEMORY.md": "core-link",
        "REFLECTION.md": "reflection",
        "_config.json": "config",
        "_embeddings.json": "embeddings",
        "_index.json": "index",
        "_state.json": "state",
        "episodes/2025-12-13.md": "episode",
        EDGE_PATH: "edge",
        TIMEOUTS_PATH: "memory",
        "graph/problems/redis-connection-drops-def789.md": "memory",
        "vault/deploy-to-production-0dd0aa.md": "memory",
    }


def test_edges_are_not_memories(tmp_path: Path) -> None:
    write(tmp_path, EDGE_PATH, edge_text())
    write(tmp_path, "graph/edges/older/x.md", edge_text())
    assert [getattr(s, "role", None) for s in scanned(tmp_path).values()] == [
        "edge",
        "edge",
    ]


def test_other_files_are_reported_and_not_read(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    for path in (
        "graph/fixes/notes.txt",
        "graph/fixes/a.md~",
        "vault/key.pem",
        "episodes/2025.csv",
    ):
        write(tmp_path, path, "x")
    refused = {p: f for p, f in scanned(tmp_path).items() if isinstance(f, Refused)}
    assert {found.flaw.code for found in refused.values()} == {"foreign-file"}
    assert {found.flaw.severity for found in refused.values()} == {Severity.NOTE}
    assert len(refused) == 4


def test_hidden_files_are_skipped_silently(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    for path in (
        "graph/fixes/.gitkeep",
        "vault/.DS_Store",
        "Thumbs.db",
        ".obsidian/app.json",
        ".swp",
    ):
        write(tmp_path, path, "")
    (tmp_path / ".lock").symlink_to("nobody@nowhere")
    assert refusals(tmp_path) == {}


def test_files_outside_the_graph_are_reported(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    for path in ("notes.txt", "memory.json", "_state.json.bak", "archive/x.md"):
        write(tmp_path, path, "")
    (tmp_path / "episodes2").symlink_to("episodes")
    (tmp_path / "elsewhere").symlink_to(tmp_path.parent)
    assert refusals(tmp_path) == {
        "notes.txt": "foreign-file",
        "memory.json": "foreign-file",
        "_state.json.bak": "foreign-file",
        "archive": "foreign-folder",
        "episodes2": "link-not-followed",
        "elsewhere": "link-leads-out",
    }
    archive = scanned(tmp_path)["archive"]
    assert isinstance(archive, Refused)
    assert archive.flaw.severity is Severity.NOTE


def test_a_folder_too_deep_is_reported(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    write(tmp_path, "graph/fixes/a/b/c.md", memory_text())
    write(tmp_path, "vault/a/b/c.md", memory_text())
    write(tmp_path, "episodes/2025/12.md", EPISODES)
    assert refusals(tmp_path) == {
        "graph/fixes/a/b": "folder-not-entered",
        "vault/a/b": "folder-not-entered",
        "episodes/2025": "folder-not-entered",
    }


def test_a_folder_with_the_name_of_a_memory_is_reported(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    (tmp_path / "graph/fixes/a.md").mkdir(parents=True)
    assert refusals(tmp_path) == {"graph/fixes/a.md": "folder-as-file"}


def test_a_linked_folder_is_not_entered(tmp_path: Path) -> None:
    make_small_store(tmp_path / "store")
    write(tmp_path, "outside/a.md", memory_text())
    root = tmp_path / "store"
    (root / "graph/fixes").symlink_to("../../outside")
    (root / "graph/errors").symlink_to("solutions")
    assert refusals(root) == {
        "graph/fixes": "link-leads-out",
        "graph/errors": "link-not-followed",
    }


def test_a_graph_that_is_a_link_is_not_entered(tmp_path: Path) -> None:
    make_small_store(tmp_path / "store")
    (tmp_path / "store/vault").rename(tmp_path / "vault")
    (tmp_path / "store/vault").symlink_to(tmp_path / "vault")
    assert refusals(tmp_path / "store") == {"vault": "link-leads-out"}
