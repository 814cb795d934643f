"""Columns of conversations and of messages."""

from store.clean import clean
from store.records.conversation import Conversation, Message
from tui.faces.columns.cells import (
    beginning,
    few_digits,
    field,
    first_line,
    minute,
    number,
    ref,
    second,
    store,
    styled,
)
from tui.faces.columns.column import Column, Listed


def total_of(conversation: Conversation) -> int:
    """All tokens of a conversation."""
    told = conversation.tokens
    return told.input + told.output + told.cache_read + told.cache_creation


def _tokens(record: Listed) -> str:
    return few_digits(total_of(record)) if isinstance(record, Conversation) else ""


def _all_tokens(record: Listed) -> str:
    return str(total_of(record)) if isinstance(record, Conversation) else ""


def _first_line(record: Listed) -> str:
    return clean(first_line(record.text)) if isinstance(record, Message) else ""


def _tools(record: Listed) -> str:
    return clean(" ".join(record.tools)) if isinstance(record, Message) else ""


CONVERSATIONS = (
    ref(),
    Column("When", minute("last"), 16, piped=field("last")),
    Column("Project", field("project"), 14),
    Column("Title", field("title")),
    Column("Status", field("status"), 8, style=styled("status")),
    number("Entries", "entries", 7),
    number("Prompts", "prompts", 7),
    number("Tools", "tools", 5),
    number("Errors", "tool_errors", 6),
    Column("Tokens", _tokens, 6, right=True, is_sparse=True, piped=_all_tokens),
    Column("Source", field("source"), is_path=True, is_spare=True),
    store(),
)

MESSAGES = (
    ref(),
    Column("When", second("at"), 19, piped=field("at")),
    Column("Kind", field("kind"), 12),
    Column("Text", beginning("text"), piped=_first_line),
    Column("Tools", _tools, 16),
    Column("Conversation", field("conversation"), is_spare=True),
)
