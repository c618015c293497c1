"""Power meters of TI's on an I2C bus: INA219 and INA226, which measure the voltage over a shunt and that of the supply.

Neither one's own current and power registers are used: a calibration would only round what the shunt's voltage says.
Sources: TI SBOS448G (INA219) and SBOS547A (INA226): register maps, electrical characteristics.
"""
import argparse, collections, ctypes, fcntl, os, socket, struct

from .command import DeviceError, Unavailable

# <linux/i2c-dev.h>, <linux/i2c.h>
I2C_SLAVE, I2C_SMBUS, READ, WRITE, WORD = 0x0703, 0x0720, 1, 0, 3
CONFIGURATION, SHUNT, BUS, MAKER, DIE = 0x00, 0x01, 0x02, 0xFE, 0xFF

# `reset`: the configuration register at power-on. `setting`: what is written to it: continuous, shunt and supply;
# averages of 16, 8.5 ms (INA219, shunt up to 40 mV) and 17.6 ms (INA226) each. `shunt`, `bus`: volts a step; `shift`:
# where the supply's voltage begins in its register; `most`: the shunt's volts that it can tell; `offset`: by how many
# volts of the shunt it may be wrong, at most.
Chip = collections.namedtuple("Chip", "reset setting shunt bus shift most offset")
CHIPS = {
    "ina219": Chip(0x399F, 0x0667, 10e-6, 4e-3, 3, 0.040, 100e-6),
    "ina226": Chip(0x4127, 0x4527, 2.5e-6, 1.25e-3, 0, 0.0819, 10e-6),
}
# "TI", and the die of an INA226.
INA226_IDENTITY = (0x5449, 0x2260)


class KernelBus:
    """A chip on an adapter of the kernel's; by SMBus words, which every adapter does, those behind USB too."""

    def __init__(self, path, address):
        self.name = f"{path} at 0x{address:02x}"
        self.data = ctypes.create_string_buffer(34)
        try:
            self.descriptor = os.open(path, os.O_RDWR)
            fcntl.ioctl(self.descriptor, I2C_SLAVE, address)
        except OSError as error:
            raise Unavailable(
                f"{self.name}: {error.strerror}; switch I2C on (sudo raspi-config, Interface, I2C), join the group "
                "i2c, and see i2cdetect for what is there") from None

    def transfer(self, direction, register):
        # struct i2c_smbus_ioctl_data: which way, register, kind, and where the data is.
        asked = struct.pack("@BBIP", direction, register, WORD, ctypes.addressof(self.data))
        try:
            fcntl.ioctl(self.descriptor, I2C_SMBUS, asked)
        except OSError as error:
            raise DeviceError(f"{self.name}: {error.strerror}; see the meter's wiring and supply") from None

    # SMBus sends a word's lower byte first, and these chips its upper one.

    def read(self, register):
        self.transfer(READ, register)
        return int.from_bytes(self.data.raw[:2], "big")

    def write(self, register, value):
        self.data[:2] = value.to_bytes(2, "big")
        self.transfer(WRITE, register)


class EmulatedBus:
    """A chip of scripts/tuning/emulated-ina, behind its socket."""

    def __init__(self, path, address):
        self.name, self.address = f"{path} at 0x{address:02x}", address
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(path)
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror}; start scripts/tuning/emulated-ina --socket {path}") from None
        self.lines = self.socket.makefile("r", encoding="ascii")

    def ask(self, words):
        try:
            self.socket.sendall(words.encode() + b"\n")
            answer = self.lines.readline().strip()
        except OSError as error:
            raise DeviceError(f"{self.name}: {error.strerror}; the emulated meter has ended") from None
        if not answer or answer.startswith("error"):
            raise DeviceError(f"{self.name}: {answer or 'the emulated meter has ended'}")
        return answer

    def read(self, register):
        return int(self.ask(f"read {self.address:02x} {register:02x}"), 16)

    def write(self, register, value):
        self.ask(f"write {self.address:02x} {register:02x} {value:04x}")


Sample = collections.namedtuple("Sample", "time volts milliamps")


def doubt(model, shunt, is_zeroed):
    """Milliamperes by which all that a meter says may be wrong, by its offset or, where that is known, by a step."""
    chip = CHIPS[model]
    return (chip.shunt if is_zeroed else chip.offset) / shunt * 1000


class Meter:
    """A meter that measures; `zero` is what it tells with nothing connected, in volts of the shunt."""

    def __init__(self, path, address, model, shunt):
        is_socket = path.startswith("unix:")
        self.bus = EmulatedBus(path[5:], address) if is_socket else KernelBus(path, address)
        self.model = model if model != "auto" else self.identity()
        self.chip, self.shunt, self.zero = CHIPS[self.model], shunt, None
        self.bus.write(CONFIGURATION, self.chip.setting)

    def identity(self):
        """Which it is, by reading alone."""
        if (self.bus.read(MAKER), self.bus.read(DIE)) == INA226_IDENTITY:
            return "ina226"
        known = {CHIPS["ina219"].reset, CHIPS["ina219"].setting}
        configuration = self.bus.read(CONFIGURATION)
        if configuration in known:
            return "ina219"
        raise Unavailable(
            f"{self.bus.name}: it is no INA226, and its configuration, 0x{configuration:04x}, is not an INA219's at "
            "power-on; if it is one, say so with --meter ina219")

    @property
    def doubt(self):
        return doubt(self.model, self.shunt, self.zero is not None)

    def over_shunt(self):
        raw = self.bus.read(SHUNT)
        volts = (raw - 0x10000 if raw & 0x8000 else raw) * self.chip.shunt
        if abs(volts) >= self.chip.most * 0.999:
            raise DeviceError(
                f"{self.bus.name}: more than {self.chip.most / self.shunt * 1000:.0f} mA, or the shunt is open; take a "
                "smaller shunt, and say how many ohms it has with --shunt")
        return volts

    def sample(self, time):
        current = (self.over_shunt() - (self.zero or 0)) / self.shunt
        return Sample(time, (self.bus.read(BUS) >> self.chip.shift) * self.chip.bus, current * 1000)


# The options of a script that measures


def address(text):
    try:
        value = int(text, 0)
    except ValueError:
        value = 0
    if not 0x40 <= value <= 0x4F:
        raise argparse.ArgumentTypeError(f'"{text}" is no address from 0x40 to 0x4f')
    return value


def ohms(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0.0001 <= value <= 100:
        raise argparse.ArgumentTypeError(f'"{text}" is no resistance from 0.0001 to 100 ohms')
    return value


def add_options(parser):
    parser.add_argument("--bus", default="/dev/i2c-1", metavar="PATH",
                        help="the meter's adapter (/dev/i2c-1), or unix:PATH of scripts/tuning/emulated-ina")
    parser.add_argument("--address", type=address, default=0x40, help="the meter's, 0x40 to 0x4f (0x40)")
    parser.add_argument("--meter", choices=("auto", *CHIPS), default="auto", help="which it is (auto)")
    parser.add_argument("--shunt", type=ohms, default=0.1, metavar="OHMS", help="0.0001 to 100 (0.1)")
