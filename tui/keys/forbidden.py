"""The keys that no command may have, and why: terminals and their hosts want them."""

from tui.keys.names import Keys, is_printed

_MULTIPLEXER = "tmux and screen keep it for themselves"
_SAME_BYTE = "terminals send {} for it"
_NOT_SENT = "many terminals do not send it"
_BROWSERS = "terminals in a browser or an editor close or open windows with it"

_WHY = {
    "ctrl+a": _MULTIPLEXER,
    "ctrl+b": _MULTIPLEXER,
    "ctrl+s": "it stops the output of some terminals",
    "ctrl+h": _SAME_BYTE.format("backspace"),
    "ctrl+i": _SAME_BYTE.format("tab"),
    "ctrl+m": _SAME_BYTE.format("enter"),
    "ctrl+j": "it is what the enter key of a keypad sends",
    "ctrl+[": _SAME_BYTE.format("escape"),
    "ctrl+left_square_bracket": _SAME_BYTE.format("escape"),
    "ctrl+/": _SAME_BYTE.format("ctrl+_"),
    "ctrl+_": _SAME_BYTE.format("ctrl+/"),
    "ctrl+slash": _SAME_BYTE.format("ctrl+_"),
    "ctrl+underscore": _SAME_BYTE.format("ctrl+/"),
    "ctrl+@": _NOT_SENT,
    "ctrl+at": _NOT_SENT,
    "ctrl+space": _NOT_SENT,
    "ctrl+enter": _NOT_SENT,
    "shift+enter": _NOT_SENT,
    "shift+space": _NOT_SENT,
    "f10": "terminals open their menu with it",
    "f11": "terminals fill the screen with it",
}

_ONLY_WHILE_TYPING = {"ctrl+n": _BROWSERS, "ctrl+t": _BROWSERS, "ctrl+w": _BROWSERS}

_MODIFIERS = {
    "alt+": "it cannot be told from escape and a letter",
    "super+": _NOT_SENT,
    "hyper+": _NOT_SENT,
    "meta+": _NOT_SENT,
}


def refusal(keys: Keys, *, is_typing: bool) -> str | None:
    """Why these keys cannot be given to a command; None where they can.

    Where text is typed the keys that write it are not to be had either.
    """
    for key in keys:
        why = _why(key, is_typing=is_typing)
        if why:
            return f"{key!r} cannot be used: {why}"
    return None


def _why(key: str, *, is_typing: bool) -> str | None:
    if is_typing and is_printed(key):
        return "text is typed there"
    if not is_typing and key in _ONLY_WHILE_TYPING:
        return _ONLY_WHILE_TYPING[key]
    modified = (why for start, why in _MODIFIERS.items() if start in key)
    return _WHY.get(key) or next(modified, None)
