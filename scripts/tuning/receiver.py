"""A receiver whose UART this program has to itself, with the daemon stopped: what it is told, and what it reports.

The daemon decides by itself when a receiver starts and rests, and no client may order it to; so a script that measures
starts needs the UART.
"""
import argparse, collections, fcntl, os, re, socket, struct, termios

from . import lines
from .command import DeviceError, Unavailable
from .families import family, ubx

RATES = (9600, 38_400, 115_200, 57_600, 19_200, 4800, 230_400, 460_800, 921_600)
# <asm-generic/ioctls.h>
TIOCEXCL, TIOCSBRK, TIOCCBRK = 0x540C, 0x5427, 0x5428
# Seconds in which a receiver that reports once a second says something; and from a start until it must have.
REPORT, LATEST_BOOT = 2.2, 6
# Seconds without a message that tell of a rest; in which a command is acknowledged.
SILENCE, ACKNOWLEDGEMENT = 3, 2
# Seconds after a restart in which a report may still be of before.
STALE = 2
STILL_FED = "it still speaks with its supply switched off; see the wire to EN, and its polarity (activeLow)"

Report = collections.namedtuple("Report", "time has_fix second")


def rate(text):
    """A rate of a port's, as an option has it."""
    if not text.isdigit() or int(text) not in RATES:
        raise argparse.ArgumentTypeError(f'"{text}" is none of {", ".join(map(str, sorted(RATES)))}')
    return int(text)


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
        # On a pseudoterminal it would outlive a killed owner for as long as the master is open.
        if not os.ttyname(self.descriptor).startswith("/dev/pts/"):
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
            self.clock.wrote(os.write(self.descriptor, data))
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
        self.rates = ([baud] if baud in RATES else []) + [rate for rate in RATES if rate != baud]
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

    def switch_off(self):
        """Takes its supply away, and looks whether that is so."""
        self.take_power(False)
        if not self.falls_silent():
            raise Unavailable(STILL_FED)

    # What it says

    def messages(self, limit):
        """What comes until `limit` seconds have passed.

        What is there by then is read even where this program was late: a busy machine does not make a receiver silent.
        """
        end, is_over = self.clock.now() + limit, False
        while not is_over:
            left = end - self.clock.now()
            is_over = left <= 0
            yield from self.stream.push(self.port.read(max(left, 0)))

    def reports(self, limit):
        """What it reports until `limit` seconds have passed; other messages only tell that it speaks."""
        for message in self.messages(limit):
            self.heard_at = self.clock.now()
            told = solution(message)
            yield Report(self.heard_at, *(told or (None, None)))

    def forget(self):
        """Forgets what came already; whether there was a message in it."""
        is_heard = False
        while data := self.port.read(0):
            is_heard |= any(True for _ in self.stream.push(data))
        self.stream, self.heard_at = Stream(), None
        return is_heard

    def falls_silent(self):
        """Whether nothing comes from it for a while, once what was under way has come."""
        end, is_last = self.clock.now() + 3 * SILENCE, False
        while not is_last:
            is_last = self.clock.now() > end
            self.forget()
            if next(self.reports(SILENCE), None) is None:
                return True
        return False

    @property
    def baud(self):
        return self.rates[self.rate]

    def set_rate(self, index):
        self.rate = index % len(self.rates)
        self.port.set_rate(self.rates[self.rate])
        self.forget()

    def find(self):
        """Finds its rate, waking it where it rests."""
        for attempt in range(3 * len(self.rates)):
            self.set_rate(attempt)
            self.port.write(self.family.wake)
            if next(self.reports(REPORT), None):
                return
        hint = "; one that sleeps is ended by its own timer alone: wait" if self.family.nap_ends_itself else ""
        raise Unavailable(
            f"{self.port.path}: no receiver speaks there, at no rate; see its wiring and supply, and that no console "
            f"has the port (sudo raspi-config, Interface, Serial Port){hint}")

    # What it does

    def restart(self, kind):
        """Starts it with parts of what it knows forgotten. Returns when."""
        self.forget()
        self.port.write(self.family.restarts[kind])
        return self.clock.now()

    def first_fix(self, since, limit, is_restart, watch=lambda seconds: None, every=1):
        """Waits for a fix after a start.

        `watch` is called `every` so many seconds. Returns seconds to the first message, which is None where none came,
        and to the fix, None where none came; where its rate had to be found anew neither is known, which raises `Late`.
        """
        boot, may_count, has_hunted, hunt = None, not is_restart, False, LATEST_BOOT
        while (passed := self.clock.now() - since) < limit:
            watch(passed)
            for report in self.reports(min(every, limit - passed)):
                if has_hunted:
                    raise Late("the receiver's rate had to be found anew")
                if boot is None:
                    boot = report.time - since
                may_count = may_count or report.has_fix is False or report.time - since > STALE
                if report.has_fix and may_count:
                    return boot, report.time - since
            if boot is None and self.clock.now() - since > hunt:
                self.set_rate(self.rate + 1)
                has_hunted = True
                hunt += REPORT
        return boot, None

    def begin_cycles(self):
        """Cyclic tracking; whether it has it."""
        return any(all(self.is_acknowledged(frame) for frame in frames) for frames in self.family.cycles)

    def is_acknowledged(self, frame):
        """Sends a frame; whether an ACK-ACK (05 01), and no ACK-NAK (05 00), names it."""
        self.port.write(frame)
        for message in self.messages(ACKNOWLEDGEMENT):
            if message[0] in (0x0500, 0x0501) and message[1][:2] == frame[2:4]:
                return message[0] == 0x0501
        return False

    def rest(self, seconds):
        """Its own sleep, with the supply on; whether it fell silent."""
        self.port.write(self.family.sleep(seconds))
        return self.falls_silent()

    def wake(self):
        self.forget()
        self.port.write(self.family.wake)
        return self.clock.now()


class Late(Exception):
    """A start of which it is not known when it was: why. It is to be measured again."""


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
