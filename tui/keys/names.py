"""Keys by the names that people write (`j`, `?`, `ctrl+d`, `g g`), and how they look.

What is printed on a key is its name; everything else has a word. A sequence of keys
is written with spaces between them.
"""

import re

Keys = tuple[str, ...]
"""Keys that are pressed one after another; most often a single one."""

_FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 13))

_MOVING = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")
_EDITING = ("enter", "escape", "tab", "space", "backspace", "delete", "insert")

NAMED = frozenset((*_EDITING, *_MOVING, *_FUNCTION_KEYS))
"""The keys that print nothing, and the space."""

_MODIFIED = re.compile(r"(?:(?:ctrl|alt|shift|super|hyper|meta)\+)+(?P<key>.+)")

_ALSO = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "s-tab": "shift+tab",
    "backtab": "shift+tab",
}
"""What people write for the same key."""

_SHOWN = {
    "enter": "↵",
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "shift+tab": "S-tab",
}

_SHOWN_IN_ASCII = {
    "enter": "Enter",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
}


def spelt(text: str) -> Keys:
    """The keys that a text names; nothing where one of them is no key."""
    keys = tuple(_spelt(word) for word in text.split())
    return keys if all(map(is_key, keys)) else ()


def is_key(name: str) -> bool:
    """Whether a name is that of a key."""
    modified = _MODIFIED.fullmatch(name)
    key = modified["key"] if modified else name
    return is_printed(key) or key in NAMED


def is_printed(name: str) -> bool:
    """Whether the key writes a character where text is typed."""
    return name == "space" or (len(name) == 1 and name.isprintable() and name != " ")


def pressed(key: str, character: str | None) -> str:
    """The name of a key that was pressed, from what Textual reports of it."""
    if character == " ":
        return "space"
    plain = "+" not in key or key == character
    if plain and character and is_printed(character):
        return character
    return key


def shown(keys: Keys, *, in_ascii: bool = False) -> str:
    """Keys as hints and help show them: `gg`, `^d`, `↵`."""
    looks = [_shown(key, in_ascii=in_ascii) for key in keys]
    return ("" if all(len(look) == 1 for look in looks) else " ").join(looks)


def _spelt(word: str) -> str:
    """One key by its name."""
    if len(word) == 1:
        return word
    lower = word.lower()
    if lower[0] == "^" and len(lower) == len("^x"):
        return f"ctrl+{lower[1]}"
    return _ALSO.get(lower, lower)


def _shown(key: str, *, in_ascii: bool) -> str:
    looks = _SHOWN | _SHOWN_IN_ASCII if in_ascii else _SHOWN
    if key in looks:
        return looks[key]
    if key in _FUNCTION_KEYS:
        return key.upper()
    return f"^{key.removeprefix('ctrl+')}" if key.startswith("ctrl+") else key
