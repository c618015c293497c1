"""The grammar of the socket's requests, which the daemon under attack tells itself.

The names of requests and of members are those of Sources/Core/ClientVocabulary, the one table of both ends. Which
members a request has, and what they may be, the daemon says when it refuses: `"radius" must be metres from 0 to 1000`.
So a request that is new is attacked on the day on which it exists, and nothing here names one.

A question has every member that there is, all with values that none may have. Each refusal names one; with a value that
fits, the next is named, until one is refused as no member of this request: then all of its own are known. Since such a
member is always there, no question has an effect.
"""
import itertools, pathlib, re

VOCABULARY = pathlib.Path(__file__).resolve().parents[3] / "Sources" / "Core" / "ClientVocabulary"
# A value that no member may have.
WRONG = [[]]
REFUSAL = re.compile(r'^"(.*?)" (must be (.*)|is missing from this request|is not a member of this request)$', re.S)
NUMBER = r"(-?[\d.]+)"
UUIDS = ("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "00000000-0000-0000-0000-000000000000",
         "ffffffff-ffff-ffff-ffff-ffffffffffff")
SQUARE = [[8.5, 47.3], [8.6, 47.3], [8.6, 47.4], [8.5, 47.4], [8.5, 47.3]]
# Texts that may name something, or nearly.
TEXTS = ("a", "home", "region1", "client0", "client1", "x" * 64, "é" * 32, "../../etc/passwd", "all", "%n%s",
         "'; DROP TABLE track; --")
HOSTILE = ("", "\0", "\ud800", "\u202e\x1b[2J", "\r\n\r\n", "\U0010ffff" * 20)


def words(file, kind):
    """The cases of an enumeration of texts."""
    text = (VOCABULARY / file).read_text(encoding="utf-8")
    body = re.search(rf"enum {kind}:.*?\n}}", text, re.S).group()
    cases = re.sub(r"//.*", "", body).split("case ")[1:]
    return [word.strip(" `\n}") for case in cases for word in case.split(",") if word.strip(" `\n}")]


REQUESTS, EVENTS = words("Names.swift", "RequestName"), words("Names.swift", "EventName")
KEYS = re.findall(r"static var `?(\w+)`?: MemberKey", (VOCABULARY / "MemberKey.swift").read_text(encoding="utf-8"))
ASKED = [key for key in KEYS if key not in ("request", "id", "event")]


class Member:
    """What a member may be, by the daemon's own words."""

    def __init__(self, expected):
        self.expected, self.members = expected, {}
        numbers = re.search(rf"from {NUMBER} to {NUMBER}", expected)
        self.range = tuple(map(float, numbers.groups())) if numbers else None
        self.is_integer = expected.startswith("an integer")
        self.words = re.findall(r'"([^"]*)"', expected)
        self.counts = [int(word) for word in re.findall(r"(\d+)(?:,| arrays)", expected.split(" each ")[0] + ",")]
        self.bytes = int(found.group(1)) if (found := re.search(r"a string of at most (\d+) bytes", expected)) else None

    def fitting(self, random):
        """A value that the daemon takes."""
        expected = self.expected
        if expected == "true or false":
            return random.random() < 0.5
        if expected.startswith("an object with"):
            return {key: member.fitting(random) for key, member in self.members.items() if random.random() < 0.7}
        if expected.startswith("a UUID"):
            return random.choice(UUIDS)
        if "three numbers whose squares" in expected:
            return random.choice([[0, 0, 1], [0.6, 0, 0.8], [0, -1, 0]])
        if "MultiPolygon" in expected:
            return [[SQUARE]]
        if "olygon" in expected:
            east = random.uniform(-180, 170)
            return [[[x - SQUARE[0][0] + east, y] for x, y in SQUARE]]
        if "control characters" in expected:
            return random.choice(["To be proved.", "é", "x" * 200])
        if self.bytes is not None:
            return random.choice([text for text in TEXTS if len(text.encode()) <= self.bytes])
        if " each " in expected and self.range:
            return self.array(random)
        if self.range and not (self.words and random.random() < 0.5):
            return self.number(random)
        if self.words:
            return random.choice(self.words)
        raise NotImplementedError(f'what the daemon expects of a member is not understood: "{expected}"')

    def number(self, random):
        low, high = self.range
        value = random.choice([low, high, min(max(1.0, low), high), random.uniform(low, high),
                               low + (high - low) * random.random() ** 8])
        return int(value) if self.is_integer else value

    def array(self, random):
        """So many numbers, or rows of them; mostly those of a matrix or an axis that leaves things as they are."""
        low, high = self.range
        columns = self.counts[-1]
        rows = self.counts[0] if "arrays of" in self.expected else 1
        made = [[min(max(float(column == columns - 1 - row), low), high) for column in range(columns)]
                for row in range(rows)]
        if random.random() < 0.3:
            made = [[random.uniform(low, high) for _ in row] for row in made]
        return made if "arrays of" in self.expected else made[0]

    def unfitting(self, random):
        """A value that is just out of what is allowed, or of another kind."""
        choices = [None, True, -1, 0.5, "", [], {}, [[]], 1e308, -1e308, 2**53 + 1, 2**63, 2**64, -2**63, 5e-324,
                   "x" * 70_000, {"a": {"b": []}}, [None] * 3, "best"]
        if self.range:
            low, high = self.range
            choices += [low - 1, high + 1, low - 1e-9, high * (1 + 1e-15) + 1e-9, str(low), [low]] * 2
        if self.bytes is not None:
            choices += ["x" * (self.bytes + 1), "é" * self.bytes, *HOSTILE] * 2
        if "olygon" in self.expected:
            choices += [[[[0, 0]] * 40_000], [SQUARE[:2]], [[[180, 90]] * 5], [[[x, y, 0, 0] for x, y in SQUARE]],
                        [SQUARE, SQUARE], [[[1e300, 1e300]] * 4], [[[x * 20, y] for x, y in SQUARE]]] * 3
        return random.choice(choices)


class Form:
    """One way to ask: members that it must have, and all that it may."""

    def __init__(self, members, needed):
        self.members, self.needed = members, needed

    def fitting(self, random):
        return {key: member.fitting(random) for key, member in self.members.items()
                if key in self.needed or random.random() < 0.5}


class Grammar:
    """What each request may say."""

    def __init__(self):
        self.forms, self.questions = {}, 0

    def learn(self, wire, random):
        """Asks a daemon, as somebody whose questions it does not bound."""
        for name in REQUESTS:
            self.forms[name] = Explorer(self, wire, name, random).forms()
        return self

    def fitting(self, name, random):
        """A request that the daemon should understand."""
        return {"request": name, **random.choice(self.forms[name]).fitting(random)}

    def nearly(self, name, random):
        """The same with something wrong: a value, a member too much, or one too few."""
        form = random.choice(self.forms[name])
        made = {"request": name, **form.fitting(random)}
        for _ in range(random.choice([1, 1, 2, 4])):
            key = random.choice([*form.members, *random.sample(ASKED, 2)])
            if random.random() < 0.3:
                made.pop(key, None)
            elif key in form.members:
                made[key] = form.members[key].unfitting(random)
            else:
                made[key] = random.choice(["full", 1, True, None])
        return made


class Explorer:
    """Learns the forms of one request: leaving out a member may open a way that has others."""

    def __init__(self, grammar, wire, name, random):
        self.grammar, self.wire, self.name, self.random = grammar, wire, name, random

    def forms(self):
        found, known, asked = [], set(), set()
        waiting = [(frozenset(), {})]
        while waiting:
            absent, fixed = waiting.pop(0)
            if (absent, tuple(fixed.items())) in asked:
                continue
            asked.add((absent, tuple(fixed.items())))
            members = self.ask(absent, fixed)
            if members is None or set(members) <= known and any(form.needed <= set(members) for form in found):
                continue
            known |= set(members)
            form = Form(members, {key for key in members if self.ask(absent | {key}, fixed) is None})
            found.append(form)
            waiting += [(absent | {key}, fixed) for key in members]
            waiting += [(absent, {**fixed, key: value}) for key, member in members.items()
                        if member.expected == "true or false" for value in (True, False)]
            # Where one cannot be left out, it may be possible to leave it out with one or two others.
            waiting += [(absent | set(keys), fixed) for count in (2, 3)
                        for keys in itertools.combinations(members, count) if form.needed & set(keys)]
        return found

    def ask(self, absent, fixed):
        """What is taken of a request without some members; nothing where one of those is missing."""
        values = {key: WRONG for key in ASKED if key not in absent}
        values.update(fixed)
        members = {key: Member("true or false") for key in fixed}
        for _ in range(400):
            self.grammar.questions += 1
            events = [event for event in self.wire.ask(self.name, **values) if event["event"] == "error"]
            found = REFUSAL.match(events[0]["message"]) if len(events) == 1 else None
            if not found:
                raise RuntimeError(f"{self.name} was not refused for a member that it has not: {events}")
            path, what, expected = found.groups()
            outer, _, inner = path.partition(".")
            if "missing" in what:
                return None
            if "not a member" in what:
                if "." not in path:
                    return members
                # All of the inner members are known.
                values[outer] = {}
                continue
            if "." in path:
                members[outer].members[inner] = member = Member(expected)
                values[outer][inner] = member.fitting(self.random)
                continue
            members[path] = member = Member(expected)
            values[path] = ({key: WRONG for key in ASKED} if expected.startswith("an object with")
                            else member.fitting(self.random))
        raise RuntimeError(f"{self.name} refuses whatever is said: {path} {what}")
