"""The wheel holds the rooms and nothing else; the rooms belong to recollect alone."""

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.project import ROOMS, ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "-o",
            folder,
            ROOT,
        ],
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return built


def files(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_file_of_the_rooms_and_no_other(wheel: Path) -> None:
    ours = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert {name for name in files(wheel) if not name.startswith("recollect-")} == ours


def test_the_wheel_holds_the_licence_and_the_command(wheel: Path) -> None:
    beside = {
        name.removeprefix(f"recollect-{VERSION}.")
        for name in files(wheel)
        if name.startswith("recollect-")
    }

    assert beside == {
        "data/scripts/recollect",
        "dist-info/METADATA",
        "dist-info/RECORD",
        "dist-info/WHEEL",
        "dist-info/licenses/LICENSE",
    }


def test_the_wheel_passes_its_own_inspection(wheel: Path) -> None:
    inspection = subprocess.run(
        [sys.executable, "-m", "check_wheel_contents", wheel],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert inspection.stdout.endswith(": OK\n"), inspection.stdout + inspection.stderr


@pytest.mark.parametrize("room", ROOMS)
def test_no_other_distribution_owns_a_room(room: str) -> None:
    assert set(packages_distributions().get(room, [])) <= {"recollect"}
