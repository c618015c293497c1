"""Time: the board's own, or that of an emulated receiver that runs faster."""
import select, time


class Clock:
    """Seconds that never go backwards; with `speed`, as many of them pass in one of the board's."""

    def __init__(self, speed=1.0):
        self.speed = speed

    def now(self):
        return time.monotonic() * self.speed

    def sleep(self, seconds):
        if seconds > 0:
            time.sleep(seconds / self.speed)

    def since(self, unix):
        """Seconds since an instant of the board's calendar, which may have been set meanwhile; None where it was."""
        passed = time.time() - unix
        return passed * self.speed if passed >= 0 else None

    def is_readable(self, descriptor, seconds):
        """Whether there is something to read within so many seconds."""
        return bool(select.select([descriptor], [], [], max(seconds, 0) / self.speed)[0])
