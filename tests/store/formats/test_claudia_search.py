"""Full text of documents and summaries: current texts, and stale ones."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.formats.claudia_stores import ask, database


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with database(tmp_path) as made:
        made.document("/m/insights/a.md", "insights", "Fixing the old kiln at night")
        made.document("/m/insights/a.md", "insights", "Fixing the new kiln, at dawn")
        made.document("/m/core/index.md", "core", "All about kilns and what to fix")
        made.document("/m/core/long.md", "core", "A kiln. " + "Other words. " * 50)
        made.document(
            "/m/episodes/e.md",
            "episodes",
            "Glazing",
            cwd="/src/tailfin",
            file_modified_at="2026-05-01T08:00:00Z",
        )
        made.conversation(
            "2026-02-20T18:00:00Z",
            "2026-02-20T19:00:00Z",
            summary="We fixed C++ code: don't (ever) AND/OR it",
            metadata='{"cwd": "/src/kilnbook"}',
        )
        made.conversation(
            "2026-02-21T18:00:00Z",
            "2026-02-21T19:00:00Z",
            summary="A skipped kiln",
            status="skipped",
        )
    return tmp_path


def ids(store: Path, *words: str) -> list[object]:
    return [row["id"] for row in ask(store, "search", *words)]


def test_words_are_found_in_any_inflection(store: Path) -> None:
    assert set(ids(store, "fixes")) == {"/m/insights/a.md", "/m/core/index.md", "1"}
    assert ids(store, "fixes", "dawn") == ["/m/insights/a.md"]


def test_pages_of_the_folder_come_first(store: Path) -> None:
    assert ids(store, "kiln")[0] == "/m/core/index.md"


def test_a_deleted_text_is_stale(store: Path) -> None:
    (row,) = ask(store, "search", "night")
    assert (row["id"], row["stale"]) == ("/m/insights/a.md", True)
    told = [row for row in ask(store, "search", "kiln") if row["id"] == row["id"]]
    assert [row["stale"] for row in told if row["id"] == "/m/insights/a.md"] == [False]


def test_a_duplicate_page_is_one_hit(store: Path) -> None:
    with sqlite3.connect(store / "anima.db") as connection:
        connection.execute(
            "INSERT INTO memory_search_fts SELECT * FROM memory_search_fts"
        )
    connection.close()

    assert len(ids(store, "kiln")) == len(set(ids(store, "kiln")))


@pytest.mark.parametrize(
    "words",
    [
        ("C++",),
        ("don't",),
        ("(ever)",),
        ("AND/OR",),
        ('"fixed C"',),
        ('"fixed C',),
        ("fixed", "code:"),
        ("NEAR(", "fixed"),
        ("*fixed", "-code"),
    ],
)
def test_no_word_is_syntax(store: Path, words: tuple[str, ...]) -> None:
    assert ids(store, *words) in (["1"], [])


def test_a_phrase_matches_in_order(store: Path) -> None:
    assert ids(store, '"new kiln"') == ["/m/insights/a.md"]
    assert ids(store, '"kiln new"') == []


def test_hits_can_be_filtered(store: Path) -> None:
    assert ids(store, "glazing", "category:episodes") == ["/m/episodes/e.md"]
    assert ids(store, "glazing", "category:core") == []
    assert ids(store, "fixed", "cwd:kilnbook") == ["1"]
    assert ids(store, "glazing", "from:2026-05-01") == ["/m/episodes/e.md"]
    assert ids(store, "glazing", "to:2026-05-01") == ["/m/episodes/e.md"]
    assert ids(store, "glazing", "from:2026-05-02") == []
    assert ids(store, "glazing", "to:2026-04-30") == []


def test_a_hit_shows_where_it_was_found(store: Path) -> None:
    (row,) = ask(store, "search", "glazing")

    assert row["category"] == "episodes"
    assert row["at"] == "2026-05-01T08:00:00Z"
    assert row["snippet"] == "Glazing"


def test_without_full_text_search_words_are_compared(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = "CREATE VIRTUAL TABLE found USING a_module_that_is_not_there(text)"
    monkeypatch.setattr("store.formats.claudia.reports._MAKE", poor)

    assert ids(store, "KILN", "fix") == ["/m/insights/a.md", "/m/core/index.md"]
    assert ids(store, "night") == ["/m/insights/a.md"]
    assert ids(store, "don't", "C++") == ["1"]
    assert "A kiln." in str(ask(store, "search", "kiln", "category:core")[1]["snippet"])


@given(words=st.lists(st.text(min_size=1), min_size=1, max_size=3))
def test_any_words_give_an_answer(
    tmp_path_factory: pytest.TempPathFactory, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("search")
    with database(folder) as made:
        made.document("/m/a.md", "core", " ".join(words))
    asked = ["kiln", *(word.replace(":", "") for word in words)]

    assert isinstance(ask(folder, "search", *asked), list)
