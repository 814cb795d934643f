"""Settings are read tolerantly, with a line for each error."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.machine import Places
from store.settings import PROVIDERS, Provider, Semantic, Settings, read_settings, split
from tests.store.conftest import Written

WHOLE = """\
# What I like.
theme = "nord"
mouse = false

[semantic]
provider = "openai"
address = "https://embeddings.example/v1/"
model = "text-embedding-3-large"
key_variable = "MY_KEY"
seconds = 3

[queries]
stale = "stage:fading importance>=.7"
"mine today" = "created<1d"

[keys]
pin = "p,P"
"""


def told(places: Places) -> list[str]:
    """The complaints, without the folder of the file."""
    complaints = read_settings(places).complaints
    return [each.removeprefix(f"{places.config}/config.toml") for each in complaints]


def test_without_a_file_the_defaults_apply(places: Places) -> None:
    settings = read_settings(places)

    assert settings == Settings(path=places.config / "config.toml")
    assert settings.semantic.provider is Provider.OFF
    assert settings.mouse
    assert not places.config.exists()


def test_everything_can_be_set(written: Written) -> None:
    settings = read_settings(written(WHOLE))

    assert settings.complaints == ()
    assert settings.theme == "nord"
    assert not settings.mouse
    assert settings.keys == {"pin": "p,P"}
    assert list(settings.queries.items()) == [
        ("stale", "stage:fading importance>=.7"),
        ("mine today", "created<1d"),
    ]
    assert settings.semantic == Semantic(
        provider=Provider.OPENAI,
        address="https://embeddings.example/v1",
        model="text-embedding-3-large",
        key_variable="MY_KEY",
        seconds=3.0,
    )


@pytest.mark.parametrize("provider", list(Provider))
def test_a_provider_has_its_defaults(written: Written, provider: Provider) -> None:
    places = written(f'[semantic]\nprovider = "{provider}"\n')

    assert read_settings(places).semantic == PROVIDERS[provider]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("mouse = 1", ":1: 'mouse' must be true or false."),
        ("\n# so\ntheme = [\n1,\n]", ":3: 'theme' must be a text in quotes."),
        ("queries = 3", ":1: 'queries' must be a table, [queries]."),
        ("[[keys]]", ":1: 'keys' must be a table, [keys]."),
        (
            "[queries]\nbad = 3\ngood = 'x'",
            ":2: 'bad' must be a text in quotes.",
        ),
        (
            '[semantic]\nprovider = "bing"',
            ":2: 'provider' must be one of off, ollama, openai, model2vec.",
        ),
        (
            "[semantic]\n\nseconds = true",
            ":3: 'seconds' must be a number above 0, at most 60.",
        ),
        (
            "semantic.seconds = nan",
            ":1: 'seconds' must be a number above 0, at most 60.",
        ),
        (
            'semantic = {seconds = "1", model = "m"}',
            ":1: 'seconds' must be a number above 0, at most 60.",
        ),
        (
            '[semantic]\naddress = "file:///etc/passwd"',
            ":2: The address must be an http or https URL with a host.",
        ),
        ("\nthem = 'nord'", ":2: Unknown setting 'them'; did you mean theme?"),
        (
            "[semantic]\n'm\u202eodel' = ''",
            ":2: Unknown setting 'm\\u202eodel'; did you mean model?",
        ),
    ],
)
def test_invalid_settings_are_reported_and_left_out(
    written: Written, text: str, complaint: str
) -> None:
    places = written(text)

    assert told(places) == [complaint]
    settings = read_settings(places)
    assert (settings.semantic.provider, settings.semantic.seconds) == ("off", 1.5)


def test_the_rest_applies_if_something_is_wrong(written: Written) -> None:
    places = written('theme = "nord"\nmouse = "no"\n[queries]\na = "b"\nc = 1\n')

    settings = read_settings(places)

    assert (settings.theme, settings.mouse, settings.queries) == (
        "nord",
        True,
        {"a": "b"},
    )
    assert len(settings.complaints) == 2


def test_a_file_of_another_kind_is_not_reported_line_by_line(
    written: Written,
) -> None:
    complaints = told(written("\n".join(f"a{n} = 1" for n in range(3000))))

    assert len(complaints) == 21
    assert complaints[-1] == ":21: More invalid settings follow; they aren't listed."


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"theme = \n", ":1: Invalid TOML; the default settings are used"),
        (b"a = 1\nb = 'x", ": Invalid TOML; the default settings are used"),
        (b"a = 1\na = 2\n#", ":2: Invalid TOML; the default settings are "),
        (b"a = " + b"9" * 5000, ": Invalid TOML; the default settings are "),
        (b"\xff", ": Not valid UTF-8; the default settings are used."),
        (b"a = " + b"[" * 9000, ": Nested too deeply; the default settings are used."),
        (b"#" * 300_000, " is larger than 256 KiB."),
    ],
)
def test_an_unreadable_file_leaves_the_defaults(
    places: Places, raw: bytes, complaint: str
) -> None:
    places.config.mkdir()
    (places.config / "config.toml").write_bytes(raw)

    (sentence,) = told(places)

    assert sentence.startswith(complaint)
    assert sentence.endswith(".")
    assert read_settings(places).theme is None


def test_anything_but_a_plain_file_is_not_waited_for(places: Places) -> None:
    places.config.mkdir()
    os.mkfifo(places.config / "config.toml")

    assert told(places) == [" is not a regular file."]


def test_a_link_is_followed(places: Places, tmp_path: Path) -> None:
    places.config.mkdir()
    (tmp_path / "dotfile").write_text("mouse = false\n", encoding="utf-8")
    (places.config / "config.toml").symlink_to(tmp_path / "dotfile")

    assert not read_settings(places).mouse


def test_errors_of_the_toml_parser_have_a_line_too(written: Written) -> None:
    settings = read_settings(written(WHOLE))

    complaint = settings.complaint(("keys", "pin"), "'p,P' is used by undo.")

    assert complaint == f"{settings.path}:17: 'p,P' is used by undo."
    assert settings.complaint(("keys", "undo"), "Hm.").endswith(":16: Hm.")


@pytest.mark.parametrize(
    "address",
    [
        "http://[::1",
        "http://me:secret@host/",
        "http://host:99999",
        "http://host:0",
        "http://host/?a=b",
        "http://host/#a",
        "http://host/a b",
        "http://höst/",
        "https://",
        "",
    ],
)
def test_an_address_has_a_host_and_no_credentials(address: str) -> None:
    assert split(address) is None


@pytest.mark.parametrize(
    "address", ["http://localhost", "https://[::1]:8443/v1/", "http://10.0.0.7:11434"]
)
def test_an_address_of_a_host_is_valid(address: str) -> None:
    assert split(address) is not None


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_program(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    (folder / "config.toml").write_bytes(raw)

    settings = read_settings(Places(folder, folder, folder))

    assert all("\n" not in complaint for complaint in settings.complaints)
