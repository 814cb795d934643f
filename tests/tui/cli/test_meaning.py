"""`recollect search` by meaning, only if the settings enable it."""

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.conftest import Recollect
from tests.store.catalogue.stores import cognitive, memory, own_id, write
from tests.store.search.similar.provider import Local, embedded
from tests.tui.cli.machine import Machine


@pytest.fixture
def kiln(tmp_path: Path) -> Path:
    """Two memories with vectors."""
    store = cognitive(tmp_path / "kiln", 0)
    for number, title in enumerate(["Redis times out", "Cache goes away"], start=1):
        write(store, f"graph/fixes/{number}.md", memory(number, title=title))
    entries = {own_id(1): [0, 1], own_id(2): [1, 0]}
    told = {"model": "nomic-embed-text", "entries": entries}
    write(store, "_embeddings.json", json.dumps(told))
    return store


def switch_on(machine: Machine, local: Local, seconds: float = 30) -> None:
    settings = machine.home / "config/recollect/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'[semantic]\nprovider = "ollama"\naddress = "http://{local.host}"\n'
        f"seconds = {seconds}\n",
        encoding="utf-8",
    )


def test_hits_by_meaning_are_among_the_others(machine: Machine, kiln: Path) -> None:
    with Local(embedded(1, 0)) as local:
        switch_on(machine, local)
        answer = machine.run("search", "redis", "-s", kiln, "--json", "--explain")

    assert (answer.code, answer.err) == (0, "")
    titles = [row["title"] for row in answer.rows]
    assert titles == ["Redis times out", "Cache goes away"]
    assert [row["similar"] for row in answer.rows] == [False, True]
    assert answer.rows[1]["reasons"] == ["meaning 1.00"]


def test_a_provider_without_an_answer_is_reported_and_words_are_searched(
    machine: Machine, kiln: Path
) -> None:
    def hold(_handler: BaseHTTPRequestHandler, local: Local) -> None:
        local.over.wait()

    with Local(hold) as local:
        switch_on(machine, local, seconds=0.05)
        answer = machine.run("search", "redis", "-s", kiln, "--json")

    assert answer.code == 0
    assert [row["title"] for row in answer.rows] == ["Redis times out"]
    assert answer.err == (
        f"recollect: Ollama at {local.host} didn't answer within 0.05 seconds. "
        "Only words were searched.\n"
    )


def test_a_store_without_vectors_is_reported(machine: Machine, kiln: Path) -> None:
    (kiln / "_embeddings.json").unlink()
    with Local(embedded(1, 0)) as local:
        switch_on(machine, local)
        answer = machine.run("search", "redis", "-s", kiln, "--json")

    assert len(answer.rows) == 1
    assert answer.err == (
        "recollect: No store has vectors; only words were searched. "
        "`recollect embed` makes them.\n"
    )
    assert local.asked == []


def test_an_invalid_provider_is_reported(machine: Machine, kiln: Path) -> None:
    settings = machine.home / "config/recollect/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[semantic]\nprovider = "olama"\n', encoding="utf-8")

    answer = machine.run("search", "redis", "-s", kiln)

    assert answer.code == 0
    assert f"{settings}:2: " in answer.err


def test_if_switched_off_nothing_is_loaded(
    recollect: Recollect, kiln: Path, tmp_path: Path
) -> None:
    for name in ("ssl.py", "http/__init__.py"):
        trap = tmp_path / "ahead" / name
        trap.parent.mkdir(parents=True, exist_ok=True)
        trap.write_text(f"raise SystemExit('{name} was loaded')\n", encoding="utf-8")

    answer = recollect("search", "redis", "-s", str(kiln), ahead=tmp_path / "ahead")

    assert answer.returncode == 0, answer.stderr
    assert "Redis times out" in answer.stdout
