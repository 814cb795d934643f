"""What git knows, asked of the program itself, which starts nothing for an answer.

Of the libraries that read repositories, one takes three seconds for what the program
tells in six milliseconds, one does not follow a file that was renamed and weighs
seventeen megabytes, and one runs the programs that a repository names.
"""
