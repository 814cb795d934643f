"""The texts that the kit's own analyzer refuses to store, dropping the event unsaid.

Known here so that its count of events can be told; nothing of ours is dropped.
"""

import re

_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060\ufeff]")

_OVERRIDES = re.compile(
    r"ignore\s+previous\s+instructions|you\s+are\s+now\b"
    r"|disregard\s+(?:all|prior|above)",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"^[^\S\n]*system\s*:", re.IGNORECASE | re.MULTILINE)
_BLOB = re.compile(r"^[A-Za-z0-9+/=]{1024,}$", re.MULTILINE)

_MARKS = (
    "<|im_start|>",
    "<|endoftext|>",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----",
)
_TOGETHER = (("bearer ", "://"), ("aws_secret",), ("api_key=", "://"))
_BEGINNINGS = ("ignore", "you", "disregard")


def is_refused(text: str) -> bool:
    """Whether the analyzer drops an event that says this."""
    if not text.isascii() and _INVISIBLE.search(text):
        return True
    lowered = text.lower()
    return (
        any(mark in text for mark in _MARKS)
        or any(all(word in lowered for word in words) for words in _TOGETHER)
        or (any(w in lowered for w in _BEGINNINGS) and _is(_OVERRIDES, text))
        or ("system" in lowered and _is(_SYSTEM, text))
        or _is(_BLOB, text)
    )


def _is(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None
