"""Every format that the program knows, in the order in which a folder is tried."""

from store.formats.agent_memory import FORMAT as AGENT_MEMORY
from store.formats.claudia import FORMAT as CLAUDIA
from store.formats.cognitive import FORMAT as COGNITIVE
from store.formats.kei import FORMAT as KEI
from store.formats.notes import FORMAT as NOTES
from store.formats.port import Format
from store.formats.transcripts import FORMAT as TRANSCRIPTS

FORMATS: tuple[Format, ...] = (
    COGNITIVE,
    KEI,
    TRANSCRIPTS,
    CLAUDIA,
    AGENT_MEMORY,
    NOTES,
)
