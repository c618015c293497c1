"""Daemons: `sextantd` on a pseudo-terminal in real time, and `sextantd-bench` on a clock that is driven."""
import json, os, select, signal, socket, subprocess, time

from .bench import Failure
from .patience import PATIENCE
from .sabotage import sabotage

# PF_EXITING of the kernel's include/linux/sched.h: the process ends, and its files are being closed.
EXITING = 4
# A virtual daemon starts at this instant of its clock, nanoseconds; at this second since 1970 unless said otherwise.
ZERO, EPOCH = 10_000_000_000, 1_800_000_000


class Daemon:
    """`sextantd` on an installation, with a receiver's device."""

    program = "sextantd"

    def __init__(self, installation, device="/dev/virtual", under=(), environment=None):
        self.installation, self.bench = installation, installation.bench
        self.device, self.under, self.environment = device, list(under), environment
        self.process, self.starts = None, 0

    @property
    def arguments(self):
        return ["--config", self.installation.configure(self.device, "baud: 115200,")]

    def launch(self):
        """Starts the process and does not wait for it."""
        command = self.under + [self.bench.program(self.program)] + self.arguments
        environment = dict(os.environ, **self.environment) if self.environment else None
        if self.bench.sabotage and self.starts:
            sabotage(self.bench.sabotage, self.installation)
        self.starts += 1
        with open(self.installation.path("log"), "ab") as log:
            self.process = self.bench.start(command, stdout=log, stderr=log, env=environment)

    def start(self):
        """Starts it and waits until it serves."""
        self.remove(self.installation.socket)
        self.launch()
        self.wait_for(self.installation.socket)
        return self

    def wait_for(self, path):
        """Waits until somebody listens there."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with socket.socket(socket.AF_UNIX) as knock:
                    knock.connect(path)
                    return
            except OSError:
                pass
            if self.process.poll() is not None:
                raise Failure(f"{self.program} ended with {self.process.returncode} at its start: {self.last_words}")
            if time.monotonic() > deadline:
                raise Failure(f"{self.program} was not ready after {PATIENCE:g} s: {self.last_words}")
            time.sleep(0.003)

    @staticmethod
    def remove(path):
        if os.path.lexists(path):
            os.unlink(path)

    @property
    def last_words(self):
        return " / ".join(self.installation.log.strip().splitlines()[-3:]) or "it said nothing"

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def has_gone(self):
        """Whether it has ended or is about to: its connections close before the process itself is gone."""
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            if not self.is_ending:
                return False
            self.process.wait(PATIENCE)
        return True

    @property
    def is_ending(self):
        """Whether the kernel is closing the files of a process that was killed."""
        try:
            with open(f"/proc/{self.pid}/stat", encoding="ascii", errors="replace") as file:
                state, *_, flags = file.read().rpartition(")")[2].split()[:7]
        except (OSError, Failure):
            return True
        return state in "ZX" or bool(int(flags) & EXITING)

    @property
    def pid(self):
        """The daemon's own process, also where another program runs it."""
        if not self.under:
            return self.process.pid
        children = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        with open(children, encoding="ascii") as file:
            found = file.read().split()
        if not found:
            raise Failure(f"{self.program} has ended under {self.under[0]}: {self.last_words}")
        return int(found[0])

    @property
    def resident(self):
        """Bytes of memory in use, without the pages of files, such as the program's, which the kernel takes back itself."""
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
            _, resident, shared = file.read().split()[:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def kill(self):
        """Ends it as a sudden end does; it may have ended already."""
        if self.is_running:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except (ProcessLookupError, FileNotFoundError, Failure):
                pass
        self.process.wait(PATIENCE)

    def stop(self):
        """Ends it as the service manager does; anything but status 0 is a failure."""
        os.kill(self.pid, signal.SIGTERM)
        if self.process.wait(PATIENCE) != 0:
            raise Failure(f"{self.program} ended with {self.process.returncode} after SIGTERM: {self.last_words}")

    def end(self):
        self.stop()


class VirtualDaemon(Daemon):
    """`sextantd-bench`: time passes when it is told to, and the receiver says what is sent.

    Time stands still while a client has not read what it was sent, which may be more than the kernel keeps for it: the
    connections in `wires` are read while the daemon is waited for.
    """

    program = "sextantd-bench"

    def __init__(self, installation, under=(), environment=None, utc=EPOCH):
        super().__init__(installation, under=under, environment=environment)
        self.link, self.said, self.now, self.utc, self.started = None, b"", ZERO, utc, utc
        self.wires = []
        self.control = installation.path("c")

    @property
    def arguments(self):
        utc = ["--utc", str(int(self.started))] if self.utc is not None else []
        return ["--config", self.installation.configure("/dev/virtual"), "--control", self.control] + utc

    def start(self):
        self.detach()
        # The next one begins where the last one ended.
        if self.starts:
            self.started = -(-self.time // 1)
        self.now = ZERO
        self.remove(self.control)
        self.remove(self.installation.socket)
        self.launch()
        deadline = time.monotonic() + PATIENCE
        self.link = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.link.connect(self.control)
                break
            except OSError:
                if self.process.poll() is not None:
                    raise Failure(f"the daemon ended with {self.process.returncode} at its start: {self.last_words}")
                if time.monotonic() > deadline:
                    raise Failure(f"the daemon was not ready after {PATIENCE:g} s: {self.last_words}")
                time.sleep(0.003)
        self.link.settimeout(PATIENCE)
        self.take_reports()
        return self

    @property
    def time(self):
        """Seconds since 1970, as they truly are."""
        return self.started + (self.now - ZERO) / 1e9

    def obey(self, **commands):
        """Gives commands in their order, and waits until the daemon has nothing more to do."""
        self.order(**commands)
        return self.take_reports()

    def order(self, **commands):
        """Gives commands without waiting; `take_reports` waits."""
        try:
            self.link.sendall(json.dumps(commands).encode() + b"\n")
        except OSError:
            raise Failure(f"the daemon has ended: {self.last_words}") from None

    def take_reports(self):
        reports = []
        while True:
            report = json.loads(self.read_line())
            if "idle" in report:
                self.now = report["idle"]["now"]
                return reports
            if "i2c" in report:
                self.link.sendall(b'{"i2cFault":"noAcknowledge"}\n')
            elif "error" in report:
                raise RuntimeError(f"the daemon's harness refused a command: {report['error']}")
            else:
                reports.append(report)

    def read_line(self):
        """What the daemon says next to its harness."""
        while b"\n" not in self.said:
            sockets = {wire.socket: wire for wire in self.wires if not wire.is_closed}
            ready, _, _ = select.select([self.link, *sockets], [], [], PATIENCE)
            if not ready:
                raise Failure(f"the daemon does not answer its harness in {PATIENCE:g} s: {self.last_words}")
            for wire in (sockets[one] for one in ready if one is not self.link):
                wire.receive()
            if self.link in ready:
                self.said += self.hear()
        line, _, self.said = self.said.partition(b"\n")
        return line

    def hear(self):
        try:
            data = self.link.recv(65536)
        except OSError as error:
            raise Failure(f"the daemon does not answer its harness: {error}") from None
        if not data:
            raise Failure(f"the daemon has ended: {self.last_words}")
        return data

    def run(self, seconds):
        """Lets time pass."""
        pass_time([self], seconds)

    def feed(self, data, seconds=0.0):
        """The receiver sends bytes, and then time passes."""
        pass_time([self], seconds, [data])

    def detach(self):
        if self.link:
            self.link.close()
            self.link, self.said = None, b""

    def kill(self):
        super().kill()
        self.detach()

    def stop(self):
        """Ends it as its harness does."""
        self.link.sendall(b'{"quit":true}\n')
        if self.process.wait(PATIENCE) != 0:
            raise Failure(f"the daemon ended with {self.process.returncode} when it was told to: {self.last_words}")
        self.detach()


def pass_time(daemons, seconds, told=None):
    """Lets time pass for virtual daemons at once, after the receiver of each has sent its bytes, if any."""
    targets = {daemon: daemon.now + int(seconds * 1e9) for daemon in daemons}
    said = {daemon: {"uart": data.hex()} for daemon, data in zip(daemons, told or [])}
    late = daemons
    while late:
        for daemon in late:
            daemon.order(**said.pop(daemon, {}), advance=targets[daemon])
        for daemon in late:
            daemon.take_reports()
        late = [daemon for daemon in late if daemon.now < targets[daemon]]
