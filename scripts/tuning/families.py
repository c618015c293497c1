"""The command languages of receivers: what restarts them, has them rest and wakes them.

What is sent is what Sources/Core/Receivers sends, but for the restarts: u-blox CFG-RST (UBX-13003221), MediaTek PMTK101
to 103 (GlobalTop PMTK command packet, A11), Airoha PAIR004 to 006 (Quectel LC76G protocol specification, 1.1), CASIC
PCAS10 (CASIC protocol specification, V4.2.0.3).
"""
import re, struct


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
    """A command language: `restarts` by name, `wake` on the receive pin; None or nothing for what it has not."""

    restarts, wake, boots_at_restart, nap_ends_itself = None, b"", True, False
    # What begins cyclic tracking, one fix a second: frames, the first of them whose every one is acknowledged; and what
    # ends it.
    cycles, continuous = (), b""

    def sleep(self, seconds):
        return None


# CFG-PM of the M10: POSUPDATEPERIOD and ACQPERIOD in seconds, UPDATEEPH, DONOTENTEROFF, OPERATEMODE cyclic
# (UBX-21035062).
CYCLES = ((0x40D00002, 1), (0x40D00003, 10), (0x10D0000A, 1), (0x10D00008, 1), (0x20D00001, 2))
# OPERATEMODE full; EXTINTWAKE off, which keeps a receiver awake by a pin's level.
CONTINUOUS = ((0x20D00001, 0), (0x10D0000C, 0))


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
            self.cycles, self.continuous = ((self.keys(CYCLES),),), self.keys(CONTINUOUS)
        elif generation < 9:
            # CFG-PM2: version, periods in ms; the clock and the ephemerides kept, never off, cyclic. CFG-RXM: on, off.
            def power(version):
                return struct.pack("<B3xIIIIHH20x", version, 0x31800, 1000, 10_000, 0, 0, 0) + bytes(4 * version - 4)

            # The second version came with protocol 18, in the middle of u-blox 8.
            versions = (1,) if self.is_old else (2, 1)
            self.cycles = tuple((ubx(0x063B, power(version)), ubx(0x0611, bytes((8, 1)))) for version in versions)
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
