"""How long Claude Code keeps transcripts, according to its settings."""

from pathlib import Path

import pytest

from store.vault.vault import DAY, kept_for


def own_folder(tmp_path: Path, settings: str | None, name: str = ".claude") -> Path:
    """The folder of transcripts beside settings."""
    projects = tmp_path / name / "projects"
    projects.mkdir(parents=True)
    if settings is not None:
        (tmp_path / name / "settings.json").write_text(settings, encoding="utf-8")
    return projects


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        (None, 30),
        ("{}", 30),
        ('{"cleanupPeriodDays": 7}', 7),
        ('{"cleanupPeriodDays": 1.5}', 1.5),
        ('{"cleanupPeriodDays": 99999}', 99_999),
    ],
)
def test_the_settings_give_the_retention(
    tmp_path: Path, settings: str | None, days: float
) -> None:
    assert kept_for(own_folder(tmp_path, settings)) == days * DAY


@pytest.mark.parametrize(
    "settings",
    [
        '{"cleanupPeriodDays": 0}',
        '{"cleanupPeriodDays": -1}',
        '{"cleanupPeriodDays": true}',
        '{"cleanupPeriodDays": "30"}',
        '{"cleanupPeriodDays": null}',
        '{"cleanupPeriodDays": 1e300}',
        "{",
        "[]",
        "",
    ],
)
def test_refused_settings_predict_nothing(tmp_path: Path, settings: str) -> None:
    assert kept_for(own_folder(tmp_path, settings)) is None


def test_other_folders_have_no_clean_up(tmp_path: Path) -> None:
    assert kept_for(own_folder(tmp_path, None, "copies")) is None
    assert kept_for(tmp_path / ".claude") is None


def test_the_agents_own_folder_may_have_another_name(tmp_path: Path) -> None:
    projects = own_folder(tmp_path, '{"cleanupPeriodDays": 3}', "claude-work")

    assert kept_for(projects) == 3 * DAY


def test_settings_may_be_a_link_and_never_block(tmp_path: Path) -> None:
    projects = own_folder(tmp_path, None)
    kept = tmp_path / "dotfiles.json"
    kept.write_text('{"cleanupPeriodDays": 90}', encoding="utf-8")
    (projects.parent / "settings.json").symlink_to(kept)
    assert kept_for(projects) == 90 * DAY

    (projects.parent / "settings.json").unlink()
    (projects.parent / "settings.json").mkdir()
    assert kept_for(projects) is None
