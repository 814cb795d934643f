"""A conversation to export."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.discover import Found
from store.findings import Json
from store.formats.transcripts.format import FORMAT
from store.library import Library
from tests.store.answers.messages.conftest import library_of, session
from tests.store.formats import transcripts_stores as told

PATCH: Json = [
    {"oldStart": 3, "oldLines": 1, "newStart": 3, "newLines": 1, "lines": ["-5", "+6"]}
]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Text, a thought, calls, a pause, a compaction, and Markdown of all kinds."""
    root = tmp_path / "projects"
    session(
        root,
        told.user("ask", "Which *cone* <b>for</b> it?\n\n# No heading", 1),
        told.assistant(
            "look",
            told.thinks("Six, surely."),
            told.calls("t1", "Bash", command="cat `which cone`"),
            second=2,
        ),
        told.user("found", [told.answers("t1", "cone 6\n```\n</pre>")], 3),
        told.assistant("fix", told.calls("t2", "Edit", file_path="/c"), second=4),
        told.user(
            "fixed",
            [told.answers("t2", "ok")],
            5,
            toolUseResult={"structuredPatch": PATCH},
        ),
        told.assistant(
            "end", told.says("**Cone 6.**\n\n```sh\nfire --cone 6"), second=1000
        ),
        told.boundary("full", 1001),
        told.user("so far", "It was about glazes.", 1002, isCompactSummary=True),
        told.user("lost", "[Request interrupted by user]", 1003),
    )
    with library_of(tmp_path, Found(root, FORMAT)) as made:
        yield made
