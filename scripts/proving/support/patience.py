"""How long a trial waits for a state: one bound, in seconds, for every wait of every kind.

SEXTANT_PATIENCE sets it for all tests together, larger where the machine is slower. It says when to give up on a daemon
that hangs, and nothing of how fast one has to be.
"""
import os, time

PATIENCE = float(os.environ.get("SEXTANT_PATIENCE", "300"))


def until(test, pause=0.01):
    """Waits until `test` gives something, and returns that; nothing once patience is at its end."""
    deadline = time.monotonic() + PATIENCE
    while not (value := test()):
        if time.monotonic() > deadline:
            return None
        time.sleep(pause)
    return value
