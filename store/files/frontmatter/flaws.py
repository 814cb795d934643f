"""What can be wrong with a page: every code and its sentence, in one place."""

from store.files.frontmatter.errors import HeaderError, UnsafeHeaderError
from store.findings import Flaw, Severity

_FLAWS_LISTED = 50
_KEY_SHOWN = 40
"""How much of a key a sentence holds."""

EMPTY_FILE = Flaw(code="empty-file", message="The file is empty.")
NOT_TEXT = Flaw(
    code="not-text",
    message="The file is not text; nothing of it is shown.",
    severity=Severity.ERROR,
)
TOO_LARGE = Flaw(
    code="too-large",
    message="The file is larger than a memory may be; only its beginning was read.",
)
UNCLOSED = Flaw(
    code="unclosed-header",
    message="The header that starts on line 1 is never closed; all is read as text.",
    severity=Severity.ERROR,
    line=1,
)
LONE_CR = Flaw(
    code="lone-cr",
    message="The lines end with a lone carriage return, as on very old systems.",
)
HEADER_TOO_LARGE = Flaw(
    code="header-too-large",
    message="The header is too large to be read as YAML; it was read line by line.",
    line=1,
)


def not_utf8(encoding: str) -> Flaw:
    """The bytes had to be read in another encoding."""
    message = f"The file is not UTF-8; it was read as {encoding}."
    return Flaw(code="not-utf8", message=message)


def duplicate_key(key: str, line: int) -> Flaw:
    """A mapping names a key twice."""
    message = f"The key “{_short(key)}” stands twice; the first value is kept."
    return Flaw(code="duplicate-key", message=message, line=line)


def hash_in_value(key: str, line: int) -> Flaw:
    """An unquoted text holds ` #`, behind which YAML sees a comment."""
    message = f"YAML would cut “{_short(key)}” at its “ #”; the whole line was kept."
    return Flaw(
        code="hash-in-value", message=message, severity=Severity.NOTE, line=line
    )


def value_too_long(key: str, line: int) -> Flaw:
    """The line reader cut a value."""
    message = f"The value of “{_short(key)}” is too long; only its beginning was read."
    return Flaw(code="value-too-long", message=message, line=line)


def too_many_lines(line: int) -> Flaw:
    """The line reader stopped."""
    message = "The header has too many lines; the fields from here on were not read."
    return Flaw(code="header-too-large", message=message, line=line)


def listed(found: list[Flaw]) -> tuple[Flaw, ...]:
    """The first flaws of a header, and how many more there are."""
    more = len(found) - _FLAWS_LISTED
    if more <= 0:
        return tuple(found)
    message = f"{more} more flaws of this header are not listed."
    return (*found[:_FLAWS_LISTED], Flaw(code="more-flaws", message=message))


def read_by_lines(error: HeaderError) -> Flaw:
    """YAML refused the header, or was refused; the line reader recovered fields."""
    return _broken(error, f"{error} It was read line by line.")


def no_fields(error: HeaderError) -> Flaw:
    """What stands between the fences holds no fields."""
    return _broken(error, f"{error} All is shown as text.")


def _broken(error: HeaderError, message: str) -> Flaw:
    unsafe = isinstance(error, UnsafeHeaderError)
    return Flaw(
        code="unsafe-yaml" if unsafe else "invalid-yaml",
        message=message,
        severity=Severity.ERROR,
        line=error.line,
    )


def _short(key: str) -> str:
    return key if len(key) <= _KEY_SHOWN else f"{key[:_KEY_SHOWN]}…"
