import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.formats.cognitive.derived import read_config
from tests.store.formats.cognitive_stores import (
    CONFIG,
    IGNORED,
    blob,
    codes,
    facts,
    read,
    scanned,
    write,
)


def test_settings_are_shown() -> None:
    findings = read_config("_config.json", blob(CONFIG))
    assert facts(findings) == {**CONFIG, "openai_api_key": "not set"}
    assert codes(findings) == []


@given(
    st.text("abcdefgh0123456789", min_size=8),
    st.sampled_from(["openai_api_key", "api_token", "ollama_model", "servers"]),
)
def test_a_key_is_in_no_finding(secret: str, setting: str) -> None:
    key = f"sk-{secret}"
    value = {"embedding_provider": "openai", setting: key, "more": [{setting: key}]}
    findings = read_config("_config.json", blob(value))
    assert facts(findings)[setting] == "set, hidden"
    assert secret not in repr(findings)
    torn = read_config("_config.json", blob(json.dumps(value).encode()[:-2]))
    assert codes(torn) == ["damaged-json"]
    assert secret not in repr(torn)


def test_an_unknown_provider_is_reported() -> None:
    findings = read_config("c", blob({"embedding_provider": "other"}))
    assert codes(findings) == ["unknown-provider"]


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        (IGNORED, []),
        ("_*.json\n", []),
        ("# all of it\r\n/_*\r\n", []),
        ("*\n!_config.json\n", ["secret-not-ignored"]),
        ("_config.json\n", ["derived-not-ignored"] * 3),
        ("/_config.json\n", ["derived-not-ignored"] * 3),
        ("**/_config.json\n", ["derived-not-ignored"] * 3),
        ("/**/**/_config.json  \n", ["derived-not-ignored"] * 3),
        ("\\_config\\.json\n", ["derived-not-ignored"] * 3),
        ("\ufeff_config.json\n", ["derived-not-ignored"] * 3),
        (IGNORED + "!**/_config.json\n", ["secret-not-ignored"]),
        (IGNORED + "!/_config.json\n/_config.json\n", []),
        (IGNORED + "\\!_config.json\n!\\_\\*.json\n", []),
        (IGNORED + "!x/_config.json\n!_config.json/\n#!*\n", []),
        ("", ["secret-not-ignored", *["derived-not-ignored"] * 3]),
    ],
)
def test_gitignore_keeps_the_secret_out(
    tmp_path: Path, text: str, noted: list[str]
) -> None:
    assert codes(read(tmp_path, ".gitignore", text)) == noted


def test_only_the_beginning_of_gitignore_is_read(tmp_path: Path) -> None:
    text = IGNORED + "[" * 200_000 + "\n!_config.json\n"
    assert codes(read(tmp_path, ".gitignore", text)) == ["too-large"]


def test_an_unclosed_pattern_ignores_nothing(tmp_path: Path) -> None:
    text = IGNORED + "!" + "[" * 60_000 + "\n"
    assert codes(read(tmp_path, ".gitignore", text)) == []


def test_a_repository_without_gitignore_may_leak_the_secret(
    tmp_path: Path,
) -> None:
    write(tmp_path, "_config.json", json.dumps(CONFIG))
    assert ".gitignore" not in scanned(tmp_path)
    write(tmp_path, ".git/HEAD", "ref: refs/heads/main\n")
    refused = scanned(tmp_path)[".gitignore"]
    assert "secret-not-ignored" in repr(refused)
    (tmp_path / "_config.json").unlink()
    assert ".gitignore" not in scanned(tmp_path)


def test_gitignore_is_checked_before_there_is_a_repository(tmp_path: Path) -> None:
    assert "secret-not-ignored" in codes(read(tmp_path, ".gitignore", "*.bak\n"))
