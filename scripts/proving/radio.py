"""Thousands of senders of Bluetooth around the board, and a management socket that says anything."""
import math, os, struct

from .support.admission import Admitted
from .support.bench import Outcome
from .support.daemon import VirtualDaemon
from .support.installation import Installation, clients
from .support.receiver import Place, solution

ABOUT = ("Thousands of Bluetooth senders with made-up addresses, identities and advertisements, and made-up events and "
         "answers of the kernel's management socket; the daemon lives, tells what is in range, and keeps a bound.")
FINDING = ("An end of the daemon; a number of a beacon that cannot be; more than 128 beacons in a line; growth with "
           "the number of senders; a client that is not served; a place of home, whose identity is played elsewhere.")
SHORT = 3
GOAL = 2_000_000
RANK = 39

# Senders, advertisements of a trial; both in the short form (seeds to 9).
SENDERS, HEARD = (2000, 10_000), (2000, 20_000)
EACH = 200
UUID = bytes(range(0xE0, 0xF0))
HOME = Place()
# Bytes of memory that all of these may cost, and seconds of the daemon's own processor for one advertisement.
GROWTH, OWN = 4 * 2**20, 0.001
ADDED, REMOVED, HEARD_EVENT, DISCOVERED = 0x04, 0x05, 0x2F, 0x12


def event(code, parameters, index=0):
    return struct.pack("<HHH", code, index, len(parameters)) + parameters


def heard(random, advertisement, sender, strength=None, code=HEARD_EVENT):
    """An advertisement as the kernel reports it (doc/mgmt-api.txt of BlueZ)."""
    strength = random.randrange(-127, 21) if strength is None else strength
    address = struct.pack("<IH", sender, 0xC0DE)
    parameters = address + struct.pack("<BbIH", random.randrange(3), strength, 0, len(advertisement)) + advertisement
    return event(code, (b"\0\0" if code == HEARD_EVENT else b"") + parameters)


def beacon(uuid, major, minor, power=0xC5):
    return b"\x02\x01\x1a\x1a\xff\x4c\x00\x02\x15" + uuid + struct.pack(">HHB", major, minor, power)


class RadioDaemon(VirtualDaemon):
    """The bench's daemon with a controller, whose management socket is answered here, well or otherwise."""

    def __init__(self, installation):
        super().__init__(installation)
        self.spoil, self.is_on, self.monitors, self.commands = None, False, 0, 0

    @property
    def arguments(self):
        return super().arguments + ["--radio"]

    def start(self):
        self.is_on, self.monitors, self.waiting = False, 0, []
        super().start()
        self.answer_all()
        return self

    def take_reports(self):
        reports = super().take_reports()
        self.waiting += [bytes.fromhex(report["radio"]) for report in reports if "radio" in report]
        return reports

    def obey(self, **commands):
        reports = super().obey(**commands)
        self.answer_all()
        return reports

    def answer_all(self):
        for _ in range(100):
            if not self.waiting:
                return
            command, self.waiting = self.waiting[0], self.waiting[1:]
            self.commands += 1
            answer = self.answer(command)
            if self.spoil:
                answer = self.spoil(answer)
            if answer:
                super().obey(radio=answer.hex())
        self.waiting = []

    def answer(self, command):
        """As a controller does that has what is needed."""
        code, index, _ = struct.unpack_from("<HHH", command)
        settings, parameters = struct.pack("<I", 0x201 if self.is_on else 0x200), command[6:]
        if index != (0xFFFF if code == 0x03 else 0):
            # There is no such controller, whatever was said of one: Invalid Index.
            return event(0x02, struct.pack("<HB", code, 0x11), index)
        if code == 0x03:
            data = struct.pack("<HH", 1, 0)
        elif code == 0x04:
            data = bytes([6, 5, 4, 3, 2, 1, 9, 0, 0]) + struct.pack("<I", 0x201) + settings
        elif code in (0x05, 0x0D):
            self.is_on = self.is_on if code == 0x0D else parameters == b"\1"
            data = struct.pack("<I", 0x201 if self.is_on else 0x200)
        elif code == 0x51:
            data = struct.pack("<IIHBH", 1, 0, 32, 16, self.monitors) + b"".join(
                struct.pack("<H", number + 1) for number in range(self.monitors))
        elif code == 0x52:
            self.monitors += 1
            data = struct.pack("<H", self.monitors)
        elif code == 0x53:
            self.monitors = max(0, self.monitors - 1)
            data = parameters
        elif code in (0x3E, 0x3F):
            data = b"\1"
        else:
            data = b""
        return event(0x01, struct.pack("<HB", code, 0) + data, index)


def trial(bench, seed):
    bench.need_root()
    return (crowd, socket_says, elsewhere)[seed % 3](bench, seed)


def begin(bench, seed, others="", name="d", is_located=True, outcome=None):
    """A daemon with a radio, a client that ranges, and one with regions of beacons; both know the place, if any is."""
    outcome, random = outcome or Outcome(), bench.random(seed)
    installation = Installation(bench, clients(2), name)
    configure = installation.configure
    installation.configure = lambda device, members="": configure(device, f"baud: 115200, {others}")
    daemon = RadioDaemon(installation).start()
    users = [Admitted(client, outcome) for client in installation.clients]
    for user in users:
        user.connect(installation.socket)
    daemon.wires = [user.wire for user in users]
    users[0].ask("watch", accuracy="best")
    users[0].ask("rangeBeacons", uuid=text(UUID))
    for index in range(1000 if seed >= 10 else 100):
        users[1].ask("monitorRegion", identifier=f"b{index}", uuid=text(UUID), major=index)
    if is_located:
        daemon.feed(solution(HOME, daemon.time), 1)
    daemon.run(3)
    return outcome, random, daemon, users


def text(uuid):
    digits = uuid.hex().upper()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def advertisement(random):
    """Mostly a beacon, or nearly."""
    choice = random.randrange(8)
    uuid = UUID if random.random() < 0.7 else random.randbytes(16)
    whole = beacon(uuid, random.randrange(1200), random.randrange(65536), random.randrange(256))
    if choice < 4:
        return whole
    if choice == 4:
        return b"\x1b\xff" + random.randbytes(2) + b"\xbe\xac" + uuid + random.randbytes(6)
    if choice == 5:
        return whole[:random.randrange(len(whole))]
    if choice == 6:
        data = bytearray(whole)
        data[random.randrange(len(data))] = random.randrange(256)
        return bytes(data)
    return random.randbytes(random.choice([0, 1, 31, 255]))


def check(outcome, users):
    """The beacons that clients were told of, each a possible one."""
    told = []
    for user in users:
        for event in user.ask():
            if event["event"] != "beacons":
                continue
            if len(event["beacons"]) > 128:
                outcome.find(f"{len(event['beacons'])} beacons were told in one line, more than 128")
            told += event["beacons"]
            for each in event["beacons"]:
                for key, least, most in (("rssi", -127, 20), ("distance", 0, 1e5), ("accuracy", 0, 1e5),
                                         ("measuredPower", -127, 20), ("major", 0, 65535), ("minor", 0, 65535)):
                    number = each.get(key, least)
                    if not (math.isfinite(number) and least <= number <= most):
                        outcome.find(f"a client was told of a beacon with {key} {number}")
    return told


def crowd(bench, seed):
    """Very many senders at once."""
    outcome, random, daemon, users = begin(bench, seed)
    senders, advertisements = SENDERS[seed >= 10], HEARD[seed >= 10]
    # The most that are kept are there after some thousands; more of them add nothing.
    measured, resident, used = advertisements // 4, None, None
    for count in range(0, advertisements, EACH):
        if resident is None and count >= measured:
            resident, used = daemon.resident, processor(daemon)
        events = [heard(random, advertisement(random), random.randrange(senders),
                        code=HEARD_EVENT if random.random() < 0.9 else DISCOVERED) for _ in range(EACH)]
        for one in events:
            daemon.obey(radio=one.hex())
        daemon.run(random.choice([0.1, 0.5, 1.1]))
        check(outcome, users)
        outcome.attacks += EACH
    each = (processor(daemon) - used) / (advertisements - measured)
    outcome.note_most("most of the daemon's own time for an advertisement, us", each * 1e6)
    outcome.note_most("most KiB that memory grew by", max(0, daemon.resident - resident) / 1024)
    if daemon.resident > resident + GROWTH:
        outcome.find(f"{senders} senders made the daemon grow by {(daemon.resident - resident) / 2**20:.1f} MiB")
    if bench.is_timed and each > OWN * bench.slack:
        outcome.find(f"an advertisement among {senders} senders took the daemon {each * 1e3:.1f} ms, more than "
                     f"{OWN * 1e3:g} ms")
    daemon.stop()
    return outcome


def processor(daemon):
    """Seconds of a processor that the daemon had."""
    with open(f"/proc/{daemon.pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def socket_says(bench, seed):
    """The management socket says what it likes: other answers, other controllers, lengths that lie, nothing."""
    outcome, random, daemon, users = begin(bench, seed)

    def spoil(answer):
        choice = random.randrange(9)
        data = bytearray(answer)
        if choice < 3:
            return answer
        if choice == 3:
            return None
        if choice == 4:
            return event(0x02, answer[6:8] + bytes([random.randrange(256)]), 0)
        if choice == 5:
            data[random.randrange(len(data))] = random.randrange(256)
        elif choice == 6:
            del data[random.randrange(len(data)):]
        elif choice == 7:
            data += random.randbytes(random.randrange(300))
        else:
            data[4:6] = random.randbytes(2)
        return bytes(data)

    daemon.spoil = spoil
    for index in range(60 if seed < 10 else 300):
        choice = random.randrange(6)
        if choice == 0:
            index = random.choice([0, 0, 1, 0xFFFF])
            said = event(random.randrange(0x40), random.randbytes(random.randrange(60)), index)
        elif choice == 1:
            said = event(random.choice([ADDED, REMOVED]), b"", random.choice([0, 0, 1, 7]))
        elif choice == 2:
            said = random.randbytes(random.randrange(1, 400))
        elif choice == 3:
            said = event(0x06, struct.pack("<I", random.choice([0x200, 0x201, 0, 0xFFFFFFFF])))
        elif choice == 4:
            said = event(0x2C, random.randbytes(2))
        else:
            said = heard(random, advertisement(random), random.randrange(10))
        daemon.obey(radio=said.hex())
        daemon.run(random.choice([0, 0.1, 2, 30]))
        outcome.attacks += 1
        check(outcome, users)
    # The controller is good again: beacons are heard, within what the radio waits before it tries anew.
    daemon.spoil = None
    for index in (0, 1, 7):
        daemon.obey(radio=event(REMOVED, b"", index).hex())
    daemon.is_on, daemon.monitors = False, 0
    daemon.obey(radio=event(ADDED, b"", 0).hex())
    for _ in range(350):
        daemon.run(2)
        daemon.answer_all()
    check(outcome, users)
    for _ in range(20):
        daemon.obey(radio=heard(random, beacon(UUID, 3, 4), 77, -50).hex())
        daemon.run(0.5)
    if not any(each.get("minor") == 4 for each in check(outcome, users)):
        outcome.find("a beacon is not heard from a controller that came back after made-up answers")
    daemon.stop()
    return outcome


def play(daemon, random):
    """Half a minute of the identity of the beacon at home."""
    for _ in range(15):
        daemon.obey(radio=heard(random, beacon(UUID, 1, 2), random.randrange(3), random.randrange(-60, -40)).hex())
        daemon.run(random.choice([0.5, 3]))


def elsewhere(bench, seed):
    """The identity of the beacon at home is played far from there, with and without sky, or to a board that never had a
    fix: it is not at home."""
    home = (f"spots: [{{ name: 'home', uuid: '{text(UUID)}', major: 1, minor: 2, latitude: {HOME.latitude}, "
            f"longitude: {HOME.longitude}, radius: 10 }}],")
    outcome, random, daemon, users = begin(bench, seed, home, "new", is_located=False)
    users[1].ask("watch", accuracy=100)
    for _ in range(30):
        play(daemon, random)
        check(outcome, users[:1])
        for event in users[1].ask():
            outcome.attacks += 1
            if event["event"] == "location":
                outcome.find("a board that never had a fix was told to be at home, by its beacon's identity")
    daemon.stop()
    _, random, daemon, users = begin(bench, seed, home, outcome=outcome)
    far = 30_000 if seed < 10 else 150_000
    north = 0
    while north < far:
        north += 600
        daemon.feed(solution(Place(north, speed=30), daemon.time), 20)
        check(outcome, users)
    has_sky = random.random() < 0.5
    if not has_sky:
        # Thrice as long as a fast train would take home from there.
        daemon.run(far // 30)
        check(outcome, users)
    for _ in range(8 if seed < 10 else 20):
        play(daemon, random)
        check(outcome, users[1:])
        if has_sky and random.random() < 0.3:
            daemon.feed(solution(Place(far), daemon.time), 1)
        for event in users[0].ask() + users[0].ask("locate", timeout=1, accuracy=100):
            outcome.attacks += 1
            if event["event"] == "location" and event["latitude"] < Place(far / 2).latitude:
                outcome.find(f"a board {far // 1000} km from home was told to be at home, to "
                             f"{event['horizontalAccuracy']} m, by its beacon's identity that was played there")
    daemon.stop()
    return outcome
