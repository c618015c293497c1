"""Faults put in on purpose, to see that the campaign finds them: what a faulty daemon would leave behind when it ends.

`prove --sabotage NAME` does one of them before every start of a daemon but its first; the campaign must end with findings.
"""
import os, shutil, sqlite3

from .bench import Failure


def cut(installation):
    """The last transactions were confirmed and are not on the card."""
    path = installation.database + "-wal"
    if os.path.exists(path):
        os.truncate(path, max(0, os.path.getsize(path) - 4200))


def row(installation):
    """A registration was confirmed and is not kept."""
    change(installation, "DELETE FROM registrations WHERE name = (SELECT max(name) FROM registrations)")


def events(installation):
    """Events that nobody acknowledged are forgotten."""
    change(installation, "DELETE FROM events")


def deferred(installation):
    """Fixes that were held back are forgotten."""
    change(installation, "DELETE FROM deferred")


def decisions(installation):
    """Denials are forgotten."""
    path = os.path.join(installation.state, "state.decisions")
    if os.path.isfile(path):
        os.unlink(path)
    change(installation, "DELETE FROM authorization")


def old(installation):
    """What is kept is that of an earlier time."""
    kept = installation.path("kept")
    if os.path.exists(kept):
        shutil.rmtree(installation.state)
        shutil.move(kept, installation.state)
    else:
        shutil.copytree(installation.state, kept)


def open_files(installation):
    """Everybody may read what is kept."""
    os.chmod(installation.state, 0o755)
    for name in os.listdir(installation.state):
        os.chmod(os.path.join(installation.state, name), 0o644)


def unsynced(installation):
    """The daemon confirms what is not on the card yet: `board.py` preloads a card that ignores some of its syncs."""


def change(installation, statement):
    connection = sqlite3.connect(installation.database)
    try:
        with connection:
            connection.execute(statement)
    except sqlite3.Error:
        # The trial spoilt the file itself.
        pass
    finally:
        connection.close()


ALL = {"cut": cut, "row": row, "events": events, "deferred": deferred, "decisions": decisions, "old": old,
       "open-files": open_files, "unsynced": unsynced}


def sabotage(name, installation):
    if not os.path.isdir(installation.state):
        return
    try:
        ALL[name](installation)
    except OSError as error:
        raise Failure(f"the fault put in on purpose could not be: {error}") from None
