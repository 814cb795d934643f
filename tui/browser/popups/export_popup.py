"""Where to export to, and as what: the name of a file, and the formats beneath it."""

from collections.abc import Sequence
from pathlib import Path

from tui.browser.popups.popup import Popup
from tui.browser.popups.rows import Choice
from tui.faces.exported import SUFFIXES, format_of
from tui.faces.quantities import sized
from tui.words import FORMATS
from widgets.styles.palette import Palette

Wanted = tuple[str, str]
"""A format and a path."""

_TOLD = {
    "markdown": "to be read and edited as text",
    "json": "what `recollect show --json` gives",
    "html": "a page by itself, with all that tools were given and answered",
}


class ExportPopup(Popup[Wanted]):
    """Closes with a format and a path; says what would be written over."""

    def __init__(self, title: str, name: str, palette: Palette) -> None:
        """`name` is what the file is called unless somebody wants otherwise."""
        super().__init__(f"export · {title}", "a file's name", palette)
        self._name = name

    def opened(self) -> None:
        """Begin with the usual name."""
        self._line.value = self._name
        self._line.cursor_position = len(self._name)

    @property
    def nothing(self) -> str:
        """What is said where nothing is typed."""
        return "Type the name of a file."

    def rows(self, typed: str) -> Sequence[Choice[Wanted]]:
        """The formats; only the one that the name tells, where it tells one."""
        name = typed.strip()
        if not name:
            return ()
        told = format_of(name)
        if told is not None:
            return (_choice(told, _path(name)),)
        return [_choice(one, _path(f"{name}{SUFFIXES[one]}")) for one in FORMATS]


def _path(name: str) -> Path:
    """The path that a name means; `~` stands for one's own folder."""
    path = Path(name)
    try:
        return path.expanduser()
    except RuntimeError:  # the folder of somebody whom nobody knows
        return path


def _choice(form: str, path: Path) -> Choice[Wanted]:
    """A file in a format, and what is there already."""
    size, why_not = _there(path)
    return Choice(
        (form, str(path)),
        form,
        str(path),
        before=[("⚠ " if size is not None else "  ", "warning")],
        right=[("" if size is None else f"over {sized(size) or '0 B'}", "warning")],
        detail=_TOLD[form].capitalize() + "."
        if size is None
        else "There is such a file; it would be written over.",
        why_not=why_not,
    )


def _there(path: Path) -> tuple[int | None, str | None]:
    """How large the file is that is there, and why none can be written."""
    try:
        if path.is_dir():
            return None, "That is a folder."
        if not path.parent.is_dir():
            return None, "There is no such folder."
        return (path.stat().st_size if path.exists() else None), None
    except (OSError, ValueError) as error:
        return None, f"That is no path: {error}."
