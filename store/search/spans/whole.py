"""What is a word by itself, and what only a part of one."""

_WITHOUT_GAPS = "\u2e80"
"""From here on lie scripts that set no blanks between words, or glue endings to them:
in these, every part of a text may be a word."""


def starts_word(text: str, start: int) -> bool:
    """Whether a word may start here."""
    if start == 0:
        return True
    before = text[start - 1]
    return not before.isalnum() or before >= _WITHOUT_GAPS


def ends_word(text: str, end: int) -> bool:
    """Whether a word may end before this."""
    if end == len(text):
        return True
    after = text[end]
    return not after.isalnum() or after >= _WITHOUT_GAPS


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text is made of whole words."""
    return starts_word(text, start) and ends_word(text, end)
