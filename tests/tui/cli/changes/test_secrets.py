"""A key in a store is never shown, whatever is changed, undone or compared."""

import json

import pytest

from tests.tui.cli.changes.stores import Desk

KEY = "sk-proj-NobodySeesThis"
NEW = "sk-proj-NorThisOneHere"


@pytest.fixture
def ref(graph: Desk) -> str:
    settings = {"embedding_provider": "openai", "openai_api_key": KEY}
    (graph.store / "_config.json").write_text(json.dumps(settings, indent=2))
    documents = graph.rows("list", "documents")
    (found,) = (row["ref"] for row in documents if row["path"] == "_config.json")
    return str(found)


def test_a_key_is_never_shown(graph: Desk, ref: str) -> None:
    planned = graph.run("set", ref, f"openai_api_key={NEW}", "--dry-run")
    assert "the change is in secret values" in planned.out
    graph.one("set", ref, f"openai_api_key={NEW}")

    told = [
        graph.run(*words, *more)
        for words in (
            ("undo", "--dry-run"),
            ("versions", ref, "--diff"),
            ("versions", ref),
            ("blame", ref),
            ("show", ref),
            ("history",),
            ("backups", ref),
            ("undo",),
            ("redo", "--dry-run"),
            ("redo",),
        )
        for more in ((), ("--json",))
        if (words, more) not in {(("undo",), ()), (("redo",), ())}
    ]
    settings = graph.store / "_config.json"
    changed = settings.read_bytes()
    backup = graph.rows("backups", ref)[-1]["backup"]
    told += [graph.run("return", ref, backup, *more) for more in (("--dry-run",), ())]
    assert KEY in settings.read_text()
    told.append(graph.run("undo", "--json"))
    assert settings.read_bytes() == changed
    settings.write_text(settings.read_text().replace("openai", "ollama"))
    refused = graph.run("undo")

    assert [answer.code for answer in told] == [0] * len(told)
    assert refused.code == 3
    assert '"embedding_provider": "ollama"' in refused.err
    for answer in (planned, *told, refused):
        assert KEY not in answer.out + answer.err
        assert NEW not in answer.out + answer.err
