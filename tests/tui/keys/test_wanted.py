"""The keys of the settings, in the words of the settings."""

from pathlib import Path

from store.machine import Places
from store.settings import read_settings
from tests.tui.keys.test_chords import KEYMAP
from tui.keys import TABLE, remap, wanted_in


def test_keys_are_read_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        '[keys]\ntop = "g t, <"\nquit = "ctrl+b"\ndown = ""\nstore = ","\n'
    )
    settings = read_settings(Places(tmp_path, tmp_path, tmp_path))

    assert wanted_in(settings) == {
        "top": (["g t", "<"], 2),
        "quit": (["ctrl+b"], 3),
        "down": ([], 4),
        "store": ([","], 5),
    }

    (problem,) = remap(KEYMAP, wanted_in(settings), frozenset()).problems
    told = settings.complaint((TABLE, problem.command), problem.sentence)
    assert told.startswith(f"{tmp_path / 'config.toml'}:3: 'ctrl+b' can't be used")
