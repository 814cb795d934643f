"""Keys typed before the program controls the terminal."""

import termios
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.store.catalogue.stores import cognitive
from tests.tui.driver.session import Session


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Session]:
    """The browser during its start."""
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    opened = Session("-m", "tui.start", str(cognitive(tmp_path / "store", 4)))
    yield opened
    opened.close()


def is_cooked(session: Session) -> bool:
    """Whether the terminal still translates input."""
    return bool(termios.tcgetattr(session.descriptor)[0] & termios.ICRNL)


def test_enter_counts_even_if_the_terminal_sent_a_line_feed(
    session: Session,
) -> None:
    assert is_cooked(session)
    session.press('/"Memory 2"\r')
    assert is_cooked(session)

    session.until(lambda: session.shows("1/4 ·"))
    session.until(lambda: session.shows("↵ read"))

    session.press("Q")
    assert session.exit_code() == 0
