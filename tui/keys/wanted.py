"""The keys that the user's settings want, as far as they are texts."""

import re

from store.settings.record import Settings
from store.settings.statements import line_of
from tui.keys.remap import Wanted

TABLE = "keys"
"""Where in the settings they stand."""

_BETWEEN = re.compile(r"(?<=.),\s+")
"""A comma that is followed by a blank is no key."""


def wanted_in(settings: Settings) -> Wanted:
    """The keys for each command: several with commas between, none in an empty text."""
    return {
        command: (
            [text for text in _BETWEEN.split(written) if text.strip()],
            line_of(settings.text, (TABLE, command)) or 0,
        )
        for command, written in settings.keys.items()
    }
