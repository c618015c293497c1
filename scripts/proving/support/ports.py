"""Free ports on this machine for daemons that are about to start, and whether one serves."""
import itertools, os, socket

TRIES = itertools.count()
FIRST, COUNT = 10_000, 20_000


def free_port():
    """A port that nobody listens on, below those that the kernel gives out by itself, and another one each time.

    A process begins with its own number, so two that ask at the same time are not given the same.
    """
    for attempt in itertools.islice(TRIES, COUNT):
        port = FIRST + (os.getpid() * 7 + attempt) % COUNT
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise OSError(f"of the ports from {FIRST} to {FIRST + COUNT - 1} none is free")


def is_served(path):
    """Whether somebody listens at a Unix socket; its file is there a moment before."""
    with socket.socket(socket.AF_UNIX) as knock:
        try:
            knock.connect(path)
            return True
        except OSError:
            return False
