"""The requirements of the specified formats, from the tables of their README files.

`python -m tests.requirements_page` counts them, and lists those that nothing shows.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.project import ROOT

COUNTS: Mapping[str, int] = {"S0": 63, "S1": 58, "S2": 63, "S3": 50, "S4": 80}
"""How many requirements each specification has."""

WHY_NOT = ("missing: ", "not applicable: ")
_ROW = re.compile(r"^\| ((?:S\d-)?\d[^|]*?) \| ([^|]+?) \| (.+?) \|$", re.MULTILINE)
_NUMBERS = re.compile(r"(?:(S\d)-)?(\d\d)(?:…(?:S\d-)?(\d\d))?")
_PART = re.compile(r"`([\w/.]+)`(?:: ([^;`]+))?")
_STORY = re.compile(r"def test_(\w+)\(")


class Requirement(NamedTuple):
    """One or several rows of a specification, and what shows them."""

    rows: tuple[str, ...]
    what: str
    proof: str
    room: Path

    @property
    def state(self) -> str:
        """`works`, `missing` or `not applicable`."""
        is_shown = not self.proof.startswith(WHY_NOT)
        return "works" if is_shown else self.proof.partition(":")[0]

    def unknown(self) -> Iterator[str]:
        """The tests that it names and that do not exist."""
        for module, sentences in _PART.findall(self.proof):
            path = self._module(module)
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            names = set(_STORY.findall(text))
            for sentence in filter(None, map(str.strip, sentences.split(","))):
                if not _is_among(names, sentence):
                    yield f"{module}: {sentence}"
            if not path.exists():
                yield module

    def _module(self, name: str) -> Path:
        tests = ROOT / "tests/store"
        own = tests / f"formats/test_{self.room.name}_{name}.py"
        if own.is_file():
            return own
        return tests / name if (tests / name).is_dir() else tests / f"{name}.py"


def _is_among(names: set[str], sentence: str) -> bool:
    """Whether a test has this name, or begins with it if it ends with `…`."""
    words = sentence.removesuffix("…").replace("'", "").lower()
    begun = re.sub(r"\W+", "_", words).strip("_")
    if sentence.endswith("…"):
        return any(name.startswith(begun) for name in names)
    return begun in names


def requirements() -> list[Requirement]:
    """All requirements, room by room."""
    return [
        Requirement(tuple(_numbers(rows)), what, proof, page.parent)
        for page in sorted((ROOT / "store").glob("**/README.md"))
        for rows, what, proof in _ROW.findall(page.read_text(encoding="utf-8"))
    ]


def _numbers(text: str) -> Iterator[str]:
    """The rows that `S2-42…46, 48` means; parsing rules have no specification."""
    for part in text.split(",") if text.startswith("S") else ():
        found = _NUMBERS.fullmatch(part.strip())
        if found:
            first, last = int(found[2]), int(found[3] or found[2])
            prefix = found[1] or text[:2]
            yield from (f"{prefix}-{one:02}" for one in range(first, last + 1))


if __name__ == "__main__":
    by_row = {row: one.state for one in reversed(requirements()) for row in one.rows}
    states = Counter(by_row.values())
    print(*(f"{count} {state}" for state, count in states.items()), sep=", ")  # noqa: T201 - what it is for
    for one in requirements():
        if one.state != "works":
            print(", ".join(one.rows), one.proof)  # noqa: T201 - the same
