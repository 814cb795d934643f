"""`FIELD=VALUE` on the command line."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import cast

from store.errors import WrongUseError
from store.findings import Json, Value
from store.records.intents import Retag

_TAG = re.compile(r"[+-]\s*\S")


def parted(words: Iterable[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Words without and words with an equals sign, those in their two halves."""
    bare: list[str] = []
    pairs: list[tuple[str, str]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            pairs.append((_named(word, name), value))
        else:
            bare.append(word)
    return bare, pairs


def assigned(words: Sequence[str]) -> list[tuple[str, str]]:
    """The halves of words all of which are assignments."""
    bare, pairs = parted(words)
    if bare:
        raise WrongUseError(f"{bare[0]!r} is no FIELD=VALUE.")
    return pairs


def retagging(words: Sequence[str]) -> Retag:
    """What `+TAG` and `-TAG` ask for."""
    if not words or not all(_TAG.match(word) for word in words):
        raise WrongUseError("Which tags? Say +TAG to add one, -TAG to take one away.")
    return Retag(
        add=tuple(word[1:] for word in words if word[0] == "+"),
        remove=tuple(word[1:] for word in words if word[0] == "-"),
    )


def value_of(text: str) -> Value:
    """A value of a header: a list where it is one in JSON, else the text itself."""
    if text.startswith("["):
        found = json_of(text)
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return cast("list[Value]", found)
    return text


def json_of(text: str) -> Json:
    """What a text says in JSON, or the text itself where it is none."""
    try:
        return cast("Json", json.loads(text))
    except (ValueError, RecursionError):
        return text


def _named(word: str, name: str) -> str:
    if not name.strip():
        raise WrongUseError(f"{word!r} names no field.")
    return name
