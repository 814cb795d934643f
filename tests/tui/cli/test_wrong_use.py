"""Wrong use: one sentence, and the right exit code."""

from pathlib import Path

import pytest

from tests.conftest import Recollect
from tests.tui.cli.machine import Machine
from tui.names import COMMANDS


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("lisst memories", "recollect list"),
        ("synch", "recollect sync"),
        ("list memoires", "did you mean 'memories'?"),
        ("list zig", "to find text, use `recollect search`"),
        ("vault foo", "invalid WHAT 'foo' (choose from list, verify,"),
        ("doctor zzz", "unexpected 'zzz'; see recollect doctor --help"),
        ("show", "missing REF; see recollect show --help"),
        ("list memories --sort tittel", "'title'"),
        ("list edges --sort strengthh", "'strength'"),
        ("list memories --limit -3", "-3"),
        ("list memories --offset=-1", "-1"),
        ("list memories --limit abc", "'abc'"),
        ("list memories --now tomorrow", "'tomorrow'"),
        ("list memories --now 2026-13-45", "'2026-13-45'"),
        ("stores .", "unexpected '.'; name a store with --store ."),
        ("health --fail-on noted", "'noted'; did you mean 'note'? (choose from error,"),
        ("list nonsense", "unknown kind 'nonsense' (choose from memories,"),
        ("list memories --frob", "--frob; see recollect list --help"),
        ("list memories --sort zzz", "sort memories by 'zzz' (choose from updated,"),
        ("nonsense", "unknown command or path: 'nonsense'; see recollect --help"),
        ("show", "REF"),
        ("show --frob x", "--frob"),
        ("sync --limit 3", "--limit"),
        ("stores --store", "--store"),
        ("demo --make", "--make"),
        ("browse", "'browse'; did you mean `recollect help browse`?"),
        ("grep redis", "'grep'; did you mean `recollect search`?"),
        ("list memories --format csv", "`list` has no option --format; see"),
        ("list --limt 3", "`list` has no option --limt; did you mean '--limit'?"),
        ("list --limit", "recollect: --limit needs a value; see"),
        ("list --limit x", "recollect: --limit: invalid number 'x'; see"),
        ("--asci", "unexpected '--asci'; did you mean '--ascii'?; see"),
        ("--theme foo", "unknown theme 'foo' (choose from dark, light,"),
        ("list is:orfan", "There is no 'is:orfan' (choose from pinned, vault, active,"),
    ],
)
def test_wrong_use_is_reported_in_one_sentence(
    machine: Machine, command: str, told: str
) -> None:
    answer = machine.run(*command.split())

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("recollect: ")
    assert answer.err.count("\n") == 1
    assert told in answer.err
    assert "invalid choice" not in answer.err


def test_wrong_use_is_reported_before_any_store_is_read(machine: Machine) -> None:
    machine.run("list", "memories", "--sort", "tittel")

    assert not machine.cache.exists()


def test_help_names_every_command_and_every_exit_code(recollect: Recollect) -> None:
    answer = recollect("--help")

    assert (answer.returncode, answer.stderr) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command.name} " in answer.stdout
    for code in range(6):
        assert f"\n  {code}  " in answer.stdout


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_explains_itself(machine: Machine, command: str) -> None:
    for flag in ("--help", "-h"):
        answer = machine.run(command, flag)
        assert answer.code == 0
        assert answer.out.startswith(f"usage: recollect {command} ")
        assert "--no-sync" in answer.out


def test_the_version_is_printed(recollect: Recollect) -> None:
    for word in ("--version", "version"):
        answer = recollect(word)
        assert (answer.returncode, answer.stderr) == (0, "")
        assert answer.stdout.startswith("recollect ")
        assert len(answer.stdout.splitlines()) == 1


def test_the_version_is_printed_as_json_and_beside_other_options(
    machine: Machine,
) -> None:
    for words in (["version", "--json"], ["--version", "--json"]):
        (row,) = machine.run(*words).rows
        assert list(row) == ["version"]
    plain = machine.run("version")
    assert plain.out == f"recollect {row['version']}\n"
    assert machine.run("--theme", "dark", "--version") == plain


@pytest.mark.parametrize("command", ["show", "links"])
def test_an_ambiguous_name_lists_the_candidates(
    machine: Machine, samples: Path, command: str
) -> None:
    rows = machine.run("list", "memories", "--json", "-s", samples).rows
    first = rows[0]["ref"].removeprefix("memory:")[0]
    several = [r for r in rows if r["ref"].startswith(f"memory:{first}")]
    assert len(several) > 1

    answer = machine.run(command, f"memory:{first}", "-s", samples)

    assert (answer.code, answer.out) == (1, "")
    sentence, *listed = answer.err.splitlines()
    assert f"'memory:{first}'" in sentence
    known = {row["ref"] for row in rows}
    assert {line.split()[0] for line in listed} - {"…"} <= known
    assert len(listed) > 1


def test_a_prefix_is_enough_with_or_without_its_kind(
    machine: Machine, samples: Path
) -> None:
    row = machine.run("list", "memories", "--json", "-s", samples, "--limit", "1").rows
    ref, own = row[0]["ref"], row[0]["id"]

    for name in (ref, ref[:-2], ref.removeprefix("memory:"), own, own[:-3]):
        (shown,) = machine.run("show", name, "--json", "-s", samples).rows
        assert shown["ref"] == ref


@pytest.mark.parametrize("name", ["", " ", "memory:", "nothing-like-it", "%", "_", "'"])
@pytest.mark.parametrize("command", ["show", "links"])
def test_an_unknown_name_is_reported(
    machine: Machine, samples: Path, command: str, name: str
) -> None:
    answer = machine.run(command, name, "-s", samples)

    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
