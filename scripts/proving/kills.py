"""Sudden ends of the daemon and of its clients, at random instants."""
import os, threading, time

from .support.admission import Admitted, operate
from .support.bench import Failure, Outcome
from .support.daemon import VirtualDaemon
from .support.installation import Installation, clients
from .support.receiver import Place, solution

ABOUT = ("Daemon and clients are killed at random instants of drives; what was confirmed is there afterwards, "
         "a denial holds, and each event of the drives comes, once.")
SHORT = 4
GOAL = 10_000
RANK = 10

# Drives of a trial, with a kill in each; how far home and work are apart, metres.
DRIVES, DISTANCE = 8, 2000


class Life:
    """A board that is driven to and fro, and two clients: one is told of regions, one registers and is denied."""

    def __init__(self, bench, seed):
        bench.need_root()
        self.bench, self.random, self.outcome = bench, bench.random(seed), Outcome()
        self.installation = Installation(bench, clients(2))
        self.daemon = VirtualDaemon(self.installation).start()
        self.witness, self.changing = (Admitted(client, self.outcome) for client in self.installation.clients)
        self.happened, self.pace, self.is_denied = {}, 0.05, False
        self.witness.connect(self.installation.socket)
        self.changing.connect(self.installation.socket)
        for name, north in (("home", 0), ("work", DISTANCE)):
            self.witness.monitor(name, Place(north))
        self.witness.serve("visits")
        self.north = 0
        self.live(self.stay(0))
        self.witness.ask()
        self.witness.acknowledge()
        # What came before the drives is no part of the count.
        self.before = set(self.witness.told)

    def stay(self, north):
        return [(Place(north), 10)] * 20

    def drive(self, start, end):
        steps = 20
        speed = abs(end - start) / (steps * 4)
        places = [Place(start + (end - start) * step / steps, speed=speed, course=0 if end > start else 180)
                  for step in range(1, steps)]
        return [(place, 4) for place in places] + self.stay(end)

    def live(self, fixes):
        """Sends fixes until the daemon is gone; what it did not answer for is returned."""
        for index, (place, seconds) in enumerate(fixes):
            try:
                self.daemon.feed(solution(place, self.daemon.time), seconds)
            except (Failure, OSError, ValueError):
                if not self.daemon.has_gone:
                    raise
                return fixes[index:]
        return []

    def change(self):
        """The other client registers, takes back, and is denied or allowed; each may be cut off."""
        user, name = self.changing, f"r{self.random.randrange(8)}"
        choice = self.random.randrange(4)
        if choice == 0 and name in user.confirmed:
            user.forget(name)
        elif choice < 3 and not self.is_denied:
            user.monitor(name, Place(self.random.randrange(50_000, 90_000)))
        else:
            self.is_denied = not self.is_denied
            denied, self.unsure = self.is_denied, True
            operate(self.installation.socket, "answer", client=user.client.name, answer="deny" if denied else "always")
            self.unsure = False

    def kill_after(self, delay):
        """Kills the daemon after so long, from a thread."""
        daemon = self.daemon

        def act():
            time.sleep(delay)
            try:
                os.kill(daemon.process.pid, 9)
            except ProcessLookupError:
                pass
        thread = threading.Thread(target=act)
        thread.start()
        return thread

    def drive_with_a_kill(self, number):
        start, end = (0, DISTANCE) if number % 2 == 0 else (DISTANCE, 0)
        names = ("home", "work") if number % 2 == 0 else ("work", "home")
        for what in (f"exit {names[0]}", f"enter {names[1]}"):
            self.happened[what] = self.happened.get(what, 0) + 1
        fixes, began = self.drive(start, end), time.monotonic()
        if number == 0:
            self.live(fixes)
            self.pace = time.monotonic() - began
        elif self.random.random() < 0.7:
            self.kill_daemon(fixes)
        else:
            self.kill_client(fixes)
        self.settle()

    def kill_daemon(self, fixes):
        """A part of the drive, and then requests, with the kill anywhere in them."""
        cut = self.random.randrange(len(fixes))
        share = cut / len(fixes) * self.pace
        thread = self.kill_after(self.random.random() * (share + 0.03))
        rest = self.live(fixes[:cut]) + fixes[cut:]
        self.unsure = False
        try:
            while self.daemon.is_running:
                self.change()
                if self.random.random() < 0.3:
                    self.witness.ask()
                    self.witness.acknowledge()
        except (Failure, OSError):
            pass
        thread.join()
        self.daemon.kill()
        self.outcome.attacks += 1
        self.bench.say(f"killed; {len(rest)} fixes of {len(fixes)} follow")
        self.daemon.start()
        self.meet()
        self.live(rest)

    def kill_client(self, fixes):
        """The client goes without a word, with lines on their way to it."""
        cut = self.random.randrange(len(fixes))
        self.live(fixes[:cut])
        self.witness.wire.send("registrations")
        self.witness.connect(self.installation.socket)
        self.witness.compare("after the client's sudden end")
        self.outcome.attacks += 1
        self.live(fixes[cut:])

    def meet(self):
        """Both clients come again, and what they find is compared with what they were promised."""
        for user in (self.witness, self.changing):
            user.connect(self.installation.socket)
            user.compare("after the daemon was killed")
        [client] = [event for event in operate(self.installation.socket, "clients")
                    if event.get("name") == self.changing.client.name]
        is_denied = client["status"] == "denied"
        if is_denied != self.is_denied and not self.unsure:
            self.outcome.find(f"after the daemon was killed, {self.changing.client.name} is {client['status']}, "
                              f"and was {'denied' if self.is_denied else 'allowed'} with a confirmation")
        self.is_denied = is_denied

    def settle(self):
        self.witness.ask("registrations")
        if self.random.random() < 0.7:
            self.witness.acknowledge()

    def compare_events(self):
        self.witness.connect(self.installation.socket)
        self.witness.ask("registrations")
        told = {}
        for number, what in self.witness.told.items():
            if number not in self.before and what.split()[0] in ("enter", "exit"):
                told[what] = told.get(what, 0) + 1
        for what in sorted(set(told) | set(self.happened)):
            if told.get(what, 0) != self.happened.get(what, 0):
                self.outcome.find(f"\"{what}\" happened {self.happened.get(what, 0)} times and was told "
                                  f"{told.get(what, 0)} times")


def trial(bench, seed):
    life = Life(bench, seed)
    for number in range(DRIVES):
        life.drive_with_a_kill(number)
    life.compare_events()
    life.daemon.stop()
    life.outcome.figures.update({
        "times that the daemon was started": life.daemon.starts, "events told": len(life.witness.told),
        "registrations compared": life.witness.compared + life.changing.compared})
    return life.outcome
