"""A gate: a step that a change must pass, its log, and what came of it."""
import os, re, signal, subprocess, time

from . import passed, swift_tests

# States of a gate that has ended.
PASSED, FAILED, FLAKE, SKIPPED = "passed", "FAILED", "flake", "skipped"
# At most so many tests or scenarios of a gate are run again: more of them have one cause, and it is no chance.
AGAIN, TRIES = 5, 2
# How the line ends that stands before the end of a log.
LAST = "the last lines of its log:"
# What says why in a log, in this order of worth.
TELLING = (re.compile(r"^network: "), re.compile(r"(^|\s)error: |^FAILED |^✘|^finding: "))


class Run:
    """What all gates of one run share: where they write, and what they are told."""

    def __init__(self, root, folder, environment, writes=False):
        self.root, self.folder, self.environment, self.writes = root, folder, environment, writes
        self.patience = int(environment["SEXTANT_PATIENCE"])
        os.makedirs(folder, exist_ok=True)

    def path(self, name, ending):
        return os.path.join(self.folder, f"{name}.{ending}")


class Gate:
    """A step that runs a line of shell.

    again: The line that runs one failed part alone, with {} for its name, which the log tells as "FAILED NAME"; nil where
    the gate has no parts.
    reaches: Targets of the package whose change can break it, and `paths` the same of files.
    covers: Folders and files on which alone its answer depends, if it need not run while they are as they passed before.
    """

    def __init__(self, name, line, needs=(), cores=1, again=None, reaches=(), paths=(), covers=()):
        self.name, self.line, self.needs, self.cores, self.again = name, line, needs, cores, again
        self.reaches, self.paths, self.covers = set(reaches), tuple(paths) + tuple(covers), tuple(covers)
        self.state, self.why, self.seconds = None, "", 0
        self.processor = 0  # seconds of it that its programs used, but for those that nobody waited for
        self.problems, self.flakes, self.skips = {}, [], []  # by what failed, its lines; what passed when tried again; what was left out
        self.process = None

    # ---- One run of it

    def perform(self, run):
        """Runs it, and sets its state."""
        if self.covers and not run.writes and passed.known(run.root).get(self.name) == passed.digest(run.root, self.covers):
            self.state, self.why = PASSED, "as before: nothing that it depends on has changed"
            return
        started = time.monotonic()
        status = self.execute(run, ["bash", "-c", "set -euo pipefail; " + self.line], run.path(self.name, "log"))
        self.seconds = time.monotonic() - started
        self.judge(run, status)

    def judge(self, run, status):
        lines = read(run.path(self.name, "log"))
        self.skips = [line.removeprefix("skipped: ") for line in lines if line.startswith("skipped: ")]
        # What passed only when the gate's program itself tried it again.
        self.flakes = [line.removeprefix("flake: ") for line in lines if line.startswith("flake: ")]
        # 69: something of it cannot be done on this machine, and was told.
        if status == 0 or status == 69 and self.skips:
            self.state = FLAKE if self.flakes else PASSED
            return
        self.state = FAILED
        parts = [match[1] for line in lines if (match := re.match(r"FAILED +(\S+)", line))] if self.again else []
        if parts:
            self.problems = {part: around(lines, part) for part in parts}
        else:
            self.problems = {self.name: telling(lines, status)}

    def execute(self, run, words, log):
        """Runs a program with its output in a file; a program that says nothing for twice the patience is ended."""
        with open(log, "ab") as file:
            self.process = subprocess.Popen(
                words, cwd=run.root, env=run.environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                start_new_session=True)
            said, heard = -1, time.monotonic()
            while True:
                process, status, usage = os.wait4(self.process.pid, os.WNOHANG)
                if process:
                    self.processor += usage.ru_utime + usage.ru_stime
                    self.process.returncode = os.waitstatus_to_exitcode(status)
                    self.end()
                    return self.process.returncode
                time.sleep(0.1)
                size = os.path.getsize(log)
                if size != said:
                    said, heard = size, time.monotonic()
                elif time.monotonic() - heard > 2 * run.patience:
                    file.write(f"\nerror: {self.name} said nothing for {2 * run.patience} s, and was ended\n".encode())
                    file.flush()
                    heard = time.monotonic()
                    self.end()

    def end(self):
        """Ends its process, and whatever that left running."""
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    # ---- What failed, alone

    def repeat(self, run):
        """Runs each part that failed once more by itself, at most twice; what passes then was chance, and is told as that."""
        if self.state != FAILED or not self.can_repeat() or len(self.problems) > AGAIN:
            return
        for part in list(self.problems):
            for attempt in range(1, TRIES + 1):
                if self.passes_alone(run, part, attempt):
                    self.flakes.append(self.flake(part))
                    del self.problems[part]
                    break
        if not self.problems:
            self.state = FLAKE

    def can_repeat(self):
        return self.again is not None and list(self.problems) != [self.name]

    def flake(self, part):
        return part

    def passes_alone(self, run, part, attempt):
        log = run.path(self.name, f"again-{attempt}.log")
        line = "set -euo pipefail; " + self.again.format(part)
        return self.execute(run, ["bash", "-c", line], log) == 0


class TestGate(Gate):
    """Tests of the bundle.

    chosen, left_out: Patterns of the tests' ids.
    width: How many run at a time.
    """

    def __init__(self, name, chosen, left_out=None, width=2, **others):
        super().__init__(name, None, again="", **others)
        self.chosen, self.left_out, self.width = chosen, left_out, width
        self.outcome = swift_tests.Outcome()

    def perform(self, run):
        started = time.monotonic()
        stream = run.path(self.name, "jsonl")
        words = swift_tests.command(run.environment["SEXTANT_TESTS"], stream, self.chosen, self.left_out, self.width)
        status = self.execute(run, words, run.path(self.name, "log"))
        self.seconds = time.monotonic() - started
        self.outcome = outcome = swift_tests.Outcome.read(stream)
        self.problems = {test: outcome.told(test) for test in outcome.problems}
        self.skips = [f"{name}: {why}" for name, why in outcome.skipped.items()]
        if not outcome.has_ended:
            # No test is run again: a process that crashes has a fault, whichever test it was that met it.
            names = "; ".join(outcome.names[test] for test in outcome.running)
            self.problems = {self.name: [f"the process that runs the tests {ended(status)} while these ran: {names or 'none'}"]
                             + crash(read(run.path(self.name, "log")))} | self.problems
        elif not outcome.passed and not outcome.problems:
            self.problems = {self.name: ["no test has this name"]}
        elif status != 0 and not self.problems:
            self.problems = {self.name: telling(read(run.path(self.name, "log")), status)}
        unexpected = self.unexpected(run)
        if unexpected:
            self.problems[self.name] = ["skipped, and not in Tests/skips.txt: " + each for each in unexpected]
        self.state = FAILED if self.problems else PASSED

    def unexpected(self, run):
        known = swift_tests.expected_skips(os.path.join(run.root, "Tests/skips.txt"))
        return [f"{name}: {why}" for name, why in self.outcome.skipped.items()
                if not any(re.fullmatch(pattern, name) and reason == why for pattern, reason in known)]

    def can_repeat(self):
        return self.name not in self.problems

    def flake(self, part):
        return f'"{self.outcome.names[part]}"'

    def passes_alone(self, run, part, attempt):
        stream = run.path(self.name, "again.jsonl")
        words = swift_tests.command(run.environment["SEXTANT_TESTS"], stream, swift_tests.pattern(part), width=1)
        if os.path.exists(stream):
            os.remove(stream)
        status = self.execute(run, words, run.path(self.name, f"again-{attempt}.log"))
        # A pattern that matches no test passes too.
        return status == 0 and part in swift_tests.Outcome.read(stream).passed


# ---- Words for people


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return [line.rstrip() for line in file]


def ended(status):
    return f"ended by signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"ended with status {status}"


def telling(lines, status):
    """The lines of a log that say why a step failed: the first that are errors, else the last ones."""
    for pattern in TELLING:
        found = list(dict.fromkeys(line for line in lines if pattern.search(line)))
        if found:
            return [f"it {ended(status)}"] + found[:12]
    return [f"it {ended(status)}; {LAST}"] + [line for line in lines if line.strip()][-10:]


def around(lines, part):
    """What a log says from where a part failed on, to the next part."""
    start = next(index for index, line in enumerate(lines) if re.match(rf"FAILED +{re.escape(part)}\b", line))
    rest = lines[start + 1:]
    end = next((index for index, line in enumerate(rest) if line.startswith(("FAILED ", "passed ", "✔", "=="))), len(rest))
    return [lines[start]] + [line for line in rest[:end] if line.strip()][:18]


def crash(lines):
    """What Swift prints of a crash: why, and the last calls of the thread that it was in."""
    told = [line for line in lines if re.search(r"(^|: )Fatal error: |^\*\*\* Program crashed", line)]
    start = next((index for index, line in enumerate(lines) if re.match(r"Thread \d+ .*crashed:$", line)), len(lines))
    calls = [re.sub(r"0x[0-9a-f]+ ", "", line) for line in lines[start:] if re.match(r" *\d+ .*0x", line)]
    return told + calls[:10] or lines[-6:]
