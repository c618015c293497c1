"""The states of a receiver whose draw is measured: what leads it there, and when a state has settled."""
import math, statistics, time

from .command import DeviceError, Progress, Unavailable, told
from .receiver import STILL_FED, Late

# As receiver.draw has them.
STATES = ("acquiring", "tracking", "cyclic", "softwareSleep", "hardwareSleep")
WORDS = {
    "acquiring": "searching, after a cold start", "tracking": "tracking, one fix a second",
    "cyclic": "cyclic tracking", "softwareSleep": "its own sleep", "hardwareSleep": "the backup supply alone",
}
# Seconds: until the first fix at most; between two samples; that a state is left before it is looked at.
FIRST, STEP = 900, 0.05
SETTLING = {"acquiring": 2, "tracking": 30, "cyclic": 60, "softwareSleep": 5, "hardwareSleep": 5}
# By which share of the mean the quarters of a window may differ; how many times its doubt a draw must be.
STEADY, CLEAR = 0.04, 3
# By which share of the supply's voltage the meter's may differ; volts that there are at least where nobody says.
OTHER, LEAST_VOLTS = 0.2, 1


class State:
    """What a state's samples say: `milliwatts` in the mean, their `spread`, and whether they settled."""

    def __init__(self, samples, doubt):
        self.count = len(samples)
        powers = [sample.volts * sample.milliamps for sample in samples]
        self.milliwatts, self.spread = statistics.fmean(powers), statistics.pstdev(powers)
        self.volts = statistics.fmean(sample.volts for sample in samples)
        self.milliamps = statistics.fmean(sample.milliamps for sample in samples)
        quarter = max(1, self.count // 4)
        means = [statistics.fmean(powers[begin : begin + quarter]) for begin in range(0, quarter * 4, quarter)
                 if begin < self.count]
        self.wander = max(means) - min(means)
        # Of means of noise the range is that large once in a thousand.
        noise = 4.9 * self.spread / math.sqrt(quarter)
        self.is_steady = self.wander <= max(STEADY * abs(self.milliwatts), 2 * doubt * self.volts, noise / 2)
        self.is_clear = self.milliamps >= CLEAR * doubt


class Bench:
    """Leads the receiver through its states."""

    def __init__(self, options, journal, meter, receiver, clock):
        self.options, self.journal, self.meter = options, journal, meter
        self.receiver, self.clock, self.progress = receiver, clock, Progress()
        self.began, self.samples, self.shown = clock.now(), [], ""

    def run(self, states):
        if not states:
            return
        self.receiver.take_power(True)
        self.receiver.find()
        self.check_wiring()
        for state in states:
            self.shown = WORDS[state]
            found = getattr(self, state)()
            if found:
                self.keep(state, found)
            else:
                self.refused(state)

    def check_wiring(self):
        """Whether the meter tells the supply's voltage, and a current that flows to the receiver."""
        self.shown = "the meter"
        samples, _ = self.sample(1)
        self.samples = []
        volts = statistics.median(sample.volts for sample in samples)
        milliamps = statistics.median(sample.milliamps for sample in samples)
        wanted, name = self.options.volts, self.meter.bus.name
        if wanted and abs(volts - wanted) > OTHER * wanted:
            raise DeviceError(
                f"{name}: it tells {volts:.2f} V, and the receiver has {wanted:g}; see that VBUS is wired to the "
                "receiver's supply, and receiver.supplyVolts (--volts)")
        if volts < LEAST_VOLTS:
            raise DeviceError(f"{name}: it tells {volts:.2f} V; wire VBUS to the receiver's supply")
        if milliamps < -CLEAR * self.meter.doubt:
            raise DeviceError(f"{name}: it tells {milliamps:.3g} mA; VIN+ and VIN- are swapped")

    def keep(self, state, found):
        drawn = thinned(self.samples, 600)
        self.samples = []
        self.journal.add({
            "kind": "state", "state": state, "milliwatts": round(found.milliwatts, 4), "spread": round(found.spread, 4),
            "volts": round(found.volts, 4), "milliamps": round(found.milliamps, 5), "samples": found.count,
            "wander": round(found.wander, 4), "steady": found.is_steady, "clear": found.is_clear,
            "meter": self.meter.model, "doubt": self.meter.doubt, "utc": round(time.time()),
            "curve": [[round(sample.time - self.began, 3), round(sample.milliamps, 4)] for sample in drawn]})
        verdict = "" if found.is_steady else ", which did not settle"
        verdict = verdict if found.is_clear or not found.is_steady else ", below what the meter can tell"
        self.progress.say(f"{WORDS[state]:34} {found.milliwatts:9.3f} mW{verdict}")

    def refused(self, state):
        self.samples = []
        self.journal.add({"kind": "state", "state": state, "refused": True, "steady": True, "clear": False})
        self.progress.say(f"{WORDS[state]:34} is refused by the receiver: it stays the model's")

    def sample(self, seconds):
        """Samples for a time, and hears the receiver meanwhile; returns the samples, and whether it has a fix."""
        samples, has_fix, end = [], None, self.clock.now() + seconds
        while self.clock.now() < end:
            for report in self.receiver.reports(min(STEP, end - self.clock.now())):
                has_fix = report.has_fix if report.has_fix is not None else has_fix
            samples.append(self.meter.sample(self.clock.now()))
            self.progress.show(f"{self.shown}: {samples[-1].milliamps:.3f} mA, {told(end - self.clock.now())} left")
        self.samples += samples
        return samples, has_fix

    def settled(self, state, is_tracking=None):
        """The window in which a state settles; the last one where it does not."""
        self.sample(SETTLING[state])
        window, waited = [], 0
        while True:
            more, has_fix = self.sample(self.options.window / 4)
            if not is_tracking and self.receiver.heard_at is not None:
                raise Unavailable(STILL_FED if state == "hardwareSleep" else (
                    f"the {self.receiver.model} woke in the middle of its rest; see what drives its pins, or leave the "
                    "state out with --states"))
            if is_tracking and has_fix is False:
                window, more = [], []
                self.track()
            window = (window + more)[-4 * max(1, len(more)) :] if more else window
            waited += self.options.window / 4
            if len(window) >= 8 and waited >= self.options.window:
                found = State(window, self.meter.doubt)
                if found.is_steady or waited >= self.options.patience:
                    return found

    # The states

    def track(self):
        end = self.clock.now() + FIRST
        while self.clock.now() < end:
            if self.sample(1)[1]:
                return
        raise Unavailable(f"no fix in {told(FIRST)}; give the antenna a free sky. What was measured is kept")

    def acquiring(self):
        """Searches are as long as they are: as many as fill a window."""
        window, tries = [], 0
        while len(window) < 8 or self.seconds(window) < self.options.window:
            tries += 1
            if tries > 50:
                raise Unavailable("searches are too short to measure; take a shorter --window")
            if self.receiver.family.restarts:
                began = self.receiver.restart("cold")
            else:
                self.receiver.switch_off()
                self.receiver.take_power(True)
                began = self.clock.now()
            window += self.search(began)
        return State(window, self.meter.doubt)

    def search(self, began):
        search = []

        def look(passed):
            search.append(self.meter.sample(self.clock.now()))
            self.progress.show(f"{self.shown}: {search[-1].milliamps:.3f} mA, {passed:.0f} s")

        try:
            self.receiver.first_fix(began, self.options.patience, True, look, STEP)
        except Late:
            return []
        self.samples += search
        # The last sample may be of tracking already.
        return [sample for sample in search[:-1] if sample.time - began >= SETTLING["acquiring"]]

    @staticmethod
    def seconds(samples):
        steps = [after.time - before.time for before, after in zip(samples, samples[1:])]
        return len(samples) * statistics.median(steps) if steps else 0

    def tracking(self):
        self.track()
        return self.settled("tracking", is_tracking=True)

    def cyclic(self):
        """None where the receiver refuses."""
        self.track()
        try:
            if not self.receiver.begin_cycles():
                return None
            return self.settled("cyclic", is_tracking=True)
        finally:
            self.receiver.port.write(self.receiver.family.continuous)

    def softwareSleep(self):
        self.track()
        longest = SETTLING["softwareSleep"] + self.options.patience + self.options.window + 30
        try:
            if not self.receiver.rest(longest):
                raise Unavailable(
                    f"the {self.receiver.model} does not rest when it is told to; leave the state out with --states")
            return self.settled("softwareSleep")
        finally:
            self.receiver.wake()

    def hardwareSleep(self):
        try:
            self.receiver.switch_off()
            return self.settled("hardwareSleep")
        finally:
            self.receiver.take_power(True)


def thinned(samples, most):
    """Every so manieth, so that a picture is no larger than it must be."""
    step = max(1, math.ceil(len(samples) / most))
    return samples[::step]
