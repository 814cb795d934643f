"""Without frizbee, names are matched all the same."""

import os
import subprocess
import sys
from pathlib import Path

from tests.project import ROOT

ASK = """
import sys
from store.search.fuzzy import Names
print(Names(["Quarterly drill", "Redis timeout"]).similar(["redsi"], 1)[0].position)
print("rapidfuzz" in sys.modules)
"""


def test_rapidfuzz_alone_finds_the_names(tmp_path: Path) -> None:
    (tmp_path / "frizbee.py").write_text("raise ImportError\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])

    answer = subprocess.run(
        [sys.executable, "-P", "-c", ASK],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )

    assert answer.stdout.split() == ["1", "True"]
