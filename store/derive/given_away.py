"""Access that a text gives away: keys, tokens, passwords that whoever reads it can use.

Told by how their issuers write them, not by how random a word looks: memories are full
of hashes and identifiers that open nothing. Most texts hold no word that such a thing
goes with, and to find that out takes seven microseconds for a kilobyte.
"""

import re
from collections.abc import Mapping

_SIGNS = {
    "PRIVATE KEY-----": "a private key",
    "sk-": "an access key",
    "AKIA": "an access key of AWS",
    "AIza": "an access key of Google",
    "ghp_": "a token of GitHub",
    "gho_": "a token of GitHub",
    "ghs_": "a token of GitHub",
    "github_pat_": "a token of GitHub",
    "xox": "a token of Slack",
    "eyJ": "a signed token",
    "earer ": "a token that signs in",
    "://": "a password in an address",
    "PASSWORD=": "a password",
    "SECRET=": "a password",
    "TOKEN=": "a password",
    "_KEY=": "a password",
}
"""What nothing of its kind comes without, and the kind."""

_WRITTEN: Mapping[str, str] = {
    "a private key": r"-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY-----",
    "an access key": (
        r"(?<![\w-])sk-(?:ant-[\w-]{24,}"
        r"|(?:[a-z]{1,20}-){0,2}(?=[A-Za-z_]{0,100}[0-9])\w{20,})"
    ),
    "an access key of AWS": r"(?<![\w-])AKIA[A-Z0-9]{16}\b",
    "an access key of Google": r"(?<![\w-])AIza[\w-]{30,}",
    "a token of GitHub": r"\b(?:gh[pos]_[A-Za-z0-9]{30,}|github_pat_\w{40,})",
    "a token of Slack": r"(?<![\w-])xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "a signed token": r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",
    "a token that signs in": r"\b[Bb]earer (?![A-Z_]+(?![\w.~+/-]))[\w.~+/-]{16,}",
    "a password in an address": (
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:"
        r"(?![$<{%*]|(?:pass|password|passwd|secret|x+|\.+)@)[^\s/:@]{1,200}@"
    ),
    "a password": (
        r"(?:PASSWORD|SECRET|TOKEN|_KEY)=[\"']?(?![\"'$<{%*.])"
        r"(?=[^\s\"']{0,80}[0-9])(?=[^\s\"']{0,80}[A-Za-z])[^\s\"'`]{8,}"
    ),
}
"""How each of them is written; what stands for one (`$TOKEN`, `<key>`) is none."""


def given_away(text: str) -> str:
    """What the text gives away, in a few words; nothing where it gives nothing away."""
    for sign, kind in _SIGNS.items():
        if sign in text and re.search(_WRITTEN[kind], text, re.ASCII):
            return kind
    return ""
