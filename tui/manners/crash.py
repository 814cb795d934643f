"""What nobody foresaw, while the browser is open: a sentence and a report, no trace.

Textual prints what went wrong with the values of all variables, and those may hold what
a memory says. There is no public way to have it print something else; of the private
ones `_fatal_error` is the narrowest: it does nothing but that. While one leaves, what
still goes on finds its widgets gone; that is no error, and `_handle_exception` says so.
"""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import RenderableType
from textual.app import App

from store.errors import RecollectError
from tui.cli.report import report_unexpected


class Reporting(App[None]):
    """An application that leaves with a sentence where others print a trace."""

    @property
    def failure(self) -> str:
        """What went wrong, as the user is to be told; nothing where nothing did."""
        return self._failure

    _failure = ""

    def panic(self, *renderables: RenderableType) -> None:
        """Leave, and tell nothing of what was to be printed: it may be a trace."""
        del renderables
        self._report(sys.exception())
        super().panic()

    def report_stray_errors(self) -> None:
        """Report what goes wrong in tasks too; to be called while the app runs."""
        asyncio.get_running_loop().set_exception_handler(self._stray_error)

    def _handle_exception(self, error: Exception) -> None:
        """What goes wrong while one leaves comes of leaving."""
        if self.return_code is None:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self.panic()

    def _report(self, error: BaseException | None) -> None:
        """Report the first error; what follows from it tells nothing.

        The store's own errors are sentences already.
        """
        if self._failure:
            return
        known = error if isinstance(error, Exception) else self._exception
        self._failure = (
            str(known)
            if isinstance(known, RecollectError)
            else report_unexpected(known or RuntimeError())
        )

    def _stray_error(
        self, _loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]
    ) -> None:
        """A task ended in an error that nobody asked it for."""
        if self.return_code is None:
            self._report(context.get("exception"))
            self.exit(return_code=1)
