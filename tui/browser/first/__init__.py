"""What is said to who comes for the first time, and where there is nothing to show.

Plain lines, without colour or place: the list shows them where its rows would be.
"""
