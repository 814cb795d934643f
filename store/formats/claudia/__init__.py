"""The memory of Claudia, now Anima: a database and the librarian's pages."""
