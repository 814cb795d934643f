"""How well a search finds what one knows to be there, beside other ways of searching.

From the title or the body of each record queries are made by rule, as somebody might
type who has it in mind; a way of searching is as good as the places at which it lists
that record.
"""
