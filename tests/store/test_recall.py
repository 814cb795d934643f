"""Which memories a prompt would bring, and which files are never read for it."""

import os
from pathlib import Path

import pytest

from store.agents import context_of
from store.context import (
    FILE_BYTES,
    FILE_LINES,
    SCANNED,
    SESSION_BYTES,
    TAKEN,
    Surroundings,
    recall,
    words_of,
)


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def test_a_prompt_recalls_the_newest_memories_with_its_words(tmp_path: Path) -> None:
    for number in range(SCANNED + 2):
        about = "kiln" if number % 20 == 0 else "clay"
        text = f"---\nname: Tabs {number}\ndescription: {about}\n---\n"
        os.utime(write(tmp_path, f"{number}.md", text), (number, number))
    write(tmp_path, "MEMORY.md", "- the index is no memory\n")

    found = recall(["What about the KILN, then?"], [tmp_path])

    assert len(found) == SCANNED + 2
    assert [one.name for one in found if one.is_recalled] == []
    found = recall(["What about kiln then"], [tmp_path])
    taken = [one for one in found if one.is_recalled]
    assert [one.name for one in taken] == [
        f"Tabs {n}" for n in (200, 180, 160, 140, 120)
    ]
    assert all(one.words == ("kiln",) for one in taken)
    notes = {one.name: one.note for one in found}
    assert notes["Tabs 100"] == f"{TAKEN} newer ones are taken"
    assert notes["Tabs 199"] == "has none of the words"
    assert notes["Tabs 0"] == f"not scanned: {SCANNED} files are newer"


def test_a_recalled_memory_is_cut_at_its_limits(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "---\nname: kiln\n---\n" + "x\n" * 300)
    write(tmp_path, "b.md", "---\nname: kiln wide\n---\n" + f"{'y' * 99}\n" * 60)

    long, wide = sorted(recall(["kiln"], [tmp_path]), key=lambda one: one.path)

    assert (long.loaded_lines, long.note) == (FILE_LINES, "cut in line 200 of 303")
    assert wide.loaded_bytes == FILE_BYTES
    assert wide.note.startswith("cut in line 4")


def test_words_count_from_four_letters_on_and_once() -> None:
    assert words_of("Use the TABS, tabs not Tabs") == ["tabs,", "tabs"]
    assert words_of("x" * 2000 + " tabs") == ["x" * 2000]


def test_a_memory_whose_text_alone_has_the_word_just_misses(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.md", "---\nname: Glaze\n---\nFire the kiln slowly.\n")
    write(tmp_path, ".git/b.md", "kiln\n")

    (one,) = recall(["kiln times"], [tmp_path])

    assert (one.near, one.is_recalled) == (True, False)
    assert one.note == "only its text has kiln; names and descriptions count"


def test_a_session_has_a_budget_over_all_its_prompts(tmp_path: Path) -> None:
    prompts = [f"word{number:02} please" for number in range(16)]
    for number in range(16):
        text = f"---\nname: word{number:02}\n---\n" + "y" * FILE_BYTES
        write(tmp_path, f"{number}.md", text)

    found = recall(prompts, [tmp_path])

    taken = [one for one in found if one.is_recalled]
    assert sum(one.loaded_bytes for one in taken) == SESSION_BYTES
    assert [one.prompt for one in taken] == list(range(1, 16))
    last = next(one for one in found if one.words == ("word15",) and one.prompt == 16)
    assert last.note == "the session's 60 KiB are used up"
    given = [one for one in found if one.note == "already in the session"]
    assert len(given) == sum(range(16))


def test_the_two_prompts_before_count_as_well(tmp_path: Path) -> None:
    for number in range(TAKEN + 1):
        text = f"---\nname: kiln {number}\n---\n"
        os.utime(write(tmp_path, f"{number}.md", text), (number, number))

    def taken(*prompts: str) -> list[tuple[int, str]]:
        found = recall(prompts, [tmp_path])
        return [(one.prompt, one.name) for one in found if one.is_recalled]

    assert taken("kiln", "then what") == [
        *((1, f"kiln {number}") for number in range(TAKEN, 0, -1)),
        (2, "kiln 0"),
    ]
    assert taken("x", "kiln")[0] == (2, f"kiln {TAKEN}")
    assert taken("then", "what", "happens", "kiln")[0][0] == 4
    later = taken("kiln", "then", "what", "happens")
    assert [prompt for prompt, _ in later] == [1] * TAKEN + [2]


def test_a_folder_that_is_gone_has_no_memories(tmp_path: Path) -> None:
    assert recall(["kiln"], [tmp_path / "gone"]) == []
    (tmp_path / "a.md").symlink_to("a.md")
    os.mkfifo(tmp_path / "b.md")
    assert recall(["kiln"], [tmp_path]) == []


def test_a_link_out_of_the_folder_is_named_and_not_read(tmp_path: Path) -> None:
    own = write(tmp_path, "memory/own.md", "---\nname: kiln own\n---\n")
    secret = write(tmp_path, "secret.md", "---\nname: kiln secret\n---\n")
    (own.parent / "linked.md").symlink_to(secret)
    (own.parent / "again.md").symlink_to("own.md")

    found = sorted(recall(["kiln"], [own.parent]), key=lambda one: one.name)

    assert [one.name for one in found] == ["kiln own", "kiln own", "linked"]
    assert found[2].note == "'linked.md' points outside the store."


@pytest.mark.parametrize("agent", ["claude", "copilot"])
def test_what_is_no_regular_file_is_not_read(tmp_path: Path, agent: str) -> None:
    own = write(tmp_path, "kilnbook/CLAUDE.md", "See @pipe.md and @~/null.md\n")
    os.mkfifo(own.parent / "pipe.md")
    os.mkfifo(own.parent / "AGENTS.md")
    (tmp_path / "null.md").symlink_to("/dev/zero")
    (tmp_path / "CLAUDE.md").symlink_to("/dev/zero")

    parts = context_of(agent, Surroundings(own.parent, tmp_path))

    assert [part.path for part in parts if part.loaded_bytes] == [str(own)]
