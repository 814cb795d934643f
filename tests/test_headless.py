"""The store needs no terminal, and commands that do not browse load no Textual.

Import contracts check the imports in modules; these tests check what processes load,
also inside functions and other packages.
"""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import demo
from tests.conftest import Recollect
from tests.project import ROOT, sources

MODULES_OF_STORE = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sources("store")
]
LOADED = """
import importlib, json, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


@pytest.fixture
def no_textual(tmp_path: Path) -> Path:
    """A folder that hides Textual: importing it fails, also in child processes."""
    hidden = tmp_path / "hidden" / "textual" / "__init__.py"
    hidden.parent.mkdir(parents=True)
    hidden.write_text("raise SystemExit('Textual was loaded')\n", encoding="utf-8")
    return tmp_path / "hidden"


def test_the_store_loads_neither_textual_nor_rich() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", LOADED, *MODULES_OF_STORE],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )

    assert {"textual", "rich"}.isdisjoint(json.loads(loaded.stdout))


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("samples")
    demo.write(folder, datetime(2026, 3, 1, tzinfo=UTC))
    return str(folder)


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "--version",
        "demo MADE --make",
        "stores -s STORES --json",
        "sync -s STORES --json",
        "sync -s STORES",
        "list memories -s STORES --json",
        "list memories -s STORES",
        "show REF -s STORES --json",
        "show REF -s STORES",
        "links REF -s STORES --json",
    ],
)
def test_a_command_that_does_not_browse_loads_no_textual(
    recollect: Recollect, no_textual: Path, tmp_path: Path, stores: str, command: str
) -> None:
    words = {"STORES": stores, "MADE": str(tmp_path / "made")}
    if "REF" in command:
        listed = recollect("list", "memories", "-s", stores, "--json", "--limit", "1")
        words["REF"] = json.loads(listed.stdout)["ref"]

    answer = recollect(
        *(words.get(word, word) for word in command.split()), ahead=no_textual
    )

    assert answer.returncode == 0, answer.stderr
    assert answer.stdout
    assert "Textual was loaded" not in answer.stderr
