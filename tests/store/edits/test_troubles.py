"""What goes wrong while files are written is told in a sentence that names them."""

from store.edits.doing.troubles import translated
from store.files.replacing import ForeignError


def test_a_file_that_another_program_has_changed_is_named() -> None:
    trouble = translated(ForeignError("graph/fixes/one.md", None))

    assert str(trouble) == (
        "Another program has changed 'graph/fixes/one.md' meanwhile; "
        "nothing was written."
    )
    assert trouble.exit_code == 3
