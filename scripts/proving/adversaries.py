"""Clients that want what is not theirs, before and after every kind of trouble."""
import json, os, socket

from .support.admission import PLACES, Admitted, operate
from .support.bench import Failure, Outcome
from .support.daemon import VirtualDaemon
from .support.installation import FIRST_USER, Client, Installation
from .support.patience import PATIENCE, until
from .support.ports import free_port
from .support.receiver import Place, solution
from .support.wire import Wire

ABOUT = ("Clients read, revoke and impersonate, strangers and denied clients listen, clients with reduced accuracy "
         "look closely; nobody gets what is not theirs, also after kills, spoilt files, clocks and restarts.")
FINDING = ("Any place, name, region or file that reaches whom it is not for; a request of operators that is served "
           "to another; a client that loses something by another.")
SHORT = 12
GOAL = 100_000
RANK = 35

OTHERS = ("clients", "answer", "services", "agent", "privacy", "erase", "history", "visits", "eraseHistory",
          "compassStatus", "watchCompass", "eraseCompassCalibration", "eraseVisits")
# What tells of a place, or of when the board moves.
TELLING = PLACES + ("heading", "trackPoint", "pastVisit", "paused", "resumed", "regionState")
# All that a location under reduced accuracy may have.
REDUCED = {"event", "id", "session", "more", "simulated", "accessory", "service", "number", "time", "latitude",
           "longitude", "horizontalAccuracy", "age"}
STRANGER = 30_000


def trial(bench, seed):
    return Siege(bench, seed).run()


class Siege:
    """Six clients of different rights on one board, and troubles between the attempts."""

    def __init__(self, bench, seed):
        bench.need_root()
        self.bench, self.random, self.outcome = bench, bench.random(seed), Outcome()
        names = (("full", "always", "full"), ("reduced", "always", "reduced"), ("denied", "denied", "full"),
                 ("asked", None, None), ("revoked", "always", "full"), ("other", "always", "full"))
        known = [Client(name, FIRST_USER + index, authorization, accuracy)
                 for index, (name, authorization, accuracy) in enumerate(names)]
        self.installation = Installation(bench, known, port=free_port())
        self.daemon = VirtualDaemon(self.installation).start()
        self.users = {client.name: Admitted(client, self.outcome) for client in known}
        self.services, self.north, self.cells = True, 0.0, {}
        self.silent = {"denied", "asked", "revoked"}
        # How often each was told where the board is: silence proves nothing where nobody is told anything.
        self.told = dict.fromkeys(self.users, 0)

    def run(self):
        operate(self.installation.socket, "answer", client="revoked", answer="deny")
        self.meet()
        self.users["full"].monitor("home", Place())
        self.users["full"].serve("visits")
        attempts = [self.impersonate, self.meddle, self.operate_as_client, self.be_a_stranger, self.read_files,
                    self.plant_a_manifest, self.switch_off, self.listen, self.ask_gpsd, self.come_and_go,
                    self.take_back]
        for _ in range(3):
            self.random.shuffle(attempts)
            for attempt in attempts:
                self.drive()
                self.bench.say(attempt.__name__)
                attempt()
                self.users["full"].compare(f"after another client's attempt ({attempt.__name__})")
            self.trouble()
        for name, count in self.told.items():
            self.outcome.figures[f"times that \"{name}\" was told a place"] = count
            if name in ("full", "reduced", "other") and not count:
                self.find(f"{name}, which is authorized, was told nothing")
        self.daemon.stop()
        return self.outcome

    # What everybody is told

    def meet(self):
        """Everybody connects and asks for all that tells of places."""
        for name, user in self.users.items():
            user.connect(self.installation.socket)
            for request, members in (("watch", {"accuracy": "best", "background": True}),
                                     ("watch", {"session": 1, "live": True}), ("watchHeading", {"session": 2}),
                                     ("locateOnce", {"session": 3}), ("monitorSignificantChange", {"enabled": True}),
                                     ("registrations", {})):
                if name == "full" and request == "monitorSignificantChange":
                    continue
                self.hear(user, user.ask(request, **members))

    def drive(self):
        """The board moves some hundred metres, and everybody hears of it what it may."""
        for _ in range(6):
            self.north += self.random.uniform(-60, 90)
            self.daemon.feed(solution(Place(self.north, speed=10), self.daemon.time), 1)
        for user in self.users.values():
            self.hear(user, user.ask())

    def hear(self, user, events):
        name = user.client.name
        for event in events:
            self.outcome.attacks += 1
            kind = event["event"]
            self.told[name] += kind in TELLING
            if kind in TELLING and (name in self.silent or not self.services):
                why = "is not authorized" if self.services else "services are off"
                self.find(f"{name} was told a {kind}, and {why}")
            if name == "reduced" and kind in TELLING:
                self.look_closely(event)

    def look_closely(self, event):
        if event["event"] != "location":
            self.find(f"a client with reduced accuracy was told a {event['event']}")
            return
        more = set(event) - REDUCED
        if more:
            self.find(f"a client with reduced accuracy was told {', '.join(sorted(more))}")
        if event["horizontalAccuracy"] < 1000:
            self.find(f"a client with reduced accuracy was told a place to {event['horizontalAccuracy']} m")
        quarter = int(self.daemon.time // 900)
        self.cells.setdefault(quarter, set()).add((event["latitude"], event["longitude"]))
        # Two: a cell may change at a moment within a quarter of the hour.
        if len(self.cells[quarter]) > 2:
            self.find(f"a client with reduced accuracy was told {len(self.cells[quarter])} places within 15 minutes")

    def find(self, sentence):
        self.outcome.find(sentence)

    # Attempts

    def listen(self):
        """The silent ones ask for everything again."""
        for name in self.silent:
            user = self.users[name]
            for request, members in (("locate", {"timeout": 1}), ("flush", {}), ("registrations", {}),
                                     ("regionState", {"identifier": "x", "latitude": Place(self.north).latitude,
                                                      "longitude": Place().longitude, "radius": 1000}),
                                     ("watch", {"deferral": {"timeout": 1}, "label": "full"})):
                events = user.ask(request, **members)
                self.hear(user, [event for event in events
                                 if event["event"] != "regionState" or event.get("state") != "unknown"])

    def impersonate(self):
        """Other names in members that requests do not have."""
        user = self.users["other"]
        for request in ("watch", "registrations", "unmonitorRegion", "acknowledge"):
            for member in ("client", "user", "uid", "pid", "operator"):
                events = user.ask(request, **{member: "full"})
                self.outcome.attacks += 1
                codes = [event.get("code") for event in events if event["event"] == "error"]
                if not codes:
                    self.find(f"{request} with the member {member} was not refused")

    def meddle(self):
        """Another's regions and events, by their names and numbers."""
        user, full = self.users["other"], self.users["full"]
        told = sorted(full.told_here - full.acknowledged)[-5:]
        numbers = told + [1, 2, 2**40]
        for number in numbers:
            user.ask("acknowledge", number=number)
        with Wire(self.installation.socket, full.client.user) as wire:
            wire.hello()
            waiting = {event.get("number") for event in wire.ask("registrations")}
        if not set(told) <= waiting:
            self.find(f"{len(set(told) - waiting)} events are gone, because another client acknowledged them")
        user.ask("unmonitorRegion", identifier="home")
        user.ask("release", session=0)
        for event in user.ask("registrations"):
            if event.get("identifier") == "home":
                self.find("a client was told of another client's region")
        self.outcome.attacks += len(numbers) + 3

    def take_back(self):
        """What is held back for a client, which is then denied and allowed again: it is not told what came before."""
        socket, user = self.installation.socket, self.users["other"].client.user
        deferred = {"session": 5, "accuracy": "best", "label": "held", "background": True,
                    "deferral": {"timeout": 3600}}
        with Wire(socket, user) as wire:
            wire.hello()
            wire.ask("watch", **deferred)
            self.drive()
        operate(socket, "answer", client="other", answer="deny")
        operate(socket, "answer", client="other", answer="always")
        with Wire(socket, user) as wire:
            wire.hello()
            events = wire.ask("watch", **deferred) + wire.ask("flush", session=5)
            wire.ask("unwatch", session=5)
        self.outcome.attacks += 1
        # One is the place that is known now.
        held = [event for event in events if event["event"] == "location" and event.get("session") == 5]
        if len(held) > 1:
            self.find(f"a client that was denied meanwhile was told {len(held)} places from before")

    def operate_as_client(self):
        """What only operators may."""
        for user, name in ((self.users["other"].client.user, "a client"), (STRANGER, "a stranger")):
            with Wire(self.installation.socket, user) as wire:
                wire.hello()
                for request in OTHERS:
                    members = {"answer": {"client": "denied", "answer": "allow"}, "erase": {"client": "full"},
                               "services": {"enabled": False}}.get(request, {})
                    events = wire.ask(request, **members)
                    self.outcome.attacks += 1
                    if not any(event.get("code") in ("notOperator", "noManifest") for event in events):
                        self.find(f"{name} who is no operator was not refused {request}: "
                                  f"{', '.join(event['event'] for event in events) or 'no answer'}")

    def be_a_stranger(self):
        """A user without a manifest is told nothing of where the board is."""
        with Wire(self.installation.socket, STRANGER) as wire:
            hello = wire.hello()
            if "location" in hello or "client" in hello or hello.get("status", "").startswith("authorized"):
                self.find(f"a stranger was greeted with {', '.join(sorted(hello))}")
            for request, members in (("watch", {}), ("locate", {}), ("watchHeading", {}), ("monitorVisits",
                                     {"enabled": True}), ("registrations", {}), ("flush", {}), ("history", {})):
                events = wire.ask(request, **members)
                self.outcome.attacks += 1
                if any(event["event"] in TELLING for event in events):
                    self.find(f"a stranger who asked for {request} was told where the board is")
            for event in wire.ask("energy") + wire.ask("status"):
                for word in ("latitude", "longitude", "home"):
                    if word in str(event):
                        self.find(f"a stranger's {event['event']} has {word}")

    def read_files(self):
        """What the daemon keeps, by another user's own hands."""
        for folder, folders, names in os.walk(self.installation.state):
            for name in folders + names + [""]:
                path = os.path.join(folder, name)
                self.outcome.attacks += 1
                # Also behind a closed folder: a backup or a moved disk opens the folder, and keeps the files' modes.
                if os.stat(path).st_mode & 0o077:
                    self.find(f"{name or 'the state directory'} has a mode that lets others in")
                os.seteuid(STRANGER)
                try:
                    for flags in (os.O_RDONLY, os.O_WRONLY):
                        try:
                            os.close(os.open(path, flags))
                            self.find(f"another user could open {name or 'the state directory'}")
                        except OSError:
                            pass
                finally:
                    os.seteuid(0)

    def plant_a_manifest(self):
        """A manifest that another user could write is none, and takes nothing from the others."""
        path = self.installation.write("clients.d/planted.json5",
                                       f"{{ user: {STRANGER}, operator: true, purpose: {{ whenInUse: 'x' }} }}\n")
        if self.random.random() < 0.5:
            os.chown(path, STRANGER, STRANGER)
        else:
            os.chmod(path, 0o666)
        for _ in range(3):
            self.daemon.run(0.5)
        with Wire(self.installation.socket, STRANGER) as wire:
            if "client" in wire.hello():
                self.find("a manifest that another user may write was believed")
        os.unlink(path)
        self.daemon.run(1.5)
        self.outcome.attacks += 1

    def switch_off(self):
        """While services are off nobody knows anything; afterwards everybody has what they had."""
        for user in self.users.values():
            self.hear(user, user.ask())
        operate(self.installation.socket, "services", enabled=False)
        for user in self.users.values():
            user.ask()
        self.services = False
        self.drive()
        with Wire(self.installation.socket, self.users["full"].client.user) as wire:
            if "location" in wire.hello():
                self.find("a client was greeted with a location while services are off")
        self.services = True
        operate(self.installation.socket, "services", enabled=True)

    def ask_gpsd(self):
        """The gpsd port has no manifest here: whoever connects there is told nothing of where the board is."""
        with socket.create_connection(("127.0.0.1", self.installation.port), PATIENCE) as line:
            line.sendall(b'?WATCH={"enable":true,"json":true,"nmea":true,"raw":1};?POLL;\n')
            self.drive()
            line.sendall(b"?POLL;\n?VERSION;\n")
            said = b""
            while said.count(b'"VERSION"') < 2:
                data = line.recv(65536)
                if not data:
                    break
                said += data
        self.outcome.attacks += 2
        for part in said.splitlines():
            if part.startswith((b"$GP", b"$GN", b"!")):
                self.find("the gpsd port told a sentence with the place to somebody who may not know it")
            elif part.startswith(b"{") and any(f'"{word}"' in json.dumps(json.loads(part)) for word in ("lat", "lon")):
                self.find("the gpsd port told the place to somebody who may not know it")

    def come_and_go(self):
        """Connections that end in every way leave nothing behind."""
        before = self.daemon.descriptors
        for index in range(60):
            user = self.random.choice([STRANGER, STRANGER + 1, self.users["other"].client.user])
            try:
                with Wire(self.installation.socket, user) as wire:
                    if index % 3:
                        wire.hello()
                    wire.send_bytes(self.random.choice([b"", b"{", b'{"request":"watch"}\n', b"\n" * 50]))
            except Failure:
                pass
            self.outcome.attacks += 1
        for user in self.users.values():
            self.hear(user, user.ask())
        if not until(lambda: self.daemon.descriptors <= before):
            self.find(f"60 connections that ended left {self.daemon.descriptors - before} descriptors open")

    # Trouble

    def trouble(self):
        choice = self.random.randrange(6)
        self.bench.say(f"trouble {choice}")
        decisions = os.path.join(self.installation.state, "state.decisions")
        if choice == 0:
            self.daemon.stop()
        else:
            self.daemon.kill()
        if choice == 1:
            os.unlink(decisions)
        elif choice == 2:
            with open(decisions, "r+b") as file:
                file.write(self.random.randbytes(40))
        elif choice == 3:
            # The whole database is spoilt: the decisions stand beside it.
            for name in ("state.sqlite", "state.sqlite-wal"):
                path = os.path.join(self.installation.state, name)
                if os.path.isfile(path):
                    with open(path, "r+b") as file:
                        file.write(self.random.randbytes(os.path.getsize(path)))
        self.daemon.start()
        if choice == 4:
            self.daemon.obey(utc=self.random.choice([None, 0, 4_000_000_000]))
        self.meet()
        if choice == 3:
            self.users["full"].uncertain |= self.users["full"].confirmed
            self.users["full"].compare("after the database was spoilt")
            self.users["full"].monitor("home", Place())
        else:
            self.users["full"].compare(f"after trouble {choice}")
