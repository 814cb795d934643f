"""A JSON file read whole and tolerantly: a value, or one sentence on why not."""

import json
from typing import cast

import orjson

from store.errors import UnreadableError
from store.findings import Flaw, Json, Severity

_BOM = b"\xef\xbb\xbf"


class DamagedJsonError(UnreadableError):
    """The bytes are no JSON; the message says what is wrong with them."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line

    @property
    def flaw(self) -> Flaw:
        """What is wrong with a source that holds these bytes."""
        return Flaw(
            code="damaged-json",
            message=str(self),
            severity=Severity.ERROR,
            line=self.line,
        )


def load(raw: bytes) -> object:
    """The value of a JSON document; raises DamagedJsonError and nothing else.

    What writers get wrong without losing anything is forgiven: a byte order mark, lone
    surrogates, NaN and Infinity, single bytes that are not UTF-8.
    """
    raw = raw.removeprefix(_BOM)
    if not raw.strip():
        raise DamagedJsonError("The file is empty.")
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return _forgiving(raw.decode("utf-8", errors="replace"))


def load_map(raw: bytes) -> dict[str, Json]:
    """The map that a JSON document is; raises DamagedJsonError where it is none."""
    data = load(raw)
    if not isinstance(data, dict):
        raise DamagedJsonError("The file ought to hold a map.")
    return cast("dict[str, Json]", data)


def _forgiving(text: str) -> object:
    """What the standard library makes of it, which is slower and less strict."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        sentence = f"The file is no valid JSON: {error.msg} (line {error.lineno})."
        raise DamagedJsonError(sentence, error.lineno) from None
    except RecursionError:
        raise DamagedJsonError("The file is nested too deeply to be read.") from None
    except ValueError:
        sentence = "The file holds a number with too many digits to be read."
        raise DamagedJsonError(sentence) from None
