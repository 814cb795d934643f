"""The fields of every JSON object, in order: what scripts were promised."""


def fields(names: str) -> list[str]:
    """The names, as they stand in the promise."""
    return names.split()


STORE = fields(
    "path format name memories edges episodes conversations messages events measures "
    "problems bytes writable"
)
MEMORY = fields(
    "ref store format id type title description tags importance confidence created "
    "updated accessed access_count strength stage pinned archived path line links_in "
    "links_out problems"
)
EDGE = fields(
    "ref store id type from to from_title to_title strength context created path sides "
    "problems"
)
EPISODE = fields("ref store date time title type tags summary memory link path line")
DOCUMENT = fields("ref store title path category text_bytes role")
PROBLEM = fields("code severity store ref path line message fix")
SYNC = fields("seconds files changed removed bytes records problems")
LINK = fields("direction by type ref title strength context edge store path")

LISTS = {
    "memories": MEMORY,
    "edges": EDGE,
    "episodes": EPISODE,
    "documents": DOCUMENT,
    "problems": PROBLEM,
}

IN_FULL = [*MEMORY, "body", "fields", "relations"]
OF_PROCEDURES = ["steps", "preconditions", "postconditions"]
