"""Changing single lines of a handwritten index keeps every other byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.formats.notes.edit_index import Listed
from store.formats.notes.edit_index import added_lines as added
from store.formats.notes.edit_index import changed_lines as changed
from store.formats.notes.edit_index import dropped_lines as dropped

TABS = Listed("tabs.md", "Tabs", "Not spaces", "user")
NEW = Listed("new.md", "New", "Words", "user")

PROSE = st.sampled_from(
    ["", "# Head", "Text [x](y.md).", "| a | b |", "```", "[[z]]", "* no link", "---"]
) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\n`"))


@st.composite
def items(draw: st.DrawFn, path: str = "") -> str:
    """A list item with a link, in one of the usual styles."""
    bullet = draw(st.sampled_from(["- ", "* ", "  + ", "-\t"]))
    between = draw(st.sampled_from([" — ", ": ", " - ", " "]))
    target = path or draw(st.sampled_from(["a.md", "b%20c.md", "./d.md#e", "<f.md>"]))
    return f"{bullet}[{draw(st.sampled_from(['A', 'B b', '`c`']))}]({target}){between}x"


@st.composite
def indexes(draw: st.DrawFn) -> tuple[list[str], str, str]:
    """Lines, their line ending, and the end of the last one."""
    lines = draw(st.lists(PROSE | items(), max_size=8))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return ["# Kept by hand", *lines], newline, draw(st.sampled_from(["", newline]))


def placed(index: tuple[list[str], str, str], line: str, at: int) -> list[str]:
    lines = index[0]
    place = 1 + at % len(lines)
    return [*lines[:place], line, *lines[place:]]


@given(indexes(), items("tabs.md"), st.integers(0, 20))
def test_an_item_is_removed_alone(
    index: tuple[list[str], str, str], item: str, at: int
) -> None:
    _, newline, end = index
    lines = placed(index, item, at)
    if any("```" in line for line in lines):
        return
    rest = [line for line in lines if line is not item]

    after = dropped("", "tabs.md")(newline.join(lines) + end)

    assert after.rstrip("\r\n") == newline.join(rest).rstrip("\r\n")


@given(indexes(), st.integers(0, 20))
def test_only_the_item_of_a_note_follows_it(
    index: tuple[list[str], str, str], at: int
) -> None:
    _, newline, end = index
    item = "* [Tabs](tabs.md#why) – Not spaces"
    lines = placed(index, item, at)
    if any("```" in line for line in lines):
        return
    wanted = ["* [New](new.md#why) – Words" if line is item else line for line in lines]

    after = changed("", TABS, NEW)(newline.join(lines) + end)

    assert after == newline.join(wanted) + end


@given(indexes())
def test_an_item_is_added_and_nothing_else_moves(
    index: tuple[list[str], str, str],
) -> None:
    lines, newline, end = index
    text = newline.join(lines) + end

    after = added("", NEW, {})(text)

    told = [line.removesuffix("\r") for line in after.split("\n")]
    (new,) = (line for line in told if "](new.md)" in line)
    assert [line for line in told if line and line is not new] == [
        line for line in lines if line
    ]
    assert "```" in text or added("", NEW, {})(after) == after


HEADED = "---\na: b\n---\n* [A](a.md)\n* [New](new.md) — Words\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "- [New](new.md) — Words\n"),
        ("# Notes\n", "# Notes\n\n- [New](new.md) — Words\n"),
        ("# Notes", "# Notes\n\n- [New](new.md) — Words\n"),
        ("Text\n\n", "Text\n\n- [New](new.md) — Words\n"),
        ("x\n- [A](a.md)", "x\n- [A](a.md)\n- [New](new.md) — Words"),
        ("- [A](a.md) — b\r\n", "- [A](a.md) — b\r\n- [New](new.md) — Words\r\n"),
        ("---\na: b\n---\n* [A](a.md)\n", HEADED),
    ],
)
def test_an_item_is_added_after_the_last(text: str, after: str) -> None:
    assert added("", NEW, {})(text) == after


def test_an_item_is_added_among_its_type() -> None:
    text = "# U\n- [A](a.md)\n# P\n- [B](b.md)\n"

    after = added("", NEW, {"a.md": "user", "b.md": "project"})(text)

    assert after == "# U\n- [A](a.md)\n- [New](new.md) — Words\n# P\n- [B](b.md)\n"


def test_chosen_words_stay() -> None:
    text = "x\n- [My tabs](tabs.md) — because I said so\n"

    assert changed("", TABS, NEW)(text) == (
        "x\n- [My tabs](new.md) — because I said so\n"
    )


def test_links_of_an_index_in_a_folder_are_relative_to_it() -> None:
    text = "x\n- [Tabs](tabs.md) — Not spaces\n"
    old, new = TABS._replace(path="team/tabs.md"), NEW._replace(path="b (1).md")

    assert changed("team", old, new)(text) == "x\n- [New](../b%20%281%29.md) — Words\n"
