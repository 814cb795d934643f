"""memory-sections.db: which page has which section, by the program's own register."""

from store.files.sqlite import Database
from store.findings import DocumentFound, Findings, Flaw, Severity
from store.formats.claudia.cells import text
from store.formats.claudia.layout import REGISTER
from store.formats.claudia.tables import SECTIONS, Record, records

_ORDER = "file_path, section_title"


def sections_of(database: Database) -> list[Record]:
    """The sections in order of their pages; raises UnreadableError."""
    known = database.tables.get(SECTIONS, ())
    ordered = {"file_path", "section_title"} <= set(known)
    order = _ORDER if ordered else ""
    return list(records(database, SECTIONS, order=order))


def read_sections(database: Database) -> Findings:
    """The register as a document; raises UnreadableError."""
    flaws: list[Flaw] = []
    if SECTIONS not in database.tables:
        message = f"The database has no table {SECTIONS}."
        flaws.append(Flaw(code="missing-table", message=message))
    if database.notice:
        note = Severity.NOTE
        flaws.append(
            Flaw(code="read-from-copy", message=database.notice, severity=note)
        )
    rows = sections_of(database)
    pages = {text(row.get("file_path")) for row in rows}
    document = DocumentFound(
        title=REGISTER,
        role="document",
        text="".join(f"{_told(row)}\n" for row in rows),
        category="sections",
        facts={"pages": str(len(pages)), "sections": str(len(rows))},
    )
    return Findings(documents=(document,), flaws=tuple(flaws))


def _told(row: Record) -> str:
    """A section on one line."""
    page, title = text(row.get("file_path")) or "", text(row.get("section_title")) or ""
    summary = " ".join((text(row.get("summary")) or "").split())
    return f"{page} § {title}: {summary}" if summary else f"{page} § {title}"
