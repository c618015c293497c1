"""Lines of the host's: the kernel's own interface to GPIO, without a library, or an emulated receiver's socket.

Not gpioset, because that of libgpiod 1.6 and that of 2.x take different words, and because a line is only held while
who asked for it runs. Numbers and layouts are those of <linux/gpio.h>, version 2 of the interface (Linux 5.10).
"""
import fcntl, glob, os, re, select, socket, struct

from .command import DeviceError, Unavailable

CHIP_INFO, LINE_INFO, GET_LINE = 0x8044B401, 0xC100B405, 0xC250B407
SET_VALUES, GET_VALUES = 0xC010B40F, 0xC010B40E
ACTIVE_LOW, INPUT, OUTPUT, RISING = 1 << 1, 1 << 2, 1 << 3, 1 << 4
PULL_UP, PULL_DOWN, NO_BIAS, REALTIME = 1 << 8, 1 << 9, 1 << 10, 1 << 11
OUTPUT_VALUES = 2
BIASES = {"asIs": 0, "pullUp": PULL_UP, "pullDown": PULL_DOWN, "disabled": NO_BIAS}
# nanoseconds, which edge, offset, number of the event on the request and on the line, reserved.
EVENT = struct.Struct("=QIIII24x")


def request(offset, flags, level=None):
    """struct gpio_v2_line_request of one line; `level` is what an output begins with."""
    attribute = struct.pack("=IIQQ", OUTPUT_VALUES, 0, int(bool(level)), 1) if level is not None else b""
    config = struct.pack("=QI20x", flags, 1 if attribute else 0) + attribute.ljust(240, b"\0")
    head = struct.pack("=I252x32s", offset, b"sextant tuning")
    return bytearray(head + config + struct.pack("=II20xi", 1, 0, 0))


def found(name):
    """The chip and the offset of a line that is named as boards name it: `GPIO17` or `label:offset`."""
    label, _, offset = name.rpartition(":")
    for path in sorted(glob.glob("/dev/gpiochip*"), key=lambda path: int(re.sub(r"\D", "", path) or 0)):
        try:
            with open(path, "rb") as chip:
                info = fcntl.ioctl(chip, CHIP_INFO, bytes(68))
                own, count = info[32:64].split(b"\0")[0].decode(), struct.unpack_from("=I", info, 64)[0]
                if label and own == label and offset.isdigit() and int(offset) < count:
                    return path, int(offset)
                for index in range(0 if label else count):
                    line = fcntl.ioctl(chip, LINE_INFO, bytes(64) + struct.pack("=I", index) + bytes(188))
                    if line[:32].split(b"\0")[0].decode() == name:
                        return path, index
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror}; join the group gpio, or run this with sudo") from None
    raise Unavailable(f"{name}: no GPIO chip has this line; see gpioinfo for what there is, and mend the board's file")


class KernelLine:
    """A line that this program holds, until it ends: then the board's resistor has it."""

    def __init__(self, name, flags, level=None):
        path, offset = found(name)
        self.name = name
        asked = request(offset, flags, level)
        try:
            with open(path, "rb") as chip:
                fcntl.ioctl(chip, GET_LINE, asked)
        except OSError as error:
            mend = "stop the program that holds it: sudo systemctl stop sextantd sextantd.socket sextantd-gpsd.socket"
            raise Unavailable(f"{name} ({path}, {offset}): {error.strerror}; {mend}") from None
        self.descriptor = struct.unpack_from("=i", asked, 588)[0]

    def set(self, level):
        try:
            fcntl.ioctl(self.descriptor, SET_VALUES, struct.pack("=QQ", int(bool(level)), 1))
        except OSError as error:
            raise DeviceError(f"{self.name}: {error.strerror}; see dmesg for what became of its chip") from None

    def event(self):
        """When the next edge came that is there already, in nanoseconds since 1970."""
        try:
            data = os.read(self.descriptor, EVENT.size)
        except OSError as error:
            raise DeviceError(f"{self.name}: {error.strerror}; see dmesg for what became of its chip") from None
        return EVENT.unpack(data)[0]


class EmulatedLine:
    """A line of `sextant emulate receiver --lines PATH`."""

    def __init__(self, path, line, level=None):
        self.path, self.line, self.socket = path, line, socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(path)
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror}; start sextant emulate receiver --lines {path}") from None
        if level is not None:
            self.set(level)

    def set(self, level):
        try:
            self.socket.sendall(f"{self.line} {int(bool(level))}\n".encode())
        except OSError as error:
            raise DeviceError(f"{self.path}: {error.strerror}; the emulated receiver has ended") from None
        if select.select([self.socket], [], [], 0)[0]:
            said = self.socket.recv(4096).decode(errors="replace").strip()
            raise DeviceError(f"{self.path}: {said or 'the emulated receiver has ended'}")


def output(board, role, level):
    """An output of the board's, by its role, at a logical level; None where the board has none."""
    line = board.get("lines", role) if board else None
    if not isinstance(line, dict):
        return None
    name = str(line.get("name", ""))
    if name.startswith("unix:"):
        path, _, emulated = name[5:].rpartition("#")
        return EmulatedLine(path, emulated, level)
    return KernelLine(name, OUTPUT | (ACTIVE_LOW if line.get("activeLow") else 0), level)


def pulses(name, is_active_low, bias):
    """An input whose active edges are told with the time of the calendar."""
    return KernelLine(name, INPUT | RISING | REALTIME | (ACTIVE_LOW if is_active_low else 0) | BIASES.get(bias, 0))
