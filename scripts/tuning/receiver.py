"""A receiver whose UART this program has to itself, with the daemon stopped: what it is told, and what it reports.

The daemon decides by itself when a receiver starts and rests, and no client may order it to; so a script that measures
starts needs the UART. What is sent is what Sources/Core/Receivers sends, but for the restarts:
u-blox CFG-RST (UBX-13003221), MediaTek PMTK101 to 103 (GlobalTop PMTK command packet, A11), Airoha PAIR004 to 006
(Quectel LC76G protocol specification, 1.1), CASIC PCAS10 (CASIC protocol specification, V4.2.0.3).
"""
import collections, fcntl, os, re, socket, struct, termios, time

from . import lines
from .command import DeviceError, Unavailable

RATES = (9600, 38_400, 115_200, 57_600, 19_200, 4800, 230_400, 460_800, 921_600)
# <asm-generic/ioctls.h>
TIOCEXCL, TIOCSBRK, TIOCCBRK = 0x540C, 0x5427, 0x5428
# Seconds in which a receiver that reports once a second says something; and from a start until it must have.
REPORT, LATEST_BOOT = 2.2, 6
# Seconds after a restart in which a report may still be of before.
STALE = 2
# Seconds of the board's clock for which a receiver is looked for at least.
PATIENCE = 20

Report = collections.namedtuple("Report", "time has_fix second")


def ubx(number, payload):
    """A frame; its number is class and identifier."""
    body = struct.pack(">H", number) + struct.pack("<H", len(payload)) + payload
    first = second = 0
    for byte in body:
        first = (first + byte) & 0xFF
        second = (second + first) & 0xFF
    return b"\xb5\x62" + body + bytes((first, second))


def sentence(body):
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n".encode()


class Family:
    """A command language: `restarts` by name, `wake` on the receive pin; None for what it has not."""

    restarts, wake, boots_at_restart, nap_ends_itself = None, b"", True, False
    # What begins cyclic tracking, one fix a second, the first that is not refused; and what ends it.
    cycles, continuous = (), b""

    def sleep(self, seconds):
        return None


# CFG-PM of the M10: periods in seconds, ephemerides kept, never off, cyclic (UBX-21035062).
CYCLES = ((0x40D00002, 1), (0x40D00003, 10), (0x10D0000C, 1), (0x10D00008, 1), (0x20D00001, 2))


class UBlox(Family):
    """GNSS alone is restarted (resetMode 2), so that UART and settings stay, and what is measured is the search."""

    # navBbrMask: nothing, the ephemerides, everything.
    restarts = {
        name: ubx(0x0604, struct.pack("<HBB", mask, 2, 0))
        for name, mask in (("hot", 0x0000), ("warm", 0x0001), ("cold", 0xFFFF))}
    wake = b"\xff" * 8
    boots_at_restart = False

    def __init__(self, generation):
        self.is_old = generation < 8
        if generation == 10:
            self.cycles, self.continuous = (self.keys(CYCLES),), self.keys(((0x20D00001, 0),))
        elif generation < 9:
            # CFG-PM2: version, periods in ms; the clock and the ephemerides kept, never off, cyclic. CFG-RXM: on, off.
            def power(version):
                return struct.pack("<B3xIIIIHH20x", version, 0x31800, 1000, 10_000, 0, 0, 0) + bytes(4 * version - 4)

            # The second version came with protocol 18, in the middle of u-blox 8.
            versions = (1,) if self.is_old else (2, 1)
            self.cycles = tuple(ubx(0x063B, power(version)) + ubx(0x0611, bytes((8, 1))) for version in versions)
            self.continuous = ubx(0x0611, bytes((8, 0)))

    @staticmethod
    def keys(items):
        """CFG-VALSET to RAM and to the memory that the backup supply keeps: power save in RAM alone is refused."""
        sizes = {1: "B", 2: "B", 3: "H", 4: "I"}
        return ubx(0x068A, struct.pack("<BBH", 0, 3, 0) + b"".join(
            struct.pack("<I" + sizes[key >> 28], key, value) for key, value in items))

    def sleep(self, seconds):
        """RXM-PMREQ: backup, forced; the receive pin and EXTINT0 wake, and the time as a net under both."""
        milliseconds = round((seconds + 60) * 1000)
        if self.is_old:
            return ubx(0x0241, struct.pack("<II", milliseconds, 2))
        return ubx(0x0241, struct.pack("<IIII", 0, milliseconds, 6, 0x28))


class MediaTek(Family):
    restarts = {name: sentence(f"PMTK{number}") for name, number in (("hot", 101), ("warm", 102), ("cold", 103))}
    wake = b"\r\n"

    def sleep(self, seconds):
        return sentence("PMTK161,0")


class Airoha(Family):
    """It rests with GNSS off: only a pin ends its deeper sleep."""

    restarts = {name: sentence(f"PAIR00{number}") for name, number in (("hot", 4), ("warm", 5), ("cold", 6))}
    wake = sentence("PAIR002")

    def sleep(self, seconds):
        return sentence("PAIR003")


class CASIC(Family):
    """Only its own timer ends its standby."""

    restarts = {name: sentence(f"PCAS10,{number}") for name, number in (("hot", 0), ("warm", 1), ("cold", 2))}
    nap_ends_itself = True

    def sleep(self, seconds):
        return sentence(f"PCAS12,{min(max(round(seconds), 1), 65_535)}")


def family(model):
    """By a model's name, as boards have it."""
    if re.match(r"(neo|max|sam|zed|zoe|cam)-", model):
        found = re.match(r"\w+-\D?(10|[6-9])", model)
        return UBlox(int(found.group(1)) if found else 8)
    if re.match(r"(l76k|atgm|at6558|gt-u12|casic)", model):
        return CASIC()
    if re.match(r"(pa1616|pa6h|mt33|ultimate|l76b|l80|l86|l96)", model):
        return MediaTek()
    return Airoha() if re.match(r"(lc|ag33)", model) else Family()


class Stream:
    """Checked sentences and frames out of bytes; what is damaged is passed over."""

    PATTERN = re.compile(rb"\$([\x20-\x7e]{5,120})\*([0-9A-Fa-f]{2})\r\n|\xb5\x62(..)(..)", re.S)

    def __init__(self):
        self.bytes = b""

    def push(self, data):
        self.bytes += data
        while True:
            found = self.PATTERN.search(self.bytes)
            if not found:
                # What may be the beginning of one stays.
                self.bytes = self.bytes[-200:]
                return
            if found.group(1):
                self.bytes = self.bytes[found.end() :]
                check = 0
                for byte in found.group(1):
                    check ^= byte
                if check == int(found.group(2), 16):
                    yield found.group(1).decode()
                continue
            end = found.end() + struct.unpack("<H", found.group(4))[0] + 2
            if end - found.end() > 2100:
                self.bytes = self.bytes[found.start() + 2 :]
                continue
            if len(self.bytes) < end:
                self.bytes = self.bytes[found.start() :]
                return
            payload = self.bytes[found.end() : end - 2]
            number = struct.unpack(">H", found.group(3))[0]
            whole = ubx(number, payload) == self.bytes[found.start() : end]
            self.bytes = self.bytes[end if whole else found.start() + 2 :]
            if whole:
                yield number, payload


def solution(message):
    """Whether a message tells of a fix, and of which second of the minute it is; None where it tells neither."""
    if isinstance(message, str):
        fields = message.split(",")
        if fields[0][2:] == "GGA" and len(fields) > 6:
            return fields[6] not in ("", "0", "6"), nmea_second(fields[1])
        return None
    number, payload = message
    if number == 0x0107 and len(payload) >= 84:
        second = payload[10] if payload[11] & 2 else None
        return payload[20] in (2, 3, 4) and bool(payload[21] & 1), second
    if number == 0x0106 and len(payload) == 52:
        return payload[10] in (2, 3, 4) and bool(payload[11] & 1), None
    return None


def nmea_second(text):
    found = re.match(r"\d{4}(\d\d(?:\.\d+)?)", text)
    return float(found.group(1)) if found else None


class Port:
    """A UART that this program has to itself."""

    def __init__(self, path, clock):
        self.path, self.clock = path, clock
        try:
            self.descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Unavailable(
                f"{path}: {error.strerror}; name the receiver's device, be in its group (ls -l), and stop who has it: "
                "sudo systemctl stop sextantd sextantd.socket sextantd-gpsd.socket") from None
        if not os.isatty(self.descriptor):
            raise Unavailable(f"{path}: it is no serial port; name the receiver's device with --device")
        fcntl.ioctl(self.descriptor, TIOCEXCL)

    def set_rate(self, rate):
        number = getattr(termios, f"B{rate}")
        try:
            # 8 bits, no parity, nothing changed or waited for.
            mode = [0, 0, termios.CS8 | termios.CREAD | termios.CLOCAL, 0, number, number, [b"\0"] * 32]
            mode[6][termios.VMIN], mode[6][termios.VTIME] = 0, 0
            termios.tcsetattr(self.descriptor, termios.TCSANOW, mode)
            termios.tcflush(self.descriptor, termios.TCIFLUSH)
        except termios.error as error:
            raise DeviceError(f"{self.path}: {error.args[1]}; it does not do {rate} bit/s") from None

    def read(self, limit):
        """What comes within a time; empty where nothing did."""
        if not self.clock.is_readable(self.descriptor, limit):
            return b""
        try:
            data = os.read(self.descriptor, 4096)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise DeviceError(f"{self.path}: {error.strerror}; the receiver was unplugged") from None
        if not data:
            raise DeviceError(f"{self.path}: it was hung up; see whether the receiver is still there")
        return data

    def write(self, data):
        try:
            os.write(self.descriptor, data)
        except OSError as error:
            raise DeviceError(f"{self.path}: {error.strerror}; the receiver was unplugged") from None

    def hold_low(self, is_low):
        """Keeps the transmit line at 0 V, so that it does not feed a receiver that has no supply."""
        try:
            fcntl.ioctl(self.descriptor, TIOCSBRK if is_low else TIOCCBRK)
        except OSError:
            # A pseudo-terminal has no line.
            pass


class Receiver:
    """The receiver of a board, and the lines that switch it."""

    def __init__(self, model, device, baud, board, clock):
        self.model, self.family, self.clock = model, family(model), clock
        refuse_daemon()
        self.port = Port(device, clock)
        self.rates = ([baud] if baud else []) + [rate for rate in RATES if rate != baud]
        self.stream, self.rate, self.heard_at = Stream(), 0, None
        self.backup = lines.output(board, "backupSupply", True)
        self.reset = lines.output(board, "reset", False)
        self.power, self.board = None, board

    def take_power(self, is_on):
        """Takes the line of its supply, where the board has one."""
        if self.power is None:
            self.power = lines.output(self.board, "powerEnable", is_on)
        else:
            self.power.set(is_on)
        self.port.hold_low(not is_on)

    # What it says

    def reports(self, limit):
        """What it reports until `limit` seconds have passed; other messages only tell that it speaks."""
        end = self.clock.now() + limit
        while (left := end - self.clock.now()) > 0:
            for message in self.stream.push(self.port.read(left)):
                self.heard_at = self.clock.now()
                told = solution(message)
                yield Report(self.heard_at, *(told or (None, None)))

    def forget(self):
        """Forgets what came already."""
        while self.port.read(0):
            pass
        self.stream, self.heard_at = Stream(), None

    def set_rate(self, index):
        self.rate = index % len(self.rates)
        self.port.set_rate(self.rates[self.rate])
        self.forget()

    def find(self):
        """Finds its rate, waking it where it rests."""
        began, attempt = time.monotonic(), 0
        while attempt < 3 * len(self.rates) or time.monotonic() - began < PATIENCE:
            self.set_rate(attempt)
            attempt += 1
            self.port.write(self.family.wake)
            if next(self.reports(REPORT), None):
                return
        raise Unavailable(
            f"{self.port.path}: no receiver speaks there, at no rate; see its wiring and supply, and that no console "
            "has the port (sudo raspi-config, Interface, Serial Port)")

    # What it does

    def restart(self, kind):
        """Starts it with parts of what it knows forgotten. Returns when."""
        self.forget()
        self.port.write(self.family.restarts[kind])
        return self.clock.now()

    def first_fix(self, since, limit, is_restart, watch=lambda seconds: None, every=1):
        """Waits for a fix after a start.

        `watch` is called `every` so many seconds. Returns seconds to the first message, which is None where that is not
        known, and to the fix, None where none came; a fix that was seen late, because the rate had to be found anew,
        raises `Late`.
        """
        boot, may_count, hunt = None, not is_restart, LATEST_BOOT
        while (passed := self.clock.now() - since) < limit:
            watch(passed)
            for report in self.reports(min(every, limit - passed)):
                if boot is None:
                    boot = report.time - since
                    is_late = boot > LATEST_BOOT and report.has_fix
                    if is_late:
                        raise Late
                may_count = may_count or report.has_fix is False or report.time - since > STALE
                if report.has_fix and may_count:
                    return boot, report.time - since
            if boot is None and self.clock.now() - since > hunt:
                self.set_rate(self.rate + 1)
                hunt += REPORT
        return boot, None

    def begin_cycles(self):
        """Cyclic tracking; whether it has it."""
        for frames in self.family.cycles:
            self.port.write(frames)
            end, is_refused = self.clock.now() + 2, False
            while (left := end - self.clock.now()) > 0:
                # ACK-NAK.
                is_refused |= any(message[0] == 0x0500 for message in self.stream.push(self.port.read(left)))
            if not is_refused:
                return True
        return False

    def rest(self, seconds):
        """Its own sleep, with the supply on; whether it fell silent."""
        self.port.write(self.family.sleep(seconds))
        for _ in self.reports(1.5):
            pass
        self.forget()
        return next(self.reports(3), None) is None

    def wake(self):
        self.forget()
        self.port.write(self.family.wake)
        return self.clock.now()


class Late(Exception):
    """A fix that was there before it could be seen."""


def refuse_daemon():
    """Ends where the daemon serves: it has the receiver, its lines, or will at any moment."""
    path = os.environ.get("SEXTANT_SOCKET") or "/run/sextant/sextant.sock"
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except OSError:
            return
    raise Unavailable(
        f"{path}: the daemon runs and has the receiver; stop it meanwhile: "
        "sudo systemctl stop sextantd sextantd.socket sextantd-gpsd.socket")
