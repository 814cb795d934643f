"""Keys that nobody has pressed: more of them in a moment than fingers can.

A terminal may be made to answer, and what it answers looks like keys; so does what is
pasted into one that does not tell pastes from keys.
"""

from collections import deque

MOST = 20
"""So many keys in a moment may be pressed, or held."""

MOMENT = 0.05
"""Seconds."""


class Bursts:
    """Remembers when the last keys came."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=MOST + 1)

    def take(self, time: float) -> bool:
        """Note a key that came at a time; whether it belongs to a burst."""
        self._times.append(time)
        return len(self._times) > MOST and time - self._times[0] <= MOMENT
