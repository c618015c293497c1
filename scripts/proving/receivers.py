"""Receivers that lie, jump, stammer, go and come back."""
import math, os, signal, time

from .support.admission import Admitted
from .support.bench import Failure, Outcome
from .support.daemon import Daemon, VirtualDaemon
from .support.installation import Installation, clients
from .support.patience import until
from .support.receiver import NORTH, Place, Terminal, sentence, sentences, solution, ubx
from .support.rows import row
from .support.wire import Wire

ABOUT = ("The receiver lies of time, place and accuracy, jumps, sends garbage, falls silent, is unplugged and comes "
         "back 1000 times; what clients are told stays in its ranges, and the next true fixes are told as they are.")
FINDING = ("A number out of its range; a place more than 150 m off after 10 s of true fixes; more memory or "
           "descriptors than before; an end of the daemon.")
SHORT = 12
# The trials of a device of `sextantd` that goes and comes back.
TIMED = (2, 6)
GOAL = 20_000
RANK = 25

# Seconds of the daemon's own time after which true fixes must be believed again.
BELIEVED = 10
# Lies of a trial; times that a receiver goes.
LIES, GOINGS = 150, 50
# A figure, and the seconds that it may be where times are judged.
HEARD, BACK = "most seconds until a receiver that came back is heard", 30
# What each number of a location and of an epoch may be; metres and metres per second as far as a receiver's fields go.
RANGES = {
    "latitude": (-90, 90), "longitude": (-180, 180), "horizontalAccuracy": (0, 1e8), "verticalAccuracy": (0, 1e8),
    "speed": (0, 2.2e6), "course": (0, 360), "age": (0, 1e9), "altitudeAboveMeanSeaLevel": (-2.2e6, 2.2e6),
    "heightAboveEllipsoid": (-2.2e6, 2.2e6), "satellitesUsed": (0, 255)}


def trial(bench, seed):
    forms = (lies, absences, goings, lies)
    return forms[seed % 4](bench, seed)


# Lies

def lie(random, now):
    """Bytes that no good receiver sends."""
    place = Place(random.uniform(-2e5, 2e5), random.uniform(-2e5, 2e5), random.uniform(0, 100), random.uniform(0, 360),
                  random.choice([0.001, 1, 5, 100, 1e5, 4e6]))
    choice = random.randrange(12)
    if choice == 0:
        return solution(place, now)
    if choice == 1:
        return solution(Place(), now + random.choice([-1, 1]) * random.choice([0.001, 1, 60, 86_400, 3e7, 6e8]))
    if choice == 2:
        place.latitude, place.longitude = random.choice([(0, 0), (90, 180), (-90, -180), (91, 0), (89.99, 179.99)])
        return solution(place, now)
    if choice == 3:
        return solution(Place(), now, kind=random.randrange(256), trusted=random.random() < 0.5)
    if choice == 4:
        return random.randbytes(random.randrange(1, 2000))
    if choice == 5:
        # Every field of NAV-PVT at random, with a good checksum.
        data = bytearray(solution(Place(), now)[6:98])
        for _ in range(random.choice([1, 4, 40])):
            data[random.randrange(len(data))] = random.choice([0, 0x7F, 0x80, 0xFF, random.randrange(256)])
        return ubx(0x07, bytes(data))
    if choice == 6:
        return ubx(random.randrange(256), random.randbytes(random.randrange(200)), random.randrange(256))
    if choice == 7:
        words = ["", "0", "-1", "9" * 30, "nan", "inf", "1e308", "A", "N", "99.99.99", "235960.99", "9100.0", "18100.0"]
        kind = random.choice(["GGA", "RMC", "GSA", "GSV", "VTG", "GLL", "GST", "ZDA", "TXT", "HDT"])
        return sentence(",".join([f"GN{kind}"] + [random.choice(words) for _ in range(random.randrange(20))]))
    if choice == 8:
        return sentences(place, now + random.choice([0, 0, 3600, -3600]))
    if choice == 9:
        data = bytearray(solution(Place(), now) + sentences(Place(), now))
        for _ in range(random.randrange(1, 6)):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        return bytes(data)
    if choice == 10:
        return solution(Place(), now) * random.randrange(2, 6)
    return random.choice([b"$" * 3000, b"\xb5\x62" * 500, b"\xb5\x62\x01\x07\xff\xff", b"$GNGGA," + b"," * 5000, b""])


def check(event, outcome):
    """What is told must be a number in its range, whatever the receiver said."""
    if event["event"] not in ("location", "epoch"):
        return
    for name, (least, most) in RANGES.items():
        number = event.get(name)
        if number is not None and not (math.isfinite(number) and least <= number <= most):
            outcome.find(f"a client was told {name} {number} in {'an' if event['event'] == 'epoch' else 'a'} "
                         f"{event['event']}, which is out of its range")
    if ("latitude" in event) != ("longitude" in event):
        outcome.find("a client was told half of a position")


def lies(bench, seed):
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    daemon = VirtualDaemon(Installation(bench, clients(2))).start()
    users = [Admitted(client, outcome) for client in daemon.installation.clients]
    for user in users:
        user.connect(daemon.installation.socket)
    users[0].ask("watch")
    users[1].ask("watch", accuracy="best", distanceFilter=random.choice([1, 100]))
    users[1].monitor("home", Place())
    for _ in range(20):
        daemon.feed(solution(Place(), daemon.time), 1)
    resident, descriptors = daemon.resident, daemon.descriptors
    for _ in range(LIES):
        try:
            daemon.feed(lie(random, daemon.time), random.choice([0.05, 0.2, 1, 1, 1, 8]))
        except Failure:
            if daemon.has_gone:
                outcome.find(f"the daemon ended with {daemon.process.returncode} after a lie: {daemon.last_words}")
                return outcome
            raise
        outcome.attacks += 1
        for user in users:
            for event in user.ask():
                check(event, outcome)
    believe(daemon, users, outcome, "lies")
    outcome.note_most("most KiB that memory grew by", max(0, daemon.resident - resident) / 1024)
    if daemon.resident > resident + bench.slack_memory:
        outcome.find(f"lies made the daemon grow by {(daemon.resident - resident) / 2**20:.1f} MiB")
    if daemon.descriptors > descriptors:
        outcome.find(f"lies left {daemon.descriptors - descriptors} more descriptors open")
    daemon.stop()
    return outcome


def believe(daemon, users, outcome, what, seconds=BELIEVED):
    """True fixes after trouble: within ten seconds of the daemon's own time both clients are told the true place."""
    true, last = Place(3000), {}
    for index in range(seconds):
        place = Place(3000 + index % 5)
        daemon.feed(solution(place, daemon.time), 1)
        for user in users:
            for event in user.ask():
                check(event, outcome)
                if event["event"] in ("epoch", "location") and "latitude" in event:
                    last[user] = event
    for user in users:
        event = last.get(user)
        if not event:
            outcome.find(f"{user.client.name} was told nothing in {seconds} s of true fixes after {what}")
        elif (off := abs(event["latitude"] - true.latitude) * NORTH) > 150:
            outcome.find(f"{user.client.name} was told a place {off:.0f} m off after {seconds} s of true fixes that "
                         f"followed {what}")


# Going and coming back, in virtual time

def absences(bench, seed):
    """The receiver is unplugged or silent, again and again, in the midst of its messages."""
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    daemon = VirtualDaemon(Installation(bench, clients(2))).start()
    users = [Admitted(client, outcome) for client in daemon.installation.clients]
    for user in users:
        user.connect(daemon.installation.socket)
    users[0].ask("watch")
    users[1].ask("watch", accuracy=10)
    descriptors, resident = None, None
    for index in range(GOINGS * 4):
        data = solution(Place(random.uniform(0, 3)), daemon.time)
        if random.random() < 0.7:
            daemon.feed(data[:random.randrange(len(data))], 0.1)
            daemon.obey(unplug=True)
            daemon.run(random.choice([0, 0.01, 1, 20, 200]))
            daemon.obey(plug=True)
        else:
            daemon.feed(data, random.choice([6, 30, 400]))
        daemon.run(random.choice([0.5, 2, 12]))
        outcome.attacks += 1
        for user in users:
            for event in user.ask():
                check(event, outcome)
        if index == 20:
            descriptors, resident = daemon.descriptors, daemon.resident
    believe(daemon, users, outcome, f"{GOINGS * 4} absences")
    if daemon.descriptors > descriptors:
        outcome.find(f"absences of the receiver left {daemon.descriptors - descriptors} more descriptors open")
    if daemon.resident > resident + bench.slack_memory:
        outcome.find(f"absences made the daemon grow by {(daemon.resident - resident) / 2**20:.1f} MiB")
    daemon.stop()
    return outcome


# Going and coming back, in real time

def goings(bench, seed):
    """The device of `sextantd` goes and comes back as another; each time its fixes come again."""
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    installation = Installation(bench, clients(1))
    receiver = Terminal(bench.path("gnss"))
    daemon = Daemon(installation, receiver.path).start()
    receiver.say(lambda instant: solution(Place(), instant), 10)
    try:
        with Wire(installation.socket, installation.clients[0].user) as watcher:
            watcher.send("watch")
            watcher.wait("epoch")
            descriptors = daemon.descriptors
            for index in range(GOINGS // 5):
                # Every second time the daemon has no processor meanwhile, and learns of the end and the return at once.
                if index % 2:
                    os.kill(daemon.pid, signal.SIGSTOP)
                receiver.unplug()
                time.sleep(random.random() * 0.3)
                receiver.plug()
                if index % 2:
                    os.kill(daemon.pid, signal.SIGCONT)
                watcher.ask()
                began = time.monotonic()
                try:
                    watcher.wait("epoch")
                except Failure as failure:
                    raise Failure(f"no fix was told of a device that came back for the time {index + 1}: {failure}; "
                                  f"the daemon said: {daemon.last_words}") from None
                outcome.note_most(HEARD, time.monotonic() - began)
                outcome.attacks += 1
            if not until(lambda: daemon.descriptors <= descriptors):
                outcome.find(f"a device that came back {GOINGS // 5} times left "
                             f"{daemon.descriptors - descriptors} more descriptors open")
            if bench.is_timed:
                longest = outcome.figures[HEARD]
                outcome.rows.append(row(f"device back: until its fix is told, the longest of {GOINGS // 5}",
                                        f"{longest:.2f} s", f"{BACK} s", longest <= BACK * bench.slack))
        daemon.stop()
    finally:
        receiver.close()
    return outcome
