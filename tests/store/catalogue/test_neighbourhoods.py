"""After any incremental update, a catalogue equals a fresh one."""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.catalogue.database import open_database
from store.catalogue.partial_sync import read_near
from store.catalogue.sync import sync
from store.catalogue.words import index_words
from store.discover import Found
from store.formats.agent_memory import format as agent_memory
from store.formats.cognitive.format import CognitiveFormat
from store.formats.kei import format as kei
from store.formats.notes.format import NotesFormat
from store.formats.pages.format import PagesFormat
from store.formats.port import Format
from tests.examples import examples
from tests.store.catalogue.stores import NOON, edge, memory, note, relation, silent
from tests.store.catalogue.whole import rows_of
from tests.store.formats.agent_memory_stores import thing
from tests.store.formats.kei_stores import CLAIMS, SESSIONS, TASKS, jsonl

Files = Mapping[str, str | None]
"""What files say, by their paths; None of those that are not there."""

_STEMS = ("alpha", "beta", "x")
_RENAMED = ("gone-000000", "gone-ffffff")
"""The names of files that are gone; they end as the identifiers of memories begin."""

_NUMBER = st.integers(1, 4)
_AHEAD = "2499-01-01T00:00:00Z"
_TITLE = st.sampled_from(["Alpha", "Beta", "alpha", "Gamma beta"])
_KIND = st.sampled_from(["SOLVES", "CAUSES"])
_LINKED = st.lists(st.sampled_from([*_STEMS, "Gamma beta"]), max_size=2)

_RELATIONS = st.lists(
    st.builds(
        relation,
        _NUMBER,
        st.sampled_from(["outgoing", "incoming"]),
        _KIND,
        st.none() | _NUMBER.map(str),
    ),
    max_size=2,
)


@st.composite
def _memories(draw: st.DrawFn) -> str:
    links = "".join(f"See [[{name}]].\n" for name in draw(_LINKED))
    fields = draw(
        st.sampled_from(
            [
                {},
                {"type": "odd"},
                {"extra": "one"},
                {"merged_from": "[ffffff00-1]"},
                {"created": _AHEAD},
            ]
        )
    )
    text = memory(
        draw(_NUMBER),
        *draw(_RELATIONS),
        title=draw(_TITLE),
        body=f"Body.\n{links}",
        **fields,
    )
    nameless = draw(st.integers(0, 5)) == 0
    return text if not nameless else text.replace("\nid:", "\nno_id:")


@st.composite
def _edges(draw: st.DrawFn) -> str:
    start, end, number = draw(_NUMBER), draw(_NUMBER), draw(_NUMBER)
    fields = draw(
        st.sampled_from(
            [{}, {"strength": "high"}, {"from_title": "Alpha"}, {"created": _AHEAD}]
        )
    )
    return edge(number, start, end, draw(_KIND), **fields)


@st.composite
def _days(draw: st.DrawFn) -> str:
    return "# 2026-03-01\n\n" + "".join(
        f"## 1{hour}:00 — Done\n\n- **Type:** fix\n"
        f"- **Memory:** [{stem}](../{folder}/{stem}.md)\n\nSo.\n\n"
        for hour, (folder, stem) in enumerate(draw(_LINKS_TO_FILES))
    )


@st.composite
def _summaries(draw: st.DrawFn) -> str:
    return "# Core\n\n" + "".join(
        f"- [{stem}]({folder}/{stem}.md) - about it\n"
        for folder, stem in draw(_LINKS_TO_FILES)
    )


_LINKS_TO_FILES = st.lists(
    st.tuples(
        st.sampled_from(["graph/fixes", "vault"]),
        st.sampled_from([*_STEMS, *_RENAMED]),
    ),
    max_size=3,
)


@st.composite
def _notes(draw: st.DrawFn) -> str:
    linked = [*draw(_LINKED), *draw(st.lists(st.sampled_from(_RENAMED), max_size=1))]
    links = "".join(f"[[{stem}]] or [it](sub/{stem}.md)\n" for stem in linked)
    text = note(draw(_TITLE), f"Text.\n{links}")
    own = draw(
        st.sampled_from(["", "id: beta\n", "id: third name\n", "id: 000000-1\n"])
    )
    return text.replace("\ntype:", f"\n{own}type:", 1)


@st.composite
def _indexes(draw: st.DrawFn) -> str:
    listed = draw(st.lists(st.sampled_from(_STEMS), max_size=4))
    return "".join(f"- [{stem}]({stem}.md) — About it\n" for stem in listed)


_MEMORY = [
    *(
        f"graph/{folder}/{stem}.md"
        for folder in ("fixes", "fixes/in")
        for stem in _STEMS
    ),
    *(f"vault/{stem}.md" for stem in _STEMS),
]
_EDGE = [
    f"graph/edges/a--{kind}--b-{n}.md" for kind in ("SOLVES", "CAUSES") for n in "12"
]
_NOTE = [f"{folder}{stem}.md" for folder in ("", "sub/", "archive/") for stem in _STEMS]


def _some(
    paths: Sequence[str], texts: st.SearchStrategy[str]
) -> st.SearchStrategy[Files]:
    """Some files, each with content or deleted."""
    said = st.none() | texts
    return st.dictionaries(st.sampled_from(paths), said, max_size=3)


def _all(*parts: st.SearchStrategy[Files]) -> st.SearchStrategy[Files]:
    """Several kinds of files at once."""
    return st.tuples(*parts).map(
        lambda each: {k: v for part in each for k, v in part.items()}
    )


_GRAPHS = _all(
    _some(_MEMORY, _memories()),
    _some(_EDGE, _edges()),
    _some(["episodes/2026-03-01.md"], _days()),
    _some(["CORE.md"], _summaries()),
)
_FOLDERS = _all(_some(_NOTE, _notes()), _some(["MEMORY.md"], _indexes()))


@st.composite
def _things(draw: st.DrawFn) -> str:
    kinds = st.sampled_from(["core", "learning", "task"])
    told = draw(st.lists(st.builds(thing, _NUMBER, kinds), max_size=4))
    return draw(st.sampled_from(["", "broken\n"])) + jsonl(*told)


_MEASURED = st.lists(
    st.sampled_from(
        [
            {"kind": "start", "name": "a", "ts": NOON},
            {"name": "a", "duration_s": 4},
            {"value": "6", "evidence_tier": "REAL", "pointer": "cone", "ts": NOON},
        ]
    ),
    max_size=3,
).map(lambda told: jsonl(*told))
_SERVED = _some(
    ["core_memories.jsonl", "learnings.jsonl", "archive/2026/learnings_2026_Q1.jsonl"],
    _things(),
)
_JOURNALS = _some([TASKS, SESSIONS, CLAIMS], _MEASURED)


def _write(root: Path, files: Files) -> None:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.write_text(text)


@pytest.mark.parametrize(
    ("form", "changes"),
    [
        (CognitiveFormat(), _GRAPHS),
        (NotesFormat(), _FOLDERS),
        (PagesFormat(), _some(_NOTE, _notes())),
        (agent_memory.FORMAT, _SERVED),
        (kei.FORMAT, _JOURNALS),
    ],
)
def test_reading_nearby_gives_the_same_as_reading_everything(
    form: Format, changes: st.SearchStrategy[Files]
) -> None:
    @examples(10)
    @given(st.lists(changes, min_size=2, max_size=4))
    def same(rounds: list[Files]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            _same_after_each(Path(folder), form, rounds)

    same()


def _same_after_each(folder: Path, form: Format, rounds: list[Files]) -> None:
    root = folder / "memory"
    (root / "graph").mkdir(parents=True)
    (root / "episodes").mkdir()
    found = Found(root, form)
    first, *others = rounds
    _write(root, first)
    connection, _ = open_database(folder / "near.db")
    with closing(connection):
        sync(connection, [found], silent)
        for number, files in enumerate(others):
            known = [
                path
                for path, text in files.items()
                if text is not None or (root / path).exists()
            ]
            _write(root, files)
            if read_near(connection, found, known):
                index_words(connection)
            else:
                sync(connection, [found], silent)
            anew = folder / f"anew-{number}.db"
            fresh, _ = open_database(anew)
            with closing(fresh):
                sync(fresh, [found], silent)
            assert rows_of(folder / "near.db") == rows_of(anew)


def test_an_edge_is_no_duplicate_once_the_other_file_is_deleted(
    tmp_path: Path,
) -> None:
    """Both files join the same memories, and only one of them is read."""
    first, second = "graph/edges/a--SOLVES--b-1.md", "graph/edges/a--SOLVES--b-2.md"
    graph: Files = {
        "graph/fixes/alpha.md": memory(1, title="Alpha", body="Body.\n"),
        "graph/fixes/beta.md": memory(2, title="Beta", body="Body.\n"),
        first: edge(1, 1, 2, "SOLVES"),
        second: edge(2, 1, 2, "SOLVES"),
    }

    _same_after_each(tmp_path, CognitiveFormat(), [graph, {first: None}])
    _same_after_each(
        tmp_path / "again", CognitiveFormat(), [{**graph, first: None}, graph]
    )
