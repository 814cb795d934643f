"""Give an answer the face that fits whoever reads it."""

from collections.abc import Iterable

from tui.cli.terminal import is_for_a_person
from tui.faces.columns import Listed
from tui.faces.json_lines import write_json
from tui.faces.plain import write_plain


def answer_list(
    kind: str, records: Iterable[Listed], *, json: bool, nothing: str
) -> None:
    """Print a list; rich is loaded only for a person at a terminal."""
    if json:
        write_json(records)
    elif is_for_a_person():
        from tui.faces.table import write_table  # noqa: PLC0415  # rich is slow

        write_table(kind, records, nothing)
    else:
        write_plain(kind, records)
