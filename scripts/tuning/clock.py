"""Time: the board's own, or that of an emulated receiver, which passes only while this program waits for it."""
import array, fcntl, json, math, os, select, socket, termios, threading, time

from .command import DeviceError, Unavailable

BILLION = 1_000_000_000
# Seconds of the board's in which bytes come that the emulated receiver has sent: they are in the kernel already.
ARRIVAL = float(os.environ.get("SEXTANT_PATIENCE", "300"))


class Clock:
    """The board's seconds."""

    def now(self):
        """Seconds that never go backwards."""
        return time.monotonic()

    def uptime(self):
        """Seconds since the host started: they go on while this program does not run."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    def sleep(self, seconds):
        time.sleep(seconds)

    def is_readable(self, descriptor, seconds):
        """Whether there is something to read within so many seconds."""
        return bool(select.select([descriptor], [], [], max(seconds, 0))[0])

    def wrote(self, count):
        """Takes note that so many bytes were written to the receiver."""


class EmulatedClock(Clock):
    """The seconds of `sextant emulate receiver --clock PATH`.

    They pass only in `sleep` and `is_readable`, and what is sent meanwhile has come when they return: what is measured
    is the same on every machine, however busy.
    """

    def __init__(self, path):
        self.path, self.socket, self.received = path, socket.socket(socket.AF_UNIX), 0
        self.lock = threading.Lock()
        try:
            self.socket.connect(path)
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror}; start sextant emulate receiver --clock {path}") from None
        self.lines = self.socket.makefile("r", encoding="ascii")
        self.received = self.ask()["received"]

    def ask(self, instant=0):
        """Has time pass until an instant in nanoseconds, or until the receiver sends; returns how things are then."""
        try:
            with self.lock:
                self.socket.sendall(f"advance {instant} {self.received}\n".encode())
                answer = self.lines.readline().strip()
        except OSError as error:
            raise DeviceError(f"{self.path}: {error.strerror}; the emulated receiver has ended") from None
        if not answer.startswith("{"):
            raise DeviceError(f"{self.path}: {answer or 'the emulated receiver has ended'}")
        return json.loads(answer)

    def state(self):
        """The receiver's power state: off, sleep, acquire or track."""
        return self.ask()["receiver"]

    def now(self):
        return self.ask()["instant"] / BILLION

    def uptime(self):
        return self.now()

    def sleep(self, seconds):
        end = self.later(seconds)
        while self.ask(end)["instant"] < end:
            pass

    def is_readable(self, descriptor, seconds):
        if select.select([descriptor], [], [], 0)[0]:
            return True
        if seconds <= 0:
            return False
        end, found = self.later(seconds), {"instant": 0, "sent": 0}
        while not found["sent"] and found["instant"] < end:
            found = self.ask(end)
        self.await_bytes(descriptor, found["sent"])
        return found["sent"] > 0

    def wrote(self, count):
        self.received += count
        # It has them before anything else is done to it.
        self.ask()

    def later(self, seconds):
        """The instant after so many seconds, in nanoseconds; past it in any rounding of seconds."""
        return self.ask()["instant"] + math.ceil(max(seconds, 0) * BILLION) + 1

    def await_bytes(self, descriptor, count):
        """The kernel hands bytes over on a thread of its own: waits until so many are there."""
        end, waiting = time.monotonic() + ARRIVAL, array.array("i", [0])
        while waiting[0] < count:
            if time.monotonic() > end:
                raise DeviceError(f"{self.path}: {waiting[0]} of {count} bytes that it sent have come")
            select.select([descriptor], [], [], 1)
            fcntl.ioctl(descriptor, termios.FIONREAD, waiting)


def clock_at(path):
    """The clock of an emulated receiver at a path, or the board's where there is none."""
    return EmulatedClock(path) if path else Clock()
