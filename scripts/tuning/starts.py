"""The model of a receiver's starts that boards hold, fitted to starts that were measured.

A start is `boot` seconds and a log-normal search; `median` is its median and `spread` the standard deviation of its
logarithm. With the age of the ephemeris the share of warm starts rises from none, at `ephemerisFades`, to all, at
`ephemerisGone`: Sources/Core/Receivers/Catalogue/StartTimes.swift.
"""
import collections, itertools, math, statistics

Search = collections.namedtuple("Search", "median spread count")
# What is usual where nothing was measured: as in the catalogue, seconds.
USUAL_BOOT, USUAL_SPREADS, USUAL_AGES = 1.0, {"hot": 0.8, "warm": 0.25, "cold": 0.2}, (7200, 14_400)
# Standard deviations within which nine in ten lie.
NINE_IN_TEN = 1.2816
# How many starts the usual spread counts for, as in Sources/Core/Power/Learned.
BELIEF = 4
# Seconds of rest in which no ephemeris fades; from when on one may have.
YOUNG, OLD = 1800, 2700
# How many starts of a kind, and old rests for the ages, tell enough; the share of starts that follow no rule.
ENOUGH, ENOUGH_OLD, STRANGE = 5, 6, 0.03
# Which part of the longest rest the oldest have at least; by how many times it an ephemeris may be gone.
OLDEST, BEYOND = 0.9, 2
# What a board's file takes: seconds of a search, of a boot, of the age from which an ephemeris fades.
MOST_SEARCH, MOST_BOOT, MOST_FADES = 600, 60, 86_400


def search(seconds, kind):
    """The search behind some starts, robustly: the median, and the median deviation."""
    logs = [math.log(max(value, 0.1)) for value in seconds]
    middle = statistics.median(logs)
    spread = 1.4826 * statistics.median(abs(value - middle) for value in logs)
    usual = USUAL_SPREADS[kind]
    pooled = math.sqrt((BELIEF * usual**2 + len(logs) * spread**2) / (BELIEF + len(logs)))
    return Search(math.exp(middle), min(max(pooled, 0.05), 2), len(logs))


def density(seconds, found):
    """Of the logarithm of a search's seconds."""
    distance = (math.log(max(seconds, 0.1)) - math.log(found.median)) / found.spread
    return math.exp(-distance * distance / 2) / found.spread


def is_warm(seconds, hot, warm):
    """As the daemon tells them apart."""
    return seconds >= warm.median or density(seconds, warm) > density(seconds, hot)


class Fit:
    """`hot`, `warm`, `cold`: a `Search`, or None where too little was measured.

    `ages`: fading and gone, or None, and `more` says what would tell them.
    """

    def __init__(self, starts, boots_at_restart):
        self.starts = [start for start in starts if start["seconds"] is not None]
        self.failed = len(starts) - len(self.starts)
        boots = [start["boot"] for start in self.starts if start["start"] == "rest" and start["boot"] is not None]
        self.boot = statistics.median(boots) if boots else None
        lead = self.boot if self.boot is not None else USUAL_BOOT
        self.searches = collections.defaultdict(list)
        self.rests = []
        for start in self.starts:
            if start["start"] == "rest":
                own = start["boot"] if start["boot"] is not None else lead
                self.rests.append((start["rested"], max(start["seconds"] - own, 0.1)))
            else:
                self.searches[start["start"]].append(start["seconds"] - (lead if boots_at_restart else 0))
        self.cold = self.known("cold", self.searches["cold"])
        self.fit_rests()
        self.more = "more rests of 45 min and longer tell"
        self.ages = self.fit_ages()

    @staticmethod
    def known(kind, seconds):
        return search(seconds, kind) if len(seconds) >= 3 else None

    def fit_rests(self):
        """A hot start after a rest takes longer than one at once, and is the one that the daemon has."""
        self.warm = self.known("warm", self.searches["warm"])
        young = [seconds for age, seconds in self.rests if age <= YOUNG]
        self.is_hot_of_rests = len(young) >= ENOUGH
        self.hot = self.known("hot", young if self.is_hot_of_rests else self.searches["hot"])
        self.forgetful = 0
        if not self.hot or not self.warm or not self.rests:
            return
        # What is told apart by the first guess makes the second one.
        reference = self.known("hot", self.searches["hot"]) or self.hot
        self.forgetful = sum(is_warm(seconds, reference, self.warm) for seconds in young)
        for _ in range(3):
            hot = [seconds for _, seconds in self.rests if not is_warm(seconds, self.hot, self.warm)]
            warm = [seconds for _, seconds in self.rests if is_warm(seconds, self.hot, self.warm)]
            if self.is_hot_of_rests:
                self.hot = self.known("hot", hot) or self.hot
            self.warm = self.known("warm", self.searches["warm"] + warm) or self.warm

    def fit_ages(self):
        """The two ages, to a quarter of an hour; None where rests were too few or alike."""
        old = [age for age, _ in self.rests if age >= OLD]
        if not self.hot or not self.warm or len(old) < ENOUGH_OLD or len({round(age / 900) for age in old}) < 2:
            return None
        oldest = [is_warm(seconds, self.hot, self.warm) for age, seconds in self.rests if age >= OLDEST * max(old)]
        # A warm start now and then tells of a poor sky.
        if sum(oldest) <= len(oldest) / 2:
            self.more = "most starts after the longest rest are hot: rest longer"
            return None
        if all(is_warm(seconds, self.hot, self.warm) for age, seconds in self.rests if age >= OLD):
            self.more = "all starts after long rests are warm: rest shorter too"
            return None
        quarters = range(1, math.ceil(BEYOND * max(old) / 900) + 1)
        pairs = [(900 * fades, 900 * gone) for fades, gone in itertools.product(quarters, quarters)
                 if fades < gone and 900 * fades <= MOST_FADES]
        # Their mean, each pair as heavy as it is likely.
        rests = [(age, density(seconds, self.hot), density(seconds, self.warm)) for age, seconds in self.rests]
        found = {pair: self.likelihood(pair, rests) for pair in pairs}
        most = max(found.values())
        weights = {pair: math.exp(value - most) for pair, value in found.items()}
        fades, gone = (sum(pair[end] * weight for pair, weight in weights.items()) / sum(weights.values())
                       for end in (0, 1))
        fades = 900 * round(fades / 900)
        return fades, max(900 * round(gone / 900), fades + 900)

    def likelihood(self, ages, rests):
        total = 0
        for age, hot, warm in rests:
            share = min(max(self.warm_share(age, ages), STRANGE), 1 - STRANGE)
            total += math.log(share * warm + (1 - share) * hot + 1e-9)
        return total

    @staticmethod
    def warm_share(age, ages):
        return min(max((age - ages[0]) / (ages[1] - ages[0]), 0), 1)

    def problems(self):
        """Why it is not good."""
        for kind in ("hot", "warm", "cold"):
            found = getattr(self, kind)
            count = found.count if found else len(self.searches[kind])
            if count < ENOUGH:
                yield f"{count} {kind} starts are too few; let it go on, {ENOUGH} at least, better 10"
            if found and found.median * math.exp(NINE_IN_TEN * found.spread) > MOST_SEARCH:
                yield (f"{kind} starts take more than {MOST_SEARCH} s, which no board may say; give the antenna a free "
                       "sky")
        if self.boot is not None and self.boot > MOST_BOOT:
            yield f"the boot takes {self.boot:.0f} s, and no board may say more than {MOST_BOOT}; begin anew"
        if self.failed > 0.2 * (self.failed + len(self.starts)):
            yield f"{self.failed} starts found no fix; give the antenna a free sky, and begin anew"
        if self.hot and self.warm and self.hot.median >= self.warm.median:
            yield (f"hot starts, {self.hot.median:.1f} s, are no quicker than warm ones, {self.warm.median:.1f} s; see "
                   "whether the sky is free and the backup supply alive")
        young = sum(age <= YOUNG for age, _ in self.rests)
        if young >= 3 and self.forgetful > young / 2:
            yield (f"{self.forgetful} of {young} short rests were forgotten; see whether the backup supply is alive, "
                   'or set backup: "none" in the board\'s file')

    def members(self):
        """Those of receiver.startSeconds: only what was measured."""
        parts = [f"boot: {self.boot:.2g}"] if self.boot is not None else []
        for kind in ("hot", "warm", "cold"):
            found = getattr(self, kind)
            if found:
                most = found.median * math.exp(NINE_IN_TEN * found.spread)
                parts += [f"{kind}: {found.median:.3g}", f"{kind}NineInTen: {most:.3g}"]
        if self.ages:
            parts.append(f"ephemerisFades: {self.ages[0]}, ephemerisGone: {self.ages[1]}")
        return parts
