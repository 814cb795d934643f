"""Make untrusted text safe to display; find the secrets and the orders in it.

Every character that a terminal would act on, or that a reader would not see, becomes a
visible mark: control characters their picture (`␛`), others their number (`⟨U+202E⟩`),
lone surrogates `U+FFFD`. Joiners and selectors stay where they affect rendering: within
emoji, between Arabic letters, after a virama.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import groupby

from msgspec import Struct

from store.text import regex

TAB_WIDTH = 4
"""The width of a tab stop in multi-line text."""
MARKS_PER_BASE = 8
"""The most combining marks on one character."""
_JOINED = 7
"""The most further emoji that one emoji may be joined with."""
_SPELT_OUT = 3
"""The most consecutive hidden characters shown one by one; longer runs are counted."""

_C1 = "\x80-\x9f"
_SURROGATES = "\ud800-\udfff"
_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that fonts may ignore, such as bidi controls; interlinear notes."""
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}"
    for plane in range(17)
)
_ODD = "\u2028\u2029" + _NONCHARACTERS
"""Harmless or visible by themselves, but not in every terminal and editor."""

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe"
    "\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_ONE_EMOJI = f"[{_EMOJI}][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
_ARABIC = "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff"
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
_SHAPED = (
    rf"{_ONE_EMOJI}(?:\u200d{_ONE_EMOJI}){{0,{_JOINED}}}"
    r"|[0-9#*]\ufe0f\u20e3"
    rf"|[{_ARABIC}]\u200c(?=[{_ARABIC}])"
    rf"|\w[{_VIRAMA}][\u200c\u200d]"
)
_STACK = (
    rf"[^\w\s\0-\u02ff\u2000-\u20cf\u2100-\u2bff\ue000-\uf8ff\U0001f000-\U0001faff"
    rf"{_SURROGATES}{_IGNORABLE}{_NONCHARACTERS}]{{{MARKS_PER_BASE + 1},}}"
)
"""Possibly too many combining marks: a run without letters and symbols."""


_CONTROLS = r"\0-\x08\x0b-\x1f\x7f"
"""Without line feeds and tabs, which are handled separately."""

_PICTURES = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}


def clean(text: str, *, multiline: bool = False) -> str:
    """Replace control and hidden characters with visible marks; idempotent.

    With `multiline`, line feeds stay, CR LF becomes one line feed, and tabs are
    expanded. Otherwise line feeds become a mark and a tab one space, as a table row has
    no tab stops.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = text.replace("\r\n", "\n") if multiline else text
    if not _ordinary(shown):
        shown = _parts().sub(_shown, shown)
    if not multiline:
        return shown.replace("\n", "␊").replace("\t", " ")
    return shown.expandtabs(TAB_WIDTH) if "\t" in shown else shown


def hides_text(text: str) -> bool:
    """Whether the text contains characters that a reader would not see."""
    plain = text.replace("\r", "\n")
    return not _ordinary(plain) and any(
        part.lastgroup in {"control", "hidden"} for part in _parts().finditer(plain)
    )


def _ordinary(text: str) -> bool:
    """Whether the text needs no replacement, except for line feeds and tabs."""
    if text.isascii():
        return text.replace("\n", "").replace("\t", "").isprintable()
    return not any(kind.search(text) for kind in _suspect())


@cache
def _suspect() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for text that may need replacement; compiled on first use."""
    one = f"[{_CONTROLS}{_C1}{_IGNORABLE}{_ODD}{_SURROGATES}]"
    return re.compile(one), re.compile(_STACK)


@cache
def _parts() -> re.Pattern[str]:
    """The pattern for everything shown differently, by kind; compiled on first use."""
    return re.compile(
        f"(?P<control>[{_CONTROLS}]+)|(?P<hidden>[{_C1}{_IGNORABLE}]+)"
        f"|(?P<odd>[{_ODD}]+)|(?P<surrogate>[{_SURROGATES}]+)"
        f"|(?P<stack>{_STACK})|(?P<shaped>{_SHAPED})"
    )


def _shown(part: re.Match[str]) -> str:
    text = part[0]
    match part.lastgroup:
        case "control":
            return text.translate(_PICTURES)
        case "hidden" | "odd":
            return _numbered(text)
        case "surrogate":
            return "\ufffd" * len(text)
        case "stack":
            return _unstacked(text)
        case _:
            return text


def _numbered(run: str) -> str:
    """Hidden characters as numbers; a long run as its first number and its length."""
    if len(run) > _SPELT_OUT:
        return f"⟨U+{ord(run[0]):04X} …×{len(run)}⟩"
    return "".join(f"⟨U+{ord(character):04X}⟩" for character in run)


def _unstacked(run: str) -> str:
    """The run with excess combining marks replaced by their count."""
    shown: list[str] = []
    for combining, found in groupby(run, _combines):
        marks = "".join(found)
        shown.append(marks[:MARKS_PER_BASE] if combining else marks)
        if combining and len(marks) > MARKS_PER_BASE:
            shown.append(f"⟨marks …×{len(marks) - MARKS_PER_BASE}⟩")
    return "".join(shown)


def _combines(character: str) -> bool:
    return unicodedata.category(character) in {"Mn", "Me"}


# Keys, tokens and passwords in a text.
#
# They are recognised by their issuers' formats, not by randomness: memories are full of
# hashes and identifiers that are not secret. Most texts contain none of the marker
# strings, which takes seven microseconds per kilobyte to find out.

_SIGNS_OF_SECRETS = {
    "PRIVATE KEY-----": "a private key",
    "sk-": "an access key",
    "AKIA": "an AWS access key",
    "AIza": "a Google access key",
    "ghp_": "a GitHub token",
    "gho_": "a GitHub token",
    "ghs_": "a GitHub token",
    "github_pat_": "a GitHub token",
    "xox": "a Slack token",
    "eyJ": "a signed token",
    "earer ": "a bearer token",
    "://": "a password in a URL",
    "PASSWORD=": "a password",
    "SECRET=": "a password",
    "TOKEN=": "a password",
    "_KEY=": "a password",
}
"""Marker strings, each contained in every secret of its kind, and that kind."""

_SECRETS: Mapping[str, str] = {
    "a private key": r"-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY-----",
    "an access key": (
        r"(?<![\w-])sk-(?:ant-[\w-]{24,}"
        r"|(?:[a-z]{1,20}-){0,2}(?=[A-Za-z_]{0,100}[0-9])\w{20,})"
    ),
    "an AWS access key": r"(?<![\w-])AKIA[A-Z0-9]{16}\b",
    "a Google access key": r"(?<![\w-])AIza[\w-]{30,}",
    "a GitHub token": r"\b(?:gh[pos]_[A-Za-z0-9]{30,}|github_pat_\w{40,})",
    "a Slack token": r"(?<![\w-])xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "a signed token": r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",
    "a bearer token": r"\b[Bb]earer (?![A-Z_]+(?![\w.~+/-]))[\w.~+/-]{16,}",
    "a password in a URL": (
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:"
        r"(?![$<{%*]|(?:pass|password|passwd|secret|x+|\.+)@)[^\s/:@]{1,200}@"
    ),
    "a password": (
        r"(?:PASSWORD|SECRET|TOKEN|_KEY)=[\"']?(?![\"'$<{%*.])"
        r"(?=[^\s\"']{0,80}[0-9])(?=[^\s\"']{0,80}[A-Za-z])[^\s\"'`]{8,}"
    ),
}
"""The pattern of each kind; placeholders (`$TOKEN`, `<key>`) do not match."""


def _marked(signs: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Each sign after its first punctuation mark, or itself if it has none.

    A single character is found thirty times faster than several.
    """
    marks = ((re.search(r"[^\w\s]|_", sign), sign) for sign in signs)
    return tuple((mark[0] if mark else sign, sign) for mark, sign in marks)


_MARKED_SECRETS = _marked(_SIGNS_OF_SECRETS)


def given_away(text: str) -> str:
    """The kind of secret that a text contains; empty if none was found."""
    for mark, sign in _MARKED_SECRETS:
        if mark in text and sign in text:
            kind = _SIGNS_OF_SECRETS[sign]
            if re.search(_SECRETS[kind], text, re.ASCII):
                return kind
    return ""


# Text that gives orders to whatever agent reads it (memory poisoning).
#
# A memory is a fact or a wish of the user. These forms are neither: they void other
# instructions, pose as another speaker, ask for secrecy, or send data away.

_DATA = (
    r"(?:secrets?|credentials?|api[ _-]?keys?|passwords?|access tokens?|\.env\b|"
    r"environment variables?|private keys?|ssh keys?|chat history|"
    r"(?:this|the|our|whole|entire) (?:conversation|transcript|memory))"
)


class Order(Struct, frozen=True):
    """One form of such text."""

    does: str
    """What it does."""
    signs: tuple[str, ...]
    """Lower-case strings, one of which is in every such text."""
    pattern: str


_ORDERS = (
    Order(
        "voids other instructions",
        ("ignore", "disregard", "forget", "override"),
        r"\b(?:ignore|disregard|forget|override)\b(?: (?:all|any|every|of|the|your|my|"
        r"these|those))*(?: (?:previous|prior|above|earlier|preceding|existing))+ "
        r"(?:instructions?|prompts?|rules|directions|guidelines|directives)"
        r"|\b(?:ignore|disregard|override) (?:the|your) system prompt",
    ),
    Order(
        "poses as another speaker",
        ("you are now", "system:", "<|im_", "<|endoftext", "[inst]", "<<sys>>"),
        r"<\|im_(?:start|end)\|>|<\|endoftext\|>|\[inst\]|<<sys>>"
        r"|^\s*system:\s*(?:you|ignore|from now on|always|never|do not)\b"
        r"|\byou are now (?:in )?(?:a |an |the )?(?:[\w-]+ )?"
        r"(?:mode|unrestricted|jailbroken|dan\b|root\b|admin)",
    ),
    Order(
        "asks for secrecy",
        ("the user",),
        r"\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|notify|"
        r"notifying|alert|alerting) the user(?: about| of) (?:this|it|these)"
        r"|\bwithout the user(?:'s)? (?:knowing|knowledge|noticing|consent)"
        r"|\b(?:hide|conceal|keep) (?:this|it|these instructions)(?: secret| hidden)? "
        r"from the user",
    ),
    Order(
        "sends data away",
        ("to http", "@", "curl", "wget", "](http", "base64"),
        r"\b(?:send|post|upload|forward|exfiltrate|transmit|leak)\b[^.\n]{0,60}\b"
        rf"{_DATA}[^\n]{{0,80}}\bto (?:https?://|[\w.+-]+@[\w-]+\.)"
        r"|\b(?:curl|wget)\b[^\n]{0,200}(?:\$\(|`|@)[^\n]{0,40}"
        r"(?:\.env\b|\.ssh/|id_rsa|\.aws/)"
        r"|!\[[^\]\n]{0,80}\]\(https?://[^)\s]{0,200}[?&][^)\s]{0,80}(?:\{\{|\$\{|<)"
        r"|base64 (?:-d|--decode)[^\n]{0,40}\| ?(?:ba|z)?sh\b",
    ),
    Order(
        "poses as a tool call",
        ("function_calls", "<invoke", "tool_call"),
        r"^\s*<(?:\w+:)?(?:function_calls|invoke name=|tool_call>)",
    ),
)


_NEAR = 120
"""Characters before an order in which it may be said to be a quotation."""

_MENTION = regex(
    r"\b(?:inject|attack|malicious|poison|jailbreak|adversar|phrases?\b|patterns?\b|"
    r"such as|e\.g\.|for example|detect|filter|reject|refuse|block|sanitis|sanitiz)"
    r"[^\n]{0,100}[\"'`“‘«]$"  # noqa: RUF001 - quotation marks
)
"""What precedes an order that a text quotes in order to warn of it."""

_MARKED_ORDERS = tuple((order, _marked(order.signs)) for order in _ORDERS)


def order_in(text: str) -> tuple[str, str]:
    """What a text that gives orders does, and the words of it; empty if it does not."""
    lowered = text.lower()
    for order, signs in _MARKED_ORDERS:
        for mark, sign in signs:
            if mark in lowered and sign in lowered:
                for found in re.finditer(order.pattern, lowered, re.MULTILINE):
                    before = lowered[max(found.start() - _NEAR, 0) : found.start()]
                    if not _MENTION.search(before):
                        words = text[found.start() : found.end()]
                        return order.does, " ".join(words.split())
                break
    return "", ""
