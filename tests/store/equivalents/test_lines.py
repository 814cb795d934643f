"""Equivalent commands find what a query finds; missing parts are reported."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.equivalents import equivalent
from store.library import Library
from store.search.tree import All, Either, Named, Node, Not, Text
from tests.store.answers.journals import claim, make, opened, tree

NOON = 1_772_366_400_000_000

QUERIES = (
    ("measures", "kind:task name:audit", 2),
    ("measures", "kind:task duration>5m", 2),
    ("measures", "kind:task duration>5m -name:kiln", 1),
    ("measures", "name:glaze|name:fire", 2),
    ("measures", "kind:session,claim", 3),
    ("measures", "kind:claim source:REAL", 1),
    ("measures", "kind:claim pointer:tasks", 1),
    ("measures", "since:2026-02-28", 2),
    ("measures", "at<2026-02-28", 4),
    ("measures", "since:36h", 2),
    ("measures", "it's", 1),
    ("events", "is:error", 1),
    ("events", "session:bf053cbd", 3),
    ("agents", "started<2020", 0),
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    claims = (claim("it's hot", "tasks.jsonl#fire"), claim("so", "", "ESTIMATE-HTC"))
    with opened(tmp_path, make(tmp_path, *claims)) as library:
        yield library


@pytest.mark.skipif(
    not (shutil.which("jq") and shutil.which("sqlite3")), reason="they are not here"
)
@pytest.mark.parametrize(("kind", "text", "number"), QUERIES)
def test_a_line_finds_as_many_as_the_query(
    library: Library, kind: str, text: str, number: int
) -> None:
    query = tree(kind, text)
    found = library.search.equivalent(kind, query)
    ran = subprocess.run(  # noqa: S602  # a line for a shell is what this is about
        found.line, shell=True, capture_output=True, text=True, check=True
    )
    assert found.left_out in {(), ("merging of task lines",)}
    assert library.lists.count(kind, query) == number
    assert len(ran.stdout.splitlines()) == number


def test_for_a_call_and_its_result_jq_finds_the_line_of_the_call(
    library: Library,
) -> None:
    found = library.search.equivalent("events", tree("events", "tool:Bash"))
    assert '.name? == "Bash"' in found.line


def test_tasks_made_of_several_lines_are_reported(library: Library) -> None:
    tasks = library.search.equivalent("measures", tree("measures", "kind:task"))
    assert tasks.left_out == ("merging of task lines",)
    sessions = library.search.equivalent("measures", tree("measures", "kind:session"))
    assert not sessions.left_out


def test_parts_without_an_equivalent_are_left_out_and_reported(
    library: Library,
) -> None:
    found = library.search.equivalent("events", tree("events", "class:user tool:Bash"))
    assert found.left_out == ("event_class:user",)
    assert "Bash" in found.line

    found = library.search.equivalent(
        "events", tree("events", "-(class:user|tool:Bash)")
    )
    assert found.left_out == ("-(event_class:user|tool:Bash)",)
    assert found.line.startswith("jq -c . ")


def test_a_ledger_is_queried_in_sql_and_not_changed(library: Library) -> None:
    found = library.search.equivalent("agents", tree("agents", "o'neil"))
    assert found.line.startswith("sqlite3 -readonly ")
    assert "'o''neil'" in found.line
    assert len(found.left_out) == 1


def test_without_files_there_is_no_command() -> None:
    assert (
        equivalent("measures", All(()), [Path("/x/kei-memory.sqlite")], NOON).line == ""
    )
    assert equivalent("agents", All(()), [Path("/x/agents.jsonl")], NOON).line == ""


def test_many_files_of_a_folder_are_named_together() -> None:
    files = [Path("/a b/traces", f"{number}.jsonl") for number in range(9)]
    assert (
        equivalent("events", All(()), files, NOON).line
        == "jq -c . '/a b/traces'/*.jsonl"
    )


TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    min_size=1,
    max_size=20,
)
LEAVES = st.one_of(
    TEXTS.map(Text),
    TEXTS.map(lambda text: Named("name", (text,))),
    TEXTS.map(lambda text: Named("pointer", (text,))),
)
TREES: st.SearchStrategy[Node] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=1, max_size=3).map(lambda each: All(tuple(each))),
        st.lists(inner, min_size=1, max_size=3).map(lambda each: Either(tuple(each))),
    ),
    max_leaves=6,
)


@pytest.mark.skipif(not shutil.which("jq"), reason="it is not here")
@given(TREES)
def test_jq_accepts_any_line(query: Node) -> None:
    line = equivalent("measures", query, [Path("/dev/stdin")], NOON)
    assert line.line == ""
    line = equivalent("measures", query, [Path("/dev/null.jsonl")], NOON)
    given_line = json.dumps({"kind": "task", "name": "fire"})
    ran = subprocess.run(  # noqa: S602  # as above
        line.line.removesuffix(" /dev/null.jsonl"),
        shell=True,
        input=given_line,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
