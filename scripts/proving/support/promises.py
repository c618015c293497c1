"""What the daemon promised, and where on a recorded disk: what may be there after a power cut, and what must."""


class Change:
    """One thing was asked to be so; where the disk stood before it was asked, and once it was confirmed."""

    def __init__(self, asked, value, confirmed=None):
        self.asked, self.value, self.confirmed = asked, value, confirmed
        # Of a fix that was held back: where the disk stood before it was told.
        self.given = float("inf")


class History:
    """What one thing was asked to be, in the order in which the daemon was asked."""

    def __init__(self, value=None):
        self.changes = [Change(0, value, 0)]

    def since(self, position):
        """The last change confirmed by then, and those after it that were asked for."""
        last = max(index for index, change in enumerate(self.changes)
                   if change.confirmed is not None and change.confirmed <= position)
        return [self.changes[last]] + [change for change in self.changes[last + 1:] if change.asked < position]

    def wrong(self, value, position):
        """What a cut made of this thing that it must not, in words; nothing where it is as it may be."""
        allowed = [change.value for change in self.since(position)]
        if value in allowed:
            return None
        if value is None:
            return "is gone, though it was confirmed"
        if allowed == [None]:
            return "is there, though it was taken back or never asked for"
        return "is not what was confirmed last"


class Event:
    """A numbered event that a client was told, and its acknowledgement."""

    def __init__(self, what, told):
        self.what, self.told, self.acknowledgement = what, told, None


class Promises:
    """All that was promised during one recording, by its owner and its name."""

    def __init__(self, found=None):
        self.histories, self.events, self.held = {}, {}, []
        if found:
            self.histories = {key: History(value) for key, value in found.things.items()}
            self.events = {key: Event(what, 0) for key, what in found.events.items()}
            self.held = [Change(0, time, 0) for time in found.held]

    def history(self, owner, name):
        return self.histories.setdefault((owner, name), History())

    def ask(self, owner, name, value, position):
        change = Change(position, value)
        self.history(owner, name).changes.append(change)
        return change

    def refuse(self, owner, name, change):
        """The daemon said that it has no effect."""
        self.history(owner, name).changes.remove(change)

    def tell(self, owner, number, what, position):
        self.events.setdefault((owner, number), Event(what, position))

    def is_there(self, owner, name):
        return self.history(owner, name).changes[-1].value is not None

    def count(self, position):
        """How many things were confirmed by then."""
        return sum(1 for history in self.histories.values() if history.since(position)[0].confirmed)

    def compare(self, found, position):
        """Everything that a cut at this position must not have made, as pairs of a sentence and of what it was."""
        for owner, name in sorted(set(self.histories) | set(found.things)):
            history, value = self.histories.get((owner, name)) or History(), found.things.get((owner, name))
            wrong = history.wrong(value, position)
            if wrong:
                kind = name.rstrip("0123456789")
                yield f"\"{kind}\" of {owner_kind(owner)} {wrong}", (
                    f"{owner} {name}: {value}, allowed {[change.value for change in history.since(position)]}")
        yield from self.compare_events(found, position)
        yield from self.compare_held(found, position)

    def compare_events(self, found, position):
        for key, event in self.events.items():
            if event.told > position:
                continue
            what, ack = found.events.get(key), event.acknowledgement
            if what is None and not (ack and ack.asked < position):
                yield "an event that was told and not acknowledged is not told again", f"{key} {event.what}"
            if what is not None and what != event.what:
                yield "an event is told with the number of another", f"{key} {event.what}, {what}"
            if what is not None and ack and ack.confirmed is not None and ack.confirmed <= position:
                yield "an event is told again after its acknowledgement was taken", f"{key} {what}"

    def compare_held(self, found, position):
        """Held back fixes: each that the daemon had taken, once, and no other."""
        must = {change.value for change in self.held
                if change.confirmed is not None and change.confirmed <= position <= change.given}
        may = {change.value for change in self.held if change.asked < position or change.confirmed == 0}
        told = set(found.held)
        if len(told) < len(found.held):
            yield "a fix that was held back is told twice", str(sorted(found.held))
        if must - told:
            yield "a fix that was held back is not told", f"{sorted(must - told)} of {len(must)}"
        if told - may:
            yield "a fix is told that was never held back", str(sorted(told - may))


def owner_kind(owner):
    return owner.rstrip("0123456789")


class Found:
    """What is there after a cut: things, events that wait, and fixes that were held back."""

    def __init__(self):
        self.things, self.events, self.held = {}, {}, []
