"""Completion of queries in a shell."""

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Recollect
from tests.examples import examples
from tests.store.catalogue.stores import cognitive, memory, write
from tests.tui.cli.machine import Machine
from tui.cli.completion import offered
from tui.cli.words import escaped, words_of_line

BREAKS = " \t\n\"'@><=;|&(:"
"""Where bash breaks words unless somebody says otherwise."""

Offering = Callable[..., list[str]]


@pytest.fixture
def kiln(tmp_path: Path) -> Path:
    """Two stores with tags of their own."""
    for name, tags in (("a", "[redis, 'my tag']"), ("b", '["ki\\u202eln", kiln]')):
        store = cognitive(tmp_path / "kiln" / name, 0)
        write(store, "graph/fixes/1.md", memory(1, tags=tags))
    return tmp_path / "kiln"


@pytest.fixture
def offering(machine: Machine, kiln: Path) -> Offering:
    """The completions once the stores were read."""
    machine.run("sync", "-s", kiln)

    def words(*typed: str | Path, **more: str) -> list[str]:
        with patch.dict(os.environ, machine.variables(**more), clear=True):
            return [word for word, _ in offered([str(word) for word in typed])]

    return words


def test_fields_and_values_are_offered(offering: Offering) -> None:
    assert offering("list", "memories", "ty") == ["type:"]
    assert offering("list", "memories", "type:f") == ["type:fix"]
    assert offering("list", "memories", "redis", "-type:") == ["-type:fix"]
    assert offering("search", "tag:") == ["tag:kiln", 'tag:"my tag"', "tag:redis"]
    assert offering("search", "tag:redis,k") == ["tag:redis,kiln"]
    assert offering("queries", "--save", "mine", "is:pin") == ["is:pinned"]
    assert "strength>=" in offering("list", "memories", "")
    assert "tool:" not in offering("list", "memories", "")


def test_outside_of_a_query_nothing_is_offered(offering: Offering) -> None:
    for typed in (
        [],
        [""],
        ["ty"],
        ["list", "ty"],
        ["list", "kilns", "ty"],
        ["show", "ty"],
        ["list", "memories", "--limit", "ty"],
        ["list", "memories", "--ty"],
        ["-s", "list"],
    ):
        assert offering(*typed) == []


def test_values_come_from_the_chosen_stores(offering: Offering, kiln: Path) -> None:
    a, b = kiln / "a", kiln / "b"

    assert offering("-s", b, "list", "memories", "tag:") == ["tag:kiln"]
    assert offering("search", f"--store={b}", "tag:") == ["tag:kiln"]
    assert offering("search", f"-s{b}", "tag:") == ["tag:kiln"]
    assert offering("search", "tag:r", RECOLLECT_STORES=str(b)) == []
    assert offering("search", "tag:r", RECOLLECT_STORES=f"{b}{os.pathsep}{a}") == [
        "tag:redis"
    ]


def test_dangerous_values_are_not_offered(offering: Offering) -> None:
    assert not any("ln" in word for word in offering("search", "tag:ki\u202e"))
    assert offering("search", "tag:ki") == ["tag:kiln"]


def test_without_a_catalogue_only_fields_are_offered_and_none_is_created(
    machine: Machine,
) -> None:
    with patch.dict(os.environ, machine.variables(), clear=True):
        assert list(offered(["search", "tag:"])) == []
        assert list(offered(["search", "ta"])) == [("tag:", "a tag")]

    assert not machine.cache.exists()


def test_a_damaged_catalogue_is_left_unchanged(machine: Machine) -> None:
    machine.cache.mkdir(parents=True)
    (machine.cache / "catalogue.db").write_bytes(b"no database" * 100)
    with patch.dict(os.environ, machine.variables(), clear=True):
        assert list(offered(["search", "tag:"])) == []

    assert [path.name for path in machine.cache.iterdir()] == ["catalogue.db"]


def test_the_program_answers_in_lines_only(
    recollect: Recollect, kiln: Path, tmp_path: Path
) -> None:
    for name in ("textual", "rich", "argparse"):
        trap = tmp_path / "ahead" / f"{name}.py"
        trap.parent.mkdir(exist_ok=True)
        trap.write_text("raise SystemExit('It was loaded')\n", encoding="utf-8")
    recollect("sync", "-s", str(kiln))
    words = ["zsh", "list", "memories", "tag:re"]
    zsh = recollect("--complete-query", *words, ahead=tmp_path / "ahead")
    line = "recollect list memories 'tag:re"
    bash = recollect("--complete-query", "bash", line, BREAKS)
    nothing = [recollect("--complete-query", *more) for more in ([], ["bash"], ["x"])]

    assert (zsh.returncode, zsh.stdout, zsh.stderr) == (0, "tag:redis\t×1\n", "")
    assert (bash.returncode, bash.stdout, bash.stderr) == (0, "tag:redis\n", "")
    assert [(one.returncode, one.stdout, one.stderr) for one in nothing] == [
        (0, "", "")
    ] * 3


@pytest.mark.parametrize(
    ("line", "word", "written"),
    [
        ("recollect search type:f", "type:fix", "fix"),
        ("recollect search ty", "type:", "type:"),
        ("recollect search 'type:f", "type:fix", "type:fix"),
        ('recollect search type:"f', "type:fix", "fix"),
        ("recollect search str", "strength>=", r"strength\>="),
        ("recollect search type:a,b", "type:a,bc", "a,bc"),
        ("recollect search tag:m", 'tag:"my tag"', r"\"my\ tag\""),
        ("recollect search tag:$", "tag:$(rm x)`;!", r"\$\(rm\ x\)\`\;\!"),
        ('recollect search "tag:$', "tag:$(rm x)", None),
        ("recollect search 'tag:", "tag:it's", None),
        ("recollect search 'tag:$", "tag:$(rm x)", "tag:$(rm x)"),
    ],
)
def test_bash_gets_the_part_after_its_word_break(
    line: str, word: str, written: str | None
) -> None:
    assert escaped(word, words_of_line(line), BREAKS) == written


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1))
def test_words_are_split_as_bash_splits_them(words: list[str]) -> None:
    assert words_of_line(shlex.join(words)).words == tuple(words)


@examples(40)
@given(
    st.sampled_from(["", "'", '"']),
    st.text("ab:=>", max_size=5),
    st.text(st.sampled_from("ab:'\"`$\\!(){};&|<>*?[]~# \té\u3042"), max_size=8),
)
def test_bash_takes_every_word_for_text(quote: str, begun: str, more: str) -> None:
    typed = words_of_line(f"recollect search {quote}{begun}")
    text = escaped(f"{begun}{more}", typed, "")
    if text is not None:
        line = f"printf %s {quote}{text}{quote}"
        told = subprocess.run(
            ["bash", "--norc", "-c", line], capture_output=True, check=True
        )
        assert told.stdout.decode() == f"{begun}{more}"
        assert told.stderr == b""
