"""Floods: what sixty strangers do to one client, to the operator, and to the daemon's memory."""
import select, socket, threading, time

from .support.bench import Busy, Failure, Outcome
from .support.daemon import Daemon
from .support.flood import FIRST_STRANGER, FLOODS, STRANGERS, Flood, register
from .support.installation import Client, Installation, clients
from .support.receiver import Place, Terminal, second, solution
from .support.wire import Wire

ABOUT = ("Sixty strangers flood the socket and the gpsd port; another client's fixes at 5 Hz come within 20 ms (p99), "
         "the operator can connect, and memory returns to within 1 MiB.")
SHORT = 2
GOAL = 1200
RANK = 60
ALONE = True

# Fixes a second; seconds of a flood, and before it of one that makes caches and pools grow; milliseconds of 99 %.
HERTZ, FLOODED, WARM, P99 = 5, 12, 3, 20
# Seconds after a flood in which the daemon lets go of what it held; the share of a processor without which none of this
# can be measured.
REST, SHARE = 5, 0.8


def trial(bench, seed):
    bench.need_root()
    outcome, act = Outcome(), FLOODS[seed % len(FLOODS)]
    bench.say(f"the flood: {act.__name__}")
    known = clients(1)
    if act is register:
        known += [Client(f"stranger{index}", FIRST_STRANGER + index) for index in range(STRANGERS)]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    installation = Installation(bench, known, port=port)
    receiver = Terminal(bench.path("gnss"))
    daemon = Daemon(installation, receiver.path).start()
    sent = {}

    def say(instant):
        sent[round(instant * 1000)] = time.monotonic()
        return solution(Place(), instant)

    receiver.say(say, HERTZ)
    try:
        with Wire(installation.socket, known[0].user) as watcher:
            watcher.send("watch")
            watcher.wait("epoch", patience=20)
            listen(watcher, sent, 1)
            share = processor()
            if share < SHARE:
                raise Busy(f"other work leaves {share:.0%} of a processor, and delays are measured; wait for it")
            flood(installation, port, act, seed, lambda: listen(watcher, sent, WARM))
            listen(watcher, sent, REST)
            resident, descriptors = daemon.resident, daemon.descriptors
            operator, before = Operator(installation), schedule(daemon)
            operator.start()
            delays = flood(installation, port, act, seed + 1000, lambda: listen(watcher, sent, FLOODED))
            operator.end()
            ran, waited = (now - then for now, then in zip(schedule(daemon), before))
            bench.say(f"the daemon used {ran:.1f} s of a processor, and waited {waited:.1f} s for one")
            listen(watcher, sent, REST)
            outcome.attacks = 1
            grown = daemon.resident - resident
            outcome.note_most("most KiB that memory grew by", max(0, grown) / 1024)
            # A MiB is what is wanted; the allocator's own grain is as large.
            if grown > 2 * 2**20:
                outcome.find(f"a flood ({act.__name__}) left the daemon with {grown / 2**20:.1f} MiB more memory")
            if daemon.descriptors > descriptors:
                outcome.find(f"a flood ({act.__name__}) left {daemon.descriptors - descriptors} more descriptors open")
            late = judge(bench, outcome, act.__name__, delays, operator)
            if waited < (ran + waited) * (1 - SHARE):
                for sentence in late:
                    outcome.find(sentence)
            elif late and not outcome.findings:
                raise Busy(f"the daemon waited {waited:.1f} s for a processor that other work had, and used "
                           f"{ran:.1f} s, so its delays say nothing; wait for that work")
        daemon.stop()
    except Failure:
        if not daemon.is_running:
            raise Failure(f"the daemon ended with {daemon.process.returncode} in a flood ({act.__name__}): "
                          f"{daemon.last_words}") from None
        raise
    finally:
        receiver.close()
    return outcome


def flood(installation, port, act, seed, work):
    strangers = Flood(installation.socket, port, act, seed)
    try:
        return work()
    finally:
        if strangers.end() != 0:
            raise RuntimeError("the strangers' own process failed")


def processor():
    """The share of a processor that this process can have, 0 to 1."""
    wall, used = time.monotonic(), time.process_time()
    while time.monotonic() < wall + 0.3:
        pass
    return (time.process_time() - used) / 0.3


def schedule(daemon):
    """Seconds that the daemon ran, and that it was ready to run and waited for a processor."""
    with open(f"/proc/{daemon.pid}/schedstat", encoding="ascii") as file:
        return [int(word) / 1e9 for word in file.read().split()[:2]]


def listen(watcher, sent, seconds):
    """For so long: milliseconds that each fix took to the watcher."""
    delays, end = [], time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        select.select([watcher.socket], [], [], left)
        heard = time.monotonic()
        for event in watcher.drain():
            if event["event"] == "epoch" and "time" in event:
                told = second(event["time"]) * 1000 + round(float("0" + event["time"][19:-1]) * 1000)
                if told in sent:
                    delays.append((heard - sent[told]) * 1000)
        if watcher.is_closed:
            raise Failure("the watching client was dropped in a flood of strangers")
    return delays


class Operator(threading.Thread):
    """An operator who comes again and again, and how long each visit takes."""

    def __init__(self, installation):
        super().__init__(daemon=True)
        self.installation, self.waited, self.problem, self.ends = installation, [], None, threading.Event()

    def run(self):
        while not self.ends.wait(0.5):
            began = time.monotonic()
            try:
                with Wire(self.installation.socket, patience=30) as wire:
                    if wire.next()["event"] != "hello":
                        raise Failure("it was refused a connection")
                    wire.ask("clients")
            except Failure as problem:
                self.problem = self.problem or f"in a flood an operator was not served: {problem}"
            self.waited.append(time.monotonic() - began)

    def end(self):
        self.ends.set()
        self.join(40)


def judge(bench, outcome, name, delays, operator):
    """Notes the delays; what was too late is returned, since it may be the machine's fault."""
    late = []
    if operator.problem:
        late.append(f"{operator.problem} ({name})")
    if len(delays) < FLOODED * HERTZ * 0.7:
        late.append(f"in a flood ({name}) {len(delays)} fixes came of about {FLOODED * HERTZ}")
    delays.sort()
    quantile = delays[min(len(delays) - 1, int(len(delays) * 0.99))] if delays else 0
    longest = max(operator.waited, default=0)
    outcome.note_most(f"p99 of a fix's delay, ms: {name}", quantile)
    outcome.note_most("most seconds that an operator waited", longest)
    if quantile > P99 * bench.slack:
        late.append(f"in a flood ({name}) a client's fixes took {quantile:.1f} ms (p99), more than {P99} ms")
    if longest > bench.slack:
        late.append(f"in a flood ({name}) an operator waited {longest:.1f} s for an answer")
    return late
