"""Sudden ends of the daemon and of its clients, at random instants."""
import os, threading, time

from .support.admission import Admitted
from .support.bench import Outcome
from .support.daemon import VirtualDaemon
from .support.installation import Installation, clients
from .support.life import Life, RealLife
from .support.receiver import Place, second, solution

ABOUT = ("Daemon and clients are killed at random instants of drives; what was confirmed is there afterwards, "
         "a denial holds, each event of the drives comes, once, and so does each fix that was held back.")
FINDING = ("A region or service that was confirmed and is gone, or was taken back and is there; a denial that does "
           "not hold; an event or a held-back fix that is told never or twice; a daemon that does not start, or not "
           "end on its order.")
SHORT = 32
GOAL = 10_000
RANK = 10

# Drives of a trial, with a kill in each.
DRIVES = 8
# Ends of the daemon in a trial of deferred fixes, and fixes between them.
HOLDING, FIXES = 6, 40


def trial(bench, seed):
    return deferred(bench, seed) if seed % 4 == 1 else lives(bench, seed)


def lives(bench, seed):
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


def deferred(bench, seed):
    """Fixes are held back for a client over sudden ends of the daemon; each is delivered, and once."""
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    daemon = VirtualDaemon(Installation(bench, clients(1))).start()
    told, sent = [], []
    for _ in range(HOLDING):
        user = Admitted(daemon.installation.clients[0], outcome)
        user.connect(daemon.installation.socket)
        told += begin(user, told)
        for _ in range(random.randrange(5, FIXES)):
            sent.append(round(daemon.time))
            daemon.feed(solution(Place(len(sent) * 5, speed=5), daemon.time), 1)
        if random.random() < 0.3:
            told += times(user.ask("flush"))
        held = times(user.ask())
        if held:
            outcome.find(f"{len(held)} fixes were told though they were to be held back")
        end(daemon, random)
        outcome.attacks += 1
        daemon.start()
    user = Admitted(daemon.installation.clients[0], outcome)
    user.connect(daemon.installation.socket)
    told += begin(user, told)
    told += times(user.ask("flush"))
    missing, again = set(sent) - set(told), [time for time in set(told) if told.count(time) > 1]
    if missing:
        outcome.find(f"of {len(sent)} fixes that were held back {len(missing)} were never told")
    if again:
        outcome.find(f"of {len(sent)} fixes that were held back {len(again)} were told more than once")
    outcome.figures["fixes held back"] = len(sent)
    daemon.stop()
    return outcome


def begin(user, told):
    """What a new watch is told: the fixes that were held back, or else the last location, which may be known already."""
    heard = times(user.ask("watch", accuracy="best", deferral={"timeout": 86_400}, label="track"))
    return [time for time in heard if len(heard) > 1 or time not in told]


def end(daemon, random):
    if random.random() < 0.8:
        daemon.kill()
    else:
        daemon.stop()


def times(events):
    return [second(event["time"]) for event in events if event["event"] == "location"]
