"""The project's folder and sources, for tests that check them."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("store", "tui", "widgets")


def sources(*folders: str) -> list[Path]:
    """Every Python file in these folders of the project."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
