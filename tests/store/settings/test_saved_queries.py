"""Saved queries in the text of the settings; nothing else moves."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import NothingFoundError
from store.saved_queries import NotEditableError, deleted, saved

TEXT = """\
theme = "nord"  # the best

[queries]
# what fades
stale = "stage:fading" # weekly
"odd=one" = 'tag:"x#y"'

# about meaning
[semantic]
provider = "off"
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[queries]\nnew = "x"\n'),
        ("# mine", '# mine\n\n[queries]\nnew = "x"\n'),
        ("a = 1\n\n", 'a = 1\n\n[queries]\nnew = "x"\n'),
        ("[queries] # q\n\n[keys]\n", '[queries] # q\nnew = "x"\n\n[keys]\n'),
        ("a = 1\r\n[queries]\r\nb = ''", None),
        ("queries.a = ''\nb = 1\n", "queries.a = ''\nqueries.new = \"x\"\nb = 1\n"),
        (
            "[keys]\n  [queries]\n  a = '''\n[keys]\n'''\n",
            "[keys]\n  [queries]\n  a = '''\n[keys]\n'''\n  new = \"x\"\n",
        ),
        (
            "[queries.sub]\na = 1\n",
            '[queries.sub]\na = 1\n\n[queries]\nnew = "x"\n',
        ),
    ],
)
def test_a_query_is_added_after_the_others(before: str, after: str | None) -> None:
    expected = after or "a = 1\r\n[queries]\r\nb = ''\r\nnew = \"x\"\r\n"

    assert saved(before, "new", "x") == expected


def test_a_query_stays_out_of_the_comment_of_the_next_table() -> None:
    changed = saved(TEXT, "new", 'tag:a "b c" \\d')

    added = 'new = "tag:a \\"b c\\" \\\\d"\n'
    assert changed == TEXT.replace("\n\n# about", f"\n{added}\n# about")


def test_a_query_is_changed_in_place() -> None:
    assert saved(TEXT, "stale", "x") == TEXT.replace('"stage:fading"', '"x"')
    assert saved(TEXT, "odd=one", "x") == TEXT.replace("'tag:\"x#y\"'", '"x"')


def test_a_query_of_many_lines_is_replaced_completely() -> None:
    text = 'queries . a = """\n# one\ntwo""" # c\nb = 1\n'

    assert saved(text, "a", "x") == 'queries . a = "x" # c\nb = 1\n'


def test_a_query_is_deleted_and_nothing_else() -> None:
    assert deleted(TEXT, "stale") == TEXT.replace(
        'stale = "stage:fading" # weekly\n', ""
    )
    assert deleted("queries.a = ''\nb = 1\n", "a") == "b = 1\n"


def test_an_unknown_name_is_reported() -> None:
    with pytest.raises(NothingFoundError, match=r"^No saved query 'x'\.$"):
        deleted(TEXT, "x")


@pytest.mark.parametrize(
    "text", ["queries = {a = 'b'}", "queries = 3", "[[queries]]", "queries = {}"]
)
def test_unsafe_changes_are_refused(text: str) -> None:
    with pytest.raises(
        NotEditableError,
        match=r"Can't change the saved queries in this form; put them under",
    ):
        saved(text, "a", "x")


def test_unsafe_removals_are_refused() -> None:
    text = "queries = {a = 'b', c = 'd'}"
    with pytest.raises(NotEditableError):
        deleted(text, "a")


NAMES = st.text(min_size=1, max_size=8)
FILES = st.dictionaries(NAMES, st.text(max_size=12), max_size=5)
COMMENTS = st.lists(
    st.sampled_from(["", "# a", " \t", "# [queries]", "\t# b = 1"]), max_size=3
)


def written(queries: dict[str, str], comments: list[str], end: str) -> str:
    """A file with these queries, each below some comments."""
    text = ["mouse = true", *comments, " [queries] # all of them"]
    for name, query in queries.items():
        text += [*comments, saved("", name, query).split("\n")[1] + " # q"]
    return end.join([*text, *comments, "[keys]", "pin = 'p'"])


@given(FILES, COMMENTS, st.sampled_from(["\n", "\r\n"]), NAMES, st.text(max_size=12))
def test_a_query_is_saved_and_every_other_line_stays(
    queries: dict[str, str], comments: list[str], end: str, name: str, query: str
) -> None:
    before = written(queries, comments, end)

    after = saved(before, name, query)

    assert tomllib.loads(after)["queries"] == queries | {name: query}
    if name in queries:
        was, now = before.split("\n"), after.split("\n")
        assert sum(a != b for a, b in zip(was, now, strict=True)) <= 1
    else:
        assert deleted(after, name) == before
