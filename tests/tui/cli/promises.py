"""The fields of every JSON object, in order, as promised to scripts."""


def fields(names: str) -> list[str]:
    """The promised names, in order."""
    return names.split()


STORE = fields(
    "path format name memories edges episodes conversations messages events measures "
    "problems bytes writable"
)
MEMORY = fields(
    "ref store format id type title description tags importance confidence created "
    "updated accessed access_count strength stage pinned archived path line links_in "
    "links_out problems modified unseen category status session stored_strength "
    "fades_in"
)
EDGE = fields(
    "ref store id type from to from_type to_type from_title to_title strength context "
    "created path sides "
    "problems"
)
CONVERSATION = fields(
    "ref store session source project cwd branch title first last entries messages "
    "prompts tools tool_errors status tokens models files_written compactions parent "
    "copies ready_at"
)
MESSAGE = fields(
    "ref store conversation session source line uuid role kind at text tools"
)
EVENT = fields(
    "ref store session at kind tool file_path is_error event_class message path line"
)
MEASURE = fields(
    "ref store kind name id session start end duration_s exit metric source at pointer "
    "points_to path line"
)
AGENT = fields("ref store path")
QUESTION = fields("name words help formats stores parameters columns")
TOKENS = fields("input output cache_read cache_creation")
EPISODE = fields("ref store date time title type tags summary memory link path line")
DOCUMENT = fields("ref store title path category text_bytes role")
PROBLEM = fields("code severity store ref path line message fix count id ignored")
SYNC = fields("seconds files changed removed bytes records problems")
LINK = fields("direction by type ref title strength context edge store path")

LISTS = {
    "memories": MEMORY,
    "edges": EDGE,
    "episodes": EPISODE,
    "conversations": CONVERSATION,
    "messages": MESSAGE,
    "documents": DOCUMENT,
    "problems": PROBLEM,
}
"""The lists that the samples fill."""

JOURNALS = {
    "events": EVENT,
    "measures": MEASURE,
}
"""The lists that journals fill; agents have their ledger's columns."""

CONVERSATION_IN_FULL = [
    *CONVERSATION,
    *fields("agent agents unanswered summary lines fields failed transcript"),
]
MESSAGE_IN_FULL = [*MESSAGE, *fields("answers answered_by parts fields")]
MEASURE_IN_FULL = [*MEASURE, "fields"]

IN_FULL = [*MEMORY, "body", "fields", "relations"]
OF_PROCEDURES = ["steps", "preconditions", "postconditions"]
