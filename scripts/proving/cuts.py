"""Cuts of the power, at the level of the disk's blocks."""
import os

from .support.admission import Admitted, operate
from .support.bench import Failure, Unavailable
from .support.daemon import Daemon
from .support.disk import LoggedDisk, Mount, cut
from .support.installation import Installation
from .support.life import RealLife

ABOUT = ("The power is cut between any two writes of the disk, and of those that no flush has followed any are missing, "
         "out of order or torn; the store opens, what was confirmed is there, and a denial holds.")
SHORT = 2
GOAL = 500
RANK = 15

CHANGES, CUTS, SHORT_CUTS = 60, 40, 20
# The environment's word for a card that keeps its last flushes to itself: by it is seen that this kind finds anything.
LYING, FORGETS = "SEXTANT_PROVE_LYING_CARD", 12


class Confirmed:
    """What was promised once the disk had seen so many writes and flushes."""

    def __init__(self, life, position):
        self.position, self.is_denied, self.unsure = position, life.is_denied, life.unsure
        self.users = [(user.client, set(user.confirmed), set(user.uncertain), user.everything)
                      for user in (life.witness, life.changing)]


def trial(bench, seed):
    disk = LoggedDisk(bench)
    try:
        life, promises = live(bench, seed, disk)
    finally:
        entries = disk.close()
    outcome, last = life.outcome, promises[-1].position
    cuts = SHORT_CUTS if bench.slack == 1.0 and seed <= SHORT else CUTS
    forgets = FORGETS if LYING in os.environ else 0
    for index in range(cuts):
        position = life.random.randint(promises[0].position, last)
        image = cut(disk.first, entries, position, life.random, forgets)
        bench.say(f"cut {index}: after {position} of {last} writes and flushes")
        look(bench, life, promises, position, image)
        outcome.attacks += 1
    outcome.figures["writes and flushes of the disk"] = last
    return outcome


def live(bench, seed, disk):
    """Changes on the logged disk; after each, what is promised by then."""
    life = RealLife(bench, seed)
    life.installation.state = os.path.join(disk.folder, "state")
    os.makedirs(life.installation.state, mode=0o700)
    life.installation.configure(life.daemon.device)
    life.begin()
    promises = [Confirmed(life, disk.position)]
    for _ in range(CHANGES):
        life.change()
        promises.append(Confirmed(life, disk.position))
    life.daemon.kill()
    return life, promises


def look(bench, life, promises, position, image):
    """Mounts what the cut left, starts the daemon on it, and compares with what was promised by then.

    The change after the last promise may have been on its way.
    """
    index = max(number for number, promise in enumerate(promises) if promise.position <= position)
    promise, coming = promises[index], promises[min(index + 1, len(promises) - 1)]
    path = bench.path("left")
    with open(path, "wb") as file:
        file.write(image)
    try:
        mount = Mount(path, bench.path("mended"))
    except Unavailable as problem:
        return life.outcome.find(f"what a cut of the power left is no file system any more: {problem}")
    daemon, when = Daemon(life.installation, bench.path("no-receiver")), "after a cut of the power"
    life.installation.state = os.path.join(mount.folder, "state")
    try:
        daemon.start()
        for (client, confirmed, uncertain, everything), (_, later, doubtful, _) in zip(promise.users, coming.users):
            user = Admitted(client, life.outcome)
            user.confirmed, user.everything = confirmed, everything
            user.uncertain = uncertain | doubtful | (confirmed ^ later)
            user.connect(life.installation.socket)
            user.compare(when)
            user.disconnect()
        life.is_denied = promise.is_denied
        life.unsure = promise.unsure or coming.unsure or promise.is_denied != coming.is_denied
        life.compare_decision(when)
    except Failure as failure:
        life.outcome.find(f"{when}, {failure}")
    finally:
        daemon.kill()
        mount.close()
