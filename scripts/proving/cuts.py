"""Power cuts at any write of the card, whose writes since its last flush are lost, torn or out of order."""
import os, select

from .support.admission import tell
from .support.bench import Failure
from .support.board import CUTS, SIZE, Board, circle, value_of
from .support.daemon import VirtualDaemon
from .support.disk import enter_namespace
from .support.patience import PATIENCE
from .support.promises import Change, Promises
from .support.receiver import Place, second, solution
from .support.wire import Wire

ABOUT = ("The power is cut after any write of the block device below the store's file system, and writes since the "
         "last flush are lost, torn or reordered; the store opens, and all that was confirmed is as it was confirmed.")
FINDING = ("A file system or database that does not open or is damaged; anything confirmed that is not as it was "
           "confirmed; an event or a held-back fix that is lost or told twice; a new region that is not confirmed.")
SHORT = 2
GOAL = 2000
RANK = 12

# Recordings of a trial, each but the first on what a cut left; volleys of requests in each; metres of a drive.
RECORDINGS, VOLLEYS, DISTANCE = 2, 12, 2000
STATUSES = {"deny": "denied", "always": "authorizedAlways", "allow": "authorizedWhenInUse"}


def trial(bench, seed):
    bench.need_root()
    memory, random = enter_namespace(bench), bench.random(seed)
    board = (Driven if seed % 3 == 2 else Asked)(bench, random, memory)
    image = board.file_system.image(bench, os.path.join(memory, "image"), SIZE)
    left = None
    for _ in range(RECORDINGS):
        board.promises = Promises(left)
        recording = board.record(image)
        # What one of the cuts left is what the next recording begins with.
        next_one = random.randrange(CUTS)
        for index, (cut, state) in enumerate(recording.cuts(board.choose(recording))):
            found = board.meet(cut, state)
            if found is None:
                return board.outcome
            if index == next_one:
                left, image = found, bytes(state)
    return board.outcome


class Asked(Board):
    """Clients and an operator ask side by side, in volleys; the card's thread works beside the daemon's."""

    def live(self):
        for _ in range(VOLLEYS):
            if self.random.random() < 0.15:
                self.end_daemon(self.random.choice(["stop", "kill"]))
                self.connect()
            self.volley()

    def volley(self):
        waiting = {}
        erased = self.random.choice(self.registering) if self.random.random() < 0.1 else None
        for client in self.registering:
            if client is not erased:
                for _ in range(self.random.randrange(5)):
                    self.register(client.name, waiting)
        for _ in range(self.random.randrange(3)):
            self.decide(waiting)
        if erased:
            self.erase(erased.name, waiting)
        self.gather(waiting)

    def send(self, owner, waiting, changes, request, **members):
        """Sends a request, and a ping after it, which is answered when the change is on the card."""
        self.asked += 1
        wire, name = self.wires[owner], str(self.asked)
        position = self.disk.position
        waiting[name] = [(*key, self.promises.ask(*key, value, position)) for key, value in changes.items()]
        wire.send(request, id=name, **members)
        wire.send("ping", id=name)

    def register(self, name, waiting):
        choice = self.random.random()
        if choice < 0.15:
            service = self.random.choice(["visits", "significantChange"])
            is_on = self.random.random() < 0.5
            self.send(name, waiting, {(name, service): (True if is_on else None)},
                      "monitorVisits" if service == "visits" else "monitorSignificantChange", enabled=is_on)
            return
        region = f"region{self.random.randrange(8)}"
        if choice < 0.45:
            self.send(name, waiting, {(name, region): None}, "unmonitorRegion", identifier=region)
            return
        place = Place(self.random.randrange(90_000), self.random.randrange(90_000))
        members = circle(region, place, self.random.randrange(50, 900))
        self.send(name, waiting, {(name, region): value_of(members)}, "monitorRegion", **members)

    def decide(self, waiting):
        if self.random.random() < 0.3:
            is_on = self.random.random() < 0.6
            self.send(None, waiting, {("operator", "services"): is_on}, "services", enabled=is_on)
            return
        name = self.random.choice(self.decided).name
        if self.random.random() < 0.3:
            accuracy = self.random.choice(["full", "reduced"])
            self.send(None, waiting, {(name, "accuracy"): accuracy}, "answer", client=name, accuracy=accuracy)
            return
        answer = self.random.choice(list(STATUSES))
        self.send(None, waiting, {(name, "status"): STATUSES[answer]}, "answer", client=name, answer=answer)

    def erase(self, name, waiting):
        """All that is kept of a client goes, and what it is told of that takes the place of events before."""
        for (owner, _), event in self.promises.events.items():
            if owner == name:
                event.acknowledgement = event.acknowledgement or Change(self.disk.position, True)
        names = [thing for owner, thing in self.promises.histories if owner == name]
        self.send(None, waiting, {(name, thing): None for thing in names}, "erase", client=name)

    def gather(self, waiting):
        """Takes answers as they come, each with where the disk stands by then."""
        while waiting:
            ready, _, _ = select.select([wire.socket for wire in self.wires.values()], [], [], PATIENCE)
            if not ready:
                raise Failure(f"requests were not answered within {PATIENCE:g} s")
            for wire in self.wires.values():
                for event in wire.drain() if wire.socket in ready else []:
                    self.take(event, waiting)
                if wire.is_closed:
                    raise Failure("the daemon closed a connection")

    def take(self, event, waiting):
        position, name = self.disk.position, event.get("id")
        if event["event"] in ("monitoringFailed", "error"):
            self.bench.say(str(event))
            if event.get("code", "storeBusy") != "storeBusy":
                raise Failure(f"the daemon refused a request: {event['message']}")
            for change in waiting[name]:
                self.promises.refuse(*change)
            waiting[name] = []
        elif event["event"] in ("monitoring", "answered", "services", "erased", "pong") and name in waiting:
            for _, _, change in waiting[name]:
                change.confirmed = min(position, change.confirmed or position)
            if event["event"] == "pong":
                del waiting[name]


class Driven(Board):
    """The board is driven between two regions; one client hears of it, and fixes are held back for another."""

    def make_daemon(self):
        return VirtualDaemon(self.installation)

    def live(self):
        self.witness, self.track = (client.name for client in self.registering[:2])
        for name, north in (("home", 0), ("work", DISTANCE)):
            if not self.promises.is_there(self.witness, name):
                self.register(name, Place(north))
        self.ask(self.witness, {(self.witness, "visits"): True}, "monitorVisits", enabled=True)
        self.ask(self.witness, {}, "registrations")
        self.take_held("watch", accuracy="best", deferral={"timeout": 86_400}, label="track")
        stay = [(Place(0), 10)] * 15
        there = [(Place(DISTANCE * step / 12, speed=40), 4) for step in range(1, 12)] + [(Place(DISTANCE), 10)] * 15
        for place, seconds in stay + there + there[10::-1] + stay:
            self.live_through(place, seconds)

    def live_through(self, place, seconds):
        """A fix that is held back, and what else happens meanwhile."""
        held = Change(self.disk.position, round(self.daemon.time))
        self.promises.held.append(held)
        self.daemon.feed(solution(place, self.daemon.time), seconds)
        held.confirmed = self.disk.position
        self.ask(self.witness, {})
        if self.random.random() < 0.2:
            self.acknowledge()
        if self.random.random() < 0.2:
            self.register(f"region{self.random.randrange(8)}", Place(self.random.randrange(50_000, 90_000)))
        if self.random.random() < 0.05:
            self.take_held("flush")

    def register(self, name, place):
        members = circle(name, place)
        self.ask(self.witness, {(self.witness, name): value_of(members)}, "monitorRegion", **members)

    def ask(self, owner, changes, request=None, **members):
        """Asks, and notes what was promised and told, each with where the disk stands by then."""
        position = self.disk.position
        asked = [self.promises.ask(*key, value, position) for key, value in changes.items()]
        came = self.wires[owner].ask(request, **members)
        position = self.disk.position
        for event in came:
            if event["event"] in ("error", "monitoringFailed"):
                raise Failure(f"the daemon refused {request}: {event}")
            if "number" in event:
                self.promises.tell(owner, event["number"], tell(event), position)
        for change in asked:
            change.confirmed = position

    def acknowledge(self):
        fresh = {number: event for (_, number), event in self.promises.events.items() if not event.acknowledgement}
        for number, event in fresh.items():
            event.acknowledgement = Change(self.disk.position, True)
            self.wires[self.witness].send("acknowledge", number=number)
        self.ask(self.witness, {})
        for event in fresh.values():
            event.acknowledgement.confirmed = self.disk.position

    def take_held(self, request, **members):
        """What was held back is told, and need not be kept any more."""
        for change in self.promises.held:
            change.given = min(change.given, self.disk.position)
        self.ask(self.track, {}, request, **members)

    def look(self, cut):
        found = super().look(cut)
        with Wire(self.installation.socket, self.registering[1].user) as wire:
            came = wire.ask("watch", accuracy="best", deferral={"timeout": 86_400}, label="track") + wire.ask("flush")
        # A watch is told the newest location of before at once, with its age: that one was not held back.
        found.held = [second(event["time"]) for event in came if event["event"] == "location" and "age" not in event]
        return found
