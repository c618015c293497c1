"""The bench of one trial: a folder of its own, and the processes that it started there."""
import os, random, shutil, subprocess, tempfile


class Unavailable(Exception):
    """What a trial needs and this machine has not: which, and how to get it."""


class Failure(Exception):
    """A promise that was broken, as a sentence."""


class Outcome:
    """What came of a trial."""

    def __init__(self):
        # Sentences; how many attacks were made; numbers by name for the report.
        self.findings, self.attacks, self.figures = [], 0, {}
        # Lines of scripts/prove-time's table, of a trial that judges times.
        self.rows = []

    def find(self, sentence):
        """A finding, once; a trial that finds the same a hundred times has found one thing."""
        if sentence not in self.findings and len(self.findings) < 20:
            self.findings.append(sentence)

    def note_most(self, name, value):
        """Keeps the largest of what was measured."""
        self.figures[name] = max(value, self.figures.get(name, value))


class Bench:
    """A folder that every user may enter, and the programs that are attacked."""

    def __init__(self, programs, folder=None, is_verbose=False, slack=1.0, sabotage=None, is_timed=False):
        self.programs, self.is_verbose = os.path.abspath(programs), is_verbose
        # Whether times are measured and judged; otherwise the machine may be as slow as it likes.
        self.is_timed = is_timed
        # By how much longer than a release build on a quiet machine something may take.
        self.slack = slack
        # The name of a fault that is put in on purpose before each start of a daemon but its first.
        self.sabotage = sabotage
        self.folder = folder or tempfile.mkdtemp(prefix="sextant-prove-")
        # Clients are users of their own.
        os.chmod(self.folder, 0o755)
        self.processes = []
        # Bytes that a daemon may have grown by after trouble, where it must have given back what it took.
        self.slack_memory = 2**20

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def program(self, name):
        path = os.path.join(self.programs, name)
        if not os.access(path, os.X_OK):
            raise Unavailable(f"{path} is not there; build it, or name another folder with --programs")
        return path

    def tool(self, name, package=None):
        path = shutil.which(name)
        if not path:
            raise Unavailable(f"{name} is not in PATH; scripts/install-packages {package or name} brings it")
        return path

    def need_root(self):
        if os.geteuid() != 0:
            raise Unavailable("each client is a user of its own; run this as root")

    def random(self, seed):
        return random.Random(seed)

    def say(self, text):
        """For somebody who repeats a trial."""
        if self.is_verbose:
            print(f"  {text}", flush=True)

    def start(self, arguments, **options):
        process = subprocess.Popen(arguments, **options)
        self.processes.append(process)
        return process

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)
