"""KEYS.md describes what the program does."""

import re
from pathlib import Path

from store.machine import Places
from store.settings import read_settings
from tests.keys_page import PAGE, written
from tui.commands.registry import NEEDED, REGISTRY
from tui.keys import remap, wanted_in


def test_every_key_is_described() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert page == written(page), "run .venv/bin/python -m tests.keys_page"


def test_the_example_of_settings_works(tmp_path: Path) -> None:
    example = re.search(
        r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    assert example
    (tmp_path / "config.toml").write_text(example[1], encoding="utf-8")
    settings = read_settings(Places(tmp_path, tmp_path, tmp_path))
    remapped = remap(REGISTRY.usual_keys, wanted_in(settings), NEEDED)

    assert settings.complaints == ()
    assert remapped.problems == ()
    assert remapped.keymap.keys("top") == (("g", "k"), ("home",))
