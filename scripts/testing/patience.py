"""How long a wait for a state may take before it counts as a failure, on this machine."""
import os, time

# Seconds that the probe takes on the machine that the bound was chosen on, a cloud machine's core of 2024; measured there.
USUAL = 0.25
# The bound in seconds on such a machine. It is only spent where something fails.
BOUND = 300


def probe():
    """Seconds of a fixed amount of work."""
    started = time.perf_counter()
    total = 0
    for index in range(3_000_000):
        total += index * index % 7
    return time.perf_counter() - started


def seconds():
    """What `SEXTANT_PATIENCE` is for everything that a gate runs; the caller's own, where it is set."""
    given = os.environ.get("SEXTANT_PATIENCE")
    return int(given) if given else round(BOUND * max(1, probe() / USUAL))
