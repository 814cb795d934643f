"""What the campaigns over every kind of change need."""

from pathlib import Path

import pytest


@pytest.fixture
def allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of this machine says that Claudia's databases may be changed."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = tmp_path / "config" / "recollect" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n", encoding="utf-8")
