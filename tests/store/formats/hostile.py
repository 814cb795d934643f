"""Hostile stores, made by a generator beside the project if it is there."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

import pytest

from tests.project import ROOT

GENERATOR = ROOT.parent / "shared" / "tools" / "hostile.py"

Case = TypedDict("Case", {"id": str, "class": str, "path": str, "expect": str})
"""One case: where it lies, and the word for what is owed."""


def make_hostile(folder: Path, *classes: str) -> list[Case]:
    """Make the cases of these classes; without them the test is skipped."""
    if not GENERATOR.is_file():
        pytest.skip("The generator of hostile stores is not beside the project.")
    command = [sys.executable, GENERATOR, "make", folder, "--only", ",".join(classes)]
    subprocess.run(command, check=True, capture_output=True)
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    cases = [case for case in manifest["cases"] if case["class"] in classes]
    assert cases
    return cases
