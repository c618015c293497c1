"""A receiver: what it says, in UBX and in NMEA 0183, and a pseudo-terminal where it says it."""
import calendar, math, os, struct, termios, threading, time, tty

# Zurich, and metres of a degree there (WGS 84).
LATITUDE, LONGITUDE = 47.3769, 8.5417
NORTH, EAST = 111_181.0, 75_513.0


class Place:
    """Where the board is, and how it moves."""

    def __init__(self, north=0.0, east=0.0, speed=0.0, course=0.0, accuracy=5.0):
        self.latitude, self.longitude = LATITUDE + north / NORTH, LONGITUDE + east / EAST
        self.speed, self.course, self.accuracy = speed, course, accuracy


def ubx(number, payload, group=0x01):
    """A frame (UBX-13003221, 32.2)."""
    body = bytes([group, number]) + struct.pack("<H", len(payload)) + payload
    a = b = 0
    for byte in body:
        a = (a + byte) & 0xFF
        b = (b + a) & 0xFF
    return b"\xb5\x62" + body + bytes([a, b])


def solution(place, instant, kind=3, trusted=True):
    """NAV-PVT, and NAV-EOE which closes the epoch (UBX-13003221, 32.17.14 and 32.17.6)."""
    milliseconds = round(instant * 1000)
    # GPS time began on 1980-01-06 and was 18 s ahead of UTC from 2017 on.
    week = (milliseconds - 315_964_800_000 + 18_000) % 604_800_000
    date = time.gmtime(milliseconds // 1000)
    angle = math.radians(place.course)
    payload = struct.pack("<IHBBBBBBIi", week, *date[:6], 7, 300, milliseconds % 1000 * 1_000_000)
    payload += bytes([kind, 1 if kind and trusted else 0, 0xE0, 9 if kind else 0])
    payload += struct.pack("<iiiiII", round(place.longitude * 1e7), round(place.latitude * 1e7), 455_500, 408_000,
                           round(place.accuracy * 1000), 8000)
    payload += struct.pack("<iiiiiII", round(place.speed * math.cos(angle) * 1000),
                           round(place.speed * math.sin(angle) * 1000), 0, round(place.speed * 1000),
                           round(place.course * 1e5), 300, 180_0000_0)
    payload += struct.pack("<H", 140) + bytes(14)
    return ubx(0x07, payload) + ubx(0x61, struct.pack("<I", week))


def sentence(text):
    """An NMEA 0183 sentence with its checksum."""
    value = 0
    for byte in text.encode():
        value ^= byte
    return f"${text}*{value:02X}\r\n".encode()


def degrees(value, width, letters):
    letter, value = letters[value < 0], abs(value)
    return f"{int(value):0{width}d}{value % 1 * 60:08.5f},{letter}"


def sentences(place, instant):
    """GGA, GST and RMC of one epoch."""
    date = time.gmtime(instant)
    clock = time.strftime("%H%M%S", date) + f".{round(instant % 1 * 100) % 100:02d}"
    where = degrees(place.latitude, 2, "NS") + "," + degrees(place.longitude, 3, "EW")
    spread = f"{place.accuracy / 1.51:.1f}"
    return (sentence(f"GNGGA,{clock},{where},1,09,0.9,408.0,M,47.5,M,,")
            + sentence(f"GNGST,{clock},5.0,,,,{spread},{spread},8.0")
            + sentence(f"GNRMC,{clock},A,{where},{place.speed / 0.514444:.2f},{place.course:.1f},"
                       f"{time.strftime('%d%m%y', date)},,,A"))


def second(text):
    """Seconds since 1970 of an event's `time`."""
    return calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))


class Terminal:
    """A receiver on a pseudo-terminal, linked at a path, that may say something regularly."""

    def __init__(self, path):
        self.path, self.master, self.slave = path, None, None
        self.thread, self.ends = None, threading.Event()
        # Held while the terminal's descriptors are used, opened or closed: the next terminal gets the numbers of the last
        # one, and a thread that still used those would wait in it for ever.
        self.lock = threading.Lock()
        self.plug()

    def plug(self):
        with self.lock:
            self.master, self.slave = os.openpty()
            for end in (self.master, self.slave):
                tty.setraw(end, termios.TCSANOW)
            os.set_blocking(self.master, False)
        temporary = f"{self.path}.new"
        os.symlink(os.ttyname(self.slave), temporary)
        os.replace(temporary, self.path)

    def unplug(self):
        """The device goes, as that of a cable that is pulled."""
        os.unlink(self.path)
        with self.lock:
            for end in (self.master, self.slave):
                os.close(end)
            self.master = self.slave = None

    def send(self, data):
        """Bytes that the terminal has no room for are lost, as a UART's are; what the daemon says is thrown away."""
        with self.lock:
            if self.master is None:
                return
            for act in (lambda: os.write(self.master, data), lambda: os.read(self.master, 4096)):
                try:
                    act()
                except (BlockingIOError, OSError):
                    pass

    def say(self, what, hertz):
        """Sends what(seconds since 1970) so often, from a thread, until it is closed."""
        def talk():
            tick = round(time.time() * hertz)
            while not self.ends.wait(max(0, (tick + 1) / hertz - time.time())):
                tick += 1
                self.send(what(tick / hertz))
        self.thread = threading.Thread(target=talk, daemon=True)
        self.thread.start()

    def close(self):
        self.ends.set()
        if self.thread:
            self.thread.join()
        if self.master is not None:
            self.unplug()
