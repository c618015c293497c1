"""What the daemon promised a client, and the comparison with what it does afterwards."""
from .bench import Failure
from .wire import Wire

PLACES = ("location", "epoch", "regionEvent", "visit")


class Admitted:
    """A client, what was confirmed to it, and every numbered event that it was told.

    What is confirmed must be there after any trouble, what was taken back must not; what was asked for without an
    answer may be there or not. An event that was acknowledged, with an answer after it, must not come again.
    """

    def __init__(self, client, outcome):
        self.client, self.outcome, self.wire = client, outcome, None
        # Names of regions and services; those that were asked for or taken back without an answer.
        self.confirmed, self.uncertain = set(), set()
        # Number to what it tells; numbers whose acknowledgement was answered, and those without an answer.
        self.told, self.acknowledged, self.acknowledging = {}, set(), set()
        self.told_here = set()
        self.may_know = True
        # How many confirmed things were looked for, in all comparisons.
        self.compared = 0

    def find(self, sentence):
        self.outcome.find(f"{self.client.name}: {sentence}")

    def connect(self, socket):
        self.disconnect()
        self.wire, self.told_here = Wire(socket, self.client.user), set()
        self.wire.hello()

    def disconnect(self):
        if self.wire:
            self.wire.close()
        self.wire = None

    def ask(self, request=None, **members):
        """Asks, notes every event, and returns them."""
        came = self.wire.ask(request, **members)
        for event in came:
            self.note(event)
        return came

    def note(self, event):
        name, number = event["event"], event.get("number")
        if name in PLACES and not self.may_know:
            self.find(f"was told a {name} though it may not know where the board is")
        if number is None or name not in PLACES:
            return
        if number in self.acknowledged:
            self.find(f"was told event {number} again after its acknowledgement was taken")
        if number in self.told_here:
            self.find(f"was told event {number} twice on one connection")
        what = tell(event)
        if self.told.setdefault(number, what) != what:
            self.find(f"was told event {number} as {self.told[number]} and then as {what}")
        self.told_here.add(number)

    # What is registered

    def monitor(self, name, place, radius=200, **members):
        """Registers a region; whether it was confirmed."""
        self.uncertain.add(name)
        came = self.ask("monitorRegion", identifier=name, latitude=place.latitude, longitude=place.longitude,
                        radius=radius, **members)
        self.uncertain.discard(name)
        if any(event["event"] == "monitoring" for event in came):
            self.confirmed.add(name)
            return True
        # What the card refused holds until the daemon ends, and is tried again meanwhile.
        self.uncertain.add(name)
        self.confirmed.discard(name)
        return False

    def forget(self, name):
        was_confirmed = name in self.confirmed
        self.uncertain.add(name)
        self.confirmed.discard(name)
        came = self.ask("unmonitorRegion", identifier=name)
        if was_confirmed and not any(event["event"] == "error" for event in came):
            # The request has no answer of its own; the pong came after it was on the card.
            self.uncertain.discard(name)

    def serve(self, service, is_on=True):
        """Switches visits or significant changes."""
        self.uncertain.add(service)
        self.confirmed.discard(service)
        came = self.ask({"visits": "monitorVisits", "significantChange": "monitorSignificantChange"}[service],
                        enabled=is_on)
        if any(event["event"] == "error" for event in came):
            return
        self.uncertain.discard(service)
        if is_on:
            self.confirmed.add(service)

    def registrations(self):
        """What the daemon says is registered."""
        found = set()
        for event in self.ask("registrations"):
            if event["event"] == "registration":
                found.add(event.get("identifier") or event["kind"])
        return found

    def compare(self, when):
        """Compares what is there with what was promised; what was uncertain is known from here on."""
        found = self.registrations()
        self.compared += len(self.confirmed)
        lost = self.confirmed - found - self.uncertain
        grown = found - self.confirmed - self.uncertain
        if lost:
            self.find(f"{when}, what was confirmed is gone: {', '.join(sorted(lost))}")
        if grown:
            self.find(f"{when}, what was taken back or never asked for is there: {', '.join(sorted(grown))}")
        self.confirmed, self.uncertain = found, set()

    # Events

    def acknowledge(self):
        """Acknowledges all that was told here; with the answer after it, none of it may come again."""
        fresh = sorted(self.told_here - self.acknowledged)
        if not fresh:
            return
        self.acknowledging.update(fresh)
        for number in fresh:
            self.wire.send("acknowledge", number=number)
        came = self.ask()
        if not any(event["event"] == "error" for event in came):
            self.acknowledged.update(fresh)
        self.acknowledging.clear()

    def counts(self):
        """How often each thing was told, by distinct numbers."""
        counts = {}
        for what in self.told.values():
            counts[what] = counts.get(what, 0) + 1
        return counts


def tell(event):
    """An event without what may change while it waits."""
    if event["event"] == "regionEvent":
        return f"{event['transition']} {event['identifier']}"
    return event["event"]


def operate(socket, request, **members):
    """An operator asks; a refusal is a failure."""
    with Wire(socket) as wire:
        came = wire.ask(request, **members)
    for event in came:
        if event["event"] == "error":
            raise Failure(f"the operator was refused {request}: {event['message']}")
    return came
