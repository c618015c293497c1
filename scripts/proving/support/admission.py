"""What the daemon promised a client, and the comparison with what it does afterwards."""
from .bench import Failure
from .wire import Wire

PLACES = ("location", "epoch", "regionEvent", "visit")


class Refused(Failure):
    """The daemon refused an operator something."""

    def __init__(self, event, request):
        super().__init__(f"the operator was refused {request}: {event['message']}")
        self.code = event["code"]


class Admitted:
    """A client, what was confirmed to it, and every numbered event that it was told.

    What is confirmed must be there after any trouble, what was taken back must not; what was asked for without an
    answer may be there or not. An event that was acknowledged, with an answer after it, must not come again.
    """

    def __init__(self, client, outcome):
        self.client, self.outcome, self.wire = client, outcome, None
        # Names of regions and services; those that were asked for or taken back without an answer.
        self.confirmed, self.uncertain = set(), set()
        # Number to what it tells; numbers whose acknowledgement is on the card; all pairs of number and what it tells.
        self.told, self.acknowledged, self.happenings = {}, set(), set()
        # What was told on this connection; acknowledgements that the card refused since the daemon's start.
        self.told_here, self.unkept = set(), set()
        self.may_know = True
        # Whether the card refused what was told, so that its numbers may come again.
        self.was_refused = False
        # What the card refused, and whether it was registered: it holds until the daemon ends, or the card is mended.
        self.refused, self.everything = {}, set()
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
        what = tell(event)
        if self.told.get(number, what) != what:
            if not self.was_refused:
                self.find(f"was told event {number} as {self.told[number]} and then, with the same number, as {what}")
            # The card refused the number, so that it was given anew.
            self.acknowledged.discard(number)
        if number in self.acknowledged:
            self.find(f"was told event {number} again after its acknowledgement was taken")
        if number in self.told_here:
            self.find(f"was told event {number} twice on one connection")
        self.told[number] = what
        self.told_here.add(number)
        self.happenings.add((number, what))

    # What is registered

    def monitor(self, name, place, radius=200, **members):
        """Registers a region."""
        self.everything.add(name)
        self.change(name, True, "monitorRegion", identifier=name, latitude=place.latitude, longitude=place.longitude,
                    radius=radius, **members)

    def forget(self, name):
        self.change(name, False, "unmonitorRegion", identifier=name)

    def serve(self, service, is_on=True):
        """Switches visits or significant changes."""
        request = {"visits": "monitorVisits", "significantChange": "monitorSignificantChange"}[service]
        self.everything.add(service)
        self.change(service, is_on, request, enabled=is_on)

    def change(self, name, is_on, request, **members):
        """Asks for a change, and notes what was promised of it: what has no answer is on the card before the pong."""
        was_confirmed, was_uncertain = name in self.confirmed, name in self.uncertain
        self.uncertain.add(name)
        came = self.ask(request, **members)
        codes = {event["code"] for event in came if event["event"] == "error"}
        if codes == {"storeBusy"} or any(event["event"] == "monitoringFailed" for event in came):
            # It has no effect.
            if not was_uncertain:
                self.uncertain.discard(name)
            return
        if codes:
            if codes != {"notStored"}:
                self.find(f"was refused {request} with {', '.join(sorted(codes))}")
            self.refused[name] = is_on
            return
        if request == "monitorRegion" and not any(event["event"] == "monitoring" for event in came):
            self.find(f"got neither a confirmation nor a refusal of {request}")
            return
        self.refused.pop(name, None)
        self.uncertain.discard(name)
        (self.confirmed.add if is_on else self.confirmed.discard)(name)

    def mended(self):
        """The card is good again and the daemon had the time to try again: what was refused is kept now."""
        for name, is_on in self.refused.items():
            self.uncertain.discard(name)
            (self.confirmed.add if is_on else self.confirmed.discard)(name)
        self.refused = {}

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
        if not found <= self.everything:
            self.find(f"{when}, what it never asked for is there: {', '.join(sorted(found - self.everything))}")
        self.confirmed, self.uncertain, self.refused = found, set(), {}
        self.unkept = set()

    # Events

    def acknowledge(self):
        """Acknowledges all that was told here; with the answer after it, none of it may come again."""
        fresh = sorted(self.told_here - self.acknowledged - self.unkept)
        if not fresh:
            return
        for number in fresh:
            self.wire.send("acknowledge", number=number)
        if any(event["event"] == "error" for event in self.ask()):
            self.unkept.update(fresh)
        else:
            self.acknowledged.update(fresh)


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
            raise Refused(event, request)
    return came
