"""Give an answer the face that fits whoever reads it."""

from collections.abc import Iterable, Sequence

from tui.cli.terminal import is_for_a_person
from tui.faces.columns import Column, Listed, columns_for
from tui.faces.json_lines import write_json
from tui.faces.plain import write_plain


def answer_list(
    kind: str, records: Iterable[Listed], *, json: bool, nothing: str
) -> None:
    """Print a list of a kind that is known beforehand."""
    if json:
        write_json(records)
    else:
        answer_rows(columns_for(kind), records, nothing=nothing)


def answer_rows(
    columns: Sequence[Column], records: Iterable[Listed], *, nothing: str
) -> None:
    """Print rows in columns; rich is loaded only for a person at a terminal."""
    if is_for_a_person():
        from tui.faces.table import write_table  # noqa: PLC0415  # rich is slow

        write_table(columns, records, nothing)
    else:
        write_plain(columns, records)
