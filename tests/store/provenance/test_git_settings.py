"""Git settings of the user or of a repository do not affect what is read."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.paths import Placed
from store.provenance.calls import Told
from store.provenance.git import Commits, GitError, tree_at

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

AFTER = 4_000_000_000_000_000
"""A time after every commit."""

SETTINGS = [
    ("i18n.logOutputEncoding", "ISO-8859-1"),
    ("i18n.logOutputEncoding", "UTF-16"),
    ("i18n.commitEncoding", "UTF-16"),
    ("log.showRoot", "false"),
    ("diff.orderFile", "/nowhere"),
    ("diff.renames", "false"),
    ("diff.renameLimit", "1"),
    ("diff.relative", "true"),
    ("log.diffMerges", "separate"),
    ("log.follow", "false"),
    ("log.date", "raw"),
    ("log.mailmap", "true"),
    ("format.pretty", "%x00%x00"),
    ("color.ui", "always"),
    ("color.diff", "always"),
    ("core.abbrev", "4"),
    ("core.bare", "true"),
    ("core.worktree", "/nowhere"),
    ("core.quotePath", "true"),
    ("trace2.normalTarget", "2"),
]

VALUES = ("true", "false", "0", "1", "always", "/nowhere", "")

OTHER_REPOSITORY = ("core.repositoryformatversion", "extensions.", "include")
"""Settings that make it another repository, rather than change how git answers."""


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def names() -> list[str]:
    """Every setting with a fixed name that git knows."""
    told = subprocess.run(
        ["git", "help", "--config"], check=False, capture_output=True, text=True
    )
    return [
        name
        for name in told.stdout.split()
        if not name.casefold().startswith(OTHER_REPOSITORY)
        and not set(name) & set("<>*_")
        and "." in name
    ]


class Answer(NamedTuple):
    """Git's information about a note and its folder."""

    versions: list[Told]
    files: dict[str, str]
    notice: str


def asked(store: Path) -> Answer:
    commits = Commits()
    versions = commits.changes_of(Placed(str(store), "note.md"))
    try:
        tree = tree_at(store, AFTER)
    except GitError as error:
        return Answer(versions, {}, str(error))
    return Answer(versions, tree.files if tree else {}, commits.notice)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A note in a folder of a repository: moved there, changed, and merged."""
    root = tmp_path_factory.mktemp("repository")
    store, elsewhere = root / "store", root / "elsewhere"
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Łukasz")
    git(root, "config", "user.email", "z@example")

    def commit(subject: str) -> None:
        git(root, "add", "-A")
        git(root, "commit", "-qm", subject)

    text = "".join(f"line {number}\n" for number in range(20))
    elsewhere.mkdir()
    store.mkdir()
    (elsewhere / "old.md").write_text(text)
    (root / "README").write_text("about\n")
    commit("Beginning, naïve and early")
    git(root, "mv", "elsewhere/old.md", "store/note.md")
    (root / "another").write_text(text)
    commit("Moved")
    git(root, "checkout", "-qb", "side")
    (store / "note.md").write_text(f"{text}on the side\n")
    commit("On the side")
    git(root, "checkout", "-q", "main")
    (store / "note.md").write_text(f"on main\n{text}")
    commit("On main")
    git(root, "merge", "-q", "--no-ff", "-m", "Merged", "side")
    return store


@pytest.fixture(scope="module")
def expected(repository: Path) -> Answer:
    answer = asked(repository)
    assert [one.maker.what for one in answer.versions] == [
        "Beginning, naïve and early",
        "Moved",
        "On the side",
        "On main",
    ]
    assert {one.maker.who for one in answer.versions} == {"Łukasz"}
    assert list(answer.files) == ["note.md"]
    return answer


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without settings."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_a_setting_of_the_repository_changes_nothing(
    repository: Path, expected: Answer, name: str, value: str
) -> None:
    config = repository.parent / ".git" / "config"
    before = config.read_bytes()
    git(repository, "config", name, value)
    try:
        assert asked(repository) == expected
    finally:
        config.write_bytes(before)


@pytest.mark.parametrize(("name", "value"), SETTINGS)
@pytest.mark.usefixtures("home")
def test_a_setting_of_the_user_changes_nothing(
    repository: Path, expected: Answer, name: str, value: str
) -> None:
    git(repository, "config", "--global", name, value)

    assert asked(repository) == expected


@given(st.sampled_from(names() or ["core.bare"]), st.sampled_from(VALUES))
def test_no_setting_drops_a_version(
    repository: Path, expected: Answer, name: str, value: str
) -> None:
    """If the setting stops git itself, a notice says so."""
    config = repository.parent / ".git" / "config"
    before = config.read_bytes()
    git(repository, "config", name, value)
    try:
        answer = asked(repository)
    finally:
        config.write_bytes(before)

    assert answer == expected or answer.notice


def test_a_linked_worktree_has_the_same_versions(
    repository: Path, expected: Answer, tmp_path: Path
) -> None:
    there = tmp_path / "there"
    git(repository, "worktree", "add", "-q", "--detach", str(there), "main")
    try:
        answer = asked(there / "store")
    finally:
        git(repository, "worktree", "remove", "--force", str(there))

    assert answer == expected


def test_configured_traces_are_not_written(repository: Path, home: Path) -> None:
    for target in ("normalTarget", "eventTarget", "perfTarget"):
        git(repository, "config", "--global", f"trace2.{target}", str(home / "t"))
    (home / "t").unlink(missing_ok=True)
    asked(repository)

    assert not (home / "t").exists()
