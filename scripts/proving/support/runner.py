"""Makes one trial in a process of its own, and sees to it that nothing of it is left."""
import ctypes, json, os, re, select, shutil, signal, sys, tempfile, time, traceback

from .bench import Bench, Outcome, Unavailable
from .patience import PATIENCE

# Lines of the log that every trial has.
DULL = re.compile(r": (nothing heard for|receiving$|open at|serving|waiting for a harness)|it has no manifest")
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
# How many waits a trial may lose its patience in, one after the other, before it is ended without a word of them.
WAITS = 3
# The processes of the trials that run.
RUNNING = set()


def adopt():
    """Makes this process the parent of whatever a trial's programs leave behind."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_orphans():
    """Kills what a trial's programs left behind, in whatever process group."""
    for _ in range(100):
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            left = [int(word) for word in file.read().split() if int(word) not in RUNNING]
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        if not left:
            return


class Stall:
    """Tells of a trial that has waited for one line of a daemon for a minute: where, and what its programs do meanwhile.

    A timer's signal looks at the trial every 20 s, and the wait goes on after it.
    """

    EVERY, LOOKS = 20, 3

    def __init__(self, bench, place):
        self.bench, self.place = bench, place
        # The function that was at work at the last look, and in how many looks before that.
        self.frame, self.looks = None, 0

    def watch(self):
        signal.signal(signal.SIGALRM, lambda _, frame: self.look(frame))
        signal.setitimer(signal.ITIMER_REAL, self.EVERY, self.EVERY)

    def look(self, frame):
        self.looks = self.looks + 1 if frame is self.frame else 0
        self.frame = frame
        stack = traceback.extract_stack(frame)
        if self.looks != self.LOOKS or not any(entry.filename.endswith("/wire.py") for entry in stack):
            return
        lines = [f"{self.place} has waited for a line for {self.EVERY * self.LOOKS} s:"]
        lines += [f"{os.path.basename(entry.filename)}:{entry.lineno} {entry.line}" for entry in stack[-5:]]
        for process in self.bench.processes:
            if process.poll() is None:
                lines += self.tell(process.pid)
        lines += Trial.last_words(self.bench)[-6:]
        print("\n    ".join(lines), flush=True)

    def tell(self, pid):
        """The threads of a program and of its children: what each has used of the processor, and where it waits."""
        lines = []
        try:
            for thread in sorted(os.listdir(f"/proc/{pid}/task"), key=int):
                folder = f"/proc/{pid}/task/{thread}"
                name, used, waits = (self.read(f"{folder}/{file}") for file in ("comm", "schedstat", "wchan"))
                lines.append(f"{name}, {pid}:{thread}: ran {int(used.split()[0]) / 1e9:.2f} s, waits in {waits}")
                for child in self.read(f"{folder}/children").split():
                    lines += self.tell(int(child))
        except (OSError, ValueError):
            lines.append(f"{pid} has ended")
        return lines

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()


class Trial:
    """A trial that runs; `finish` gives its record."""

    def __init__(self, kind, name, seed, programs, slack=1.0, sabotage=None, is_verbose=False,
                 is_timed=False):
        self.slack, self.sabotage, self.is_timed = slack, sabotage, is_timed
        self.kind, self.name, self.seed, self.started = kind, name, seed, time.monotonic()
        self.limit = getattr(kind, "WAITS", WAITS) * PATIENCE * max(1, slack) * (10 if is_verbose else 1)
        # The runner removes the folder, also after a trial that could not.
        self.folder = tempfile.mkdtemp(prefix="sextant-prove-")
        self.reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.reader)
            self.live(writer, programs, is_verbose)
        os.close(writer)
        self.data = b""
        RUNNING.add(self.pid)

    def live(self, writer, programs, is_verbose):
        """The trial's own process, which ends here."""
        # What is left of it is killed by its group, and a priority that its session gets ends with it.
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        bench = Bench(programs, self.folder, is_verbose, self.slack, self.sabotage, self.is_timed)
        Stall(bench, f"{self.name}:{self.seed}").watch()
        record = {"unavailable": None}
        try:
            outcome = self.kind.trial(bench, self.seed)
        except Unavailable as problem:
            outcome, record["unavailable"] = Outcome(), str(problem)
        except BaseException as problem:
            outcome = getattr(problem, "outcome", None) or Outcome()
            outcome.attacks = max(1, outcome.attacks)
            outcome.find(f"{type(problem).__name__}: {problem}" if not str(problem).endswith(".") else str(problem))
            record["trace"] = traceback.format_exc(limit=-6)
        if outcome.findings:
            record["log"] = self.last_words(bench)
        try:
            bench.close()
        except BaseException as problem:
            outcome.find(f"what the trial started could not be ended: {problem}")
        record.update(findings=outcome.findings, attacks=outcome.attacks, figures=outcome.figures,
                      rows=outcome.rows)
        with os.fdopen(writer, "w", encoding="utf-8") as pipe:
            json.dump(record, pipe)
        os._exit(0)

    @staticmethod
    def last_words(bench):
        """The ends of the logs below the bench's folder."""
        words = []
        for folder, _, names in os.walk(bench.folder):
            for name in names:
                if name == "log":
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        lines = [line for line in file.read().splitlines() if not DULL.search(line)]
                        words += [line.replace(bench.folder, "BENCH") for line in lines[-24:]]
        return words

    def poll(self, wait):
        """The record once the trial has ended or its time is over; else nothing."""
        ready, _, _ = select.select([self.reader], [], [], wait)
        if ready:
            data = os.read(self.reader, 65536)
            self.data += data
            if not data:
                return self.finish(None)
        if time.monotonic() - self.started > self.limit:
            return self.finish(f"the trial did not end within {self.limit:g} s")
        return None

    def finish(self, problem):
        self.end()
        try:
            record = json.loads(self.data)
        except ValueError:
            record = {"findings": [problem or "the trial's own process ended suddenly"], "attacks": 1,
                      "figures": {}, "unavailable": None}
        return {"kind": self.name, "seed": self.seed, "seconds": round(time.monotonic() - self.started, 3), **record}

    def end(self):
        """Kills what is left of the trial, and removes its folder."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        os.waitpid(self.pid, 0)
        RUNNING.discard(self.pid)
        kill_orphans()
        os.close(self.reader)
        shutil.rmtree(self.folder, ignore_errors=True)
