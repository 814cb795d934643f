"""Completion of queries in the real shells that are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.store.catalogue.stores import cognitive, memory, write
from tests.tui.cli.machine import Machine
from tests.tui.cli.shells import PROMPT, install, interactive

needs = {
    shell: pytest.mark.skipif(
        shutil.which(shell) is None, reason=f"{shell} is not installed"
    )
    for shell in ("bash", "zsh", "fish")
}

SCRIPT = ".local/share/bash-completion/completions/recollect"
"""Where bash has its completion."""


@pytest.fixture
def kiln(machine: Machine, tmp_path: Path) -> Path:
    """A store with tags that contain shell syntax, read."""
    store = cognitive(tmp_path / "kiln", 0)
    tags = "[redis, 'raku glaze', '$(touch pwned)']"
    write(store, "graph/fixes/1.md", memory(1, tags=tags, title="Found"))
    machine.run("sync", "-s", store)
    return store


COMPLETED = {
    "recollect list memories ty": "type:",
    "recollect list memories type:f": "type:fix",
    "recollect search x tag:redis,rak": r"\"raku\ glaze\"",
    "recollect list memories stren": r"strength\>=",
    "recollect list ep": "episodes",
    "recollect sea": "search",
}
"""What is typed before a tab, and what is shown after it."""

_ANEW = "\x15"
"""The key that empties the line."""


@needs["bash"]
def test_bash_completes_queries_and_everything_else(
    machine: Machine, kiln: Path
) -> None:
    assert kiln.is_dir()
    environment = install(machine, "bash")
    with interactive(["bash", "--norc", "-i"], environment, machine.home) as shell:
        shell.type("", PROMPT)
        shell.type(f"source {SCRIPT}\n", PROMPT)
        quoted = {"recollect search 'tag:re": "'tag:redis' "}
        for typed, shown in (COMPLETED | quoted).items():
            shell.type(f"{_ANEW}{typed}\t", shown)


@needs["bash"]
def test_the_content_of_a_store_is_never_run_by_bash(
    machine: Machine, kiln: Path
) -> None:
    environment = install(machine, "bash")
    with interactive(["bash", "--norc", "-i"], environment, machine.home) as shell:
        shell.type("", PROMPT)
        shell.type(f"source {SCRIPT}\n", PROMPT)
        shell.type(f"recollect search -s {kiln} tag:\\$\t", r"touch\ pwned")

        assert "Found" in shell.type("\n", PROMPT)

    assert not (machine.home / "pwned").exists()


@needs["zsh"]
def test_zsh_completes_queries_and_everything_else(
    machine: Machine, kiln: Path
) -> None:
    assert kiln.is_dir()
    environment = install(machine, "zsh") | {"ZDOTDIR": str(machine.home)}
    (machine.home / ".zshrc").write_text(
        f"PS1='{PROMPT}'; fpath+=~/.zfunc; autoload -U compinit; compinit -u -D\n",
        encoding="utf-8",
    )
    with interactive(["zsh", "-i"], environment, machine.home) as shell:
        shell.type("", PROMPT)
        for typed, shown in COMPLETED.items():
            shell.type(f"{_ANEW}{typed}\t", shown)


@needs["fish"]
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("recollect list memories ta", "tag:\ta tag"),
        ("recollect list memories type:f", "type:fix\t×1"),
        ("recollect search x tag:redis,rak", 'tag:redis,"raku glaze"\t×1'),
        ("recollect search 'tag:re", "tag:redis\t×1"),
        ("recollect list ep", "episodes\t"),
    ],
)
def test_fish_completes_queries_and_everything_else(
    machine: Machine, kiln: Path, typed: str, shown: str
) -> None:
    assert kiln.is_dir()
    environment = install(machine, "fish")
    script = machine.home / "config/fish/completions/recollect.fish"
    answer = subprocess.run(
        ["fish", "--private", "-c", f'source {script}; complete -C "{typed}"'],
        capture_output=True,
        check=True,
        cwd=machine.home,
        env=environment,
    )

    assert answer.stdout.decode().startswith(shown)
