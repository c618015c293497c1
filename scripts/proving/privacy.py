"""A board that rests and one that roams, and clients that must not be able to tell them apart."""
import itertools, json, os, socket

from .adversaries import REDUCED, TELLING
from .support.bench import Failure, Outcome
from .support.daemon import VirtualDaemon, pass_time
from .support.grammar import REQUESTS, Grammar
from .support.installation import FIRST_USER, Client, Installation
from .support.patience import PATIENCE
from .support.ports import free_port
from .support.receiver import LATITUDE, NORTH, Place, solution
from .support.wire import Closed, Wire

ABOUT = ("Two boards pass from cell to cell at the same times; between them one rests, and the other roams through "
         "regions and makes visits. A client with reduced accuracy, a denied one, one that nobody decided about and a "
         "stranger ask both boards the same for a day, every request of the protocol's table and of gpsd's: they are "
         "told the same by both.")
FINDING = ("A place, heading, region state, visit, point of the track or count that depends on the way within a cell; "
           "any place for a client that may not know one; a request of the table that was not asked.")
SHORT = 1
GOAL = 365
RANK = 36
WAITS = 6

MINUTES, WEEK = 24 * 60, 7
# The minute after which both daemons end and start again.
RESTART = 700
# Requests that each client makes in a minute, on its connection and on that of the gpsd port.
VOLLEY = 2
STRANGER, COARSE = "stranger", "reduced"
# Of a cell that clients with reduced accuracy know: degrees and metres from south to north (CoarseCell.swift).
HEIGHT, LENGTH = 0.045, 5003.8
# Metres in a minute at 15 m/s, and from a border before and after it is crossed.
STRIDE, MARGIN = 900.0, 450.0
# Members that no event has for a client that may not know a place, but for its own regions.
WITHHELD = {"latitude", "longitude", "horizontalAccuracy", "secondsSinceFix", "counters", "power", "trackPoint"}
GPSD = ('?WATCH={"enable":true,"json":true};', '?WATCH={"enable":true,"json":true,"timing":true,"scaled":true};',
        '?WATCH={"enable":true,"nmea":true};', '?WATCH={"enable":true,"raw":2};', '?WATCH={"enable":false};',
        "?POLL;", "?DEVICES;", "?DEVICE;", "?WATCH;")


def trial(bench, seed):
    """A day, and from the second seed on a week, for which the daemon is asked once what there is to ask."""
    bench.need_root()
    outcome, grammar = Outcome(), learn(bench, seed)
    for number in range(1 if seed <= SHORT else WEEK):
        if not outcome.findings:
            Day(bench, outcome, grammar, seed * WEEK + number).run()
    return outcome


def learn(bench, seed):
    """Learns what there is to ask of a daemon of its own, since questions are counted."""
    installation = Installation(bench, known(), "grammar")
    daemon = VirtualDaemon(installation).start()
    with Wire(installation.socket) as wire:
        wire.hello()
        grammar = Grammar().learn(wire, bench.random(seed))
    daemon.stop()
    return grammar


def known():
    return [Client("witness", FIRST_USER), Client(COARSE, FIRST_USER + 1, "always", "reduced"),
            Client("denied", FIRST_USER + 2, "denied"), Client("undecided", FIRST_USER + 3, None, None)]


class Way:
    """Where a board is, minute by minute, on a meridian."""

    def __init__(self, roams, random):
        self.roams, self.random, self.moved = roams, random, 0.0
        # The southern border of the cell, and metres from there: of the board, and of where it goes.
        self.border, self.offset, self.goal = 47.025, 2500.0, 2500.0

    def move(self, minute, crossing):
        """Drives for a minute: to the cell's border in time, over it, or about within the cell."""
        end, direction = crossing
        if minute > end:
            self.border += direction * HEIGHT
            self.offset = MARGIN if direction > 0 else LENGTH - MARGIN
            self.goal, step = self.anywhere(), direction * 2 * MARGIN
        else:
            border = LENGTH - MARGIN if direction > 0 else MARGIN
            must_leave = abs(border - self.offset) >= (end - minute) * STRIDE
            if not must_leave and abs(self.goal - self.offset) < 1 and (self.roams or self.random.random() < 1 / 60):
                self.goal = self.anywhere()
            way = (border if must_leave else self.goal) - self.offset
            step = min(max(way, -STRIDE), STRIDE)
            self.offset += step
        self.moved += abs(step)
        latitude = self.border + self.offset / LENGTH * HEIGHT
        return Place((latitude - LATITUDE) * NORTH, speed=abs(step) / 60, course=180 if step < 0 else 0)

    def anywhere(self):
        return self.random.uniform(MARGIN, LENGTH - MARGIN)


class Tap:
    """A connection to the gpsd port, as a user: the daemon finds the peer's user by its port."""

    def __init__(self, port, user):
        os.seteuid(user)
        try:
            self.socket = socket.socket()
            self.socket.settimeout(PATIENCE)
            self.socket.connect(("127.0.0.1", port))
            # Until it is greeted this process is the user's, of which the daemon wants to see one.
            self.socket.recv(1, socket.MSG_PEEK)
        finally:
            os.seteuid(0)
        self.lines = self.socket.makefile("rb")

    def begin(self, request):
        """Sends a request, and another one whose answer ends that of the first."""
        self.socket.sendall(request.encode() + b"?VERSION;\n")

    def finish(self):
        """All that came until the request was answered."""
        came = []
        while True:
            line = self.lines.readline()
            if not line:
                raise Failure("the gpsd port hung up")
            if b'"VERSION"' in line:
                return came
            came.append(line.decode(errors="replace").strip())

    def close(self):
        self.lines.close()
        self.socket.close()


class World:
    """A board with its daemon and every client's connections."""

    def __init__(self, bench, name, known, way):
        self.installation = Installation(bench, known, name, port=free_port())
        self.daemon, self.way = VirtualDaemon(self.installation), way
        self.users = {client.name: client.user for client in known} | {STRANGER: 30_000}
        self.wires, self.taps = {}, {}
        # Lines that were sent and not answered yet, by client.
        self.waiting = {}
        # What tells of the way, told to the client that may know it.
        self.events = 0

    def start(self):
        self.daemon.start()
        return {name: [self.connect(name)] for name in self.users}

    def connect(self, name):
        """Connects a client; what it is greeted with."""
        if name in self.wires:
            self.wires[name].close()
            self.taps[name].close()
        self.wires[name] = Wire(self.installation.socket, self.users[name])
        self.taps[name] = Tap(self.installation.port, self.users[name])
        greeting = self.wires[name].hello()
        # The banner.
        self.taps[name].lines.readline()
        return greeting

    def begin(self, name, lines=(b"",)):
        """Sends lines without waiting; `finish` gives what came of them."""
        self.waiting[name] = list(lines)
        try:
            self.wires[name].begin(lines)
        except Closed:
            # `finish` finds it closed.
            pass

    def finish(self, name):
        """What came of each line; a connection that ended is made anew, and asked what was not answered."""
        told = []
        lines = self.waiting.pop(name)
        while lines:
            try:
                told.append(self.wires[name].finish())
            except Closed:
                if self.daemon.has_gone:
                    raise Failure(f"the daemon ended with {self.daemon.process.returncode}: "
                                  f"{self.daemon.last_words}") from None
                told.append([{"event": "closed"}, self.connect(name)])
                self.begin(name, lines[1:])
                self.waiting.pop(name)
            lines.pop(0)
        return told

    def ask(self, name, line):
        self.begin(name, [line])
        return self.finish(name)[0]

    def solution(self, minute, crossing):
        """What the receiver tells at the end of a minute."""
        return solution(self.way.move(minute, crossing), self.daemon.time)

    def restart(self):
        self.daemon.stop()
        return self.start()

    def count(self, request):
        """How many there are of what an operator alone may ask."""
        with Wire(self.installation.socket) as wire:
            wire.hello()
            return next(event["total"] for event in wire.ask(request) if event["event"] == request)


class Day:
    """The same day of two boards."""

    def __init__(self, bench, outcome, grammar, seed):
        self.random, self.outcome, self.grammar = bench.random(seed), outcome, grammar
        self.silent = ("denied", "undecided", STRANGER)
        self.worlds = [World(bench, f"{name}{seed}", known(), Way(roams, bench.random(seed + 1_000_000)))
                       for name, roams in (("still", False), ("roaming", True))]
        self.understood, self.asked, self.minute = set(), 0, 0
        # The places that the client with reduced accuracy was told.
        self.cells = set()

    def run(self):
        self.begin([world.start() for world in self.worlds])
        crossing = (60, 1)
        for self.minute in range(MINUTES):
            if self.minute > crossing[0] + 1:
                crossing = (self.minute + self.random.randint(30, 300), self.random.choice([1, -1]))
            self.live(crossing)
            if self.minute == RESTART:
                self.begin([world.restart() for world in self.worlds])
            # Boards that are told apart once are so ever after.
            if self.outcome.findings:
                break
        else:
            self.compare()
        self.outcome.attacks += 1
        for world in self.worlds:
            world.daemon.stop()

    def begin(self, greetings):
        for name in (COARSE, *self.silent):
            self.judge(name, [greeting[name] for greeting in greetings])
        for world in self.worlds:
            for request in ({"request": "watch", "accuracy": "best", "background": True},
                            {"request": "monitorVisits", "enabled": True},
                            {"request": "monitorRegion", "identifier": "home", "latitude": 47.025 + HEIGHT / 5,
                             "longitude": Place().longitude, "radius": 400}):
                world.ask("witness", json.dumps(request).encode() + b"\n")

    def live(self, crossing):
        """A minute: what everybody asks, and what comes of it meanwhile."""
        for name in (COARSE, *self.silent):
            self.ask([name], list(self.lines()))
            request = self.random.choice(GPSD)
            for world in self.worlds:
                world.taps[name].begin(request)
            self.judge_lines(name, [world.taps[name].finish() for world in self.worlds])
        daemons = [world.daemon for world in self.worlds]
        pass_time(daemons, 59)
        pass_time(daemons, 1, [world.solution(self.minute, crossing) for world in self.worlds])
        for world in self.worlds:
            world.events += sum(event["event"] in TELLING for event in world.wires["witness"].drain())
        self.ask((COARSE, *self.silent), [b""])

    def ask(self, names, lines):
        """Asks both boards before it waits for either."""
        for world in self.worlds:
            for name in names:
                world.begin(name, lines)
        for name in names:
            for told in zip(*[world.finish(name) for world in self.worlds]):
                self.judge(name, told)

    def lines(self):
        """Requests of the table, one after the other; every hour those again that bring the most."""
        if self.minute % 60 == 0:
            for request in ({"request": "state", "state": "foreground"},
                            {"request": "watch", "accuracy": "best", "background": True},
                            {"request": "monitorVisits", "enabled": True},
                            {"request": "monitorSignificantChange", "enabled": True}):
                yield json.dumps(request).encode() + b"\n"
        for _ in range(VOLLEY):
            name = REQUESTS[self.asked % len(REQUESTS)]
            self.asked += 1
            if self.random.random() < 0.9:
                made = {**self.grammar.fitting(name, self.random), "id": name}
                self.understood.add(name)
            else:
                made = self.grammar.nearly(name, self.random)
            yield json.dumps(made).encode() + b"\n"

    # What they are told

    def judge(self, name, told):
        self.match(name, told)
        for event in told[0]:
            kind = event["event"]
            tells = kind in TELLING and event.get("state") != "unknown"
            if name != COARSE:
                if tells:
                    self.find(f"{name} was told a {kind}", event)
                # Of a registration, the shape is the client's own.
                elif kind != "registration" and (found := held(event) & WITHHELD):
                    self.find(f"{name} was told {', '.join(sorted(found))}", event)
            elif kind == "location":
                self.cells.add((event["latitude"], event["longitude"]))
                if more := set(event) - REDUCED:
                    self.find(f"{name} was told {', '.join(sorted(more))}", event)
            elif tells and kind not in ("epoch", "visit"):
                self.find(f"{name} was told a {kind}", event)
            if kind != "registration" and event.get("horizontalAccuracy", 1000) < 1000:
                self.find(f"{name} was told a place too exact", event)

    def judge_lines(self, name, told):
        self.match(name, told)
        for line in told[0] if name != COARSE else []:
            if line.startswith("$G") or held(json.loads(line) if line.startswith("{") else {}) & {"lat", "lon"}:
                self.find(f"{name} was told a place by the gpsd port", line)

    def match(self, name, told):
        for still, roaming in itertools.zip_longest(*told):
            if still != roaming:
                self.find(f"{name} could tell the board that rests from the one that roams", still, roaming)
                return

    def find(self, sentence, *events):
        told = " / ".join(json.dumps(event)[:300] for event in events)
        self.outcome.find(f"{sentence}, in minute {self.minute}: {told}")

    def compare(self):
        """Whether there was something to find, and everything was asked for."""
        missing = [name for name in REQUESTS if name not in self.understood]
        if missing:
            self.outcome.find(f"of the protocol's table {', '.join(missing)} was not asked")
        still, roaming = self.worlds
        for request in ("history", "visits"):
            counts = [world.count(request) for world in self.worlds]
            self.count(f"{request} of the roaming board", counts[1])
            if counts[0] == counts[1]:
                self.outcome.find(f"both boards have {counts[0]} {request}, so the trial proves nothing")
        if still.events == roaming.events or still.way.moved * 1.5 > roaming.way.moved:
            self.outcome.find("both boards moved alike, so the trial proves nothing")
        if len(self.cells) < 2:
            self.outcome.find(f"{COARSE} was told {len(self.cells)} places, so the trial proves nothing")
        self.count("requests", self.asked)
        self.count("cells told", len(self.cells))

    def count(self, name, number):
        self.outcome.figures[name] = self.outcome.figures.get(name, 0) + number


def held(value):
    """All keys of an object and of those within."""
    if isinstance(value, dict):
        return set(value).union(*map(held, value.values()))
    return set().union(*map(held, value)) if isinstance(value, list) else set()
