"""A board that is driven to and fro, two clients, and a daemon that may end at any instant."""
from .admission import Admitted, Refused, operate
from .bench import Failure, Outcome
from .daemon import Daemon, VirtualDaemon
from .installation import Installation, clients
from .receiver import Place, solution

# How far home and work are apart, metres.
DISTANCE = 2000


class Life:
    """One client is told of drives between two regions, the other registers, takes back, and is denied.

    What the daemon confirmed is known here, so after each of its ends what is there can be compared. The drives' events
    are known too: each must be told once, whatever happened meanwhile.
    """

    def __init__(self, bench, seed, environment=None):
        bench.need_root()
        self.bench, self.random, self.outcome = bench, bench.random(seed), Outcome()
        self.installation = Installation(bench, clients(2))
        self.daemon = VirtualDaemon(self.installation, environment=environment)
        self.witness, self.changing = (Admitted(client, self.outcome) for client in self.installation.clients)
        # How often each thing happened, and how often at most it may be told again as something new; whether the other
        # client is denied, and whether that was left without an answer.
        self.happened, self.repeats, self.is_denied, self.unsure, self.drives = {}, 0, False, False, 0

    def begin(self):
        """Starts the daemon with the board at home, and everything registered."""
        self.daemon.start()
        self.witness.connect(self.installation.socket)
        self.changing.connect(self.installation.socket)
        for name, north in (("home", 0), ("work", DISTANCE)):
            self.witness.monitor(name, Place(north))
        self.witness.serve("visits")
        self.live([(Place(0), 10)] * 20)
        self.witness.ask("registrations")
        self.witness.acknowledge()
        # What came before the drives is no part of their count.
        self.before = set(self.witness.told)
        return self

    # The board

    def next_drive(self):
        """The fixes of a drive to the other place and of the stay there: places, and seconds after each."""
        names, (start, end) = ("home", "work"), (0, DISTANCE)
        if self.drives % 2:
            names, (start, end) = ("work", "home"), (DISTANCE, 0)
        self.drives += 1
        for what in (f"exit {names[0]}", f"enter {names[1]}"):
            self.happened[what] = self.happened.get(what, 0) + 1
        steps = 20
        way = [Place(start + (end - start) * step / steps, speed=DISTANCE / steps / 4, course=0 if end else 180)
               for step in range(1, steps)]
        return [(place, 4) for place in way] + [(Place(end), 10)] * 20

    def live(self, fixes):
        """Sends fixes until the daemon is gone; those that it did not answer for are returned."""
        for index, (place, seconds) in enumerate(fixes):
            try:
                self.daemon.feed(solution(place, self.daemon.time), seconds)
            except (Failure, OSError, ValueError):
                if not self.daemon.has_gone:
                    raise
                return fixes[index:]
        return []

    # The clients

    def change(self):
        """The other client registers or takes back, or is denied or allowed; the daemon's end may cut it off."""
        user, name = self.changing, f"r{self.random.randrange(8)}"
        choice = self.random.randrange(4)
        if choice == 0 and name in user.confirmed:
            user.forget(name)
        elif choice < 3 and not self.is_denied:
            user.monitor(name, Place(self.random.randrange(50_000, 90_000)))
        else:
            self.decide(not self.is_denied)

    def decide(self, is_denied):
        """Denies or allows the other client; where the card refuses, the decision holds until the daemon ends."""
        self.is_denied, self.unsure = is_denied, True
        try:
            operate(self.installation.socket, "answer", client=self.changing.client.name,
                    answer="deny" if is_denied else "always")
            self.unsure = False
        except Refused as refusal:
            if refusal.code not in ("notStored", "storeBusy"):
                raise

    def change_until_gone(self, most=10_000):
        """Requests until the daemon is gone, or so many."""
        try:
            for _ in range(most):
                if not self.daemon.is_running:
                    return
                self.change()
                if self.random.random() < 0.3:
                    self.witness.ask()
                    self.witness.acknowledge()
        except (Failure, OSError):
            if not self.daemon.has_gone:
                raise

    def meet(self, when="after the daemon was killed"):
        """Both clients come again, and what they find is compared with what they were promised."""
        for user in (self.witness, self.changing):
            user.connect(self.installation.socket)
            user.compare(when)
        self.compare_decision(when)

    def compare_decision(self, when):
        name = self.changing.client.name
        status = next((event["status"] for event in operate(self.installation.socket, "clients")
                       if event.get("name") == name), "unknown")
        if (status == "denied") != self.is_denied and not self.unsure:
            self.outcome.find(f"{when}, {name} is {status}; it was {'denied' if self.is_denied else 'allowed'}, "
                              "and that was confirmed")
        self.is_denied, self.unsure = status == "denied", False

    def settle(self):
        """The witness takes what waits, and mostly acknowledges it."""
        self.witness.ask("registrations")
        if self.random.random() < 0.7:
            self.witness.acknowledge()

    def compare_events(self):
        """Compares what happened with what the witness was told, by distinct numbers."""
        self.witness.connect(self.installation.socket)
        self.witness.ask("registrations")
        told = {}
        for number, what in self.witness.happenings:
            if number not in self.before and what.split()[0] in ("enter", "exit"):
                told[what] = told.get(what, 0) + 1
        for what in sorted(set(told) | set(self.happened)):
            happened, heard = self.happened.get(what, 0), told.get(what, 0)
            if not happened <= heard <= happened + self.repeats:
                self.outcome.find(f"\"{what}\" happened {happened} times and was told {heard} times")

    def end(self):
        """The last comparison; returns what came of all."""
        self.compare_events()
        self.daemon.stop()
        self.outcome.figures.update({
            "times that the daemon was started": self.daemon.starts, "events told": len(self.witness.told),
            "registrations compared": self.witness.compared + self.changing.compared})
        return self.outcome


class RealLife(Life):
    """The same two clients on `sextantd` in real time, where the card's thread runs beside; nobody is driven about."""

    def __init__(self, bench, seed, environment=None):
        super().__init__(bench, seed, environment)
        self.daemon = Daemon(self.installation, bench.path("no-receiver"), environment=environment)

    def next_drive(self):
        return []

    def live(self, fixes):
        return fixes
