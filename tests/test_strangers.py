"""Another package with the name of one of ours is refused before it runs."""

import re
from pathlib import Path

import pytest

from tests.conftest import Recollect
from tui.start import strangers


def test_the_packages_are_our_own() -> None:
    assert strangers() is None


@pytest.mark.parametrize("form", ["{room}/__init__.py", "{room}.py"])
@pytest.mark.parametrize("room", ["store", "tui", "widgets"])
def test_a_stranger_is_refused_before_it_runs(
    recollect: Recollect, tmp_path: Path, room: str, form: str
) -> None:
    ran = tmp_path / "the stranger ran"
    stranger = tmp_path / "elsewhere" / form.format(room=room)
    stranger.parent.mkdir(parents=True)
    stranger.write_text(f"open({str(ran)!r}, 'w').close()\n", encoding="utf-8")

    refused = recollect("stores", ahead=tmp_path / "elsewhere")

    assert refused.returncode == 2
    assert refused.stdout == ""
    assert re.fullmatch(r"recollect: .+\n", refused.stderr)
    assert str(stranger) in refused.stderr
    assert not ran.exists()


def test_a_folder_that_is_not_a_package_is_no_substitute(
    recollect: Recollect, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere" / "store").mkdir(parents=True)

    assert recollect("--version", ahead=tmp_path / "elsewhere").returncode == 0
