"""`recollect embed`: vectors by the configured provider, batch by batch."""

import json
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, cast

import pytest

from store.answers.embeddings import AT_ONCE
from tests.store.catalogue.stores import cognitive, memory, write
from tests.store.search.similar.provider import Local, answer
from tests.tui.cli.machine import Machine
from tests.tui.cli.test_meaning import switch_on

TITLES = ("Redis times out", "Cache goes away")
SECRET = "postgres://zoe:Ahr9eiw3Quoh@db.internal/kiln"  # noqa: S105  # no real one


def by_words(handler: BaseHTTPRequestHandler, local: Local) -> None:
    """Answers each text with a vector of its own."""
    said = cast("dict[str, Any]", local.asked[-1].body)["input"]
    texts = [said] if isinstance(said, str) else said
    vectors = [[1.0, 0.0] if "redis" in text.lower() else [0.0, 1.0] for text in texts]
    answer(json.dumps({"embeddings": vectors}).encode())(handler, local)


@pytest.fixture
def local(machine: Machine) -> Iterator[Local]:
    with Local(by_words) as serving:
        switch_on(machine, serving)
        yield serving


@pytest.fixture
def kiln(tmp_path: Path) -> Path:
    """Two memories without vectors."""
    store = cognitive(tmp_path / "kiln", 0)
    for number, title in enumerate(TITLES, start=1):
        write(store, f"graph/fixes/{number}.md", memory(number, title=title))
    return store


def sent(local: Local) -> list[list[str]]:
    bodies = [cast("dict[str, Any]", one.body)["input"] for one in local.asked]
    return [one for one in bodies if isinstance(one, list)]


def state(rows: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    last = rows[-1]
    return tuple(last[name] for name in ("memories", "vectors", "missing", "changed"))


def test_vectors_are_made_once_and_found_by_meaning(
    machine: Machine, kiln: Path, local: Local
) -> None:
    before = {path: path.read_bytes() for path in kiln.rglob("*") if path.is_file()}
    first = machine.run("embed", "-s", kiln, "--json")
    again = machine.run("embed", "-s", kiln, "--json")
    hits = machine.run("search", "redis", "-s", kiln, "--json", "--explain")

    assert (first.code, first.err, state(first.rows)) == (0, "", (2, 2, 0, 0))
    assert state(again.rows) == (2, 2, 0, 0)
    (texts,) = sent(local)
    assert any(text.startswith("Redis times out. ") for text in texts)
    assert [row["title"] for row in hits.rows] == ["Redis times out"]
    assert hits.rows[0]["reasons"][-1] == "meaning 1.00"
    assert before == {path: path.read_bytes() for path in before}
    assert len(list(kiln.rglob("*"))) == len([*before, *kiln.rglob("*/")])


def test_a_dry_run_says_how_much_and_where_and_sends_nothing(
    machine: Machine, kiln: Path, local: Local
) -> None:
    answer = machine.run("embed", "-s", kiln, "--dry-run", "--json")

    (row,) = answer.rows
    assert state([row]) == (2, 0, 2, 0)
    assert (row["provider"], row["model"]) == ("ollama", "nomic-embed-text")
    assert 0 < row["tokens"] < row["characters"]
    assert Path(row["file"]).name == "vectors.db"
    assert not Path(row["file"]).exists()
    assert local.asked == []


def test_after_a_failure_nothing_is_asked_twice(
    machine: Machine, tmp_path: Path
) -> None:
    store = cognitive(tmp_path / "large", 0)
    for number in range(AT_ONCE * 2 + 1):
        write(store, f"graph/fixes/{number}.md", memory(number, title=f"M{number}"))

    def fails_once(handler: BaseHTTPRequestHandler, local: Local) -> None:
        is_second = len(local.asked) == 2
        (answer(b"", 500) if is_second else by_words)(handler, local)

    with Local(fails_once) as local:
        switch_on(machine, local)
        broken = machine.run("embed", "-s", store, "--json")
        rest = machine.run("embed", "-s", store, "--json")
        texts = [text for batch in sent(local) for text in batch]

    assert broken.code == 1
    assert broken.err == (
        f"recollect: Ollama at {local.host} answered with error 500. {AT_ONCE} of "
        f"{AT_ONCE * 2 + 1} vectors are saved; run `recollect embed` again for the "
        "rest.\n"
    )
    assert state(broken.rows) == (101, 50, 51, 0)
    assert state(rest.rows) == (101, 101, 0, 0)
    assert [row["missing"] for row in rest.rows] == [1, 0]
    assert len(texts) == AT_ONCE * 3 + 1
    assert len(set(texts)) == AT_ONCE * 2 + 1


def test_only_what_changed_is_sent_again(
    machine: Machine, kiln: Path, local: Local
) -> None:
    machine.run("embed", "-s", kiln)
    (kiln / "graph/fixes/1.md").rename(kiln / "graph/fixes/moved.md")
    write(kiln, "graph/fixes/2.md", memory(2, title="Cache is back"))
    dry = machine.run("embed", "-s", kiln, "--dry-run", "--json")
    machine.run("embed", "-s", kiln)
    (kiln / "graph/fixes/2.md").unlink()
    after = machine.run("embed", "-s", kiln, "--json")

    assert state(dry.rows) == (2, 1, 1, 1)
    assert [len(batch) for batch in sent(local)] == [2, 1]
    assert state(after.rows) == (1, 1, 0, 0)


def test_health_says_what_is_left_to_embed(
    machine: Machine, kiln: Path, local: Local
) -> None:
    def told() -> list[str]:
        answer = machine.run("health", "--full", "-s", kiln, "--json")
        return [r["message"] for r in answer.rows if r["code"] == "embed-outdated"]

    never = told()
    machine.run("embed", "-s", kiln)
    made = told()
    write(kiln, "graph/fixes/2.md", memory(2, title="Cache is back"))
    write(kiln, "graph/fixes/3.md", memory(3, title="New"))
    (kiln / "graph/fixes/1.md").unlink()
    later = told()
    machine.run("embed", "-s", kiln)
    again = told()
    settings = machine.home / "config/recollect/config.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace("[semantic]", '[semantic]\nmodel = "other"'))

    assert (never, made, again) == ([], [], [])
    (other,) = told()
    assert "made by “nomic-embed-text”, not by “other”; run `recollect embed`" in other
    assert [message.partition(": ")[2] for message in later] == [
        "1 missing, 1 outdated, 1 of deleted memories; run `recollect embed`."
    ]
    assert local.asked


def test_secrets_are_sent_only_on_request(
    machine: Machine, kiln: Path, local: Local
) -> None:
    text = memory(1, title="Redis times out").replace("\n---\n", f"\n---\n{SECRET}\n")
    write(kiln, "graph/fixes/1.md", text)
    without = machine.run("embed", "-s", kiln, "--json")
    told = [text for batch in sent(local) for text in batch]
    beside = machine.run("embed", "-s", kiln, "--json", "--secrets")

    assert without.err == (
        "recollect: Left out 1 memory that may contain a secret; --secrets sends "
        "them, too.\n"
    )
    assert (without.rows[-1]["secret"], beside.rows[-1]["secret"]) == (1, 0)
    assert all(SECRET not in text for text in told)
    assert SECRET in sent(local)[-1][0]


def test_without_a_provider_nothing_is_sent(machine: Machine, kiln: Path) -> None:
    answer = machine.run("embed", "-s", kiln)

    assert answer.code == 1
    assert answer.err.startswith("recollect: No provider is configured, so nothing")


@pytest.mark.usefixtures("local")
def test_the_file_is_private_and_damage_is_reported(
    machine: Machine, kiln: Path
) -> None:
    machine.run("embed", "-s", kiln)
    (file,) = machine.home.rglob("vectors.db")
    mode = file.stat().st_mode & 0o777
    file.write_bytes(b"not a database, and longer than that" * 99)
    broken = machine.run("embed", "-s", kiln)
    hits = machine.run("search", "redis", "-s", kiln, "--json")

    assert mode == 0o600
    assert broken.code == 1
    assert "delete it and run `recollect embed`" in broken.err
    assert "delete it and run `recollect embed`" in hits.err
    assert [row["title"] for row in hits.rows] == ["Redis times out"]
