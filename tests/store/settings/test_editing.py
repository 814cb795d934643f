"""Saved queries in the text of the settings: nothing else moves."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import NothingFoundError
from store.settings.editing import (
    NameTakenError,
    NotEditableError,
    deleted,
    renamed,
    saved,
)

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
def test_a_query_comes_behind_the_others(before: str, after: str | None) -> None:
    expected = after or "a = 1\r\n[queries]\r\nb = ''\r\nnew = \"x\"\r\n"

    assert saved(before, "new", "x") == expected


def test_a_query_stays_out_of_what_is_said_of_the_next_table() -> None:
    changed = saved(TEXT, "new", 'tag:a "b c" \\d')

    added = 'new = "tag:a \\"b c\\" \\\\d"\n'
    assert changed == TEXT.replace("\n\n# about", f"\n{added}\n# about")


def test_a_query_is_changed_where_it_stands() -> None:
    assert saved(TEXT, "stale", "x") == TEXT.replace('"stage:fading"', '"x"')
    assert saved(TEXT, "odd=one", "x") == TEXT.replace("'tag:\"x#y\"'", '"x"')


def test_a_query_that_has_many_lines_gives_way_whole() -> None:
    text = 'queries . a = """\n# one\ntwo""" # c\nb = 1\n'

    assert saved(text, "a", "x") == 'queries . a = "x" # c\nb = 1\n'


def test_a_query_is_renamed_where_it_stands() -> None:
    assert renamed(TEXT, "stale", "a b") == TEXT.replace("stale", '"a b"')
    assert renamed(TEXT, "odd=one", "even") == TEXT.replace('"odd=one"', "even")
    assert renamed('queries."a.b"="x"\n', "a.b", "c") == 'queries.c="x"\n'
    assert renamed(TEXT, "stale", "stale") == TEXT


def test_a_query_is_deleted_and_nothing_else() -> None:
    assert deleted(TEXT, "stale") == TEXT.replace(
        'stale = "stage:fading" # weekly\n', ""
    )
    assert deleted("queries.a = ''\nb = 1\n", "a") == "b = 1\n"


def test_a_name_that_is_not_there_is_told() -> None:
    with pytest.raises(NothingFoundError, match=r"^No saved query is called 'x'\.$"):
        deleted(TEXT, "x")
    with pytest.raises(NothingFoundError):
        renamed(TEXT, "x", "y")


def test_a_name_that_is_taken_is_told() -> None:
    sentence = r"^Another saved query is called 'odd=one'\.$"
    with pytest.raises(NameTakenError, match=sentence):
        renamed(TEXT, "stale", "odd=one")


@pytest.mark.parametrize(
    "text", ["queries = {a = 'b'}", "queries = 3", "[[queries]]", "queries = {}"]
)
def test_what_cannot_be_changed_safely_is_refused(text: str) -> None:
    with pytest.raises(NotEditableError, match=r"a heading of their own, \[queries\]"):
        saved(text, "a", "x")


def test_what_cannot_be_taken_out_safely_is_refused() -> None:
    text = "queries = {a = 'b', c = 'd'}"
    with pytest.raises(NotEditableError):
        deleted(text, "a")
    with pytest.raises(NotEditableError):
        renamed(text, "a", "b")
    with pytest.raises(NotEditableError):
        renamed("queries = {a = 'b'}", "a", "b")


NAMES = st.text(min_size=1, max_size=8)
FILES = st.dictionaries(NAMES, st.text(max_size=12), max_size=5)
COMMENTS = st.lists(
    st.sampled_from(["", "# a", " \t", "# [queries]", "\t# b = 1"]), max_size=3
)


def written(queries: dict[str, str], comments: list[str], end: str) -> str:
    """A file that holds these queries, each beneath some comments."""
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


@given(FILES.filter(bool), COMMENTS, NAMES)
def test_a_name_changed_and_changed_back_leaves_the_file_as_it_was(
    queries: dict[str, str], comments: list[str], name: str
) -> None:
    before = written(queries, comments, "\n")
    old = next(iter(queries))

    if name in queries:
        assert renamed(before, old, old) == before
    else:
        after = renamed(before, old, name)
        assert list(tomllib.loads(after)["queries"]) == [name, *list(queries)[1:]]
        assert renamed(after, name, old) == before
