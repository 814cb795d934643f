"""Every kind of problem is found in some story, and those that no other test names."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from store.files.json_read import LONGEST
from tests.project import sources
from tests.store.catalogue.stores import Shelf, memory, write
from tests.store.formats.kei_databases import make_database
from tests.store.formats.transcripts_stores import SESSION, SLUG, user
from widgets.problems import NAMES

_QUOTED = re.compile(r"""["']([a-z][a-z0-9-]+)["']""")


def test_every_code_is_named_by_a_test() -> None:
    texts = [path.read_text("utf-8") for path in sources("tests")]
    named = {word for text in texts for word in _QUOTED.findall(text)}

    assert NAMES.keys() - named == set()


def test_files_of_transcripts_that_no_one_can_read(shelf: Shelf) -> None:
    folder = f"projects/{SLUG}"
    good = json.dumps(user("a", "Hello"))
    for path, text in {
        f"{SESSION}.jsonl": f"{good}\n{'x' * (LONGEST + 1)}\n{good}\n",
        "other.jsonl": '{"some": "thing"}\n' * 200,
        "sessions-index.json": "[]",
        f"{SESSION}/subagents/agent-x.meta.json": "{",
        f"{SESSION}/subagents/agent-y.meta.json": '{"description": "Looks"}',
    }.items():
        write(shelf.places[0], f"{folder}/{path}", text)
    shelf.sync()

    found = {(one.code, Path(one.path).name) for one in shelf.problems()}
    assert found == {
        ("broken-facts", "agent-x.meta.json"),
        ("broken-index", "sessions-index.json"),
        ("line-too-long", f"{SESSION}.jsonl"),
        ("no-transcript", "other.jsonl"),
    }


def test_a_row_that_is_too_large_is_left_out(shelf: Shelf) -> None:
    database = shelf.places[0] / "memory/kei-memory.sqlite"
    database.parent.mkdir(parents=True)
    make_database(database)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "UPDATE events SET message = zeroblob(?) WHERE id = 1", (LONGEST + 1,)
        )
        connection.commit()
    shelf.sync()

    assert "lost-row" in shelf.codes()


def test_the_flaws_of_one_header_are_listed_up_to_a_limit(shelf: Shelf) -> None:
    for number, count in ((1, 50), (2, 51)):
        copies = "1" + "\nx: 1" * count
        write(shelf.places[0], f"a/graph/fixes/{number}.md", memory(number, x=copies))
    shelf.sync()

    found = [one.path for one in shelf.problems() if one.code == "more-flaws"]
    assert found == ["graph/fixes/2.md"]
