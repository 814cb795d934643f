"""Messages are found by model, branch, tokens and cost, and so are conversations."""

import json
from pathlib import Path

import pytest

from store.catalogue.reader import Page
from store.kinds.messages import Message
from store.machine import Places
from tests.store.catalogue.search.question import asked
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.transcripts_stores import SESSION, SLUG


@pytest.fixture(autouse=True)
def transcript(shelf: Shelf) -> None:
    """Two replies of two models on two branches, and a prompt."""
    lines = [
        {"type": "user", "message": {"role": "user", "content": "Glaze it"}},
        *(
            {
                "type": "assistant",
                "gitBranch": branch,
                "message": {
                    "id": model,
                    "role": "assistant",
                    "model": model,
                    "content": [{"type": "text", "text": "Done"}],
                    "usage": {"input_tokens": tokens, "output_tokens": 100},
                },
            }
            for model, branch, tokens in (
                ("claude-opus-4", "main", 900),
                ("claude-haiku-4", "kiln", 400),
            )
        ),
    ]
    common = {"sessionId": SESSION, "cwd": "/home/zoe/kiln", "isSidechain": False}
    text = "".join(
        json.dumps(common | line | {"uuid": str(n), "timestamp": f"{shelf.now[:19]}Z"})
        + "\n"
        for n, line in enumerate(lines)
    )
    write(shelf.places[0], f"projects/{SLUG}/{SESSION}.jsonl", text)
    shelf.sync()


@pytest.mark.parametrize(
    ("query", "messages", "conversations"),
    [
        ("model:opus", 1, 1),
        ("model:claude", 2, 1),
        ("model:gpt", 0, 0),
        ("tokens>=1000", 1, 1),
        ("tokens:500", 1, 0),
        ("tokens>2000", 0, 0),
        ("branch:kiln", 1, 0),
        ("cost>0", 0, 0),
    ],
)
def test_fields_of_what_was_said(
    shelf: Shelf, query: str, messages: int, conversations: int
) -> None:
    assert len(asked(shelf, "messages", query)) == messages
    assert len(asked(shelf, "conversations", query)) == conversations


def test_messages_are_counted_by_model_and_branch(shelf: Shelf) -> None:
    with shelf.opened() as library:
        facets = library.search.facets("messages")

    assert facets["model"] == [("claude-haiku-4", 1), ("claude-opus-4", 1)]
    assert facets["branch"] == [("kiln", 1), ("main", 1)]


@pytest.mark.parametrize(
    ("sort", "first"), [("model", 2), ("branch", 2), ("tokens", 1), ("cost", 1)]
)
def test_what_was_said_is_sorted_by_these_fields(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, sort: str, first: int
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shelf.places[0] / "config"))
    prices = "[prices.claude]\ninput = 1000\noutput = 5000\n"
    write(Places.usual().config, "config.toml", prices)

    with shelf.opened() as library:
        found = list(library.lists.page("messages", Page(sort=sort)))
        whole = Page(sort="models" if sort == "model" else sort)
        assert len(list(library.lists.page("conversations", whole))) == 1

    assert next(one.uuid for one in found if isinstance(one, Message)) == str(first)


def test_what_was_said_costs_what_the_settings_say(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    prices = "[prices.claude-opus]\ninput = 1000\noutput = 5000\n"
    write(Places.usual().config, "config.toml", prices)

    assert len(asked(shelf, "messages", "cost>1.39 cost<1.41")) == 1
    assert len(asked(shelf, "messages", "cost>0")) == 1, "haiku has no price"
    assert len(asked(shelf, "conversations", "cost>1.39 cost<1.41")) == 1
