"""A desk: a thread with a library of its own, to which questions are put in turn."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from store.errors import GivenUpError
from store.library import Library

Answer = TypeVar("Answer")


class Desk:
    """Answers questions one after another; the screen goes on meanwhile."""

    def __init__(self, library: Library) -> None:
        self._original = library
        self._library: Library | None = None
        self._thread = ThreadPoolExecutor(1, "desk")

    async def ask(self, question: Callable[[Library], Answer]) -> Answer:
        """Put a question, and wait for its turn and its answer.

        Where it was given up together with another, it is put again.
        """
        while True:
            with suppress(GivenUpError):
                return await self.ask_once(question)

    async def ask_once(self, question: Callable[[Library], Answer]) -> Answer:
        """Put a question that may be given up; raises GivenUpError then."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._answer, question)

    def give_up(self) -> None:
        """Have the question that is being answered given up, if there is one."""
        if self._library is not None:
            self._library.give_up()

    async def close(self) -> None:
        """Let go of the library, and of the thread that holds it."""
        self.give_up()
        await self.ask(Library.close)
        self._thread.shutdown()

    def _answer(self, question: Callable[[Library], Answer]) -> Answer:
        if self._library is None:
            self._library = self._original.beside()
        return question(self._library)
