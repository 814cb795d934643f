"""What the pane of facets reports, heard before there is such a pane."""

from dataclasses import dataclass

from textual.message import Message


@dataclass
class Toggled(Message):
    """The query shall be another."""

    text: str
