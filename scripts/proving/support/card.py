"""A card with faults, for one daemon: a library that is preloaded, and the orders it obeys."""
import errno, mmap, os, struct, subprocess

from .bench import Unavailable

NAMES = ("counted", "first", "until", "error", "delay", "reads", "halves", "failed", "unsynced", "held",
         "waiting", "reading")
NEVER = 2**62


class Card:
    """Orders are obeyed at once, also while the daemon runs."""

    def __init__(self, bench, folder):
        library, orders = bench.path("card.so"), bench.path("card")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "card.c")
        made = subprocess.run([bench.tool("gcc"), "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"],
                              capture_output=True, text=True)
        if made.returncode != 0:
            raise Unavailable(f"gcc cannot build {source}: {made.stderr.strip()}")
        with open(orders, "wb") as file:
            file.write(bytes(8 * len(NAMES)))
        os.chmod(orders, 0o666)
        with open(orders, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 8 * len(NAMES))
        self.environment = {"LD_PRELOAD": library, "SEXTANT_CARD": orders, "SEXTANT_CARD_FOLDER": folder}

    def read(self, name):
        return struct.unpack_from("q", self.memory, 8 * NAMES.index(name))[0]

    def order(self, **members):
        for name, value in members.items():
            struct.pack_into("q", self.memory, 8 * NAMES.index(name), value)

    @property
    def calls(self):
        """How many calls wrote so far."""
        return self.read("counted")

    def fail(self, error, after=1, count=None, halves=False, reads=False):
        """From the nth call from now on that would write, so many fail; all until it is mended if no count is given."""
        first = self.calls + after
        self.order(first=first, until=first + count if count else NEVER, halves=int(halves), reads=int(reads),
                   error=error)

    def slow(self, seconds):
        self.order(delay=int(seconds * 1e6))

    def read_slowly(self, seconds):
        """Each read takes so long, also of what the kernel has in memory."""
        self.order(reading=int(seconds * 1e6))

    def hold(self):
        """Calls that write do not return until the card is mended."""
        self.order(held=1)

    @property
    def is_awaited(self):
        """Whether a call of the daemon waits for the card that is held."""
        return self.read("waiting") > 0

    def mend(self):
        self.order(error=0, delay=0, reads=0, halves=0, held=0, reading=0)

    @property
    def failures(self):
        return self.read("failed")


FULL, FAULTY, READ_ONLY = errno.ENOSPC, errno.EIO, errno.EROFS
