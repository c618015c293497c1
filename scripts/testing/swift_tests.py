"""Runs tests of the bundle that `swift build --build-tests` made, and reads what came of each from the event stream.

The bundle is run itself, since `swift test` plans the package anew each time and waits for its lock.
Source of the stream's shape: swift-testing, Documentation/ABI/JSON.md.
"""
import collections, json, os, re


class Outcome:
    """What came of one run of the bundle."""

    def __init__(self):
        self.names, self.places = {}, {}  # by a test's id: its name, and the file and line that it stands in
        self.problems = collections.OrderedDict()  # by a test's id: the lines of its issues
        self.passed, self.skipped = set(), {}  # ids of tests that passed; by name, why one was skipped
        self.running, self.has_ended = collections.OrderedDict(), False

    @classmethod
    def read(cls, path):
        outcome = cls()
        if not os.path.exists(path):  # the process ended before it ran a test
            return outcome
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    outcome.take(json.loads(line))
                except ValueError:  # the process ended within a line
                    continue
        return outcome

    def take(self, line):
        value = line["payload"]
        if line["kind"] == "test":
            place = value["sourceLocation"]
            self.names[value["id"]] = value.get("displayName", value["name"])
            if value["kind"] == "function":
                self.places[value["id"]] = f"Tests/{place['fileID']}:{place['line']}"
            return
        test, kind = value.get("testID"), value["kind"]
        if kind == "testStarted" and test in self.places:
            self.running[test] = True
        elif kind == "issueRecorded" and not value["issue"].get("isKnown"):
            lines = [text for message in value["messages"] for text in message["text"].splitlines() if text.strip()]
            self.problems.setdefault(test, []).extend(lines)
        elif kind == "testSkipped":
            self.skipped[self.names[test]] = value["messages"][0]["text"].partition("skipped: ")[2].strip('"')
        elif kind == "testEnded" and test in self.places:
            self.running.pop(test, None)
            if test not in self.problems:
                self.passed.add(test)
        elif kind == "runEnded":
            self.has_ended = True

    def told(self, test):
        """The lines that say what failed in a test."""
        head = f"{self.places.get(test, '')} \"{self.names.get(test, test)}\""
        return [head.strip()] + [f"    {line}" for line in self.problems.get(test, [])]


def pattern(test):
    """A filter that matches one test: a filter is a regular expression, and any sign of a name may be anything."""
    return "^" + re.sub(r"[^A-Za-z0-9]", ".", test) + "$"


def command(bundle, stream, chosen, left_out=None, width=None):
    """The words that run the tests whose ids match a pattern, so many at a time."""
    words = [bundle, "--testing-library", "swift-testing", "--filter", chosen,
             "--event-stream-output-path", stream, "--event-stream-version", "6.3"]
    if left_out:
        words += ["--skip", left_out]
    return words + (["--experimental-maximum-parallelization-width", str(width)] if width else [])


def expected_skips(path):
    """Why each test may be skipped: a line is a pattern of its name, a bar, and the reason as it is printed."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    return [tuple(part.strip() for part in line.split("|", 1)) for line in lines]
