"""What programs put in front of the words that a person typed."""

_OPENINGS = ("<system-reminder>", "<ide_")


def without_asides(text: str) -> str:
    """The text without the reminders and editor notes that it begins with."""
    rest = text.lstrip()
    while rest.startswith(_OPENINGS):
        name = rest[1 : rest.find(">")]
        closing = f"</{name}>"
        end = (
            rest.find(closing)
            if name.replace("_", "").replace("-", "").isalnum()
            else -1
        )
        if end < 0:
            break
        rest = rest[end + len(closing) :].lstrip()
    return rest
