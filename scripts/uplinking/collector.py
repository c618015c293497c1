"""The program sextant-collect: as a module, and as a process of a bench."""
import contextlib, importlib.machinery, importlib.util, os, signal, sqlite3, subprocess

from proving.support.patience import until

PROGRAM = os.path.join(os.path.dirname(__file__), "..", "..", "Sources", "Service", "Collect", "sextant-collect")


def module():
    loader = importlib.machinery.SourceFileLoader("sextant_collect", PROGRAM)
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(found)
    return found


class Collect:
    """One collector on a database, which can be started, ended and killed again and again."""

    def __init__(self, database, port, name="sextant-collect", *more):
        self.database, self.process = database, None
        self.command = ["/usr/bin/python3", PROGRAM, "--database", database, "--host", "127.0.0.1", "--port", str(port),
                        "--name", name, *more]
        self.log = f"{database}.{name}.log"

    def start(self):
        with open(self.log, "ab") as log:
            said = log.tell()
            self.process = subprocess.Popen(self.command, stderr=log)
        if not until(lambda: "connected" in self.told(said), pause=0.05):
            raise AssertionError(f"sextant-collect does not connect: {self.told(said)}")
        return self

    def told(self, since=0):
        with open(self.log, encoding="utf-8") as file:
            file.seek(since)
            return file.read()

    def end(self, how=signal.SIGTERM):
        if self.process:
            self.process.send_signal(how)
            status = self.process.wait()
            self.process = None
            return status

    def kill(self):
        self.end(signal.SIGKILL)

    def query(self, words, *values):
        """Rows of the database; none before the collector has made it."""
        if not os.path.exists(self.database):
            return []
        with contextlib.closing(sqlite3.connect(self.database, timeout=60)) as rows:
            return rows.execute(words, values).fetchall()
