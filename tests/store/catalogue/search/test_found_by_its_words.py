"""A record is found by each word of its title, and any eight characters of its text.

A quoted text means itself. Only a lone surrogate can't be typed; it is shown as `?` and
found by that.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.kinds.journals import Event
from store.kinds.memories import MemoryInFull
from store.kinds.messages import MessageInFull
from store.kinds.pages import DocumentInFull, Episode
from store.library import Library, Page
from store.text import fold
from tests.examples import examples
from tests.store.catalogue.search.question import asked, phrase, rows, tree_of
from tests.store.catalogue.stores import Shelf, memory, write
from tests.store.formats import kei_stores
from tests.store.formats import transcripts_stores as told

WINDOW = 8

_RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x1C4, 0x1CC),
    (0x300, 0x36F),
    (0x386, 0x3CE),
    (0x400, 0x45F),
    (0x5D0, 0x5EA),
    (0x620, 0x660),
    (0x905, 0x940),
    (0xE01, 0xE4F),
    (0x1100, 0x1112),
    (0xAC00, 0xAC50),
    (0x3041, 0x3096),
    (0x4E00, 0x4E80),
    (0xFB00, 0xFB06),
    (0xFF01, 0xFF5E),
    (0x1D400, 0x1D420),
    (0x1F600, 0x1F620),
)
ALPHABET = st.one_of(
    *(st.characters(min_codepoint=a, max_codepoint=b) for a, b in _RANGES),
    st.sampled_from(
        "\n\t  -_./:\\'\"()*^~|<>=,;%\u200d\u200b\u00ad\u2028\u0131\u0130\u017f\u212a"
    ),
    st.characters(exclude_categories=["Cs"]),
)
SPOKEN = st.text(ALPHABET, min_size=1, max_size=60)

WRITTEN = [
    "Straße, STRASSE, straße und Maße",
    "ﬁnance and ﬂow: the ﬁrst oﬃce",
    "İstanbul ıssız Iğdır istanbul",  # noqa: RUF001  # look-alikes are meant
    "Ο Οδυσσεύς ΟΔΥΣΣΕΥΣ οδυσσεύς",  # noqa: RUF001  # look-alikes are meant
    "nai\u0308ve cafe\u0301 résumé Ångström",
    "日本語の全文検索を試す。二文字でも見つかる",
    "การค้นหาข้อความภาษาไทยไม่มีช่องว่าง",
    "한국어 검색은 형태소 없이도 된다",
    "\u1112\u1161\u11ab\u1100\u1173\u11af 한글",
    "البحث في النص العَرَبِيّ المُشَكَّل",
    "खोज हिन्दी में क्षत्रिय ज्ञान",
    "👩‍👩‍👧 family, ❤️ heart, 🇨🇭 flag, 👍🏽 thumb",
    "store.catalogue.words::index->upto[0] != NULL && a_b-c/d\\e",
    'don\'t say "never" (or * or ?) -- 100 % of a:b;c|d',
    "C:\\temp\\x.py https://a.b/c?d=e&f#g user@example.org",
    "ΑΣ ας ΑΣ. ς σ Σ; ǅ ǆ Ǆ, ſ s K k",  # noqa: RUF001  # look-alikes are meant
    "𝒜𝓁𝓅𝒽𝒶 Ｆｕｌｌｗｉｄｔｈ ① ² ½ ㎏",  # noqa: RUF001  # look-alikes are meant
    "line one\nline two\r\nline three\ttabbed",
    "a\u0338b\u20ddc e\u0323\u0302 o\u031b",
    "x" * 300 + "needle" + "y" * 300,
]
"""Texts in many scripts, with what is folded in them and what is not."""


def day(summary: str) -> str:
    """A page of episodes with one of them."""
    return f"# 2026-02-28\n\n## 10:30 - One day\n**Type:** fix\n\n{summary}\n"


def shown(library: Library, ref: str) -> str:
    """The text that a record shows."""
    match library.records.show(ref):
        case MemoryInFull(body=text) | DocumentInFull(text=text):
            return text
        case MessageInFull(message=message):
            return message.text or ""
        case Episode(summary=text) | Event(message=text):
            return text or ""
        case other:
            raise AssertionError(other)


def windows(text: str) -> list[str]:
    """Substrings of a length; of a long text, some."""
    last = max(0, len(text) - WINDOW)
    begins = range(0, last + 1, last // 12 + 1)
    found = [text[begin : begin + WINDOW] for begin in (*begins, last)]
    return [one for one in found if one]


class Said:
    """One text in every kind of record that has one."""

    def __init__(self, place: Path, text: str) -> None:
        self.shelf = Shelf(place / "catalogue.db", place / "stores")
        stores = place / "stores"
        (stores / "a/episodes").mkdir(parents=True)
        write(stores / "a", "graph/fixes/one.md", memory(1, body=text))
        write(stores / "a", "graph/fixes/other.md", memory(2, body="Nothing."))
        write(stores / "a", "episodes/2026-02-28.md", day(text))
        (stores / "projects" / told.SLUG).mkdir(parents=True)
        told.put(
            stores / "projects" / told.SLUG / f"{told.SESSION}.jsonl",
            told.user("ask", text, 1),
            told.assistant("answer", told.says("Nothing."), second=2),
        )
        kei_stores.write(
            stores / "kei/.claude/memory",
            kei_stores.TRACE,
            kei_stores.jsonl(kei_stores.user(text)),
        )
        self.shelf.sync()

    def texts(self, library: Library) -> Iterator[tuple[str, str, str]]:
        """Each kind of record, its ref, and its text."""
        for kind in ("memories", "documents", "episodes", "messages", "events"):
            for record in rows(library, kind, tree_of("")):
                yield kind, str(record.ref), shown(library, str(record.ref))


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Łukasz", ("lukasz", "Lukasz", "Łukasz", "ukas", "łu")),
        ("Sørensen", ("sorensen", "Soren", "Søren", "ren")),
        ("Đorđe", ("dorde", "Dorde", "đor", "orđ")),
        ("Weißstraße", ("weissstrasse", "strasse", "weiß", "ssstr")),
        ("Færøyene", ("faeroyene", "Faeroyene", "æ", "aero")),
        ("Þórður", ("thordur", "Thor", "þór")),
        ("Ħaż-Żebbuġ", ("haz-zebbug", "haz", "zebbug")),
        ("ﬁnance", ("finance", "ﬁn", "inan")),
        ("Ｆｕｌｌ", ("full", "Full", "ul")),  # noqa: RUF001  # look-alikes are meant
    ],
)
def test_a_name_is_found_by_its_plain_letters(
    tmp_path: Path, name: str, typed: tuple[str, ...]
) -> None:
    said = Said(tmp_path, f"Ask-{name} at noon, not Lucas.")
    plain = Said(tmp_path / "plain", f"Ask-{fold(name)} at noon.")
    for text in typed:
        for one in (said, plain) if text == text.lower() else (said,):
            for kind in ("memories", "documents", "episodes", "messages", "events"):
                wanted = asked(one.shelf, kind, "noon")
                assert wanted
                assert asked(one.shelf, kind, phrase(text)) == wanted, (kind, text)


def found_by_any_part(place: Path, text: str) -> set[str]:
    """Say a text in every kind of record, and look for its parts; the kinds."""
    said = Said(place, text)
    with said.shelf.opened() as library:
        kinds: set[str] = set()
        for kind, ref, whole in said.texts(library):
            kinds.add(kind)
            for part in windows(whole):
                found = rows(library, kind, tree_of(phrase(part), kind))
                assert ref in {record.ref for record in found}, (kind, part)
        return kinds


@pytest.mark.parametrize("text", WRITTEN, ids=range(len(WRITTEN)))
def test_natural_text_is_found_by_any_part(tmp_path: Path, text: str) -> None:
    kinds = found_by_any_part(tmp_path, text)
    assert kinds == {"memories", "documents", "episodes", "messages", "events"}


@examples(25)
@given(SPOKEN)
@example("A" * 50 + "ß" * 50)
@example("\u0301a\u0301 \u0301")
def test_any_text_is_found_by_any_part(text: str) -> None:
    with TemporaryDirectory() as folder:
        assert found_by_any_part(Path(folder), text) >= {"memories", "documents"}


@examples(25)
@given(st.text(ALPHABET, min_size=1, max_size=40))
def test_a_memory_is_found_by_every_word_of_its_title(title: str) -> None:
    with TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder) / "catalogue.db", Path(folder) / "stores")
        (shelf.places[0] / "a/episodes").mkdir(parents=True)
        text = memory(1, title="TITLE").replace('"TITLE"', json.dumps(title))
        write(shelf.places[0] / "a", "graph/fixes/one.md", text)
        shelf.sync()
        (row,) = shelf.memories()
        with shelf.opened() as library:
            for word in row.title.split():
                for query in (
                    phrase(word),
                    f"in:title {phrase(word)}",
                    f"^{phrase(row.title)}",
                ):
                    assert rows(library, "memories", tree_of(query)) == [row], word
                assert (
                    library.search.best(tree_of(phrase(word)), Page()).hits[0].record
                    == row
                )


def test_a_lone_surrogate_is_found_as_it_is_shown(tmp_path: Path) -> None:
    broken = told.user("ask", "HALF", 1)
    path = tmp_path / "stores/projects" / told.SLUG / f"{told.SESSION}.jsonl"
    told.put(path, told.dumped([broken]).replace(b"HALF", rb"one \ud83d two").strip())
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    shelf.sync()

    (message,) = shelf.messages()
    assert message.text == "one ? two"
    for query in ('"one ? two"', '"one \ud83d two"', "\udfff two"):
        assert asked(shelf, "messages", query) == [message]
