"""Sudden ends of the daemon at each of its system calls in turn."""
import collections

from .support.bench import Failure, Unavailable
from .support.life import Life, RealLife

ABOUT = ("The daemon is killed when it enters its nth system call, one n after the other; what was confirmed is there "
         "afterwards, a denial holds, and each event comes, once.")
FINDING = "The same as of `kills`."
SHORT = 15
GOAL = 10_000
RANK = 11

# Kills of a trial.
KILLS = 6
# Sets of calls, since strace counts for each thread: all; those by which something comes on the card, which the thread
# of the store makes and others do not; those by which somebody is told.
SETS = {"all": "all", "storing": "pwrite64,fsync,fdatasync,ftruncate,unlink,rename,fchmod,mkdir",
        "telling": "sendto,sendmsg,write,writev"}
# Seeds go through a set's calls in steps of the golden ratio, so that few are spread over the run and many meet each.
RATIO = 0.6180339887498949


def trial(bench, seed):
    strace = bench.tool("strace")
    # The bench's daemon waits for the card, and is driven about; the real one's card works in a thread beside.
    life = (RealLife if seed % 4 == 3 else Life)(bench, seed).begin()
    life.live(life.next_drive())
    name = list(SETS)[seed % len(SETS)]
    calls = SETS[name]
    total = count(life, strace, calls)
    for index in range(KILLS):
        number = 1 + int((seed // len(SETS) * KILLS + index + 0.5) * RATIO % 1 * total)
        kill_at(life, [strace, "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}",
                       "-e", f"inject={calls}:signal=KILL:when={number}"])
        bench.say(f"killed at call {number} of {total} ({name})")
        life.settle()
    life.outcome.figures[f"most calls of one thread in a run ({name})"] = total
    return life.end()


def count(life, strace, calls):
    """How many calls the daemon's busiest thread makes from its start through a drive and some requests."""
    trace = life.bench.path("trace")
    life.daemon.stop()
    life.daemon.under = [strace, "-f", "-qq", "-o", trace, "-e", f"trace={calls}"]
    life.daemon.start()
    life.meet("after an orderly end")
    life.live(life.next_drive())
    life.change_until_gone(6)
    life.daemon.kill()
    with open(trace, encoding="utf-8", errors="replace") as file:
        threads = collections.Counter(line.split(" ", 1)[0] for line in file if "resumed>" not in line)
    if not threads:
        raise Unavailable("strace cannot trace here")
    again(life)
    return max(threads.values())


def kill_at(life, under):
    fixes = life.next_drive()
    life.daemon.stop()
    life.daemon.under = under
    rest = fixes
    try:
        life.daemon.start()
        life.meet("after an orderly end")
        rest = life.live(fixes)
        life.change_until_gone(6)
    except (Failure, OSError):
        if not life.daemon.has_gone:
            raise
    life.outcome.attacks += 1
    life.daemon.kill()
    again(life)
    life.live(rest)


def again(life):
    life.daemon.under = []
    life.daemon.start()
    life.meet()
