"""Text made safe to show: nothing acts, nothing hides, ordinary text stays."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.clean import clean, hides_text

JOINERS = {"\u200c", "\u200d"}
SELECTORS = {"\ufe0e", "\ufe0f"}
SEEN_THOUGH_FORMAT = {
    *map(chr, range(0x0600, 0x0606)),
    *map(chr, range(0x13430, 0x13440)),
    *"\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd",
}
FILLERS = set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")

dangerous = st.sampled_from(
    [
        *map(chr, range(0xA1)),
        *FILLERS,
        *JOINERS,
        *SELECTORS,
        *"\u00ad\u061c\u180e\u200b\u200e\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff",
        *"\ufdd0\ufff9\ufffb\uffff\ud800\udcff\udfff\U000e0001\U000e0069\U000e0100\U0010ffff",
        *"\u0301\u0489\u20e3\u093c\u094d\u0dca\u0e49\U0001f3fb\U0001f1e9",
        *"aZ9#*⟨⟩␛…×क\u0644\u06cc漢👩❤🚀☺",
        "\r\n",
        "\u0301" * 9,
        "👩\u200d🚀",
        "\x1b]0;PWNED\x07",
    ]
)
texts = st.one_of(
    st.text(st.characters(codec=None)),
    st.lists(dangerous, max_size=30).map("".join),
)
ordinary = st.text(
    st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters=FILLERS)
)


def is_forbidden(character: str) -> bool:
    if character in JOINERS | SELECTORS | SEEN_THOUGH_FORMAT:
        return False
    code = ord(character)
    selects = 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF
    is_none = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    unseen = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return unseen or selects or is_none or character in FILLERS


@given(texts)
def test_no_forbidden_character_survives(text: str) -> None:
    assert not list(filter(is_forbidden, clean(text)))
    in_lines = clean(text, multiline=True).replace("\n", "")
    assert not list(filter(is_forbidden, in_lines))


@given(texts)
def test_cleaning_again_changes_nothing(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert clean(once, multiline=True) == once
    lines = clean(text, multiline=True)
    assert clean(lines, multiline=True) == lines


@given(texts)
def test_cleaned_text_hides_nothing(text: str) -> None:
    assert not hides_text(clean(text))
    assert not hides_text(clean(text, multiline=True))


@given(texts)
def test_lines_stay_lines(text: str) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    shown = clean(text, multiline=True)
    assert shown.count("\n") == len(lines) - 1
    assert "\n" not in clean(text)


@given(ordinary)
def test_ordinary_text_is_not_changed(text: str) -> None:
    assert clean(text) == text
    assert clean(text, multiline=True) == text
    assert not hides_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "Redis timeout",
        "Café — “résumé”",
        "cafe\u0301",
        "記憶と検索",
        "مرحبا بالعالم",
        "می\u200cکنم",
        "क्\u200dष and ශ්\u200dරී",
        "🚀 ❤\ufe0f ☺\ufe0e 1\ufe0f\u20e3 🇩🇪 👍🏽",
        "👩\u200d❤\ufe0f\u200d💋\u200d👨 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈",
        "[/usr/bin] [@click=app.quit]x",
        "no\u00a0break\u3000wide",
    ],
)
def test_harmless_text_stays_the_same(text: str) -> None:
    assert clean(text) == text
    assert clean(text, multiline=True) == text
    assert not hides_text(text)


def test_a_plain_title_costs_no_copy() -> None:
    title = "Redis timeout"
    assert clean(title) is title
    assert clean(title + " 漢字", multiline=True) == title + " 漢字"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]2;PWNED\x07", "␛]2;PWNED␇"),
        ("\0\x7f", "␀␡"),
        ("a\x9b31mb", "a⟨U+009B⟩31mb"),
        ("user\u202egnp.exe", "user⟨U+202E⟩gnp.exe"),
        ("\u2066a\u2069", "⟨U+2066⟩a⟨U+2069⟩"),
        ("ad\u200bmin", "ad⟨U+200B⟩min"),
        ("\ufeffa", "⟨U+FEFF⟩a"),
        ("pass\u00adword", "pass⟨U+00AD⟩word"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("a\ufff9b\ufffb", "a⟨U+FFF9⟩b⟨U+FFFB⟩"),
        ("\uffff\U0010fffe", "⟨U+FFFF⟩⟨U+10FFFE⟩"),
        ("\u3164", "⟨U+3164⟩"),
        ("bad\udcff\ud83d", "bad\ufffd\ufffd"),
        ("hi" + "".join(map(chr, range(0xE0061, 0xE0072))), "hi⟨U+E0061 …×17⟩"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("a\u200cb", "a⟨U+200C⟩b"),
        ("a\ufe0f", "a⟨U+FE0F⟩"),
        ("🚀\ufe0f\ufe0f", "🚀\ufe0f⟨U+FE0F⟩"),
        ("🚀\u200d", "🚀⟨U+200D⟩"),
        ("🚀\u200d\u200d🚀", "🚀⟨U+200D⟩⟨U+200D⟩🚀"),
    ],
)
def test_invisible_characters_become_a_mark(text: str, shown: str) -> None:
    assert clean(text) == shown
    assert clean(text, multiline=True) == shown


def test_lines_and_tabs_depend_on_the_place() -> None:
    text = "a\tb\r\nlonger\tc\rd\n"
    assert clean(text) == "a b␍␊longer c␍d␊"
    assert clean(text, multiline=True) == "a   b\nlonger  c␍d\n"


def test_marks_are_stacked_eight_high() -> None:
    assert clean("e" + "\u0301" * 8) == "e" + "\u0301" * 8
    assert clean("e" + "\u0301" * 50) == "e" + "\u0301" * 8 + "⟨marks …×42⟩"
    assert clean("ก" + "\u0e49" * 9 + "…" * 9) == (
        "ก" + "\u0e49" * 8 + "⟨marks …×1⟩" + "…" * 9
    )


def test_emoji_are_not_joined_endlessly() -> None:
    shown = clean("\u200d".join("🚀" * 100))
    assert shown.count("🚀") == 100
    assert shown.count("⟨U+200D⟩") == 12


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[8m",
        "\x9b8m",
        "a\x08",
        "a\u202eb",
        "a\u200eb",
        "a\u200bb",
        "a\u200db",
        "\u2060",
        "\ufeff",
        "\U000e0069",
        "漢\U000e0100",
        "x\ufe0f",
        "\u3164",
        "\u115f\u1160",
        "pass\u00adword",
    ],
)
def test_hidden_text_is_reported(text: str) -> None:
    assert hides_text(text)
    assert hides_text("first line\n" + text)


@pytest.mark.parametrize("text", ["", "a\tb\r\nc\n", "\udcff", "e" + "\u0301" * 99])
def test_unusual_text_is_not_called_hidden(text: str) -> None:
    assert not hides_text(text)


@pytest.mark.parametrize(
    "piece", ["\x1b", "a\x1b", "\u200d", "\u0301", "क्\u200d", "👩\u200d", "│─ ", "\t"]
)
def test_megabytes_are_cleaned_like_pieces(piece: str) -> None:
    shown = clean(piece * 200_000, multiline=True)
    assert clean(shown, multiline=True) == shown
    assert not hides_text(shown)
