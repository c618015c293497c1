"""Every request of the protocol, made up from the grammar that the daemon itself tells."""
import collections, json, math, os, re, time

from .adversaries import TELLING
from .receivers import RANGES
from .support.admission import operate
from .support.bench import Failure, Outcome
from .support.card import Card
from .support.daemon import Daemon, VirtualDaemon
from .support.grammar import EVENTS, KEYS, REQUESTS, Grammar
from .support.installation import FIRST_USER, Client, Installation, clients
from .support.receiver import Place, solution
from .support.wire import Closed, Wire

ABOUT = ("Every request of the protocol's own table, with every member that the daemon says it has, at, in and past "
         "its bounds, by an operator, clients of all rights and a stranger: no trap, each line is answered in words "
         "of the protocol, nobody is told what is not theirs.")
FINDING = ("An end of the daemon; a word, member or number that the protocol does not have; a place for a stranger, "
           "a denied client, or too exact for a reduced one; a request of the table that was not attacked.")
SHORT = 2
GOAL = 1_000_000
RANK = 38

# Rounds of a trial and of one of the short form (seeds to 9); requests of a round.
ROUNDS, SHORT_ROUNDS, VOLLEY = 60, 8, 40
STRANGER = 30_000
# What refuses a line before it is a request.
UNREAD = {"malformed", "unknownRequest", "unknownKey", "badValue", "tooLong"}
# Bytes of memory that it may grow by, with all that may be stored for three clients.
GROWTH = 48 * 2**20
# Every so manieth trial is a hoard: so many clients, each with so many connections, borders and positions of each.
HOARDS, HOARDERS, LINES, BORDERS, POSITIONS = 50, 7, 16, 20, 1600
UNIT = os.path.join(os.path.dirname(__file__), "..", "systemd", "sextantd.service")
# Those that keep what they may: no request names them.
SILENT, COARSE = "denied", "coarse"


def trial(bench, seed):
    return hoard(bench, seed) if seed % HOARDS == 1 else Siege(bench, seed).run()


class Siege:
    """A daemon, and clients of different rights that ask it everything."""

    def __init__(self, bench, seed):
        bench.need_root()
        self.bench, self.random, self.outcome, self.seed = bench, bench.random(seed), Outcome(), seed
        self.known = [Client("client0", FIRST_USER), Client(COARSE, FIRST_USER + 1, "always", "reduced"),
                      Client(SILENT, FIRST_USER + 2, "denied")]
        self.installation = Installation(bench, self.known)
        self.daemon = VirtualDaemon(self.installation)
        self.askers = {"operator": 0, "stranger": STRANGER, **{client.name: client.user for client in self.known}}
        # Of each request, how often one that fits was understood.
        self.understood, self.told = collections.Counter(), 0

    def run(self):
        self.daemon.start()
        with Wire(self.installation.socket) as wire:
            wire.hello()
            self.grammar = Grammar().learn(wire, self.random)
        self.bench.say(f"{len(REQUESTS)} requests in {sum(map(len, self.grammar.forms.values()))} forms, learnt by "
                       f"{self.grammar.questions} questions")
        rounds = SHORT_ROUNDS if self.seed < 10 else ROUNDS
        resident = self.daemon.resident
        for number in range(rounds):
            for name in self.askers:
                self.volley(name, number)
            self.allow()
            for _ in range(3):
                self.daemon.feed(solution(Place(self.random.uniform(0, 3000), speed=5), self.daemon.time), 1)
            if self.random.random() < 0.1:
                self.restart()
        self.compare()
        self.outcome.note_most("most KiB that memory grew by", max(0, self.daemon.resident - resident) / 1024)
        if self.daemon.resident > resident + GROWTH:
            self.outcome.find(f"made-up requests made the daemon grow by "
                              f"{(self.daemon.resident - resident) / 2**20:.1f} MiB")
        self.daemon.stop()
        return self.outcome

    def volley(self, name, number):
        """A connection with requests of all kinds, which another one may interrupt."""
        lines = [self.line(VOLLEY * number + index) for index in range(VOLLEY)]
        try:
            with Wire(self.installation.socket, self.askers[name]) as wire:
                self.judge(name, [wire.hello()])
                while lines:
                    count = self.random.choice([1, 5, 40])
                    some, lines = lines[:count], lines[count:]
                    wire.send_bytes(b"".join(data for _, data in some))
                    self.outcome.attacks += len(some)
                    events = wire.ask()
                    self.judge(name, events)
                    unread = {event.get("id") for event in events if event.get("code") in UNREAD}
                    self.understood.update(name.split(":")[0] for name, _ in some if name not in {None, *unread})
                    self.daemon.run(self.random.choice([0, 0, 0.1, 11]))
                    self.judge(name, wire.ask())
        except Closed:
            # A line that is too long, or answers without room, may end a connection, and never the daemon.
            if not self.daemon.has_gone:
                return
            raise Failure(f"the daemon ended with {self.daemon.process.returncode} after made-up requests: "
                          f"{self.daemon.last_words}") from None

    def line(self, number):
        """A request of the table, one after the other, so that each comes; with an `id` if it should be understood."""
        request, choice = REQUESTS[number % len(REQUESTS)], self.random.random()
        if choice < 0.6:
            name = f"{request}:{number}"
            return name, json.dumps({**self.grammar.fitting(request, self.random), "id": name}).encode() + b"\n"
        data = json.dumps(self.grammar.nearly(request, self.random)).encode()
        return None, (damaged(data, self.random) if choice > 0.9 else data) + b"\n"

    def judge(self, name, events):
        """What came back is in the words of the protocol, and whoever may not know anything is told nothing."""
        for event in events:
            kind = event["event"]
            if kind not in EVENTS:
                self.outcome.find(f"{event.get('id')} was answered with {kind}, which is not in the protocol's table")
            # Flags of diagnostics belong to their enumeration.
            if (more := set(event) - set(KEYS)) and not kind.endswith("Diagnostics"):
                self.outcome.find(f"{kind} has {', '.join(sorted(more))}, which are not in the protocol's table")
            for key, value in event.items():
                least, most = RANGES.get(key, (-math.inf, math.inf))
                if isinstance(value, float) and not (math.isfinite(value) and least <= value <= most):
                    self.outcome.find(f"{kind} has {key} {value}, which is out of its range")
            if kind in TELLING and kind not in ("heading", "regionState"):
                self.told += 1
                if name in (SILENT, "stranger"):
                    self.outcome.find(f"{name} was told a {kind} after made-up requests")
                if name == COARSE and event.get("horizontalAccuracy", 1000) < 1000:
                    self.outcome.find(f"a client with reduced accuracy was told a place to "
                                      f"{event['horizontalAccuracy']} m after made-up requests")

    def allow(self):
        """Gives back what the operator's made-up requests took: silence proves nothing where all are silent."""
        operate(self.installation.socket, "services", enabled=True)
        for client in self.known[:2]:
            operate(self.installation.socket, "answer", client=client.name, answer="always", accuracy=client.accuracy)

    def restart(self):
        """A sudden end, after which a denial holds."""
        self.daemon.kill()
        self.daemon.start()
        with Wire(self.installation.socket, self.askers[SILENT]) as wire:
            status = wire.hello()["status"]
        if status.startswith("authorized"):
            self.outcome.find(f"{SILENT} is {status} after made-up requests and a restart")

    def compare(self):
        """Each request of the table was understood: else it was not attacked."""
        missing = [name for name in REQUESTS if not self.understood[name]]
        if missing:
            self.outcome.find(f"of the protocol's table nothing that was made up was taken as {', '.join(missing)}, so "
                              "it was not attacked; look at what support/grammar.py makes of its members")
        self.outcome.figures["requests of the table"] = len(REQUESTS)
        self.outcome.figures["forms of requests"] = sum(map(len, self.grammar.forms.values()))
        self.outcome.figures["places told"] = self.told


def damaged(data, random):
    """Bytes of a line changed, or a line that is none."""
    if random.random() < 0.1:
        return random.choice([b"[" * 60_000, b"{\"a\":" * 10_000, b"9" * 60_000, b"", b"\0" * 100, b"\xff" * 2000,
                              data + b" " * 70_000, data[:-1], data * 2])
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 3, 10])):
        place = random.randrange(len(data) + 1)
        if random.random() < 0.5:
            data[place:place + random.randrange(4)] = random.randbytes(random.randrange(4))
        else:
            data[place:place] = random.choice([b"{", b"[", b'"', b"\\", b",", b"\\u", b"\xff", b"-", b"e9", b"\0"])
    return bytes(data).replace(b"\n", b" ")


# All that may be held at once

def hoard(bench, seed):
    """Clients have the daemon hold all that it may for them at once, which stays below the unit's `MemoryMax=`.

    Each has polygons with as many positions as it may, rows that wait for a card that does not return, connections whose
    answers it does not read, and behind them requests that do not end.
    """
    bench.need_root()
    outcome, installation = Outcome(), Installation(bench, clients(HOARDERS))
    card = Card(bench, installation.state)
    daemon = Daemon(installation, environment=card.environment).start()
    resting = daemon.resident
    lines = []
    for client in installation.clients:
        with Wire(installation.socket, client.user) as wire:
            wire.hello()
            for number in range(BORDERS):
                came = wire.ask("monitorRegion", identifier=f"border{number}", polygon=[circle(number)])
                outcome.attacks += 1
                if any(event["event"] == "error" for event in came):
                    outcome.find(f"a border of {POSITIONS} positions was refused: {came}")
        for number in range(LINES):
            line = Wire(installation.socket, client.user)
            line.hello()
            lines.append(line.socket)
    card.hold()
    orders = [json.dumps({"request": "monitorRegion", "identifier": f"border{number}",
                          "polygon": [circle(number + BORDERS)]}).encode() + b"\n" for number in range(BORDERS)]
    rest = {line: orders[place % LINES] + b'{"request":"registrations"}\n' * 40 + b"x" * 65_000
            for place, line in enumerate(lines)}
    peak = pour(daemon, rest)
    most = int(re.search(r"^MemoryMax=(\d+)M$", open(UNIT, encoding="utf-8").read(), re.MULTILINE)[1]) * 2**20
    outcome.note_most("most KiB of memory with all that may be held", peak / 1024)
    bench.say(f"{resting / 2**20:.1f} MiB at rest, {peak / 2**20:.1f} MiB with all that may be held")
    if peak > most:
        outcome.find(f"clients made the daemon hold {peak / 2**20:.1f} MiB, more than its unit's MemoryMax=")
    with Wire(installation.socket) as operator:
        operator.hello()
        operator.ask("status")
    for line in lines:
        line.close()
    card.mend()
    daemon.stop()
    return outcome


def pour(daemon, rest):
    """Sends what the daemon takes, until it takes nothing any more; returns the most bytes of memory that it used."""
    peak, idle = 0, 0
    while any(rest.values()) and idle < 500:
        idle += 1
        for line in [line for line in rest if rest[line]]:
            try:
                rest[line] = rest[line][line.send(rest[line]):]
                idle = 0
            except BlockingIOError:
                pass
            except OSError:
                rest[line] = b""
        peak = max(peak, daemon.resident)
        time.sleep(0.01)
    return peak


def circle(number):
    """A border with many positions; no two numbers have the same."""
    turns = (2 * math.pi * place / POSITIONS for place in range(POSITIONS))
    return [[round(8 + 0.01 * math.cos(turn), 6), round(40 + number * 0.1 + 0.01 * math.sin(turn), 6)]
            for turn in turns]
