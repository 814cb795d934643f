"""Another program that writes right before the N-th call of ours."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import cast

from store.files import replace as renaming
from tests.store.edits.campaign.shim import CALLS, Call

Deed = Callable[[], object]


class Intruder:
    """Performs each of its writes once, right before the call it waits for."""

    def __init__(self, deeds: Mapping[int, Deed]) -> None:
        self._deeds = dict(deeds)
        self._is_at_it = False
        self._close: Call = os.close
        self.count = 0

    @contextmanager
    def at_work(self) -> Generator[None]:
        """Intercept the calls of this process."""
        real = {name: cast("Call", getattr(os, name)) for name in CALLS}
        system = vars(renaming)["_call"]
        swap: Call = partial(self._call, system())
        for name, call in real.items():
            setattr(os, name, partial(self._call, call))
        setattr(renaming, "_call", lambda: swap)  # noqa: B010  # it is not public
        try:
            yield
        finally:
            for name, call in real.items():
                setattr(os, name, call)
            setattr(renaming, "_call", system)  # noqa: B010  # the same

    def _call(self, real: Call, *arguments: object, **named: object) -> object:
        if not self._is_at_it:
            self.count += 1
            deed = self._deeds.pop(self.count, None)
            if deed:
                self._is_at_it = True
                try:
                    deed()
                except OSError:
                    if real is self._close:
                        real(*arguments)  # what cannot be closed is closed all the same
                    raise
                finally:
                    self._is_at_it = False
        return real(*arguments, **named)
