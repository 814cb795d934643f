"""The browser: screens wired to the library. Only this room loads Textual."""
