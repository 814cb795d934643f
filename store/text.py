"""Text comparison without case and accents, regular expressions, suggested words."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import AnyStr, cast
from unicodedata import name, normalize

# Regular expressions that are compiled when they are first used.

_METHODS = "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"


class _Regex:
    """A regular expression that is compiled when it is first used."""

    def __init__(self, compiled: Callable[[], object]) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> object:
        compiled = self._compiled()
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A regular expression as a constant of a module.

    A command uses few of the hundreds that its modules have. Compiling them all took a
    tenth of the time that loading these modules takes.
    """
    return cast("re.Pattern[AnyStr]", _Regex(partial(re.compile, text, flags)))


# Text comparison: case, accents, strokes and variants of the same letter are folded.
#
# Folding works character by character, so a substring of a text, folded, is a substring
# of the folded text.

_FORMS = regex(
    "[\u00aa-\u00ba\u00c0-\u036f\u1d6c-\u1d9a\u1e00-\u1fff\u2070-\u20cf"
    "\u2100-\u218f\u2460-\u24ff\u2c60-\u2c7f\ufb00-\ufb06\uff01-\uff5e"
    "\U0001d400-\U0001d7ff]+"
)
"""Characters that may be variants of others; all others stay the same."""

_MARKS = regex("[\u0300-\u036f]+")
"""Separate accents."""

_NAME = regex("LATIN (SMALL|CAPITAL) LETTER ([A-Z]) WITH ")
"""The name of a letter with a stroke, a hook or the like, which is not an accent."""

_LETTERS = "Æ=Ae æ=ae Œ=Oe œ=oe Þ=Th þ=th ẞ=SS ß=ss Ð=D ð=d Ŋ=N ŋ=n ı=i ȷ=j"  # noqa: RUF001  # look-alikes are meant
"""Other letters with a plain form that Unicode does not name."""


class _Letters(dict[int, str]):
    """The plain form of each letter, looked up by its name when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        found = None if letter.isascii() else _NAME.match(name(letter, ""))
        if found is not None:
            letter = found[2] if found[1] == "CAPITAL" else found[2].lower()
        self[code] = letter
        return letter


_PLAIN = _Letters({ord(one[0]): one[2:] for one in _LETTERS.split()})


def fold(text: str) -> str:
    """The text with case and accents folded."""
    return unmarked(text).casefold()


def unmarked(text: str) -> str:
    """The text in plain letters, case preserved."""
    if text.isascii() or not _has_forms(text.encode("utf-8", "surrogatepass")):
        return text
    return _FORMS.sub(_plain, text)


_ASCII = bytes(range(128))


def _has_forms(raw: bytes) -> bool:
    """Whether a text has variants of letters; only what is not ASCII is looked at."""
    foreign = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return _FORMS.search(foreign) is not None


def _plain(forms: re.Match[str]) -> str:
    """A run of letters in their plainest form."""
    return _MARKS.sub("", normalize("NFKD", forms[0])).translate(_PLAIN)


_PIECE = 1024


def variants(text: str) -> Iterator[int]:
    """The positions of characters that may fold to others, at least one for each run.

    Pieces in ASCII, which have none, are left out: that is nearly all of an index.
    """
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        if not piece.isascii():
            yield from (start + found.start() for found in _FORMS.finditer(piece))


def is_exact(needle: str) -> bool:
    """Whether a search is case-sensitive: it has a capital letter."""
    return needle != needle.lower()


def compared(text: str, needle: str) -> str:
    """The text in the form that is compared with a search."""
    return unmarked(text) if is_exact(needle) else fold(text)


def holds(text: str, needle: str) -> bool:
    """Whether a text contains a search."""
    return holding(needle)(text)


def holding(needle: str) -> Callable[[str], bool]:
    """A test of whether texts contain a search.

    One in ASCII is looked for in the text as it is, and then in its bytes, which is
    several times as fast as folding the text: only variants of letters fold to ASCII.
    """
    wanted, exact = compared(needle, needle), is_exact(needle)
    sought = wanted.encode() if wanted.isascii() else None

    def test(text: str) -> bool:
        if sought is not None:
            if wanted in text:
                return True
            if text.isascii():
                return not exact and wanted in text.lower()
            raw = text.encode("utf-8", "surrogatepass")
            if not exact and sought in raw.lower():
                return True
            if not _has_forms(raw):
                return False
        return wanted in (unmarked(text) if exact else fold(text))

    return test


# Many sentences at once: equal ones are counted.

_TOLD = 5
"""The most sentences shown; the others are counted."""

_VARIES = regex(r"“[^”]*”|\([^)]*\)|\d+")
"""What differs between sentences that say the same of different things."""


def few(sentences: Iterable[str]) -> list[str]:
    """One sentence of each kind with the number of its kind, and how many are left."""
    alike: dict[str, list[str]] = {}
    for sentence in sentences:
        alike.setdefault(_VARIES.sub("", sentence), []).append(sentence)
    told = [
        f"{len(same):,} like this: {same[0]}" if len(same) > 1 else same[0]
        for same in alike.values()
    ]
    left = sum(map(len, list(alike.values())[_TOLD:]))
    return [*told[:_TOLD], *([f"… and {left:,} more."] if left else [])]


# Several texts as one.

_STRUCTURE = regex("^ *(?:#|```|~~~)", re.MULTILINE)
"""A heading, or code: what is below it has its meaning there only."""


def joined(texts: Iterable[str]) -> str:
    """Texts one after another, without what is already there.

    A text that begins a line of another is left out, and so are equal paragraphs, but
    none from a text with headings or code.
    """
    known: dict[str, str] = {}
    for text in texts:
        known.setdefault(text.strip(), text)
    told, seen = list[str](), set[str]()
    for said, text in known.items():
        if not said or any(is_within(said, one) for one in known if one != said):
            continue
        paragraphs = text.split("\n\n")
        if not _STRUCTURE.search(text):
            paragraphs = [one for one in paragraphs if one.strip() not in seen]
        seen.update(map(str.strip, paragraphs))
        told.append("\n\n".join(paragraphs))
    return "\n\n".join(filter(str.strip, told))


def is_within(text: str, other: str) -> bool:
    """Whether a text begins a line of another, and no word goes on behind it."""
    here = rf"^[ \t]*{re.escape(text)}(?!\w)"
    return re.search(here, other, re.MULTILINE) is not None


# Suggestions: the nearest of several words.

_LETTERS_A_TYPO = 3
"""How many letters a word needs for each typo it may have."""


def near(word: str, words: Iterable[str]) -> str | None:
    """The nearest word, if it is near enough to suggest."""
    best = max(words, key=lambda candidate: _likeness(word, candidate), default=None)
    return best if best is not None and _is_near(word, best) else None


def guess(word: str, words: Iterable[str], otherwise: str = "") -> str:
    """The end of a sentence about an unknown word: the nearest one, or nothing."""
    best = near(word, words)
    return f"; did you mean {best!r}?" if best else otherwise


def _likeness(word: str, candidate: str) -> float:
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # slow, only for mistakes

    likeness = OSA.normalized_similarity(word.casefold(), candidate.casefold())
    return likeness + _begins(word, candidate)


def _is_near(word: str, candidate: str) -> bool:
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # slow, only for mistakes

    typos = OSA.distance(word.casefold(), candidate.casefold())
    return _begins(word, candidate) or typos <= len(word) // _LETTERS_A_TYPO


def _begins(word: str, candidate: str) -> bool:
    return bool(word) and candidate.casefold().startswith(word.casefold())
