"""Rows of the table that scripts/prove-time makes: a time that was measured, and what it may be at most.

A command that measures times prints each as a line of its own, which begins with `time:` and has the table's columns.
"""
import re

LINE = re.compile(r"^time: (.+?) \| (.*?) \| (.*?) \| (passed|FAILED)$")


def row(what, figure, bar, passed):
    """The line of a figure; `figure` and `bar` are texts with their units."""
    return f"time: {what} | {figure} | {bar} | {'passed' if passed else 'FAILED'}"


def read(line):
    """What, figure, bar, and `passed` or `FAILED` of such a line; nothing of another line."""
    found = LINE.match(line.rstrip("\n"))
    return found.groups() if found else None
