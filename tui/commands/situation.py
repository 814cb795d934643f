"""What of the browser's state decides which commands are possible now."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Situation:
    """How things stand at the moment a key is pressed or help is asked for."""

    rows: int = 0
    """Rows of the list that is looked at."""
    has_record: bool = False
    """Whether the cursor is on a record."""
    is_memory: bool = False
    """Whether it is a memory."""
    marked: int = 0
    """How many records are marked."""
    links: int = 0
    """What the record points to and what points to it."""
    hits: int = 0
    """Places in the reader that the query found."""
    query: str = ""
    """What is typed in the query bar."""
    behind: int = 0
    """Places that one can go back to."""
    ahead: int = 0
    """Places that one went back from."""
    stores: int = 0
    """Stores that are looked at."""
    has_file: bool = False
    """Whether the record lies in a file that can be named."""
