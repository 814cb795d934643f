"""Every format that the program knows."""

from store.formats.agent_memory.format import FORMAT as AGENT_MEMORY
from store.formats.claudia.format import FORMAT as CLAUDIA
from store.formats.cognitive.format import FORMAT as COGNITIVE
from store.formats.instructions.format import FORMAT as INSTRUCTIONS
from store.formats.kei.format import FORMAT as KEI
from store.formats.notes.format import FORMAT as NOTES
from store.formats.pages.format import FORMAT as PAGES
from store.formats.port import Format
from store.formats.transcripts.format import FORMAT as TRANSCRIPTS

FORMATS: tuple[Format, ...] = (
    COGNITIVE,
    KEI,
    TRANSCRIPTS,
    CLAUDIA,
    AGENT_MEMORY,
    NOTES,
    PAGES,
    INSTRUCTIONS,
)
