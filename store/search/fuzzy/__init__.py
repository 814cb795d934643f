"""What is nearly meant: typos, abbreviations and words in another order.

    words typed ──► narrow ──────────► judge ─────────► best first, each with its reason
                    some hundreds of   word by word,
                    a million names    by spelling

Narrowing is done where all names lie in one piece of memory, by a measure that is quick
and coarse: how many of the letters typed stand in the name, in that order, and how near
to each other or to the beginnings of words. Judging takes what remains word by word.
"""
