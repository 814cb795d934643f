"""`recollect context`: what an agent is given when it starts in a folder."""

from pathlib import Path

from tests.tui.cli.machine import Machine
from tests.tui.cli.promises import fields

PART = fields(
    "agent role path bytes lines tokens loaded_bytes loaded_lines when imported_by "
    "note limit used"
)
RECALLED = fields(
    "path name description words loaded_lines loaded_bytes note prompt near"
)


def project(machine: Machine) -> Path:
    """A project with instructions and one memory."""
    folder = machine.home / "kilnbook"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text("Use tabs.\n", "utf-8")
    name = "-".join(folder.parts).replace("/", "").replace("_", "-")
    memory = machine.home / ".claude/projects" / name / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- [Tabs](tabs.md)\n" * 300, "utf-8")
    header = "---\nname: Tabs\ndescription: not spaces\n---\n"
    (memory / "tabs.md").write_text(header, "utf-8")
    return folder


def test_each_file_is_one_object(machine: Machine) -> None:
    answer = machine.run("context", project(machine), "--json")

    assert (answer.code, answer.err) == (0, "")
    assert [list(row) for row in answer.rows] == [PART, PART, PART]
    assert [row["role"] for row in answer.rows] == [
        "project instructions",
        "memory index",
        "memory catalogue",
    ]
    assert answer.rows[1]["note"] == "cut at line 201 of 300"
    assert answer.rows[1]["limit"] == "200 lines or 25,000 bytes"
    assert answer.rows[1]["used"] == 1.5


def test_a_person_is_told_the_sum(machine: Machine) -> None:
    folder = project(machine)
    answer = machine.in_terminal("context", folder, columns=120)

    assert "cut at line 201 of 300" in answer.out
    assert "150%" in answer.out
    assert "█" in answer.out
    assert "█" not in machine.run("context", folder).out
    assert "About 903 tokens from 2 files, 0.5% of a context of 200,000" in answer.out


def test_a_narrow_table_names_the_files_and_has_no_empty_column(
    machine: Machine,
) -> None:
    folder = machine.home / "kilnbook"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text("See @other.md\n", "utf-8")
    (folder / "other.md").write_text("Use tabs.\n", "utf-8")

    head, *rows = machine.in_terminal("context", folder).out.splitlines()

    assert "File" in head
    assert not any(title in head for title in ("Note", "Of limit"))
    assert "CLAUDE.md" in rows[0]
    assert "other.md" in rows[1]


def test_a_store_names_the_project_and_its_own_core(machine: Machine) -> None:
    folder = machine.home / "kilnbook"
    memory = folder / ".claude/agent-memory/tester"
    memory.mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("Use tabs.\n", "utf-8")
    (memory / "MEMORY.md").write_text("- [a](a.md)\n", "utf-8")
    (memory / "a.md").write_text("---\nname: a\ndescription: b\n---\n", "utf-8")
    graph = machine.home / "brain"
    (graph / "episodes").mkdir(parents=True)
    (graph / "graph").mkdir()
    (graph / "CORE.md").write_text("# Memory Core\n", "utf-8")

    mine = machine.run("context", "-s", memory, "--json").rows
    core = machine.run("context", "-s", graph, "--json").rows

    assert [(row["role"], row["when"]) for row in mine] == [
        ("project instructions", "always"),
        ("sub-agent memory", "for the agent tester"),
    ]
    assert [(row["role"], row["limit"]) for row in core] == [
        ("memory core", "12,000 characters")
    ]


def test_no_character_of_a_file_acts_on_the_terminal(machine: Machine) -> None:
    folder = project(machine)
    rules = folder / ".claude/rules"
    rules.mkdir(parents=True)
    rule = rules / "a\x1b]0;PWNED\x07b.md"
    rule.write_text("---\npaths: '*.ts\x1b[2J\u202e'\n---\n@no\x1b[2J.md\n", "utf-8")

    shown = machine.in_terminal("context", folder, columns=160).out
    piped = machine.run("context", folder).out

    for text in (shown, piped):
        assert "for *.ts" in text
        assert not any(sign in text for sign in ("\x1b]", "\x1b[2J", "\u202e", "\x07"))


def test_an_agent_without_instructions_is_given_nothing(machine: Machine) -> None:
    folder = project(machine)
    answer = machine.in_terminal("context", folder, "--agent", "gemini", columns=120)

    assert "gemini finds nothing to read at its start in" in answer.out
    assert machine.run("context", folder, "--agent", "eliza").code == 2
    assert machine.run("context", folder / "gone").code == 1


def test_a_prompt_lists_what_would_be_recalled(machine: Machine) -> None:
    folder = project(machine)
    answer = machine.run("context", folder, "--prompt", "tabs or spaces", "--json")

    (row,) = answer.rows
    assert list(row) == RECALLED
    assert row["words"] == ["tabs", "spaces"]
    shown = machine.in_terminal("context", folder, "--prompt", "other", columns=120)
    assert "has none of the words" in shown.out
    assert "0 of 61,440 bytes of a session" in shown.out
    assert "Matched by words alone" in shown.out


def test_a_folder_without_memories_is_named_with_what_works(machine: Machine) -> None:
    folder = machine.home / "empty"
    folder.mkdir()
    answer = machine.run("context", folder, "--prompt", "tabs")

    assert (answer.code, answer.out) == (0, "")
    assert f"No memories for {folder}; " in answer.err
    assert "recollect context -s NAME --prompt TEXT" in answer.err


def test_several_prompts_are_a_session(machine: Machine) -> None:
    folder = project(machine)
    prompts = ("--prompt", "tabs", "--prompt", "tabs again")
    first, second = machine.run("context", folder, *prompts, "--json").rows

    assert (first["prompt"], second["prompt"]) == (1, 2)
    assert second["note"] == "already in the session"


def test_a_folder_can_be_given_as_the_store(machine: Machine) -> None:
    folder = project(machine)
    given = machine.run("context", "-s", folder)
    missing = machine.run("context", "-s", machine.home / "nodir")

    assert given.out == machine.run("context", folder).out
    assert missing.code == 1
    assert missing.err == f"recollect: no such folder: {machine.home}/nodir\n"


def test_a_store_of_memories_stands_for_its_project(machine: Machine) -> None:
    folder = project(machine)
    (memory,) = (machine.home / ".claude/projects").glob("*/memory")

    def recalled(*words: str | Path) -> list[str]:
        rows = machine.run("context", *words, "--prompt", "tabs", "--json").rows
        return [row["name"] for row in rows]

    assert recalled("-s", memory) == recalled(folder) == ["Tabs"]
    roles = [row["role"] for row in machine.run("context", memory, "--json").rows]
    assert "memory index" in roles
    kept = machine.home / "elsewhere/.claude/memory"
    kept.parent.mkdir(parents=True)
    (kept.parents[1] / "CLAUDE.md").write_text("Use blanks.\n", "utf-8")
    memory.rename(kept)
    rows = machine.run("context", "-s", kept, "--json").rows
    assert [row["role"] for row in rows] == [
        "project instructions",
        "memory index",
        "memory catalogue",
    ]


def test_notes_that_lost_their_index_have_a_catalogue(machine: Machine) -> None:
    store = machine.home / ".claude/projects/-home-zoe-infra/memory"
    store.mkdir(parents=True)
    note = "---\nname: Drill\ndescription: restore a backup\ntype: project\n---\nHow.\n"
    (store / "drill.md").write_text(note, "utf-8")

    (part,) = machine.run("context", "-s", store, "--json").rows
    answer = machine.run("context", "-s", store, "--prompt", "restore a backup")

    assert (part["role"], part["lines"]) == ("memory catalogue", 1)
    assert "Drill" in answer.out
    (problem,) = machine.run("health", "-s", store, "--json").rows
    assert (problem["code"], problem["severity"]) == ("no-index", "warning")
    assert machine.run("health", "--fix", "no-index", "-s", store).code == 0
    assert "drill.md" in (store / "MEMORY.md").read_text("utf-8")
    assert machine.run("health", "-s", store, "--json").rows == []


def test_a_narrow_table_shows_the_limit_rather_than_the_share(machine: Machine) -> None:
    out = machine.in_terminal("context", project(machine)).out

    assert "Of limit" in out
    assert "150%" in out
