"""Records in the user's editor: saved if possible, otherwise kept as drafts."""

import io
import signal
import sys
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import Desk

REPLACES = "sed -i s/importance:.*/importance:\\ 0.31/"


@pytest.fixture
def ref(graph: Desk) -> str:
    return graph.memory("type:fix", "!is:pinned")["ref"]


def test_the_text_from_the_editor_is_saved(graph: Desk, ref: str) -> None:
    before = graph.contents()

    answer = graph.run("edit", ref, EDITOR=REPLACES)

    assert answer.code == 0
    assert answer.out.startswith("edited “")
    assert graph.show(ref)["importance"] == 0.31
    graph.run("undo")
    assert graph.contents() == before


@pytest.mark.parametrize("editor", ["", "/usr/bin/vim", "nano"])
def test_an_editor_of_terminals_is_not_started_without_one(
    graph: Desk, ref: str, editor: str
) -> None:
    before = graph.contents()

    for words, instead in ((["edit", ref], "--from"), (["new"], "--title")):
        answer = graph.run(*words, EDITOR=editor)
        assert (answer.code, answer.out) == (2, "")
        assert "needs a terminal" in answer.err
        assert instead in answer.err

    assert graph.contents() == before


def test_visual_takes_precedence_over_editor(graph: Desk, ref: str) -> None:
    assert graph.run("edit", ref, VISUAL=REPLACES, EDITOR="false").code == 0


def test_an_editor_without_changes_changes_nothing(graph: Desk, ref: str) -> None:
    answer = graph.run("edit", ref, EDITOR="sh -c 'sleep 0.31'")

    assert (answer.code, answer.out) == (0, "")
    assert "Nothing to change" in answer.err
    assert graph.rows("history") == []


def test_an_editor_that_does_not_wait_is_named(graph: Desk, ref: str) -> None:
    answer = graph.run("edit", ref, EDITOR="true")

    assert (answer.code, answer.out) == (0, "")
    assert "The editor exited without changes." in answer.err
    assert "--wait" in answer.err


def test_an_unsaved_text_is_kept_and_can_be_continued(graph: Desk, ref: str) -> None:
    before = graph.contents()

    refused = graph.run("edit", ref, EDITOR="sed -i 1d")
    assert refused.code == 1
    assert f"to continue: recollect edit {ref} --draft" in refused.err
    assert graph.contents() == before

    later = graph.run("edit", ref, EDITOR=REPLACES)
    assert f"to continue: recollect edit {ref} --draft" in later.err
    graph.run("undo")

    again = graph.run("edit", ref, "--draft", EDITOR="sed -i 1i---")
    assert again.code == 0
    assert graph.contents() == before


def test_an_older_draft_is_not_lost_to_a_newer_one(graph: Desk, ref: str) -> None:
    for word in ("First", "Second"):
        editor = f"sed -i -e 1d -e $a{word}"
        assert graph.run("edit", ref, EDITOR=editor).code == 1

    for word in ("Second", "First"):
        taken_up = graph.run("edit", ref, "--draft", EDITOR="sed -i 1i---")
        assert taken_up.code == 0, taken_up.err
        assert word in graph.show(ref)["body"]
        graph.run("undo")


def test_drafts_can_be_discarded(graph: Desk, ref: str) -> None:
    before = graph.contents()
    for _ in range(2):
        graph.run("edit", ref, EDITOR="sed -i 1d")

    assert graph.run("edit", ref, "--discard", "--dry-run").out == "discard 2 drafts\n"
    assert graph.one("edit", ref, "--discard")["change"] is None
    again = graph.run("edit", ref, "--discard")
    assert (again.code, again.out) == (1, "")
    assert again.err == "recollect: No unsaved draft.\n"
    assert graph.contents() == before
    assert "draft" not in graph.run("edit", ref, EDITOR=REPLACES).err


def test_concurrent_changes_are_shown(graph: Desk, ref: str, tmp_path: Path) -> None:
    path = graph.store / graph.show(ref)["path"]
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho Mine. >> "$1"\necho Theirs. >> "{path}"\n')
    editor.chmod(0o700)

    refused = graph.run("edit", ref, EDITOR=str(editor))

    assert refused.code == 3
    assert "+Theirs.\n" in refused.err
    assert "+Mine." not in refused.err


def test_an_editor_that_fails_loses_nothing(
    graph: Desk, ref: str, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho Written. >> "$1"\nexit 1\n')
    editor.chmod(0o700)

    failed = graph.run("edit", ref, EDITOR=str(editor))

    assert failed.code == 1
    assert "failed with exit code 1" in failed.err
    taken_up = graph.run("edit", ref, "--draft", EDITOR="sed -i s/Written/Rewritten/")
    assert taken_up.code == 0
    assert graph.show(ref)["body"].endswith("Rewritten.\n")


def test_a_text_can_be_given_without_an_editor(
    graph: Desk, ref: str, tmp_path: Path
) -> None:
    path = graph.store / graph.show(ref)["path"]
    text = tmp_path / "text.md"
    text.write_bytes(path.read_bytes() + b"One more line.\n")

    plan = graph.one("edit", ref, "--from", text, "--dry-run")
    assert plan["steps"][0]["diff"].endswith("+One more line.\n")
    assert graph.run("edit", ref, "--from", text).code == 0
    assert path.read_bytes().endswith(b"\nOne more line.\n")


def test_an_unreadable_text_is_reported(graph: Desk, ref: str) -> None:
    answer = graph.run("edit", ref, "--from", "/no/such/file")

    assert answer.code == 1
    assert "Can't read /no/such/file" in answer.err


def test_at_a_terminal_the_diff_is_shown(graph: Desk, ref: str) -> None:
    machine = graph.machine
    with machine.terminal("edit", ref, "-s", graph.store, EDITOR=REPLACES) as terminal:
        shown = terminal.rest().decode()
        assert terminal.process.wait() == 0

    assert "+importance: 0.31" in shown
    assert "undo with: recollect undo" in shown


def test_at_a_terminal_an_invalid_text_is_edited_again(
    graph: Desk, ref: str, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\nif head -1 "$1" | grep -q -- ---; then sed -i 1d "$1"\n'
        'else sed -i \'1i---\' "$1"; echo Mended. >> "$1"; fi\n'
    )
    editor.chmod(0o700)
    words = ("edit", ref, "-s", graph.store)
    with graph.machine.terminal(*words, EDITOR=str(editor)) as terminal:
        terminal.until(b"[Y/n] ")
        terminal.type(b"\n")
        terminal.rest()
        assert terminal.process.wait() == 0

    assert graph.show(ref)["body"].endswith("Mended.\n")


def test_a_memory_is_created_from_its_options(graph: Desk) -> None:
    change = graph.one(
        *("new", "--title", "Fire it slowly", "--type", "fix", "--tag", "kiln"),
        *(
            "--tag",
            "glaze",
            "--field",
            "importance=0.6",
            "--body",
            "Cone six.\n\nDone.",
        ),
    )

    (ref,) = change["refs"]
    shown = graph.show(ref)
    assert (shown["title"], shown["type"]) == ("Fire it slowly", "fix")
    assert (shown["tags"], shown["importance"]) == (["kiln", "glaze"], 0.6)
    assert shown["body"].strip() == "Cone six.\n\nDone."
    graph.run("undo")
    assert graph.run("show", ref).code == 1


def test_its_text_can_come_from_stdin(
    graph: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("From a pipe."))

    change = graph.one("new", "--title", "Piped", "--type", "fix", "--body", "-")

    assert graph.show(change["refs"][0])["body"].strip() == "From a pipe."


def test_without_a_title_the_editor_prompts_for_both(
    graph: Desk, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf '# Told later\\n\\nAnd why.\\n' > \"$1\"\n")
    editor.chmod(0o700)

    answer = graph.run("new", "--type", "fix", EDITOR=str(editor))

    assert answer.code == 0
    (made,) = graph.memories("^Told")
    assert graph.show(made["ref"])["body"].strip() == "And why."


@pytest.mark.parametrize("title", ["", " ", "two\nlines"])
def test_a_title_is_one_line_and_not_empty(graph: Desk, title: str) -> None:
    before = graph.contents()

    assert graph.run("new", "--title", title).code == 2
    assert graph.contents() == before


def test_if_several_stores_are_possible_one_must_be_named(
    graph: Desk, agents: Desk
) -> None:
    answer = graph.run("new", "--title", "Where?", "-s", agents.store)

    assert answer.code == 1
    assert str(graph.store) in answer.err
    assert "--store" in answer.err


def test_the_text_of_a_memory_that_cannot_be_created_is_kept(
    graph: Desk, agents: Desk, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'Told once\n\nAt length.\n' > \"$1\"\n")
    editor.chmod(0o700)
    refused = graph.run("new", "-s", agents.store, EDITOR=str(editor))
    assert refused.code == 1
    assert "to continue: recollect new --draft" in refused.err

    saved = graph.run("new", "--type", "fix", "--draft", EDITOR="sed -i s/length/last/")

    assert saved.code == 0
    (made,) = graph.memories("^Told")
    assert graph.show(made["ref"])["body"].strip() == "At last."
    assert graph.run("new", "--discard").err == "recollect: No unsaved draft.\n"
    empty = graph.run("new", "--draft", EDITOR="sh -c 'sleep 0.31'")
    assert empty.code == 2
    assert "The title must be a single" in empty.err


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_lost_terminal_leaves_a_draft_and_no_copy(
    graph: Desk, ref: str, tmp_path: Path, number: signal.Signals
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho Half. >> "$1"\necho open\nexec sleep 60\n')
    editor.chmod(0o700)
    words = ("edit", ref, "-s", graph.store)
    with graph.machine.terminal(
        *words, EDITOR=str(editor), TMPDIR=str(copies)
    ) as terminal:
        terminal.until(b"open")
        assert list(copies.iterdir())
        terminal.process.send_signal(number)
        terminal.rest()
        assert terminal.process.wait() != 0

    assert list(copies.iterdir()) == []
    drafts = (graph.machine.state / "changes/drafts").iterdir()
    assert any(b"Half." in draft.read_bytes() for draft in drafts)
