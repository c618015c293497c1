"""A daemon whose state is on a recorded disk, its clients, and the comparison after each cut of the power."""
import os, re, sqlite3

from .admission import tell
from .bench import Failure, Outcome, Unavailable
from .card import Card
from .daemon import Daemon
from .disk import Cut, FileSystem, RecordedDisk, unmount
from .installation import Installation, clients
from .promises import Found, Promises
from .receiver import Place
from .wire import Wire

SIZE = 24 * 2**20
# Clients that register, and clients that operators decide about.
REGISTERING, DECIDED = 4, 2
FILE_SYSTEMS = (
    FileSystem("ordered", [], "data=ordered"), FileSystem("ordered", [], "data=ordered,noauto_da_alloc"),
    FileSystem("write-back", [], "data=writeback,noauto_da_alloc"), FileSystem("journal", [], "data=journal"))
# Cuts of a recording; of the daemon's syncs, one in so many does nothing where that fault is put in.
CUTS, UNSYNCED = 20, 10
DAMAGE = re.compile("damaged|set aside|cannot be read|in memory alone|nothing is stored")


def circle(name, place, radius=200):
    """The members of a region."""
    return {"identifier": name, "latitude": round(place.latitude, 6), "longitude": round(place.longitude, 6),
            "radius": radius}


def value_of(event):
    """What a registration says, without what changes by itself."""
    if "latitude" not in event:
        return True
    return [round(event[member], 6) for member in ("latitude", "longitude", "radius")]


class Board:
    """A daemon whose state is on a recorded disk, its clients, and what they were promised."""

    def __init__(self, bench, random, memory):
        self.bench, self.random, self.memory, self.outcome = bench, random, memory, Outcome()
        self.installation = Installation(bench, clients(REGISTERING + DECIDED))
        self.folder, self.disk = self.installation.path("card"), None
        os.mkdir(self.folder)
        self.installation.state = os.path.join(self.folder, "state")
        self.registering = self.installation.clients[:REGISTERING]
        self.decided = self.installation.clients[REGISTERING:]
        self.file_system = random.choice(FILE_SYSTEMS)
        self.daemon, self.wires, self.asked = self.make_daemon(), {}, 0
        # The fault that is put in on purpose for this kind: one sync in so many does nothing.
        self.environment = None
        if bench.sabotage == "unsynced":
            card = Card(bench, self.folder)
            card.order(unsynced=UNSYNCED)
            self.environment = card.environment

    def make_daemon(self):
        return Daemon(self.installation, self.bench.path("no-receiver"))

    # The recording

    def record(self, image):
        """Lives on this image until its end, and returns what was recorded."""
        self.disk = RecordedDisk(self.bench, self.memory, image)
        try:
            self.file_system.mount(self.bench, self.disk.path, self.folder)
        except Failure as failure:
            if self.outcome.attacks:
                raise
            raise Unavailable(f"no file system can be mounted on a loop device: {failure}") from None
        self.daemon.environment = self.environment
        self.connect()
        self.notice()
        self.live()
        self.end_daemon(self.random.choice(["stop", "kill"]))
        self.daemon.environment = None
        # What is not on the disk yet is written now; cuts may be before that.
        unmount(self.bench, self.folder)
        recording = self.disk.end()
        self.bench.say(f"{self.file_system.name}: {len(recording.entries)} writes and flushes recorded")
        figures = self.outcome.figures
        figures["writes recorded"] = figures.get("writes recorded", 0) + len(recording.entries) - len(recording.flushes)
        figures["flushes recorded"] = figures.get("flushes recorded", 0) + len(recording.flushes)
        return recording

    def connect(self):
        self.daemon.start()
        self.wires = {None: Wire(self.installation.socket)}
        for client in self.installation.clients:
            self.wires[client.name] = Wire(self.installation.socket, client.user)

    def notice(self):
        """What holds before anything was asked for."""
        if not self.promises.histories:
            for key, value in self.look_at_decisions(self.wires[None]).items():
                self.promises.history(*key).changes[0].value = value

    def end_daemon(self, how):
        for wire in self.wires.values():
            wire.close()
        getattr(self.daemon, how)()

    def choose(self, recording):
        """Cuts anywhere, right after a confirmation, and right before a flush, most where most is unflushed."""
        confirmed = sorted({change.confirmed for history in self.promises.histories.values()
                            for change in history.changes if change.confirmed})
        unflushed = [flush - recording.pending(flush) for flush in recording.flushes]
        places = [self.random.randrange(len(recording.entries) + 1) for _ in range(CUTS)]
        if confirmed:
            places[::3] = [self.random.choice(confirmed) for _ in places[::3]]
        if any(unflushed):
            places[1::3] = self.random.choices(recording.flushes, unflushed, k=len(places[1::3]))
        return [Cut(place, self.random) for place in places]

    # The power comes back

    def meet(self, cut, image):
        """Starts the daemon on what a cut left, and compares; None where that cannot be."""
        path, before, found = os.path.join(self.memory, "cut"), len(self.installation.log), None
        with open(path, "wb") as file:
            file.write(image)
        self.outcome.attacks += 1
        try:
            self.file_system.mount(self.bench, path, self.folder)
        except Failure as failure:
            self.find(cut, "after a power cut the file system cannot be mounted", failure)
            return None
        try:
            self.daemon.start()
            found = self.look(cut)
            for sentence, detail in self.promises.compare(found, cut.position):
                self.find(cut, f"after a power cut {sentence}", detail)
            self.go_on(cut)
            self.daemon.kill()
            self.check_files(cut, self.installation.log[before:])
        except Failure as failure:
            self.find(cut, f"after a power cut {failure}", "")
        finally:
            if self.daemon.is_running:
                self.daemon.kill()
            unmount(self.bench, self.folder)
        if found:
            self.count(cut, found)
        return found

    def find(self, cut, sentence, detail):
        self.bench.say(f"{cut}: {sentence}: {detail}")
        self.outcome.find(sentence)

    def count(self, cut, found):
        figures = self.outcome.figures
        for name, value in (("confirmed things looked for", self.promises.count(cut.position)),
                            ("events and held back fixes found", len(found.events) + len(found.held)),
                            ("unflushed blocks or sectors at the cuts", cut.unflushed),
                            ("unflushed blocks or sectors lost", cut.unflushed - cut.kept)):
            figures[name] = figures.get(name, 0) + value

    def look(self, cut):
        """What clients and operators are told now."""
        found = Found()
        for client in self.registering:
            with Wire(self.installation.socket, client.user) as wire:
                for event in wire.ask("registrations"):
                    self.look_at(client.name, event, found)
        with Wire(self.installation.socket) as wire:
            found.things.update(self.look_at_decisions(wire))
            wire.send("status")
            store = wire.wait("status").get("store")
        if store:
            self.find(cut, "after a power cut the daemon cannot store", store["detail"])
        return found

    def look_at(self, name, event, found):
        if event["event"] == "registration":
            found.things[name, event.get("identifier") or event["kind"]] = value_of(event)
        elif "number" in event:
            found.events[name, event["number"]] = tell(event)

    def look_at_decisions(self, wire):
        """Whether services are on, and what was decided; services are on afterwards."""
        found = {}
        wire.send("services")
        found["operator", "services"] = wire.wait("services")["enabled"]
        if not found["operator", "services"]:
            wire.ask("services", enabled=True)
        names = {client.name for client in self.decided}
        for event in wire.ask("clients"):
            if event["event"] == "client" and event["name"] in names:
                found[event["name"], "status"] = event["status"]
                found[event["name"], "accuracy"] = event["accuracyAuthorization"]
        return found

    def go_on(self, cut):
        """What is asked for now is confirmed."""
        client = self.random.choice(self.registering)
        with Wire(self.installation.socket, client.user) as wire:
            place = Place(99_000)
            came = wire.ask("monitorRegion", identifier="new", latitude=place.latitude, longitude=place.longitude,
                            radius=100)
        if not any(event["event"] == "monitoring" for event in came):
            self.find(cut, "after a power cut a new region is not confirmed", came)

    def check_files(self, cut, log):
        """The database is whole, and was not built anew."""
        for line in log.splitlines():
            if DAMAGE.search(line):
                self.find(cut, "after a power cut the daemon found its files damaged", line)
        connection = sqlite3.connect(self.installation.database)
        try:
            answer = connection.execute("PRAGMA integrity_check").fetchall()
        except sqlite3.Error as error:
            answer = str(error)
        finally:
            connection.close()
        if answer != [("ok",)]:
            self.find(cut, "after a power cut the database is damaged", answer)
