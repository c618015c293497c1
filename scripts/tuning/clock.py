"""Time: the board's own, or that of an emulated receiver that runs faster."""
import select, time


class Clock:
    """Seconds that never go backwards; with `speed`, as many of them pass in one of the board's."""

    def __init__(self, speed=1.0):
        self.speed = speed

    def now(self):
        return time.monotonic() * self.speed

    def patient(self, seconds):
        """So many seconds, and at least as many as pass in one of the board's: a busy machine may be late by less."""
        return max(seconds, self.speed)

    def is_readable(self, descriptor, seconds):
        """Whether there is something to read within so many seconds."""
        return bool(select.select([descriptor], [], [], max(seconds, 0) / self.speed)[0])
