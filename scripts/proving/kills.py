"""Sudden ends of the daemon and of its clients, at random instants."""
import os, threading, time

from .support.life import Life, RealLife

ABOUT = ("Daemon and clients are killed at random instants of drives; what was confirmed is there afterwards, "
         "a denial holds, and each event of the drives comes, once.")
SHORT = 8
GOAL = 10_000
RANK = 10

# Drives of a trial, with a kill in each.
DRIVES = 8


def trial(bench, seed):
    # The bench's daemon is driven about; the real one's card works in a thread beside, so that each is met elsewhere.
    life = (RealLife if seed % 4 == 3 else Life)(bench, seed).begin()
    began = time.monotonic()
    life.live(life.next_drive())
    pace = time.monotonic() - began
    for _ in range(DRIVES):
        if life.random.random() < 0.75:
            kill_daemon(life, pace)
        else:
            kill_client(life)
        life.settle()
    return life.end()


def kill_daemon(life, pace):
    """A part of a drive, and then requests, with the kill anywhere in them."""
    fixes = life.next_drive()
    cut = life.random.randrange(len(fixes) + 1)
    thread = kill_after(life.daemon, life.random.random() * (cut / max(1, len(fixes)) * pace + 0.03))
    rest = life.live(fixes[:cut]) + fixes[cut:]
    life.change_until_gone()
    thread.join()
    life.daemon.kill()
    life.outcome.attacks += 1
    life.bench.say(f"the daemon was killed; {len(rest)} fixes of {len(fixes)} follow")
    life.daemon.start()
    life.meet()
    life.live(rest)


def kill_after(daemon, delay):
    """Kills the daemon after so long, from a thread."""
    def act():
        time.sleep(delay)
        try:
            os.kill(daemon.process.pid, 9)
        except ProcessLookupError:
            pass
    thread = threading.Thread(target=act)
    thread.start()
    return thread


def kill_client(life):
    """A client goes without a word, with lines on their way to it."""
    fixes = life.next_drive()
    cut = life.random.randrange(len(fixes) + 1)
    life.live(fixes[:cut])
    life.witness.wire.send("registrations")
    life.witness.connect(life.installation.socket)
    life.witness.compare("after the client's sudden end")
    life.outcome.attacks += 1
    life.bench.say("the client was killed")
    life.live(fixes[cut:])
