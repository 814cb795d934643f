"""Regular expressions that take time in proportion to what they read, and no more.

RE2 has no backtracking: what freezes `re` for seconds takes it microseconds, and what
would need more memory than it is given is refused.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Protocol, cast

from store.errors import RecollectError
from store.search.fold import is_exact

_MEMORY = 1 << 20
"""Bytes that a compiled expression may take."""

_REMEMBERED = 64
"""How many are kept ready."""


class ExpressionError(RecollectError):
    """A regular expression that is none."""


class Hit(Protocol):
    """Where an expression found something."""

    def span(self) -> tuple[int, int]:
        """From which character up to which."""
        ...


class Expression(Protocol):
    """A regular expression, ready to be used."""

    def search(self, text: str) -> Hit | None:
        """The first place where it finds something."""
        ...

    def finditer(self, text: str) -> Iterator[Hit]:
        """Every place."""
        ...


@lru_cache(_REMEMBERED)
def expression(text: str) -> Expression:
    """Make an expression ready; case counts where it holds a capital letter."""
    import re2  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]  # slow, and ships none

    engine = cast("Any", re2)
    options = engine.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    options.case_sensitive = is_exact(text)
    try:
        return cast("Expression", engine.compile(text, options))
    except engine.error as error:
        said = error.args[0]
        words = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
        raise ExpressionError(words) from error
    except UnicodeEncodeError as error:
        raise ExpressionError("it holds half a character") from error
