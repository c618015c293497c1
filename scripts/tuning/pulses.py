"""A receiver's pulses a second: from the kernel's PPS device, from a GPIO line, or from a socket of a test's.

The PPS interface is RFC 2783's as <linux/pps.h> has it; the ioctl's number holds the size of a pointer, not of what it
points to, because the kernel's macros say so.
"""
import ctypes, fcntl, os, select, socket, struct

from . import lines
from .command import DeviceError, Unavailable

POINTER = ctypes.sizeof(ctypes.c_void_p)
# _IOWR('p', 0xa4, struct pps_fdata *)
PPS_FETCH = 3 << 30 | POINTER << 16 | ord("p") << 8 | 0xA4
# struct pps_fdata: sequences of assert and clear; their times as seconds, nanoseconds, flags; the mode; the timeout.
FETCH = struct.Struct("=IIqiIqiIi4xqiI")


class KernelPulses:
    """A device such as /dev/pps0, whose times are the kernel's own."""

    def __init__(self, path):
        self.name, self.number = path, None
        try:
            self.descriptor = os.open(path, os.O_RDWR)
        except PermissionError as error:
            raise Unavailable(
                f"{path}: {error.strerror}; run this with sudo: udev/60-sextant.rules gives it to the user sextant "
                "alone") from None
        except OSError as error:
            raise Unavailable(
                f"{path}: {error.strerror}; put dtoverlay=pps-gpio,gpiopin=18 into config.txt, with the pin that the "
                "pulse is wired to, and start again; or name the line with --line") from None

    def next(self, limit):
        """When the next pulse came, in seconds and nanoseconds since 1970; None where none did in time."""
        data = bytearray(FETCH.pack(*[0] * 9, int(limit), int(limit % 1 * 1e9), 0))
        try:
            fcntl.ioctl(self.descriptor, PPS_FETCH, data)
        except TimeoutError:
            return None
        except OSError as error:
            raise DeviceError(f"{self.name}: {error.strerror}; see dmesg for what became of it") from None
        number, _, second, nanosecond, *_ = FETCH.unpack(data)
        if number == self.number or number == 0:
            return None
        self.number = number
        return second, nanosecond


class LinePulses:
    """A line of the host's, whose edges the kernel times as it hears of them."""

    def __init__(self, name, is_active_low, bias):
        self.line, self.name = lines.pulses(name, is_active_low, bias), name

    def next(self, limit):
        if not select.select([self.line.descriptor], [], [], max(limit, 0))[0]:
            return None
        return divmod(self.line.event(), 1_000_000_000)


class SocketPulses:
    """A line of text each, `SECONDS.NANOSECONDS`, from a Unix socket."""

    def __init__(self, path):
        self.name, self.socket, self.bytes = path, socket.socket(socket.AF_UNIX), b""
        try:
            self.socket.connect(path)
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror}; start what sends the pulses") from None

    def next(self, limit):
        while b"\n" not in self.bytes:
            if not select.select([self.socket], [], [], max(limit, 0))[0]:
                return None
            try:
                data = self.socket.recv(4096)
            except OSError as error:
                raise DeviceError(f"{self.name}: {error.strerror}; what sends the pulses has ended") from None
            if not data:
                raise DeviceError(f"{self.name}: it was closed")
            self.bytes += data
        text, _, self.bytes = self.bytes.partition(b"\n")
        second, _, fraction = text.partition(b".")
        return int(second), int(fraction.ljust(9, b"0")[:9])


def source(given, board):
    """Where the pulses come from: what is named, the board's line, or the first PPS device."""
    if given.pulses:
        is_socket = given.pulses.startswith("unix:")
        return SocketPulses(given.pulses[5:]) if is_socket else KernelPulses(given.pulses)
    line = board.get("lines", "pulsePerSecond") if board else None
    if given.line:
        return LinePulses(given.line, False, "asIs")
    if os.path.exists("/dev/pps0") or not isinstance(line, dict):
        return KernelPulses("/dev/pps0")
    return LinePulses(str(line.get("name", "")), line.get("activeLow"), line.get("bias", "asIs"))
