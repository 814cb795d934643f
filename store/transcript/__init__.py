"""What one line of a Claude Code transcript means: facts of parsed JSON, no files."""

from store.transcript.blocks import without_thoughts
from store.transcript.entries import Entry, entry_text
from store.transcript.joining import join
from store.transcript.kinds import COUNTED, kind_of
from store.transcript.messages import message_of, reply_key
from store.transcript.parts import fields_of, parts_of
from store.transcript.place import At
from store.transcript.record import Record, content_of, inner, text, word
from store.transcript.reply import Reply
from store.transcript.titles import TITLES

__all__ = [
    "COUNTED",
    "TITLES",
    "At",
    "Entry",
    "Record",
    "Reply",
    "content_of",
    "entry_text",
    "fields_of",
    "inner",
    "join",
    "kind_of",
    "message_of",
    "parts_of",
    "reply_key",
    "text",
    "without_thoughts",
    "word",
]
