"""Rests of a receiver between two starts: what makes them, and how one goes on that an interruption fell into."""
import sys

from .command import Unavailable
from .receiver import STILL_FED, Late

# Beyond these seconds a rest that an interruption lengthened says nothing new.
LONGEST = 86_400
# Seconds by which a nap may end early, whose timer is the receiver's; by which it outlasts an interruption, where the
# receiver was told to wake by itself only later than it is woken.
EARLY, NET = 5, 50


def boot_identity():
    """Which start of the host this is, whose clock of uptime is never set."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


class Rests:
    """Has a receiver rest: `by` its supply's line, by its own sleep, or by somebody's hand (manual).

    The record has a rest once it is known to be one, and its end before anything ends it.
    """

    def __init__(self, by, journal, receiver, show):
        self.by, self.journal, self.receiver, self.show = by, journal, receiver, show
        self.clock = receiver.clock
        # Its own timer ends it, and nothing else.
        self.is_nap = by == "sleep" and receiver.family.nap_ends_itself

    # One that was under way

    def pending(self):
        """The record of the rest that was under way when this ended, and how long it has lasted; or None."""
        last = self.journal.records[-1]
        if last["kind"] != "rest" or last["by"] != self.by or last["boot"] != boot_identity() or not self.outlives():
            return None
        rested = self.clock.uptime() - last["uptime"]
        return (last, rested) if rested < self.longest(last["off"]) else None

    def end_pending(self):
        """What was under way ends with what is done now."""
        if self.journal.records[-1]["kind"] == "rest":
            self.woke()

    def longest(self, off):
        if self.is_nap:
            return off - 2 * EARLY
        # What sleeps by itself has woken by itself.
        return off + NET if self.by == "sleep" else LONGEST

    def outlives(self):
        """Whether the receiver rests on while nobody holds its lines."""
        board = self.receiver.board
        safe = board and board.get("lines", "powerEnable", "safe")
        if self.by == "line":
            return board.get("backup") == "battery" and safe == "inactive"
        return safe in (None, "active")

    # One from its beginning to its end

    def take(self, off, number, rested=None):
        """Has the receiver rest, or rest on. Returns when it began to start, and how long it had rested."""
        began = self.begin(off, number) if rested is None else self.resume(rested)
        self.wait(began, off)
        return self.end(began)

    def begin(self, off, number):
        if self.by == "manual":
            ask("Switch the receiver's supply off (its backup supply stays on), and press Return.")
        began, since = self.clock.now(), self.clock.uptime()
        if self.by == "line":
            self.receiver.switch_off()
        elif self.by == "manual":
            if not self.receiver.falls_silent():
                raise Unavailable("it still speaks; switch its supply off before Return is pressed")
        elif not self.receiver.rest(off):
            raise Unavailable(
                f"the {self.receiver.model} does not rest when it is told to; use --power manual, or --power none")
        self.journal.add({
            "kind": "rest", "off": off, "round": number, "by": self.by, "boot": boot_identity(), "uptime": since,
            "baud": self.receiver.baud})
        return began

    def resume(self, rested):
        began = self.clock.now() - rested
        rates, baud = self.receiver.rates, self.journal.records[-1].get("baud")
        self.receiver.set_rate(rates.index(baud) if baud in rates else 0)
        self.receiver.take_power(self.by != "line")
        if not self.receiver.falls_silent():
            self.fail()
        return began

    def wait(self, began, off):
        """Until the rest is over; what is heard meanwhile tells that it is none."""
        while (left := off - (self.clock.now() - began)) > 0:
            self.show(left)
            for report in self.receiver.reports(min(left, 1)):
                if self.is_nap and report.time - began > off - EARLY:
                    return
                self.fail()

    def end(self, began):
        if self.by == "manual":
            ask("Press Return, and switch the receiver's supply on at the same moment.")
            now, is_heard = self.clock.now(), self.receiver.forget()
            self.woke()
            if is_heard:
                raise Late("it spoke before Return was pressed")
            return now, now - began
        if self.receiver.forget() and not self.is_nap:
            self.fail()
        self.woke()
        now = self.clock.now()
        if self.by == "line":
            self.receiver.take_power(True)
        elif not self.is_nap:
            now = self.receiver.wake()
        return now, now - began

    def woke(self):
        self.journal.add({"kind": "woke"})

    def fail(self):
        """It spoke in the middle of its rest."""
        self.woke()
        if self.by == "line":
            raise Unavailable(STILL_FED)
        raise Late("it woke in the middle of its rest")


def ask(text):
    print(text, file=sys.stderr, flush=True)
    if not sys.stdin.readline():
        raise Unavailable("no answer was typed; run this on a terminal, or choose another --power")
