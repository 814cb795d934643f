"""Glyphs for terminals that know ASCII alone, or draw ours two cells wide.

Everything is drawn in Unicode, and becomes ASCII character by character at the very
end, so that no column moves.
"""

ASCII = str.maketrans(
    {
        "◆": "*",
        "●": "o",
        "◐": "+",
        "○": ".",
        "·": "-",
        "✓": "x",
        "✗": "!",
        "⚠": "!",
        "✎": "e",
        "↺": "@",
        "↶": "<",
        "◉": "@",
        "◈": "#",
        "▌": ">",
        "▎": "|",
        "•": "*",
        "☐": "_",
        "☑": "x",
        "…": "~",
        "→": ">",
        "←": "<",
        "▶": ">",
        "◀": "<",
        "▲": "^",
        "▼": "v",
        "━": "=",
        "─": "-",
        "┄": ".",
        "╸": "-",
        "│": "|",
        "┃": "|",
        "┌": ".",
        "├": "|",
        "└": "`",
        "┼": "+",
        "↵": "<",
        "×": "x",
        "▁": "_",
        "▂": "_",
        "▃": ".",
        "▄": ".",
        "▅": ":",
        "▆": ":",
        "▇": "#",
        "█": "#",
        "⟨": "<",
        "⟩": ">",
        **{chr(picture): "?" for picture in range(0x2400, 0x2422)},
    }
)
"""Every glyph that widgets draw, and what stands for it; of a control, that it is."""
