"""The locked packages: hashed, without a named index, and complete."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project import ROOT

LOCKS = sorted(path.name for path in ROOT.glob("requirements*.txt"))
PACKAGE = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[\w.]+)( ; [^:/@]+)? \\")
HASH = re.compile(r" {4}--hash=sha256:[0-9a-f]{64}( \\)?")


def locked(lock: str) -> dict[str, str]:
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {found["name"]: found["version"] for found in PACKAGE.finditer(text)}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_versions_and_hashes_and_names_no_place(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()

    assert [
        line for line in lines if not (PACKAGE.fullmatch(line) or HASH.fullmatch(line))
    ] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_a_hash_for_every_package(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()

    assert locked(lock)
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        assert not PACKAGE.fullmatch(line) or HASH.fullmatch(following)


@pytest.mark.parametrize(
    "lock", ["requirements.txt", "requirements-dev.txt", "requirements-lowest.txt"]
)
def test_a_lock_has_the_requirements_of_the_project(lock: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    versions = locked(lock)

    for line in project["project"]["dependencies"]:
        asked = Requirement(line)
        assert asked.specifier.contains(versions[canonicalize_name(asked.name)])


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-build.txt"])
def test_users_and_developers_run_the_same_versions(lock: str) -> None:
    assert locked(lock).items() <= locked("requirements-dev.txt").items()


def test_the_lowest_lock_has_the_lowest_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    versions = locked("requirements-lowest.txt")

    for line in project["project"]["dependencies"]:
        asked = Requirement(line)
        floor = next(bound for bound in asked.specifier if bound.operator == ">=")
        version = versions[canonicalize_name(asked.name)]
        assert Requirement(f"x=={floor.version}").specifier.contains(version)
