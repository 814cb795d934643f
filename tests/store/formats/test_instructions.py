"""Instruction files of a project and a home are read as documents."""

import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.agents import context_of
from store.context import Surroundings
from store.discover import Found, beneath, on_this_machine
from store.files.beneath import Root
from store.findings import DocumentFound
from store.formats.instructions.format import FORMAT, LOOKED
from store.formats.port import Format, Source
from store.formats.register import FORMATS
from store.kinds.pages import Document
from store.kinds.problems import Problem
from store.library import Library, Page
from store.machine import Machine
from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.stores import notes
from tests.store.formats.contract import Damage, FormatContract
from tests.store.formats.notes_stores import write


def project(root: Path) -> Path:
    write(root / "CLAUDE.md", "# Kilnbook\n\nAlways use uv. See @docs/style.md.\n")
    write(root / ".claude/rules/web/ts.md", "---\npaths: '*.ts'\n---\nNo any.\n")
    write(
        root / ".cursor/rules/a.mdc",
        "---\ndescription: types\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\nTypes.\n",
    )
    write(root / ".github/copilot-instructions.md", "Be brief.\n")
    write(root / ".cursor/rules/README.md", "no rule\n")
    write(root / "docs/style.md", "imported\n")
    write(root / "web/AGENTS.md", "nested\n")
    return root


def foreign_encoding(store: Path) -> str:
    (store / "CLAUDE.md").write_bytes("# 内存\n".encode("gb18030"))
    return "CLAUDE.md"


class TestInstructions(FormatContract):
    is_sniffed = False
    trap = ".claude/rules/trap.md"
    damages: Mapping[str, Damage] = {"foreign encoding": foreign_encoding}

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        project(folder)
        return {"documents": 4, "memories": 0}


def documents(root: Path) -> dict[str, DocumentFound]:
    with FORMAT.open(root) as store:
        return {
            source.path: store.read(source).documents[0]
            for source in list(store.scan())
            if isinstance(source, Source)
        }


def test_a_document_says_which_agents_load_it_and_when(tmp_path: Path) -> None:
    found = documents(project(tmp_path))

    assert {path: one.facts["loaded"] for path, one in found.items()} == {
        ".claude/rules/web/ts.md": "for *.ts",
        ".cursor/rules/a.mdc": "for *.ts,*.tsx",
        ".github/copilot-instructions.md": "always",
        "CLAUDE.md": "always",
    }
    assert found["CLAUDE.md"].facts["agents"] == "claude, copilot, opencode, pi"
    assert (found["CLAUDE.md"].title, found["CLAUDE.md"].role) == (
        "Kilnbook",
        "instructions",
    )
    assert found[".cursor/rules/a.mdc"].category == "rule"


@pytest.mark.parametrize("agent", LOOKED)
def test_all_that_an_agent_loads_from_the_folder_itself_is_a_document(
    tmp_path: Path, agent: str
) -> None:
    """Two ways to the same files: the agent's view, and the format."""
    write(project(tmp_path) / "GEMINI.md", "x\n")
    write(tmp_path / "AGENTS.md", "y\n")
    (tmp_path / ".git").mkdir()
    at = Surroundings(tmp_path, tmp_path / "nobody")

    parts = [
        str(Path(part.path).relative_to(tmp_path))
        for part in context_of(agent, at)
        if not part.role.startswith("nested") and not part.imported_by
    ]

    assert parts
    assert set(parts) <= documents(tmp_path).keys()


def test_a_link_to_another_file_is_not_read_twice(tmp_path: Path) -> None:
    root = project(tmp_path / "shop")
    (root / "AGENTS.md").symlink_to("CLAUDE.md")
    (root / "GEMINI.md").symlink_to("docs/style.md")

    found = documents(root)

    assert "AGENTS.md" not in found
    assert found["GEMINI.md"].text == "imported\n"


def test_at_home_each_agents_own_instructions_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (".claude/CLAUDE.md", ".codex/AGENTS.md", ".config/goose/.goosehints"):
        write(tmp_path / path, "Mine.\n")

    assert documents(tmp_path).keys() == {".claude/CLAUDE.md"}

    monkeypatch.setenv("HOME", str(tmp_path))
    with FORMAT.open(tmp_path) as store:
        assert store.title == "your instructions"
    found = documents(tmp_path)
    assert len(found) == 3
    assert {one.category for one in found.values()} == {"your instructions"}


def machine(tmp_path: Path) -> Machine:
    shop = project(tmp_path / "home/shop")
    (shop / ".git").mkdir()
    write(tmp_path / "home/.gemini/GEMINI.md", "Mine.\n")
    return Machine(tmp_path / "home", shop / "web", {})


def test_the_project_and_the_home_join_the_stores_of_a_machine(tmp_path: Path) -> None:
    here = machine(tmp_path)
    notes(tmp_path / "home/.claude/projects/-home-ada-shop/memory", "tabs")

    stores = on_this_machine(FORMATS, here).stores

    assert [
        (str(one.path.relative_to(tmp_path)), one.format.name) for one in stores
    ] == [
        ("home", "instructions"),
        ("home/.claude/projects/-home-ada-shop/memory", "notes"),
        ("home/shop", "instructions"),
    ]


def test_they_are_no_stores_on_their_own(tmp_path: Path) -> None:
    here = machine(tmp_path)

    assert on_this_machine(FORMATS, here).stores == ()
    assert beneath([here.home], FORMATS).stores == ()
    with Root(here.here.parent) as root:
        assert not FORMAT.sniff(root)


def test_search_finds_them_and_nothing_counts_them_as_memories(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    with Library(tmp_path / "catalogue.db", 0) as library:
        library.stores.choose([Found(shop, FORMAT)])
        library.sync()
        (store,) = library.lists.stores()
        found = library.lists.page(
            "documents", Page(), query=tree_of("uv", "documents")
        )

        titles = [one.title for one in found if isinstance(one, Document)]

    assert (store.memories, store.writable) == (0, False)
    assert titles == ["Kilnbook"]


def test_what_no_agent_loads_is_a_problem(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    (shop / ".git").mkdir()
    with Library(tmp_path / "catalogue.db", 0) as library:
        library.stores.choose([Found(shop, FORMAT)])

        def told() -> list[tuple[str, str, str]]:
            library.sync()
            library.index.check_fully()
            found = library.lists.page("problems", Page())
            rows = [one for one in found if isinstance(one, Problem)]
            return sorted((one.code, one.path, one.message) for one in rows)

        assert told() == []
        write(shop / "CLAUDE.md", "See @docs/gone.md and `@code.md`.\n")
        write(shop / "AGENTS.md", "Use tabs.\n" * 4000)

        assert told() == [
            ("import-not-loaded", "CLAUDE.md", "Import of “gone.md”: no such file."),
            ("instructions-cut", "AGENTS.md", "For codex: cut at line 3277 of 4000."),
        ]
        write(shop / "docs/gone.md", "Back.\n")
        write(shop / "AGENTS.md", "Be kind\n" * 4096)
        assert told() == []
        write(shop / "AGENTS.md", "Be kind\n" * 4097)
        assert [one[0] for one in told()] == ["instructions-cut"]
        write(shop / "AGENTS.md", "x" * 40_000)
        assert [one[0] for one in told()] == ["instructions-cut"]


def test_the_past_of_a_project_rebuilds_nothing_but_instructions(
    tmp_path: Path,
) -> None:
    shop = project(tmp_path / "shop")
    write(shop / "src/large.bin", "x" * 1000)
    git = ("git", "-C", shop, "-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *words], check=True, capture_output=True)
    write(shop / "CLAUDE.md", "# Kilnbook\n\nNever use uv.\n")
    now = int(datetime.now(UTC).timestamp()) * 1_000_000

    with Library(tmp_path / "catalogue.db", now) as library:
        library.stores.choose([Found(shop, FORMAT)])
        library.sync()
        library.history.look_back(now, tmp_path / "past")

    rebuilt = {path.name for path in (tmp_path / "past").rglob("*") if path.is_file()}
    assert "CLAUDE.md" in rebuilt
    assert "large.bin" not in rebuilt
