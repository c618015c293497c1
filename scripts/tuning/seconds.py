"""What pulses and messages say that were kept second by second: jitter, what is missing, and delays."""
import bisect, collections, statistics

BILLION = 1_000_000_000
# Seconds by which the board's clock and the one that is never set must part for the first to have been set.
STEP = 0.5
# Pulses on each side that the slow drift is told by.
SIDE = 15
# Microseconds beyond which a network's server does as well.
COARSE = 1000
# The least pulses; the shares that may be missing, and that must be numbered the same.
LEAST, MISSING, NUMBERED = 60, 0.01, 0.95

Message = collections.namedtuple("Message", "first whole second")


def seconds_of(name, journal):
    """What was kept of one source's pulses."""
    return [record for record in journal.of("second") if record.get("source") == name]


class Run:
    """Pulses without an interruption of the script's, by a clock that was not set meanwhile, and their messages.

    `numbers` count seconds, `offsets` are from whole ones, in µs.
    """

    def __init__(self, pulses, messages):
        self.messages = messages
        self.times = [second * BILLION + nanosecond for second, nanosecond, _ in pulses]
        self.numbers, self.missing, self.extra = [0], 0, 0
        kept = [self.times[0]]
        for when in self.times[1:]:
            step = (when - kept[-1]) / BILLION
            if step < 0.5:
                self.extra += 1
                continue
            self.missing += max(0, round(step) - 1)
            self.numbers.append(self.numbers[-1] + round(step))
            kept.append(when)
        self.times = kept
        self.offsets = [(when - kept[0] - number * BILLION) / 1000 for when, number in zip(kept, self.numbers)]

    def rate(self):
        """How fast the board's clock is, parts in a million."""
        return slope(self.numbers, self.offsets)

    def jitter(self):
        """Each pulse's departure from its neighbours', µs: less the rate, and less the slow wander."""
        rate = self.rate()
        straight = [offset - rate * number for offset, number in zip(self.offsets, self.numbers)]
        return [value - statistics.median(straight[max(0, index - SIDE) : index + SIDE + 1])
                for index, value in enumerate(straight)]


def slope(numbers, values):
    if len(numbers) < 2:
        return 0
    middle = statistics.fmean(numbers)
    spread = sum((number - middle) ** 2 for number in numbers)
    return sum((number - middle) * value for number, value in zip(numbers, values)) / spread


def was_set(before, pulse):
    """Whether the clock was set between two pulses: second, nanosecond, and when each was heard."""
    passed = pulse[0] - before[0] + (pulse[1] - before[1]) / BILLION
    return abs(passed - (pulse[2] - before[2])) > STEP


def stretches(records):
    """Pulses and messages that belong together: of one run of the script, up to where the clock was set."""
    found, last = [], None
    for record in records:
        if last is None or record["run"] != last["run"]:
            found.append(([], []))
        last = record
        for pulse in record["pulses"]:
            before = found[-1][0][-1:]
            if before and was_set(before[0], pulse):
                found.append(([], []))
            found[-1][0].append(pulse)
        found[-1][1].extend(Message(*message) for message in record["messages"])
    return found


class Findings:
    """What all runs say together; delays are of `Message`, in seconds after the pulse."""

    def __init__(self, records):
        self.runs = [Run(pulses, messages) for pulses, messages in stretches(records) if pulses]
        self.count = sum(len(run.times) for run in self.runs)
        self.missing = sum(run.missing for run in self.runs)
        self.extra = sum(run.extra for run in self.runs)
        self.jitter = [value for run in self.runs for value in run.jitter()]
        self.deviation = 1.4826 * statistics.median(map(abs, self.jitter)) if self.jitter else 0
        self.delays = list(self.relate())
        self.numbered, self.ahead = self.numbering()

    def relate(self):
        """Each message with the pulse before it: the delays to its first byte and to its end, and both seconds."""
        for run in self.runs:
            for message in run.messages:
                index = bisect.bisect(run.times, message.first * BILLION) - 1
                if index < 0:
                    continue
                pulse = run.times[index] / BILLION
                if message.first - pulse < 1:
                    yield message.first - pulse, message.whole - pulse, message.second, pulse

    def numbering(self):
        """The share of messages that number their pulse as the others do, and the board's clock ahead of them, s."""
        # By half a minute either way: the clock may be wrong, and a leap second is only near.
        errors = [round(pulse - second) % 60 for _, _, second, pulse in self.delays]
        if not errors:
            return 0, 0
        error, count = collections.Counter(errors).most_common(1)[0]
        return count / len(errors), error - 60 if error > 30 else error

    def problems(self, options):
        if self.count < LEAST:
            yield f"{self.count} pulses are too few; let it go on, {LEAST} at least, better 600"
        if self.missing > MISSING * (self.count + self.missing):
            yield f"{self.missing} pulses are missing of {self.count + self.missing}; see the sky and the wire"
        if self.extra:
            yield f"{self.extra} pulses came within half a second of another; see the wire for noise, and its bias"
        if self.deviation > COARSE:
            yield f"the jitter, {self.deviation:.0f} µs, is more than a server on the network has"
        if options.messages and self.delays and self.numbered < NUMBERED:
            yield (f"only {self.numbered:.0%} of the messages number their pulse alike: they come late or are cut; "
                   "raise the receiver's rate, or have it send fewer sentences")
        if options.messages and not self.delays:
            yield "no message came after a pulse; see whether the receiver has a fix, or take --no-messages"


def quantile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
