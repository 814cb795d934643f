"""The completion script for the user's shell."""

import subprocess
from pathlib import Path

import pytest

from tui.cli.main import main


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", ".local/share/bash-completion/completions/recollect"),
        ("zsh", ".zfunc/_recollect"),
        ("fish", ".config/fish/completions/recollect.fish"),
    ],
)
def test_the_script_is_installed_where_the_shell_looks(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    shell: str,
    place: str,
) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")

    assert main(["--install-completion"]) == 0

    assert str(home / place) in capsys.readouterr().out
    written = (home / place).read_text(encoding="utf-8")
    assert all(word in written for word in ("links", "episodes", "no-sync"))


def test_bash_completes_kinds(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "bash")
    main(["--install-completion"])
    asked = (
        f"source {home}/.local/share/bash-completion/completions/recollect; "
        "COMP_WORDS=(recollect list ep); COMP_CWORD=2; "
        "_shtab_recollect recollect ep list; echo ${COMPREPLY[@]}"
    )

    answer = subprocess.run(
        ["bash", "-c", asked], capture_output=True, text=True, check=False
    )

    assert answer.stdout.split() == ["episodes"]


@pytest.mark.parametrize("shell", ["", "/bin/csh-of-old"])
def test_an_unknown_shell_is_wrong_use(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    shell: str,
) -> None:
    monkeypatch.setenv("SHELL", shell)

    assert main(["--install-completion"]) == 2

    assert "bash, zsh, fish" in capsys.readouterr().err
    assert not list(home.rglob("*recollect*"))


@pytest.mark.parametrize("help_", ["-h", "--help"])
def test_asking_for_help_installs_nothing(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    help_: str,
) -> None:
    monkeypatch.setenv("SHELL", "bash")

    assert main(["--install-completion", help_]) == 0
    assert main([help_, "--install-completion"]) == 0

    assert capsys.readouterr().out.count("usage: recollect") == 2
    assert not list(home.rglob("*recollect*"))


def test_an_unwritable_folder_is_reported(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", "zsh")
    (home / ".zfunc").write_text("a file where the folder should be")

    assert main(["--install-completion"]) == 1

    assert "Can't write" in capsys.readouterr().err
