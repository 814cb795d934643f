"""Fixtures of the campaigns over every kind of change."""

from pathlib import Path

import pytest


@pytest.fixture
def allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner allows changes of Claudia's databases."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = tmp_path / "config" / "recollect" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n", encoding="utf-8")
