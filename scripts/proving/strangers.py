"""Floods: what sixty strangers do to one client, to the operator, and to the daemon's memory.

What a flood costs others is judged by how long the receiver waited for the daemon at most, which the daemon counts by its
own clock as `longestTurn`: a fix that comes waits for the work before it. Where that is measured the kernel prefers the
daemon to all other work of the machine, and a wait over the limit is a finding where it comes again with a fresh daemon,
each time: what a machine with too few processors takes from a turn comes once. How often that was so is a figure of the
report. How long a fix took by the clock, on its way through the kernel and through its reader, is a row of
scripts/prove-time, for a quiet machine.
"""
import os, select, threading, time

from .support.bench import Failure, Outcome, Unavailable
from .support.daemon import Daemon
from .support.flood import FIRST_STRANGER, FLOODS, STRANGERS, Flood, register
from .support.installation import Client, Installation, clients
from .support.patience import PATIENCE, until
from .support.ports import free_port
from .support.receiver import Place, Terminal, second, solution
from .support.rows import row
from .support.wire import Closed, Wire

ABOUT = ("Sixty strangers flood the socket and the gpsd port; another client's fixes at 5 Hz come on, the operator is "
         "served, memory and descriptors return, and the receiver never waits 50 ms for the daemon.")
FINDING = ("A receiver that waits over 50 ms for the daemon; fixes that stay away; an operator who is not served; a "
           "client that is dropped; memory or descriptors that stay.")
SHORT = 2
TIMED = range(1, len(FLOODS) + 1)
GOAL = 1200
RANK = 60

# Fixes a second. Where no time is judged, a flood lasts until others were served so often in it, and strangers did so
# much.
HERTZ, FIXES, VISITS, ACTS = 5, 10, 3, 3000
# The share of the fixes sent in a flood that must come in it.
COME = 0.7
# Bytes of memory that a flood may leave: a MiB is what is wanted, and the allocator's own grain is as large.
GROWTH = 2 * 2**20
# Descriptors that the daemon itself may open after its start.
OWN = 8
# A measured flood: its seconds, those of one before it that makes caches and pools grow, and those after each in which
# the daemon lets go of what it held.
FLOODED, WARM, REST = 24, 3, 5
# The same in a campaign, where every flood comes a hundred times.
BRIEF = (4, 1, 1)
# Milliseconds that the receiver may wait for the daemon. On a quiet machine: those in which 99 % of the fixes must come,
# and seconds in which an operator must be served.
TURN, P99, SERVED = 50, 20, 1
# Daemons with a turn over the limit, one after the other, that are a finding.
TURNS = 3


def trial(bench, seed):
    bench.need_root()
    for daemons in range(1, TURNS + 1):
        outcome, turn = besieged(bench, seed, f"daemon{daemons}")
        if turn <= TURN * bench.slack:
            outcome.figures["turns over the limit that did not come again"] = daemons - 1
            break
    else:
        outcome.find(f"in a flood ({FLOODS[seed % len(FLOODS)].__name__}) the receiver waited {turn:.0f} ms for the "
                     f"daemon, over {TURN} ms, and so it did for {TURNS - 1} daemons before")
    return outcome


def besieged(bench, seed, name):
    """What came of a flood, and milliseconds that the receiver waited at most in it; 0 where no time is judged."""
    outcome, act = Outcome(), FLOODS[seed % len(FLOODS)]
    bench.say(f"the flood: {act.__name__}")
    known = clients(1)
    if act is register:
        known += [Client(f"stranger{index}", FIRST_STRANGER + index) for index in range(STRANGERS)]
    installation = Installation(bench, known, name, port=free_port())
    receiver = Terminal(installation.path("gnss"))
    daemon = Daemon(installation, receiver.path).start()
    sent, turn = {}, 0
    if bench.is_timed:
        come_first(daemon.pid)

    def say(instant):
        sent[round(instant * 1000)] = time.monotonic()
        return solution(Place(), instant)

    receiver.say(say, HERTZ)
    try:
        with Wire(installation.socket, known[0].user) as watcher:
            watcher.send("watch")
            watcher.wait("epoch")
            siege = Siege(bench, outcome, daemon, watcher, sent, act, seed)
            if bench.is_timed:
                turn = siege.measure()
            else:
                siege.serve()
            outcome.attacks = 1
        daemon.stop()
    except Failure:
        if not daemon.is_running:
            raise Failure(f"the daemon ended with {daemon.process.returncode} in a flood ({act.__name__}): "
                          f"{daemon.last_words}") from None
        raise
    finally:
        receiver.close()
    return outcome, turn


class Siege:
    """One daemon, one client that is told fixes, and strangers."""

    def __init__(self, bench, outcome, daemon, watcher, sent, act, seed):
        self.bench, self.outcome, self.daemon, self.watcher = bench, outcome, daemon, watcher
        self.sent, self.act, self.name, self.seed = sent, act, act.__name__, seed

    def flood(self, number, work, acts=None):
        """Does some work while strangers flood the daemon, without an end or with so many acts."""
        installation = self.daemon.installation
        strangers = Flood(installation.socket, installation.port, self.act, self.seed + 1000 * number, acts)
        try:
            return work(strangers)
        finally:
            if strangers.end() != 0:
                raise RuntimeError("the strangers' own process failed")

    # Without a clock

    def serve(self):
        """Others are served in a flood, however long each of them waits, and nothing is left of it."""
        before, operator = self.daemon.descriptors, Operator(self.daemon.installation, pause=0.1)
        operator.start()
        self.flood(0, lambda strangers: self.hear(
            FIXES, lambda: strangers.acts >= ACTS and operator.visits >= VISITS or operator.problem))
        operator.end()
        if operator.problem:
            self.outcome.find(f"{operator.problem} ({self.name})")
        # The daemon may have opened something of its own meanwhile.
        self.forget(before + OWN)
        # That flood has made caches and pools grow. Another one of so many acts, and not of so many seconds, adds little:
        # what its users have registered is kept.
        self.hear(HERTZ)
        before, resident = self.daemon.descriptors, self.daemon.resident
        self.flood(1, lambda strangers: self.hear(0, lambda: strangers.acts >= ACTS), acts=ACTS)
        self.forget(before)
        if not until(self.is_welcome):
            self.outcome.find(f"after a flood ({self.name}) whose connections ended, a stranger finds no place")
        if not until(lambda: self.daemon.resident <= resident + GROWTH):
            self.outcome.find(f"a flood of {ACTS} acts ({self.name}) left the daemon with "
                              f"{(self.daemon.resident - resident) / 2**20:.1f} MiB more memory")

    def is_welcome(self):
        """Whether a stranger who comes now is served."""
        try:
            with Wire(self.daemon.installation.socket, FIRST_STRANGER) as wire:
                return wire.next()["event"] == "hello"
        except Closed:
            return False

    def hear(self, count, is_enough=lambda: True):
        """Waits for so many fixes, and then until it is enough; fixes must not stay away."""
        heard, deadline = 0, time.monotonic() + PATIENCE
        while heard < count or not is_enough():
            select.select([self.watcher.socket], [], [], 0.05)
            come = sum(event["event"] == "epoch" for event in self.watcher.drain())
            if come:
                heard, deadline = heard + come, time.monotonic() + PATIENCE
            if self.watcher.is_closed:
                raise Failure(f"the watching client was dropped in a flood of strangers ({self.name})")
            if time.monotonic() > deadline:
                raise Failure(f"in a flood ({self.name}) a client heard of {heard} fixes, and then of none for "
                              f"{PATIENCE:g} s")

    def forget(self, before):
        """Waits until the connections of the strangers are gone."""
        if not until(lambda: self.daemon.descriptors <= before):
            raise Failure(f"a flood ({self.name}) left {self.daemon.descriptors - before} more descriptors open")

    # With a clock

    def measure(self):
        """What a flood costs others; milliseconds that the receiver waited at most."""
        flooded, warm, rest = (FLOODED, WARM, REST) if self.seed in TIMED else BRIEF
        self.listen(1)
        self.flood(0, lambda _: self.listen(warm))
        self.listen(rest)
        resident, descriptors = self.daemon.resident, self.daemon.descriptors
        operator = Operator(self.daemon.installation, pause=0.5)
        operator.start()
        first = len(self.sent)
        # On a busy machine the strangers need longer for as much, and fixes come later.
        heard = self.flood(1, lambda strangers: self.listen(flooded, lambda heard: (
            strangers.acts >= ACTS and len(heard) >= (len(self.sent) - first) * COME)))
        sent = len(self.sent) - first
        operator.end()
        turn = self.judge(heard, sent, operator)
        self.listen(rest)
        # What a flood leaves goes with the next turns of the daemon, however late a busy machine lets it have them.
        if not until(lambda: self.listen(0.05) is not None and self.daemon.resident <= resident + GROWTH):
            self.outcome.find(f"a flood ({self.name}) left the daemon with "
                              f"{(self.daemon.resident - resident) / 2**20:.1f} MiB more memory")
        self.outcome.note_most("most KiB that memory grew by", max(0, self.daemon.resident - resident) / 1024)
        self.forget(descriptors)
        return turn

    def longest_turn(self):
        """The longest time in seconds that the receiver waited for the daemon since its start, by the daemon's own clock."""
        with Wire(self.daemon.installation.socket) as wire:
            wire.send("status")
            return wire.wait("status")["counters"]["longestTurn"]

    def listen(self, seconds, is_enough=lambda _: True):
        """For so long, and until it is enough: milliseconds that each fix took to the watcher."""
        delays, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 or not is_enough(delays) and left > -PATIENCE:
            select.select([self.watcher.socket], [], [], min(max(left, 0.1), 1))
            now = time.monotonic()
            for event in self.watcher.drain():
                if event["event"] == "epoch" and "time" in event:
                    told = second(event["time"]) * 1000 + round(float("0" + event["time"][19:-1]) * 1000)
                    if told in self.sent:
                        delays.append((now - self.sent[told]) * 1000)
            if self.watcher.is_closed:
                raise Failure(f"the watching client was dropped in a flood of strangers ({self.name})")
        return delays

    def judge(self, delays, sent, operator):
        """Judges that others were served; what the clock says are rows. Milliseconds that the receiver waited at most."""
        slack, turn, longest = self.bench.slack, self.longest_turn() * 1000, max(operator.waited, default=0)
        quantile = sorted(delays)[min(len(delays) - 1, int(len(delays) * 0.99))] if delays else 0
        self.outcome.note_most(f"longest turn of the daemon, ms: {self.name}", turn)
        if operator.problem:
            self.outcome.find(f"{operator.problem} ({self.name})")
        if len(delays) < sent * COME:
            self.outcome.find(f"in a flood ({self.name}) {len(delays)} fixes came of {sent}")
        self.outcome.rows += [
            row(f"flood {self.name}: delay of another client's fixes, p99 of {len(delays)}", f"{quantile:.1f} ms",
                f"{P99} ms", 0 < quantile <= P99 * slack),
            row(f"flood {self.name}: longest wait of an operator of {len(operator.waited)}", f"{longest:.3f} s",
                f"{SERVED} s", 0 < longest <= SERVED * slack and not operator.problem)]
        return turn


def come_first(pid):
    """Has the kernel prefer the daemon to all other work, that of other sessions too; a trial is one by itself.

    All of its threads: where the one that writes to the card were kept from going on, its reactor would wait for what it holds.
    Not by a real-time priority: from a thread that has one and does not sleep the kernel takes 50 ms of each second for
    other work (sched_rt_runtime_us; since 6.12 its fair server), and they would stand in a turn.
    """
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            os.setpriority(os.PRIO_PROCESS, int(thread), -20)
        # Sessions share the processors evenly, whatever the priorities inside, where the kernel groups them.
        if os.path.exists(group := f"/proc/{pid}/autogroup"):
            with open(group, "w", encoding="ascii") as file:
                file.write("-20")
    except OSError as error:
        raise Unavailable(f"times are measured with a high priority, which is forbidden here: {error}") from None


class Operator(threading.Thread):
    """An operator who comes again and again, and how long each visit takes."""

    def __init__(self, installation, pause):
        super().__init__(daemon=True)
        self.installation, self.pause, self.visits = installation, pause, 0
        self.waited, self.problem, self.ends = [], None, threading.Event()

    def run(self):
        while not self.ends.wait(self.pause):
            began = time.monotonic()
            try:
                with Wire(self.installation.socket) as wire:
                    if wire.next()["event"] != "hello":
                        raise Failure("it was refused a connection")
                    wire.ask("clients")
                self.visits += 1
            except Failure as problem:
                self.problem = self.problem or f"in a flood an operator was not served: {problem}"
            self.waited.append(time.monotonic() - began)

    def end(self):
        self.ends.set()
        self.join(2 * PATIENCE)
