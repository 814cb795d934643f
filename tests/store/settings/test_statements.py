"""The lines of settings in a TOML file."""

import pytest

from store.settings import LONGEST, line_of

TEXT = '''\
# About all.
theme = "x" # not # this

long = """
[semantic]
"""
list = [ # first
  1,
  2,
]
a.b."c.d" = 1
[semantic]
model = "m"

  [ queries . "odd one" ]  # here
  "=" = "#"
[[tables]]
one = {two = 2}
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("theme",), 2),
        (("long",), 4),
        (("list",), 7),
        (("a",), 11),
        (("a", "b", "c.d"), 11),
        (("semantic",), 12),
        (("semantic", "model"), 13),
        (("semantic", "address"), 12),
        (("queries",), 15),
        (("queries", "odd one", "="), 16),
        (("tables", "one", "two"), 18),
        (("nowhere",), None),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_key_has_a_line(key: tuple[str, ...], line: int | None, end: str) -> None:
    assert line_of(TEXT.replace("\n", end), key) == line


def test_keys_after_an_unclosed_value_have_no_line() -> None:
    text = "a = 1\nb = [\n" + "1,\n" * LONGEST + "]\nc = 1\n"

    assert line_of(text, ("a",)) == 1
    assert line_of(text, ("c",)) is None
