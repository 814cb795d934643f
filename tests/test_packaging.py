"""The wheel has our packages in one folder, and runs beside any other package."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.project import ROOMS, ROOT
from tests.tui.terminal.terminal import terminal_for

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


def test_the_wheel_contains_every_file_of_the_packages_in_one_folder(
    wheel: Path,
) -> None:
    ours = {
        f"recollect_rooms/{path.relative_to(ROOT).as_posix()}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    ours ^= {"recollect_rooms/tui/recollect.py", "recollect.py"}

    assert {name for name in files(wheel) if not name.startswith("recollect-")} == ours


def test_every_package_is_marked_as_typed(wheel: Path) -> None:
    assert {f"recollect_rooms/{room}/py.typed" for room in ROOMS} <= files(wheel)


def test_the_wheel_contains_the_licence_and_the_command(wheel: Path) -> None:
    beside = {
        name.removeprefix(f"recollect-{VERSION}.dist-info/")
        for name in files(wheel)
        if name.startswith("recollect-")
    }

    assert beside == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
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


EDITABLE = ("--no-build-isolation", "--editable", ROOT)
QUIT = b"\x11"
OTHERS = "another's " * 3
WHOSE = "import store, tui, widgets; print(end=store.OWNER + tui.OWNER + widgets.OWNER)"


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment that shares the dependencies of the tests."""

    folder: Path
    home: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin/python"

    @property
    def program(self) -> Path:
        return self.folder / "bin/recollect"

    def install(self, *packages: str | Path) -> None:
        self._pip("install", "--no-index", "--no-deps", *packages)

    def uninstall(self, *names: str) -> None:
        agreed = [] if shutil.which("uv") else ["--yes"]
        self._pip("uninstall", *agreed, *names)

    def run(
        self, *command: str | Path, cwd: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=cwd or self.home,
            env={"PATH": os.environ["PATH"], "HOME": str(self.home), **more},
            capture_output=True,
            text=True,
            check=False,
        )

    def output(self, *command: str | Path, cwd: Path | None = None, **more: str) -> str:
        finished = self.run(*command, cwd=cwd, **more)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    def _pip(self, verb: str, *words: str | Path) -> None:
        uv = shutil.which("uv")
        pip = [uv, "pip"] if uv else [self.python, "-m", "pip"]
        at = ["--python", self.python] if uv else ["--disable-pip-version-check"]
        self.output(*pip, verb, *at, *words)


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    made = Environment(tmp_path / "environment", tmp_path / "home")
    made.home.mkdir()
    venv.create(made.folder, symlinks=True)
    dependencies = sysconfig.get_path("purelib")
    (site_packages,) = made.folder.glob("lib/python*/site-packages")
    (site_packages / "dependencies.pth").write_text(f"{dependencies}\n", "utf-8")
    return made


@pytest.fixture
def strangers(tmp_path: Path) -> list[Path]:
    """A wheel of another project for each of our packages, with the same name."""
    return [stranger(tmp_path, name) for name in ROOMS]


def stranger(folder: Path, name: str) -> Path:
    about = f"{name}-1.0.dist-info"
    files = {
        f"{name}/__init__.py": 'OWNER = "another\'s "\n',
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
        "Generator: tests\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{path},,\n" for path in files)
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel


def assert_runs(installed: Environment) -> None:
    store = installed.home / "memory"
    store.mkdir(exist_ok=True)
    (store / "MEMORY.md").write_text("# Memory\n\n- [Redis](redis.md)\n", "utf-8")
    (store / "redis.md").write_text(
        "---\nname: Redis\ndescription: Which version\n---\nSeven.\n", "utf-8"
    )
    listed = installed.output(
        *(installed.python, "-m", "recollect"),
        *("list", "memories", "--json", "--store", store),
    )
    assert "Redis" in listed
    assert installed.output(installed.program, "--version") == f"recollect {VERSION}\n"


@pytest.mark.parametrize("form", ["wheel", "editable"])
def test_recollect_survives_strangers_installed_over_it_and_removed(
    environment: Environment, wheel: Path, strangers: list[Path], form: str
) -> None:
    environment.install(*([wheel] if form == "wheel" else EDITABLE))
    environment.install(*strangers)

    assert_runs(environment)
    assert environment.output(environment.python, "-c", WHOSE) == OTHERS
    environment.uninstall(*ROOMS)
    assert_runs(environment)


@pytest.mark.parametrize("form", ["wheel", "editable"])
def test_strangers_survive_recollect_installed_over_them_and_removed(
    environment: Environment, wheel: Path, strangers: list[Path], form: str
) -> None:
    environment.install(*strangers)
    environment.install(*([wheel] if form == "wheel" else EDITABLE))

    assert_runs(environment)
    with terminal_for(
        [environment.program, environment.home], home=environment.home
    ) as browser:
        browser.until("live")  # as the process that reads the stores says
        browser.type(QUIT)
        assert browser.end() == 0
    environment.uninstall("recollect")
    assert environment.output(environment.python, "-c", WHOSE) == OTHERS
    assert not environment.program.exists()


def test_an_installed_recollect_refuses_strangers_on_the_python_path(
    environment: Environment, wheel: Path, tmp_path: Path
) -> None:
    environment.install(wheel)
    for room in ROOMS:
        hiding = tmp_path / f"of {room}" / f"{room}.py"
        hiding.parent.mkdir()
        hiding.write_text("raise SystemExit('it ran')\n", encoding="utf-8")

        refused = environment.run(
            environment.program, "stores", PYTHONPATH=str(hiding.parent)
        )

        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == (
            f"recollect: its package '{room}' is hidden by {hiding}; "
            "install recollect in an environment of its own\n"
        )


def test_recollect_runs_in_and_from_a_folder_with_strangers(
    environment: Environment, wheel: Path, strangers: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "target"
    environment.install("--target", folder, wheel, *strangers)

    for command in (
        [folder / "bin/recollect"],
        [environment.python, "-m", "recollect"],
    ):
        shown = environment.output(
            *command, "--version", cwd=folder, PYTHONPATH=str(folder)
        )

        assert shown == f"recollect {VERSION}\n"


def test_benchmarks_are_run_in_a_clone(environment: Environment, wheel: Path) -> None:
    environment.install(wheel)

    refused = environment.run(environment.program, "bench")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "recollect: The benchmarks are not installed; run `make bench` in a clone.\n"
    )
