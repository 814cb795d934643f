"""A desk: a thread with a library of its own, to which questions are put in turn."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import ClassVar, TypeVar
from weakref import WeakSet

from store.errors import GivenUpError
from store.library import Library

Answer = TypeVar("Answer")


class Desk:
    """Answers questions one after another; the screen goes on meanwhile."""

    _all: ClassVar["WeakSet[Desk]"] = WeakSet()

    def __init__(self, library: Library) -> None:
        Desk._all.add(self)
        self.library = library
        """Whose twin answers."""
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

    @classmethod
    async def turn_all(cls, library: Library, other: Library) -> None:
        """Have all questions about one library answered by another from now on."""
        for desk in [desk for desk in cls._all if desk.library is library]:
            await desk.turn_to(other)

    async def turn_to(self, library: Library) -> None:
        """Have another library's twin answer from now on."""
        self.give_up()
        self.library = library
        await asyncio.get_running_loop().run_in_executor(self._thread, self._let_go)

    async def close(self) -> None:
        """Let go of the library, and of the thread that holds it."""
        Desk._all.discard(self)
        await self.turn_to(self.library)
        self._thread.shutdown()

    def _answer(self, question: Callable[[Library], Answer]) -> Answer:
        if self._library is None:
            self._library = self.library.beside()
        self._library.as_of(self.library.now)
        return question(self._library)

    def _let_go(self) -> None:
        if self._library is not None:
            self._library.close()
            self._library = None
