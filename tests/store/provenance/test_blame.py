"""Each line of a memory belongs to the call that wrote it, on any machine."""

from pathlib import Path

import pytest

from store.records.answers import Blame
from tests.store.catalogue.stores import Shelf, note, write
from tests.store.formats.transcripts_stores import SESSION, SLUG, Line
from tests.store.provenance.sittings import HOME, PLACE, Sitting

GLAZE = note("glaze", "Cone six.\nFired slowly.")
COPPER = GLAZE.replace("six", "nine")


@pytest.fixture
def projects(shelf: Shelf) -> Path:
    """A folder of transcripts copied from elsewhere, with its memories."""
    projects = shelf.places[0] / "copied/claude/projects"
    write(projects, f"{SLUG}/memory/MEMORY.md", "- [glaze](glaze.md) — About it\n")
    return projects


def blamed(shelf: Shelf, title: str = "glaze") -> Blame:
    shelf.sync()
    with shelf.opened() as library:
        return library.history.blame(shelf.memory(title).ref)


def makers(blame: Blame) -> list[tuple[str, str | None, str]]:
    """The author of each line."""
    return [(one.by, one.what, one.text.split("\n")[-1]) for one in blame.lines]


def at(blame: Blame, shelf: Shelf) -> list[int]:
    """The transcript lines of the messages that wrote the file."""
    known = {message.ref: message.line for message in shelf.messages()}
    return [known[ref] for ref in blame.written]


def test_a_memory_belongs_to_the_message_that_wrote_it(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.put(projects)

    blame = blamed(shelf)

    (lines,) = blame.lines
    (message,) = blame.written
    assert (lines.first, lines.last, lines.text) == (1, 8, GLAZE.rstrip("\n"))
    assert (lines.by, lines.what, lines.ref) == ("call", "Write", message)
    assert (lines.at, lines.session) == ("2026-03-01T10:00:10.000Z", SESSION)
    assert lines.conversation == shelf.conversations()[0].ref
    assert at(blame, shelf) == [2]
    assert (blame.path, blame.maybe) == ("glaze.md", ())


def test_edits_have_their_lines_and_outside_changes_have_none(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER + "By hand.\n")
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine")
    sitting.put(projects)

    assert makers(blamed(shelf)) == [
        ("call", "Write", ""),
        ("call", "Edit", "Cone nine."),
        ("call", "Write", "Fired slowly."),
        ("unknown", None, "By hand."),
    ]


def test_failed_or_unanswered_calls_wrote_nothing(shelf: Shelf, projects: Path) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    place = f"{PLACE}/glaze.md"
    sitting = Sitting()
    sitting.write(place, GLAZE)
    edit: Line = {"file_path": place, "old_string": "six", "new_string": "nine"}
    sitting.call("Edit", edit, "Error: not read yet")
    sitting.call("Edit", edit, {}, fails=True)
    sitting.ask("Edit", edit)
    sitting.put(projects)

    blame = blamed(shelf)

    assert ("unknown", None, "Cone nine.") in makers(blame)
    assert at(blame, shelf) == [2]


def test_a_users_correction_of_a_call_is_what_was_written(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    place = f"{PLACE}/glaze.md"
    told: Line = {"filePath": place, "content": COPPER, "userModified": True}
    sitting = Sitting()
    sitting.call("Write", {"file_path": place, "content": GLAZE}, told)
    sitting.put(projects)

    assert makers(blamed(shelf)) == [("call", "Write", "Fired slowly.")]


def test_several_replacements_in_one_call(shelf: Shelf, projects: Path) -> None:
    body = "Cone 9.\nFired at cone 9.\nSlowly."
    write(projects, f"{SLUG}/memory/glaze.md", note("glaze", body))
    place = f"{PLACE}/glaze.md"
    sitting = Sitting()
    sitting.write(place, note("glaze", "Cone 6.\nFired at cone 6.\nFast."))
    everywhere: Line = {"old_string": "6", "new_string": "9", "replace_all": True}
    slower: Line = {"old_string": "Fast", "new_string": "Slowly"}
    sitting.call("MultiEdit", {"file_path": place, "edits": [everywhere, slower]}, {})
    sitting.put(projects)

    assert makers(blamed(shelf)) == [
        ("call", "Write", ""),
        ("call", "MultiEdit", "Slowly."),
    ]


def test_calls_of_several_sessions_count_in_order_of_time(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    second = Sitting("a0000000-0000-4000-8000-000000000000")
    second.run("sleep 20")
    second.run("sleep 20")
    second.edit(f"{PLACE}/glaze.md", "six", "nine")
    second.put(projects)
    first = Sitting("f0000000-0000-4000-8000-000000000000")
    first.write(f"{PLACE}/glaze.md", GLAZE)
    first.put(projects)

    blame = blamed(shelf)

    assert [(one.what, one.session) for one in blame.lines] == [
        ("Write", first.name),
        ("Edit", second.name),
        ("Write", first.name),
    ]


def test_a_call_repeated_in_a_resumed_session_counts_once(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.put(projects)
    again = sitting.put(projects / "again")
    again.rename(projects / SLUG / "c0000000-0000-4000-8000-000000000000.jsonl")

    assert len(blamed(shelf).written) == 1


def test_a_file_with_the_same_name_elsewhere_is_another(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    sitting = Sitting()
    sitting.write(f"{HOME}/-home-mira-other/memory/glaze.md", GLAZE)
    sitting.write("/home/mira/kiln/glaze.md", GLAZE)
    sitting.put(projects)

    blame = blamed(shelf)

    assert blame.written == ()
    assert makers(blame) == [("unknown", None, "Fired slowly.")]


@pytest.mark.parametrize(
    "path",
    [
        f"~/.claude/projects/{SLUG}/memory/glaze.md",
        f"../../home/mira/.claude/projects/{SLUG}/memory/glaze.md",
        f"C:\\Users\\mira\\.claude\\projects\\{SLUG}\\memory\\glaze.md",
        f"/mnt/backup/.claude/projects/{SLUG}/memory/sub/../glaze.md",
    ],
)
def test_a_path_may_be_written_in_many_ways(
    shelf: Shelf, projects: Path, path: str
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    sitting = Sitting()
    sitting.write(path, GLAZE)
    sitting.put(projects)

    assert len(blamed(shelf).written) == 1


def test_converted_line_ends_change_nothing(shelf: Shelf, projects: Path) -> None:
    raw = f"\ufeff{GLAZE}".replace("\n", "\r\n").encode()
    write(projects, f"{SLUG}/memory/glaze.md", raw)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.put(projects)

    assert makers(blamed(shelf)) == [("call", "Write", "Fired slowly.")]


def test_a_missing_transcript_may_have_written_anything(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    transcript = sitting.put(projects)
    Sitting("another").put(projects)
    shelf.sync()
    transcript.unlink()

    with shelf.opened() as library:
        blame = library.history.blame(shelf.memory("glaze").ref)

    assert makers(blame) == [("unknown", None, "Fired slowly.")]
    assert (blame.written, len(blame.maybe)) == ((), 1)


@pytest.mark.parametrize(
    "command",
    [
        f"cat > {PLACE}/glaze.md <<'EOF'\nCone nine.\nEOF",
        f"sed -i 's/six/nine/' {PLACE}/glaze.md",
        f"cd {PLACE} && echo more >> glaze.md",
        "mv draft.md memory/glaze.md",
    ],
)
def test_a_command_may_have_changed_the_file(
    shelf: Shelf, projects: Path, command: str
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    sitting = Sitting()
    sitting.run(command)
    sitting.put(projects)

    blame = blamed(shelf)

    (message,) = (one for one in shelf.messages() if one.ref in blame.maybe)
    assert message.tools == ("Bash",)
    assert makers(blame) == [("unknown", None, "Fired slowly.")]


@pytest.mark.parametrize(
    "command",
    [
        f"cat {PLACE}/glaze.md 2>/dev/null",
        f"grep six {PLACE}/glaze.md 2>&1",
        f"rm {PLACE}/other-glaze.md",
        f"rm {PLACE}/glaze.md.bak",
        f"cp {HOME}/-home-mira-other/memory/glaze.md elsewhere.md",
        "echo more > glaze.md",
    ],
)
def test_a_command_that_reads_or_names_another_file_did_not(
    shelf: Shelf, projects: Path, command: str
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    sitting = Sitting()
    sitting.run(command)
    sitting.put(projects)

    assert blamed(shelf).maybe == ()


@pytest.mark.parametrize(
    "command",
    [
        f"mv {PLACE}/draft.md {PLACE}/glaze.md",
        f"cd {PLACE}; git mv -f draft.md glaze.md && ls 'it",
        f"mkdir -p x\nmv -t {PLACE} other.md\nmv {PLACE}/draft.md {PLACE}/glaze.md",
    ],
)
def test_a_memory_moved_by_a_command_keeps_its_authors(
    shelf: Shelf, projects: Path, command: str
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    sitting = Sitting()
    sitting.write(f"{PLACE}/draft.md", GLAZE)
    sitting.run(command)
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine")
    sitting.write(f"{PLACE}/draft.md", "Of something else.")
    sitting.put(projects)

    blame = blamed(shelf)

    assert makers(blame) == [
        ("call", "Write", ""),
        ("call", "Edit", "Cone nine."),
        ("call", "Write", "Fired slowly."),
    ]
    assert at(blame, shelf) == [2, 6]
    assert len(blame.maybe) == 1


def test_a_sub_agent_may_have_written_the_file(shelf: Shelf, projects: Path) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.put(projects)
    helper = Sitting("helper")
    helper.session, helper.agent = SESSION, "a1b2c3d4"
    helper.run("sleep 20")
    helper.edit(f"{PLACE}/glaze.md", "six", "nine")
    file = helper.put(projects / "elsewhere")
    place = projects / SLUG / SESSION / "subagents/agent-a1b2c3d4.jsonl"
    place.parent.mkdir(parents=True)
    file.rename(place)

    blame = blamed(shelf)

    assert [one.what for one in blame.lines] == ["Write", "Edit", "Write"]
    talks = {talk.ref: talk for talk in shelf.conversations()}
    assert (
        talks[blame.lines[1].conversation or ""].parent == blame.lines[0].conversation
    )
