"""Reading git history starts no program of a repository, and survives any of them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from store.derive.paths import Placed
from store.provenance.calls import Told
from store.provenance.git import Commits

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

AS = ["-c", "user.name=z", "-c", "user.email=z@example"]


def git(store: Path, *words: str) -> str:
    command = ["git", "-C", str(store), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder in git with a note that was changed twice."""
    store = tmp_path / "store"
    store.mkdir()
    git(store, "init", "-q")
    for text in ("one\n", "one\ntwo\n"):
        (store / "note.md").write_text(text)
        git(store, "add", "-A")
        git(store, *AS, "commit", "-qm", text.strip().replace("\n", " and "))
    return store


def told(store: Path, name: str = "note.md") -> tuple[list[Told], str]:
    commits = Commits()
    return commits.changes_of(Placed(str(store), name)), commits.notice


def test_commits_are_listed_with_their_texts(store: Path) -> None:
    first, second = told(store)[0]

    assert (first.maker.what, first.call.before, first.call.content) == (
        *("one", ""),
        "one\n",
    )
    assert (second.maker.what, second.call.before, second.call.content) == (
        *("one and two", "one\n"),
        "one\ntwo\n",
    )


def test_nothing_that_a_repository_names_is_started(
    store: Path, tmp_path: Path
) -> None:
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    evil.chmod(0o755)
    (store / ".gitattributes").write_text("*.md diff=evil filter=evil\n")
    tree = git(store, "rev-parse", "HEAD~1^{tree}").strip()
    (store / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "core.alternateRefsCommand": str(evil),
        "core.fsmonitor": str(evil),
        "core.hooksPath": str(tmp_path),
        "core.pager": str(evil),
        "core.sshCommand": str(evil),
        "diff.evil.command": str(evil),
        "diff.evil.textconv": str(evil),
        "diff.external": str(evil),
        "extensions.partialClone": "origin",
        "filter.evil.process": str(evil),
        "filter.evil.smudge": str(evil),
        "gpg.program": str(evil),
        "log.showSignature": "true",
        "pager.log": str(evil),
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": str(evil),
        "remote.origin.url": "ssh://example/nowhere",
    }.items():
        git(store, "config", name, value)

    told(store)

    assert not (tmp_path / "started").exists()
    subprocess.run(["git", "-C", str(store), "diff"], check=False, capture_output=True)
    assert (tmp_path / "started").exists()


def test_the_users_environment_does_not_redirect_git(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")

    assert len(told(store)[0]) == 2


def test_outside_of_git_there_are_no_commits(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("one\n")

    assert told(tmp_path) == ([], "")
    assert told(tmp_path, "gone/note.md") == ([], "")


def test_an_uncommitted_file_has_none(store: Path) -> None:
    (store / "new.md").write_text("new\n")

    assert told(store, "new.md") == ([], "")


def test_names_are_taken_literally(store: Path) -> None:
    for name in (":(glob)*.md", "-n", 'a "b"\nc.md', "*.md"):
        (store / name).write_text(name)
        git(store, "--literal-pathspecs", "add", "--", name)
        git(store, *AS, "commit", "-qm", "odd")

        assert [one.call.content for one in told(store, name)[0]] == [name]


def test_a_folder_that_only_looks_like_a_repository_is_none(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    git(bare, "init", "-q", "--bare")
    (bare / "note.md").write_text("one\n")

    commits, notice = told(bare)

    assert commits == []
    assert "bare" in notice


def test_a_machine_without_git_is_reported(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    assert told(store) == ([], "git isn't installed; its history is missing.")


def test_texts_too_large_are_left_out(store: Path) -> None:
    (store / "note.md").write_bytes(b"x" * (5 * 1024 * 1024))
    git(store, *AS, "commit", "-qam", "too large")

    *_, last = told(store)[0]

    assert (last.maker.what, last.call.content) == ("too large", None)


def test_a_slow_history_shows_the_newest_commits(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    real = shutil.which("git")
    told_slowly = f'case "$*" in *--follow*) {real} "$@"; exec sleep 60;; esac'
    slow.write_text(f'#!/bin/sh\n{told_slowly}\nexec {real} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")
    monkeypatch.setattr("store.provenance.git._SECONDS", 1.0)

    commits, notice = told(store)

    assert [one.maker.what for one in commits] == ["one", "one and two"]
    assert notice.startswith("git took longer than 1 seconds. Older commits")
