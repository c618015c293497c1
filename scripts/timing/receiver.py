"""A receiver on a pseudo-terminal that tells this machine's own time, late by delays that are known."""
import math, os, random, struct, threading, time

GPS_EPOCH, LEAP, WEEK = 315964800, 18, 604800
# NAV-PVT: date, time and their certainty, a 3D fix; NAV-TIMELS: leap seconds from GPS; NAV-EOE: the epoch's end.
# Source: u-blox 8 / M8 receiver description, UBX-13003221.
PVT, TIMELS, EOE = (1, 0x07), (1, 0x26), (1, 0x61)


def frame(kind, payload):
    body = struct.pack("<BBH", *kind, len(payload)) + payload
    a = b = 0
    for byte in body:
        a = (a + byte) & 255
        b = (b + a) & 255
    return b"\xb5\x62" + body + bytes((a, b))


def still(_time):
    return 47.3769, 8.5417


def epoch(time_of_fix, way):
    """The bytes of the epoch of an instant, of Unix time; `way` tells where it is then: degrees."""
    second, thousandths = divmod(round(time_of_fix * 1000), 1000)
    (latitude, longitude), before = way(time_of_fix), way(time_of_fix - 1)
    north = round((latitude - before[0]) * 111_195_000)
    east = round((longitude - before[1]) * 111_195_000 * math.cos(math.radians(latitude)))
    speed, course = round(math.hypot(north, east)), round(math.degrees(math.atan2(east, north)) % 360 * 1e5)
    week = (second - GPS_EPOCH + LEAP) % WEEK * 1000 + thousandths
    when = time.gmtime(second)
    pvt = struct.pack(
        "<IH5BBIi4B4i2I5i2I2H4xihH", week, when.tm_year, when.tm_mon, when.tm_mday, when.tm_hour, when.tm_min, when.tm_sec,
        0b111, 30, thousandths * 1_000_000, 3, 1, 0, 12, round(longitude * 1e7), round(latitude * 1e7), 455000, 408000, 2000, 3000,
        north, east, 0, speed, course, 100, 18000000, 120, 0, 0, 0, 0)
    timels = struct.pack("<IB3xBbBbiHH3xB", week, 0, 2, LEAP, 2, 0, 0, 0, 0, 0b11)
    return frame(PVT, pvt) + frame(TIMELS, timels) + frame(EOE, struct.pack("<I", week))


class Receiver:
    """Sends epochs, so many seconds late; `delay` gives them, `way` where it is at a time, `rate` epochs a second."""

    def __init__(self, delay=lambda: random.uniform(0.06, 0.14), way=still, rate=1):
        self.master, self.terminal = os.openpty()
        self.path = os.ttyname(self.terminal)
        self.delay, self.way, self.rate, self.runs = delay, way, rate, True
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        first, count = int(time.time()) + 1, 0
        while self.runs:
            now = first + count / self.rate
            time.sleep(max(0, now + self.delay() - time.time()))
            os.write(self.master, epoch(now, self.way))
            count += 1

    def stop(self):
        self.runs = False
        self.thread.join()
        os.close(self.master)
        os.close(self.terminal)
