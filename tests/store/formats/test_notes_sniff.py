from pathlib import Path

import pytest

from store.discover import beneath
from store.formats.register import FORMATS
from tests.store.formats.notes_stores import NAMED, VARIANTS, note, sniffs, write

TYPED = note(VARIANTS["V1"])
COMMAND = note(
    "name: 'OPSX: Apply'\ndescription: Implement tasks\ncategory: Workflow\n"
    "tags: [workflow]\n"
)
"""A slash command as OpenSpec installs it."""
ABOUT = note("name: Retries\ndescription: How often to try\n")
"""A page that says what it is about, as many kinds of documents do."""
TITLED = note("title: Tabs\ntype: learning\ntags: [a]\n")


@pytest.mark.parametrize("shape", [shape for shape in VARIANTS if shape != "V0"])
def test_a_folder_with_a_memory_is_a_store(tmp_path: Path, shape: str) -> None:
    write(tmp_path / "anywhere/at.md", note(VARIANTS[shape]))

    assert sniffs(tmp_path / "anywhere")


def test_an_index_that_lists_existing_files_is_a_store(tmp_path: Path) -> None:
    write(tmp_path / "notes/MEMORY.md", "# Memory\n\n- [A](a.md) — about a\n")
    assert not sniffs(tmp_path / "notes")

    write(tmp_path / "notes/a.md", "About a.\n")
    assert sniffs(tmp_path / "notes")


@pytest.mark.parametrize(
    "place",
    [
        "repository/.memory",
        "repository/.claude/memory",
        ".claude/projects/-home-me-repository/memory",
        ".claude/agent-memory/reviewer",
    ],
)
class TestKnownPlace:
    def test_any_text_in_the_index_is_enough(self, tmp_path: Path, place: str) -> None:
        write(tmp_path / place / "MEMORY.md", "Use tabs.\n")

        assert sniffs(tmp_path / place)

    def test_a_link_to_another_stores_summary_is_enough(
        self, tmp_path: Path, place: str
    ) -> None:
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "MEMORY.md").symlink_to("/home/me/graph-of-me/CORE.md")

        assert sniffs(tmp_path / place)

    def test_a_link_to_anything_else_is_not_enough(
        self, tmp_path: Path, place: str
    ) -> None:
        elsewhere = write(tmp_path / "elsewhere.md", "Use tabs.\n")
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "MEMORY.md").symlink_to(elsewhere)

        assert not sniffs(tmp_path / place)

    def test_a_journal_with_an_index_is_not_enough(
        self, tmp_path: Path, place: str
    ) -> None:
        write(tmp_path / place / "MEMORY.md", "Use tabs.\n")
        write(tmp_path / place / "traces/a.jsonl", "{}\n")

        assert not sniffs(tmp_path / place)

    def test_a_title_is_a_name_there(self, tmp_path: Path, place: str) -> None:
        write(tmp_path / place / "a.md", TITLED)

        assert sniffs(tmp_path / place)

    def test_folders_of_a_store_belong_to_it(self, tmp_path: Path, place: str) -> None:
        write(tmp_path / place / "permanent/a.md", TYPED)

        assert sniffs(tmp_path / place)
        assert not sniffs(tmp_path / place / "permanent")

    def test_the_place_alone_is_not_enough(self, tmp_path: Path, place: str) -> None:
        write(tmp_path / place / "README.md", "# Nothing here yet\n")

        assert not sniffs(tmp_path / place)


def test_session_memories_alone_are_a_store(tmp_path: Path) -> None:
    write(tmp_path / "session-memory/0e20/memory.md", "text\n")

    assert sniffs(tmp_path / "session-memory")


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_agent_loop_begins_with_an_empty_index(tmp_path: Path, text: str) -> None:
    for place in (".memory", ".claude/memory", "notes"):
        write(tmp_path / place / "MEMORY.md", text)

    assert sniffs(tmp_path / ".memory")
    assert not sniffs(tmp_path / ".claude/memory")
    assert not sniffs(tmp_path / "notes")


@pytest.mark.parametrize("other", ["traces/a.jsonl", "time-metrics/tasks.jsonl"])
def test_a_journal_beside_an_empty_index_is_not_claimed(
    tmp_path: Path, other: str
) -> None:
    write(tmp_path / ".memory/MEMORY.md", "")
    write(tmp_path / ".memory" / other, "{}\n")

    assert not sniffs(tmp_path / ".memory")


def test_a_graph_of_memories_belongs_to_its_own_format(tmp_path: Path) -> None:
    store = tmp_path / ".claude/memory"
    write(store / "graph/fixes/a.md", note("id: a\ntype: fix\ntitle: A\n"))
    write(store / "MEMORY.md", "Use tabs.\n")
    write(store / "a.md", TYPED)

    found = beneath([tmp_path], FORMATS).stores

    assert [(each.path, each.format.name) for each in found] == [(store, "cognitive")]


def test_an_index_that_links_elsewhere_is_not_enough(
    tmp_path: Path,
) -> None:
    core = write(tmp_path / "elsewhere/CORE.md", "# Core\n\n- [A](a.md) — a\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/MEMORY.md").symlink_to(core)

    assert not sniffs(tmp_path / "folder")


@pytest.mark.parametrize(
    "files",
    [
        {"a.md": "# A\n", "b.md": "# B\n"},
        {"a.md": note("title: A\ndate: 2026-01-01\ncategories: [x]\n")},
        {"a.md": note("title: A\ndescription: About a\n")},
        {"a.md": note("title: A\ndescription: b\nlayout: c\n"), "MEMORY.md": "x\n"},
        {"README.md": "# R\n", "MEMORY.md": "- [R](README.md) — r\n"},
        {"package.json": "{}", "a.md": TYPED},
        {".git/HEAD": "", "README.md": "# R\n", "a.md": TYPED},
        {"SKILL.md": note("name: x\ndescription: y\n")},
        {"a.md": note("name: x\ndescription: y\ntools: Read\n")},
        {"MEMORY.md": "# Memory management\n\nHow the allocator works.\n"},
        {"apply.md": COMMAND, "archive.md": COMMAND},
        {"a.md": ABOUT, "b.md": ABOUT, "c.md": "# C\n"},
        {"a.md": ABOUT, "MEMORY.md": "# Memory\n\nHow the allocator works.\n"},
        {
            "a.md": note(f"{NAMED}type: reference\n"),
            "b.md": note(f"{NAMED}type: how-to\n"),
        },
        {
            "a.md": note(f"{NAMED}type: project\n"),
            "b.md": note(f"{NAMED}type: project\n"),
        },
        {"a.md": note(f"{NAMED}metadata:\n  type: guide\n  author: me\n")},
        {"memory.md": "# Memory\n\n- [Paging](paging.md)\n", "paging.md": "# Paging\n"},
        {"MEMORY.md": "- [A](a.md) — a\n", **{f"{c}.md": "# X\n" for c in "abcd"}},
    ],
    ids=[
        "plain pages",
        "pages of an assistant",
        "pages with titles",
        "pages of a web site",
        "a documented folder",
        "a program",
        "a repository",
        "a skill",
        "an agent",
        "a page about memory",
        "commands",
        "documents with a name and a description",
        "documents beside a page about memory",
        "documents of several types",
        "a portfolio of projects",
        "a skill with metadata",
        "a chapter about memory",
        "an index of a small part",
    ],
)
def test_other_folders_of_markdown_are_not_claimed(
    tmp_path: Path, files: dict[str, str]
) -> None:
    for path, text in files.items():
        write(tmp_path / "folder" / path, text)

    assert not sniffs(tmp_path / "folder")


def test_agents_beside_the_memories_are_not_memories(tmp_path: Path) -> None:
    write(tmp_path / ".claude/agents/a.md", note("name: a\ndescription: Reviews\n"))

    assert not sniffs(tmp_path / ".claude/agents")
    assert not sniffs(tmp_path / ".claude")


@pytest.mark.parametrize("agent", [".claude", ".cursor", ".opencode"])
@pytest.mark.parametrize(
    "folder",
    [
        "commands/opsx",
        "commands/a/b",
        "skills/review/references",
        "agents/team",
        "plugins/cache/market/plugin/1.0/notes",
        "plugins/marketplaces/market/.claude/memory",
        "output-styles/mine",
    ],
)
def test_the_parts_of_an_agent_are_not_memories(
    tmp_path: Path, agent: str, folder: str
) -> None:
    place = tmp_path / agent / folder
    write(place / "apply.md", COMMAND)
    write(place / "a.md", TYPED)
    write(place / "MEMORY.md", "- [Apply](apply.md) — a\n- [A](a.md) — b\n")

    assert beneath([tmp_path], FORMATS).stores == ()


@pytest.mark.parametrize(
    "place",
    ["code/projects/website/memory", "docs/agent-memory/design", "repo/memory"],
)
def test_half_of_a_usual_path_is_not_enough(tmp_path: Path, place: str) -> None:
    write(tmp_path / place / "a.md", ABOUT)
    write(tmp_path / place / "MEMORY.md", "# Memory\n\nHow the allocator works.\n")

    assert not sniffs(tmp_path / place)


@pytest.mark.parametrize("shape", ["V1", "V3"])
@pytest.mark.parametrize("kind", ["project", "reference"])
def test_types_that_documents_have_too_need_an_index(
    tmp_path: Path, shape: str, kind: str
) -> None:
    text = note(VARIANTS[shape].replace("feedback", kind))
    write(tmp_path / "notes/a.md", text)
    assert not sniffs(tmp_path / "notes")

    write(tmp_path / "notes/MEMORY.md", "# What I know\n")
    assert sniffs(tmp_path / "notes")
