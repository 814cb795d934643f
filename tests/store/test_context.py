"""What an agent is given at its start, and what it would recall."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.context import (
    AGENTS,
    FILE_BYTES,
    FILE_LINES,
    MEMORY_BYTES,
    MEMORY_LINES,
    SCANNED,
    TAKEN,
    Part,
    Surroundings,
    context_of,
    cut,
    recall,
)
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
    assert recall("kiln", at) == []


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


def test_a_prompt_recalls_the_newest_memories_with_its_words(home: Home) -> None:
    for number in range(SCANNED + 2):
        about = "kiln" if number % 20 == 0 else "clay"
        text = f"---\nname: Tabs {number}\ndescription: {about}\n---\n"
        os.utime(home.remember(f"{number}.md", text), (number, number))
    home.remember("MEMORY.md", "- the index is no memory\n")

    found = recall("What about the KILN, then?", home.at)

    assert len(found) == SCANNED + 2
    assert [one.name for one in found if one.is_recalled] == []
    found = recall("What about kiln then", home.at)
    taken = [one for one in found if one.is_recalled]
    assert [one.name for one in taken] == [
        f"Tabs {n}" for n in (200, 180, 160, 140, 120)
    ]
    assert all(one.words == ("kiln",) for one in taken)
    notes = {one.name: one.note for one in found}
    assert notes["Tabs 100"] == f"{TAKEN} newer ones are taken"
    assert notes["Tabs 199"] == "has none of the words"
    assert notes["Tabs 0"] == f"not scanned: {SCANNED} files are newer"


def test_a_recalled_memory_is_cut_at_its_limits(home: Home) -> None:
    home.remember("a.md", "---\nname: kiln\n---\n" + "x\n" * 300)
    home.remember("b.md", "---\nname: kiln wide\n---\n" + f"{'y' * 99}\n" * 60)

    long, wide = sorted(recall("kiln", home.at), key=lambda one: one.path)

    assert (long.loaded_lines, long.note) == (FILE_LINES, "cut in line 200 of 303")
    assert wide.loaded_bytes == FILE_BYTES
    assert wide.note.startswith("cut in line 4")
