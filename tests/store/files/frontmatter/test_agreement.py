"""All ways of reading a header agree."""

from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter import HeaderError, is_tame, read_regular
from store.files.frontmatter_yaml import fields_of, read_events, read_tame
from store.findings import Value

REGULAR = st.sampled_from(
    [
        "x",
        "x y",
        "a:b",
        "http://x/y",
        "1.5",
        "[a, b c]",
        "[]",
        '"q: r"',
        "'s'",
        "레디스",
        "",
    ]
)
ODD = st.sampled_from(
    [
        "[a,]",
        "[ a ]",
        "[a b , c]",
        "[a - b]",
        '""',
        "'a''b'",
        '"a" b',
        "it's",
        'say "x"',
        "x, y]",
        "a: b",
        "a:",
        "-5",
        "~",
        "x ",
        " x",
        "x #y",
        "x#y",
        "...",
        "---",
        "?",
        "(x)",
        "@x",
        "`x`",
        "%x",
        "[",
        "|",
        ">",
        "&x y",
        "*x",
        "!x y",
        "<<",
        "=",
        "+1",
        ".a",
        "- x",
        "a: - b",
        "{a: b}",
    ]
) | st.text("ab:- '\"[],#\t\\é\u3000\xa0\u2028", max_size=5)
VALUES = st.integers(0, 7).flatmap(lambda luck: REGULAR if luck else ODD)
KEYS = st.sampled_from(["a", "b", "c", "d", "e", "f-g", "h_1"])
BLOCKS = st.one_of(
    st.builds("{}: {}\n".format, KEYS, VALUES),
    st.builds("{}:\n- {}\n- {}\n".format, KEYS, VALUES, VALUES),
    st.builds("{}: \n  x: {}\n  y: {}\n".format, KEYS, VALUES, VALUES),
    st.builds(
        "{}:\n  - x: {}\n    y: {}\n  - {}\n".format, KEYS, VALUES, VALUES, VALUES
    ),
    st.builds(
        "{}{}{}\n".format,
        st.sampled_from(["", " ", "  ", "    "]),
        st.sampled_from(["", "- ", "-", "x: ", "x:", "- x: "]),
        VALUES,
    ),
)
HEADERS = st.lists(BLOCKS, min_size=1, max_size=4).map("".join)


def read_by_yaml(header: str) -> dict[str, Value] | None:
    """A header as the event reader reads it, if it has no objection."""
    try:
        root, flaws = read_events(header)
    except HeaderError:
        return None
    return None if flaws else fields_of(root) if root else {}


@given(HEADERS)
def test_values_of_the_fast_reader_are_those_of_yaml(header: str) -> None:
    fields = read_regular(header)

    assert fields is None or fields == read_by_yaml(header)


@given(HEADERS)
def test_the_handler_agrees_with_the_events(header: str) -> None:
    fields = read_tame(header) if is_tame(header) else None

    assert fields is None or fields == read_by_yaml(header)
