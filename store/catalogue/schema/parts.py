"""Parts of texts, as SQL that an index can be made of."""


def last_part(text: str, between: str) -> str:
    """What follows the last of some separators, or all where there is none."""
    return f"replace({text}, rtrim({text}, replace({text}, '{between}', '')), '')"


def first_part(text: str, between: str) -> str:
    """What comes before the first of some separators, or all where there is none."""
    return f"substr({text}, 1, instr({text} || '{between}', '{between}') - 1)"
