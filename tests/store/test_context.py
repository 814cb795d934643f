"""What an agent is given at its start, and what it would recall."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.agents import (
    AGENTS,
    CORE_CHARACTERS,
    MEMORY_BYTES,
    MEMORY_LINES,
    context_of,
    memory_folders,
)
from store.context import SCANNED, Part, Surroundings, cut
from store.errors import WrongUseError
from store.formats.notes.notes import BYTE_LIMIT, LINE_LIMIT
from tui import names


class Home:
    """A home with a repository, in which an agent starts in a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.at = Surroundings(home / "kilnbook/web", home)
        self.at.folder.mkdir(parents=True)
        (home / "kilnbook/.git").mkdir()

    def write(self, path: str, text: str) -> Path:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def remember(self, name: str, text: str) -> Path:
        slug = str(self.at.root).replace("/", "-").replace("_", "-")
        return self.write(f".claude/projects/{slug}/memory/{name}", text)

    def parts(self, agent: str) -> list[Part]:
        return context_of(agent, self.at)

    def told(self, agent: str) -> list[tuple[str, str, str | None]]:
        """The files below the home, each with its condition and its note."""
        return [
            (part.path.removeprefix(f"{self.home}/"), part.when, part.note)
            for part in self.parts(agent)
        ]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_claude_code_reads_from_the_user_down_to_the_folder(home: Home) -> None:
    home.write("kilnbook/web/CLAUDE.local.md", "mine\n")
    home.write("kilnbook/web/CLAUDE.md", "web\n")
    home.write("kilnbook/CLAUDE.md", "all\n")
    home.write(".claude/CLAUDE.md", "me\n")
    home.write(".claude/rules/ts.md", "---\npaths:\n  - '*.ts'\n---\nTypes.\n")
    home.write("elsewhere/CLAUDE.md", "no\n")
    home.remember("MEMORY.md", "- a\n")

    paths = [path for path, _, _ in home.told("claude")]
    assert paths[:5] == [
        ".claude/CLAUDE.md",
        ".claude/rules/ts.md",
        "kilnbook/CLAUDE.md",
        "kilnbook/web/CLAUDE.md",
        "kilnbook/web/CLAUDE.local.md",
    ]
    assert [path.endswith("memory/MEMORY.md") for path in paths[5:]] == [True]
    assert home.told("claude")[1][1] == "for *.ts"


def test_imports_follow_the_file_that_imports_them(home: Home) -> None:
    home.write(
        "kilnbook/CLAUDE.md", "See @docs/a.md, `@no.md` and @gone.md. Ask @zoe.\n"
    )
    home.write("kilnbook/docs/a.md", "@../CLAUDE.md @b.md\n")
    home.write("kilnbook/docs/b.md", "```\n@../CLAUDE.md\n```\n@~/own.md\n")
    home.write("own.md", "mine\n")

    assert home.told("claude") == [
        ("kilnbook/CLAUDE.md", "always", None),
        ("kilnbook/docs/a.md", "always", None),
        ("kilnbook/CLAUDE.md", "always", "imports itself"),
        ("kilnbook/docs/b.md", "always", None),
        ("own.md", "always", None),
        ("kilnbook/gone.md", "always", "no such file"),
    ]


def test_imports_lead_five_files_deep(home: Home) -> None:
    home.write("kilnbook/CLAUDE.md", "@0.md\n")
    for number in range(8):
        home.write(f"kilnbook/{number}.md", f"@{number + 1}.md\n")

    *read, last = home.told("claude")
    assert [path for path, _, _ in read] == [
        "kilnbook/CLAUDE.md",
        *(f"kilnbook/{number}.md" for number in range(5)),
    ]
    assert last == ("kilnbook/5.md", "always", "more than 5 imports deep")


def test_a_memory_index_is_cut_where_the_agent_stops_reading(home: Home) -> None:
    home.remember("MEMORY.md", "".join(f"- {number}\n" for number in range(250)))

    (part,) = home.parts("claude")

    assert (part.lines, part.loaded_lines, part.note) == (
        250,
        MEMORY_LINES,
        "cut at line 201 of 250",
    )
    assert (MEMORY_LINES, MEMORY_BYTES) == (LINE_LIMIT, BYTE_LIMIT)


@given(
    st.lists(st.text("ab é", max_size=12), max_size=30).map("\n".join),
    st.integers(0, 20),
    st.integers(0, 80),
)
def test_what_is_loaded_keeps_to_the_limits(text: str, lines: int, size: int) -> None:
    raw = text.encode()
    count = len(raw.splitlines())
    whole = Part("claude", "memory index", "x", len(raw), count, 0, len(raw), count)

    part = cut(whole, raw, lines=lines, size=size)

    if part is whole:
        assert count <= lines or not count
    else:
        loaded = raw.splitlines(keepends=True)[: part.loaded_lines]
        assert part.loaded_bytes == len(b"".join(loaded)) <= size
        assert part.loaded_lines <= lines
        assert part.note == f"cut at line {part.loaded_lines + 1} of {count}"


def test_codex_reads_one_file_of_each_folder_up_to_its_limit(home: Home) -> None:
    home.write(".codex/AGENTS.md", "me\n")
    home.write("kilnbook/AGENTS.md", "x" * 99 + "\n")
    home.write("kilnbook/AGENTS.override.md", f"{'y' * 999}\n" * 32)
    home.write("kilnbook/web/AGENTS.md", f"{'z' * 99}\n" * 20)

    assert home.told("codex") == [
        (".codex/AGENTS.md", "always", None),
        ("kilnbook/AGENTS.override.md", "always", None),
        ("kilnbook/AGENTS.md", "always", "AGENTS.override.md takes its place"),
        ("kilnbook/web/AGENTS.md", "always", "cut at line 8 of 20"),
    ]


def test_rules_say_when_they_are_loaded(home: Home) -> None:
    rules = {
        "a.mdc": "---\nalwaysApply: true\n---\n",
        "b.mdc": "---\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\n",
        "c.mdc": "---\ndescription: For tests\n---\n",
        "d.mdc": '---\nalwaysApply: "yes"\n---\n',
        "e.md": "a plain file is no rule\n",
    }
    for name, text in rules.items():
        home.write(f"kilnbook/.cursor/rules/{name}", f"{text}Be brief.\n")
    home.write(
        "kilnbook/.github/instructions/x.instructions.md", "---\napplyTo: '**'\n---\n"
    )

    assert [when for _, when, _ in home.told("cursor")] == [
        "always",
        "for *.ts,*.tsx",
        "if the agent asks",
        "if you name it",
    ]
    assert [when for _, when, _ in home.told("copilot")] == ["always"]


def test_a_file_with_two_names_counts_once(home: Home) -> None:
    (home.home / "kilnbook/AGENTS.md").symlink_to(
        home.write("kilnbook/CLAUDE.md", "x\n")
    )

    first, second = home.parts("copilot")

    assert (first.tokens, second.tokens) == (1, 0)
    assert second.note == f"the same file as {first.path}"


def test_a_file_that_cannot_be_read_is_told(home: Home) -> None:
    file = home.write("kilnbook/GEMINI.md", "x\n")
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("this user can read everything")

    assert home.told("gemini") == [
        ("kilnbook/GEMINI.md", "always", "can't be read: Permission denied")
    ]


@pytest.mark.parametrize("name", ["nul\0", "x" * 5000, "no/such", "loop/deeper"])
def test_an_impossible_folder_has_nothing(home: Home, name: str) -> None:
    (home.home / "loop").symlink_to("loop")
    at = Surroundings(home.home / name, home.home)

    assert [context_of(agent, at) for agent in AGENTS] == [[]] * len(AGENTS)
    assert memory_folders(at) == []


def test_links_in_circles_are_not_followed(home: Home) -> None:
    home.write("kilnbook/CLAUDE.md", "@circle.md\n")
    (home.home / "kilnbook/circle.md").symlink_to("circle.md")
    rules = home.home / "kilnbook/.claude/rules"
    rules.mkdir(parents=True)
    (rules / "again").symlink_to(rules)
    (rules / "a.md").write_text("x\n", "utf-8")

    assert home.told("claude") == [
        ("kilnbook/CLAUDE.md", "always", None),
        ("kilnbook/circle.md", "always", "no such file"),
        ("kilnbook/.claude/rules/a.md", "always", None),
    ]


def test_the_memories_of_a_store_at_hand_are_those_of_the_project(home: Home) -> None:
    index = home.write("notes/memory/MEMORY.md", "- a\n")
    at = Surroundings(home.at.folder, home.home, index.parent)

    assert [part.path for part in context_of("claude", at)] == [str(index)]


def test_an_unknown_agent_is_wrong_use(home: Home) -> None:
    with pytest.raises(WrongUseError, match="choose from claude, codex"):
        home.parts("eliza")
    assert tuple(AGENTS) == names.AGENTS


def test_a_hard_link_counts_once(home: Home) -> None:
    file = home.write("kilnbook/CLAUDE.md", "x\n")
    (home.home / "kilnbook/AGENTS.md").hardlink_to(file)

    first, second = home.parts("copilot")

    assert (first.tokens, second.tokens) == (1, 0)
    assert second.note == f"the same file as {first.path}"


def test_the_memory_of_sub_agents_is_for_them_alone(home: Home) -> None:
    home.write("kilnbook/.claude/agent-memory/tester/MEMORY.md", "- a\n")
    home.write(".claude/agent-memory/writer/MEMORY.md", "- b\n" * 201)

    assert home.told("claude") == [
        (
            ".claude/agent-memory/writer/MEMORY.md",
            "for the agent writer",
            "cut at line 201 of 201",
        ),
        (
            "kilnbook/.claude/agent-memory/tester/MEMORY.md",
            "for the agent tester",
            None,
        ),
    ]


def test_the_catalogue_is_the_newest_names_and_descriptions(home: Home) -> None:
    for number in range(SCANNED + 3):
        header = "---\nname: n\ndescription: told\n---\n"
        home.remember(f"deep/{number}.md", header)

    (part,) = home.parts("claude")

    assert (part.role, part.lines, part.loaded_lines) == (
        "memory catalogue",
        SCANNED + 3,
        SCANNED,
    )
    assert part.loaded_bytes == SCANNED * len("n — told\n".encode())
    assert part.note == "3 older files are never scanned"
    assert part.used == 1.015


def test_a_core_is_compared_with_its_own_budget(home: Home) -> None:
    core = home.write(".claude/memory/CORE.md", "é\n" * (CORE_CHARACTERS // 2 + 1))
    index = home.write("kilnbook/.memory/MEMORY.md", "")
    index.unlink()
    index.symlink_to(core)

    linked, itself = home.parts("claude")

    assert (linked.role, linked.note) == ("memory core", "cut at line 201 of 6001")
    assert itself.limit == "12,000 characters"
    assert itself.when == "if a hook or a link loads it"
    assert itself.note == "2 characters over its budget"


def test_memory_that_is_off_is_shown_with_the_reason(home: Home) -> None:
    home.remember("MEMORY.md", "- a\n")
    off = home.write("kilnbook/.claude/settings.json", '{"autoMemoryEnabled": false}')

    (part,) = home.parts("claude")

    assert (part.tokens, part.note) == (0, f"autoMemoryEnabled is off in {off}")


def test_files_below_are_read_with_a_file_beside_them(home: Home) -> None:
    home.write("kilnbook/web/app/deep/CLAUDE.md", "x\n")
    home.write("kilnbook/web/node_modules/a/CLAUDE.md", "not looked at\n")

    assert home.told("claude") == [
        ("kilnbook/web/app/deep/CLAUDE.md", "with files in app/deep", None)
    ]


def test_settings_of_codex_say_how_much_and_which_files(home: Home) -> None:
    settings = (
        "project_doc_max_bytes = 10\n"
        'project_doc_fallback_filenames = ["NOTES.md"]\n'
        'project_root_markers = [".top"]\n'
    )
    home.write(".codex/config.toml", settings)
    home.write(".top", "")
    home.write("NOTES.md", "one\n")
    home.write("kilnbook/AGENTS.md", "two\nthree\n")
    paths = [(path, note) for path, _, note in home.told("codex")]
    assert paths == [("NOTES.md", None), ("kilnbook/AGENTS.md", "cut at line 2 of 2")]

    distrust = f'[projects."{home.home}"]\ntrust_level = "untrusted"\n'
    home.write(".codex/config.toml", settings + distrust)
    notes = {note for _, _, note in home.told("codex")}
    assert notes == {"the project is not trusted"}


def test_settings_of_gemini_name_its_files(home: Home) -> None:
    home.write(".gemini/settings.json", '{"context": {"fileName": ["A.md", "B.md"]}}')
    home.write("kilnbook/B.md", "See @c.md\n")
    home.write("kilnbook/c.md", "c\n")
    home.write("kilnbook/GEMINI.md", "not its file\n")

    paths = [path for path, _, _ in home.told("gemini")]
    assert paths == ["kilnbook/B.md", "kilnbook/c.md"]

    trust = f'{{"{home.at.root}": "DO_NOT_TRUST"}}'
    home.write(".gemini/trustedFolders.json", trust)
    assert {part.tokens for part in home.parts("gemini") if not part.imported_by} == {0}


def test_copilot_reads_further_folders_of_a_variable(home: Home) -> None:
    home.write("more/AGENTS.md", "x\n")
    further = {"COPILOT_CUSTOM_INSTRUCTIONS_DIRS": f"{home.home}/more"}
    at = Surroundings(home.at.folder, home.home, environment=further)

    (part,) = context_of("copilot", at)

    assert part.path == f"{home.home}/more/AGENTS.md"


def test_opencode_takes_the_first_that_matches(home: Home) -> None:
    home.write(".claude/CLAUDE.md", "me\n")
    home.write("kilnbook/AGENTS.md", "all\n")
    home.write("kilnbook/web/CLAUDE.md", "nearer, but of the second name\n")
    home.write("kilnbook/docs/a.md", "a\n")
    names = '["docs/*.md", "docs/a.md", "https://example.org/x.md"]'
    home.write("kilnbook/opencode.json", f'{{"instructions": {names}}}')

    assert home.told("opencode") == [
        (".claude/CLAUDE.md", "always", None),
        ("kilnbook/AGENTS.md", "always", None),
        ("kilnbook/docs/a.md", "always", None),
        ("https://example.org/x.md", "always", "on the web; not fetched"),
    ]


def test_pi_and_goose_read_one_file_of_each_folder_or_both(home: Home) -> None:
    home.write("kilnbook/AGENTS.md", "a\n")
    home.write("kilnbook/CLAUDE.md", "c\n")
    home.write("kilnbook/.goosehints", "See @b.md\n")
    home.write("kilnbook/b.md", "b\n")

    assert home.told("pi")[-1][2] == "AGENTS.md takes its place"
    assert [path for path, _, _ in home.told("goose")] == [
        "kilnbook/.goosehints",
        "kilnbook/b.md",
        "kilnbook/AGENTS.md",
    ]


def test_a_worktree_shares_the_memory_of_its_repository(home: Home) -> None:
    index = home.remember("MEMORY.md", "- a\n")
    tree = home.home / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {home.at.root}/.git/worktrees/tree\n")

    assert memory_folders(Surroundings(tree, home.home)) == [index.parent]
