"""`[stores]`: folders that are stores because the user says so."""

from pathlib import Path

import pytest

from store.settings import NamedStore, read_settings
from tests.store.conftest import Written

WHOLE = """\
[stores.brain]
path = "/data/vault"
format = "pages"

[stores."At work"]
path = "~/notes"
format = "notes"
"""


def test_a_store_has_a_name_a_path_and_a_format(written: Written) -> None:
    settings = read_settings(written(WHOLE))

    assert settings.stores == (
        NamedStore("brain", Path("/data/vault"), "pages"),
        NamedStore("At work", Path.home() / "notes", "notes"),
    )
    assert settings.complaints == ()


WRONG_NAME = "A store name can't be empty, contain / or begin with . ~ or -."
BOTH = 'path = "/a"\nformat = "pages"'


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("stores = 3", 1, "'stores' must be a table, [stores]."),
        ("[stores]\nx = '/a'", 2, "'x' must be a table, [stores.x]."),
        ("[stores.x]\nformat = 'pages'", 1, "'path' is missing."),
        ("[stores.x]\npath = '/a'", 1, "'format' is missing."),
        ("[stores.x]\nformat = 'a'\npath = 3", 3, "'path' must be a text in quotes."),
        ("[stores.x]\npath = '/a'\nformat = ' '", 3, "'format' cannot be blank."),
        (
            "[stores.x]\nformat = 'pages'\npath = 'a/b'",
            3,
            "'path' must start with / or ~/.",
        ),
        (
            "[stores.x]\nformat = 'pages'\npath = '~zoe/b'",
            3,
            "'path' must start with / or ~/.",
        ),
        (
            f"[stores.x]\n{BOTH}\n[stores.y]\n{BOTH}",
            5,
            "/a is already the store 'x'.",
        ),
        *(
            (
                f"[stores.{name}]\n{BOTH}",
                1,
                WRONG_NAME,
            )
            for name in ("'a/b'", "''", "' '", "'.x'", "'~'", "-x", '"a\\n"')
        ),
    ],
)
def test_a_wrong_store_is_reported_with_its_line_and_left_out(
    written: Written, text: str, line: int, sentence: str
) -> None:
    settings = read_settings(written(f"{text}\n"))

    assert f"{settings.path}:{line}: {sentence}" in settings.complaints
    assert settings.store_complaints == settings.complaints
    assert [one.name for one in settings.stores] == (
        ["x"] if "[stores.y]" in text else []
    )


def test_a_store_with_an_unknown_key_is_a_store(written: Written) -> None:
    settings = read_settings(written(f"[stores.x]\n{BOTH}\nfromat = 'pages'\n"))

    assert [one.name for one in settings.stores] == ["x"]
    (complaint,) = settings.complaints
    assert complaint == (
        f"{settings.path}:4: Unknown setting 'fromat'; did you mean format?"
    )


def test_other_problems_are_not_about_stores(written: Written) -> None:
    settings = read_settings(written(f"mouse = 3\n{WHOLE}"))

    assert len(settings.complaints) == 1
    assert settings.store_complaints == ()


def test_stores_may_be_missing_if_the_file_cannot_be_read(written: Written) -> None:
    settings = read_settings(written("[stores.x\n"))

    assert settings.store_complaints == settings.complaints
    assert settings.complaints
