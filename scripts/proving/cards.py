"""Cards that are full, read-only, faulty or slow, and stores that are spoilt between two starts."""
import gzip, os, pathlib, shutil, socket, sqlite3, time, zlib

from .support.admission import Admitted, operate
from .support.bench import Failure, Outcome
from .support.card import FAULTY, FULL, READ_ONLY, Card
from .support.daemon import Daemon, VirtualDaemon
from .support.installation import FIRST_USER, Client, Installation, clients
from .support.life import Life
from .support.patience import PATIENCE, until
from .support.receiver import Place, Terminal, solution
from .support.rows import row
from .support.wire import Wire

ABOUT = ("The card fails at each write in turn, for once or until it is mended, or is slow; the store is cut, changed, "
         "forged, older or newer; what was confirmed stays, what was refused is said, denials hold, everybody is served.")
FINDING = ("Anything confirmed that is lost; a confirmation of what the card refused; a denied client that is "
           "authorized; a daemon that ends; a client that waits for another's row; a store of a later release that "
           "is changed.")
SHORT = 24
# The trials of a slow card.
TIMED = (7, 15, 23)
GOAL = 3000
RANK = 20

ROUNDS = 6
# Virtual seconds in which what was refused is tried again, and some.
AGAIN = 130
# Points of a track that make a store of 34 MB, seconds of a read, and seconds within which the daemon is to be ready.
POINTS, READING, READY = 480_000, 0.01, 2.0
RATIO = 0.6180339887498949


def trial(bench, seed):
    form = FORMS[seed % len(FORMS)]
    bench.say(form.__name__)
    return form(bench, seed)


# A card that fails

def failing(bench, seed):
    life = Life(bench, seed)
    card = Card(bench, life.installation.state)
    life.daemon.environment = card.environment
    life.begin()
    before = card.calls
    life.live(life.next_drive())
    life.change_until_gone(8)
    total = card.calls - before
    if not total:
        life.outcome.find("a drive with an arrival and eight requests wrote nothing on the card.")
        return life.outcome
    for index in range(ROUNDS):
        number = 1 + int((seed // len(FORMS) * ROUNDS + index + 0.5) * RATIO % 1 * total)
        fail(life, card, number)
    life.outcome.figures["calls on the card that failed"] = card.failures
    return life.end()


def fail(life, card, number):
    """The card fails from its nth write on, while the board is driven and the clients ask; then one of several ends."""
    error, count, halves = life.random.choice(
        [(FULL, None, False), (FULL, None, True), (READ_ONLY, None, False), (FAULTY, None, False), (FAULTY, 1, False),
         (FAULTY, 3, True), (FULL, 1, False)])
    at_start, ending = life.random.random() < 0.25, life.random.choice(["mend", "mend", "kill", "stop"])
    name = {FULL: "full", READ_ONLY: "read-only", FAULTY: "faulty"}[error]
    life.bench.say(f"{name} from write {number} on, {count or 'all'} calls{', halves' if halves else ''}"
                   f"{', with a start of the daemon' if at_start else ''}, then: {ending}")
    fixes = life.next_drive()
    card.fail(error, after=number, count=count, halves=halves)
    for user in (life.witness, life.changing):
        user.was_refused = True
    if at_start:
        # What cannot be read at the start counts as doubt, so decisions may be in doubt until the card is good again.
        life.daemon.kill()
        card.order(first=card.calls + 1 + number // 8)
        life.daemon.start()
        for user in (life.witness, life.changing):
            user.connect(life.installation.socket)
        deny_holds(life, "after a start on a card that fails")
        life.unsure = True
    life.live(fixes)
    life.change_until_gone(8)
    life.outcome.attacks += 1
    if not life.daemon.is_running:
        life.outcome.find(f"the daemon ended with {life.daemon.process.returncode} on a card that is {name}: "
                          f"{life.daemon.last_words}")
        life.daemon.start()
    life.witness.ask()
    if not count:
        ask_twice(life)
    if ending == "mend":
        card.mend()
        life.daemon.run(AGAIN)
        after_mending(life, at_start)
    if card.read("error") and card.calls >= card.read("first"):
        # What was told and is not on the card is told again, as something new.
        life.repeats += 1
    if ending == "stop":
        life.daemon.stop()
    else:
        life.daemon.kill()
    card.mend()
    life.daemon.start()
    life.meet(f"after a card that was {name}{' when the daemon started' if at_start else ''}, "
              f"and a restart {'once it was mended' if ending == 'mend' else 'instead of its mending'}")
    operate_services(life)
    # What was not on the card is found out again from where the board is.
    life.live([(fixes[-1][0], 10)] * 12)
    life.settle()


def ask_twice(life):
    """What the card refused is not confirmed where it is asked for again."""
    came = []
    for _ in range(2):
        place = Place(95_000)
        came += life.witness.ask("monitorRegion", identifier="twice", latitude=place.latitude,
                                 longitude=place.longitude, radius=100)
    life.witness.everything.add("twice")
    life.witness.uncertain.add("twice")
    life.witness.refused["twice"] = True
    if any(event.get("code") == "notStored" for event in came) and came[-1]["event"] == "monitoring":
        life.outcome.find("a region that the card had refused was confirmed when it was asked for again, and the card "
                          "still refuses")


def after_mending(life, at_start):
    """What was refused is on the card now; a store that could not be opened at the start waits for a restart."""
    life.witness.ask()
    life.changing.ask()
    with Wire(life.installation.socket) as wire:
        wire.send("status")
        store = wire.wait("status").get("store")
    if not store:
        for user in (life.witness, life.changing):
            user.mended()
        life.unsure = False
    elif not at_start:
        life.outcome.find(f"{AGAIN} s after the card was mended something is still not on it: {store.get('detail')}")


def deny_holds(life, when):
    with Wire(life.installation.socket, life.changing.client.user) as wire:
        hello = wire.hello()
    if life.is_denied and not life.unsure and hello["servicesEnabled"] and hello["status"].startswith("authorized"):
        life.outcome.find(f"{when}, a client that was denied is {hello['status']}")


def operate_services(life):
    """Services are off where decisions were in doubt: the operator turns them on again."""
    if not operate(life.installation.socket, "services")[-1].get("enabled", True):
        operate(life.installation.socket, "services", enabled=True)
        life.decide(life.is_denied)
        operate(life.installation.socket, "answer", client=life.witness.client.name, answer="always")


# A store that is spoilt between two starts

def cut(path, random):
    os.truncate(path, random.randrange(os.path.getsize(path)))


def change_bytes(path, random):
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        for _ in range(random.choice([1, 1, 3, 20, 400])):
            file.seek(random.randrange(size))
            file.write(bytes([random.randrange(256)]))


def fill(path, random):
    size = os.path.getsize(path)
    with open(path, "wb") as file:
        file.write(random.choice([bytes(size), random.randbytes(size), b"SQLite format 3\0" + random.randbytes(size)]))


def lengthen(path, random):
    with open(path, "ab") as file:
        file.write(random.randbytes(random.randrange(1, 10_000)))


def remove(path, random):
    os.unlink(path)


def to_folder(path, random):
    os.unlink(path)
    os.mkdir(path)


SPOILING = (cut, change_bytes, change_bytes, fill, lengthen, remove, to_folder)


def spoiling(bench, seed):
    """Either file is spoilt: a denial holds by the other, nothing is there that was never asked for, all are served."""
    life = Life(bench, seed).begin()
    for index in range(ROUNDS):
        if not life.is_denied:
            life.decide(True)
        life.changing.ask()
        end_daemon(life)
        names = [name for name in ("state.sqlite", "state.sqlite-wal", "state.decisions")
                 if os.path.isfile(os.path.join(life.installation.state, name))
                 and os.path.getsize(os.path.join(life.installation.state, name))]
        # The database and its log are one; the decisions beside them must be enough, and the other way round.
        chosen = life.random.choice([["state.decisions"], [name for name in names if name != "state.decisions"]])
        how = life.random.choice(SPOILING)
        for name in chosen:
            how(os.path.join(life.installation.state, name), life.random)
        what = f"{how.__name__} of {' and '.join(chosen)}"
        bench.say(what)
        came_back(life, what, may_lose=chosen != ["state.decisions"])
    life.daemon.stop()
    return life.outcome


def spoiling_both(bench, seed):
    """Both files are changed: nobody is authorized by the policy alone, until an operator decides."""
    life = Life(bench, seed).begin()
    for index in range(ROUNDS):
        life.decide(True)
        life.daemon.kill()
        for name in ("state.sqlite", "state.sqlite-wal", "state.decisions"):
            path = os.path.join(life.installation.state, name)
            if os.path.isfile(path) and os.path.getsize(path):
                life.random.choice([cut, fill])(path, life.random)
        came_back(life, "spoiling of database and decisions", may_lose=True, may_know=False)
    life.daemon.stop()
    return life.outcome


def forging(bench, seed):
    """Rows say what no release of this one writes, with sound checksums: a denial holds, and everybody is served."""
    life = Life(bench, seed).begin()
    for index in range(ROUNDS):
        life.change_until_gone(4)
        life.decide(True)
        life.daemon.stop()
        # The database alone has the decisions then, and they are read from its rows.
        os.unlink(os.path.join(life.installation.state, "state.decisions"))
        forge(life, life.changing.client.name)
        came_back(life, "row of another form", may_lose=True)
    life.daemon.stop()
    return life.outcome


def forge(life, denied):
    """Changes values of rows, each with its checksum: the denial, and some of every table."""
    random, connection = life.random, sqlite3.connect(life.installation.database)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%crc32%'")]
    with connection:
        for table in tables:
            for client, name, value in connection.execute(f'SELECT client, name, value FROM "{table}"').fetchall():
                is_denial = table == "authorization" and client == denied
                if not is_denial and (table == "authorization" or random.random() < 0.5):
                    continue
                value = other_form(value, random)
                life.bench.say(f"{table}, {client}, {name}: {value.hex()}")
                check = zlib.crc32(b"\xff".join((client.encode(), name.encode(), value)))
                connection.execute(f'UPDATE "{table}" SET value = ?, crc32 = ? WHERE client = ? AND name = ?',
                                   (value, check, client, name))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def other_form(value, random):
    """Another version, bits that mean nothing, a value that is longer, shorter or empty; never a form that is known."""
    data = bytearray(value or b"\0")
    choice = random.randrange(5)
    if choice == 0:
        data[0] = random.choice([0, data[0] + 1 & 0xFF, 0xFF])
    elif choice == 1:
        data[-1] |= random.choice([0x20, 0x40, 0x80])
    elif choice == 2:
        data += random.randbytes(random.randrange(1, 20))
    elif choice == 3:
        del data[random.randrange(len(data)):]
    else:
        data = bytearray(random.randbytes(random.choice([0, 1, 300])))
    return bytes(data)


def came_back(life, what, may_lose, may_know=True):
    """The daemon starts on what is there, keeps denials, and keeps what is registered from now on."""
    said = len(life.installation.log)
    life.daemon.start()
    life.outcome.attacks += 1
    when = f"after a {what}"
    # A database that what was cut off did not belong to, or that its log makes whole, knows what was decided.
    may_know = may_know or "state.sqlite was damaged" not in life.installation.log[said:]
    known = {user: set(user.confirmed) for user in (life.witness, life.changing)}
    for user in (life.witness, life.changing):
        if may_lose:
            # A database without its log, or mended, may also be an older one.
            user.uncertain |= user.everything | user.confirmed
        user.connect(life.installation.socket)
        user.compare(when)
        if not may_know or user is life.changing:
            with Wire(life.installation.socket, user.client.user) as wire:
                hello = wire.hello()
            if hello["servicesEnabled"] and hello["status"].startswith("authorized"):
                life.outcome.find(f"{when}, {user.client.name}, "
                                  f"{'which was denied, ' if user is life.changing else ''}is {hello['status']}")
    for name in ("state.decisions", "state.decisions.new"):
        path = os.path.join(life.installation.state, name)
        if os.path.isdir(path):
            # Nothing can be kept there, which the operator would be told.
            os.rmdir(path)
    operate_services(life)
    life.witness.monitor(f"new{life.daemon.starts}", Place(70_000))
    life.daemon.kill()
    life.daemon.start()
    life.meet(f"{when}, what was registered after it")
    if life.witness.refused:
        life.outcome.find(f"{when}, nothing can be kept: {life.daemon.last_words}")


def end_daemon(life):
    if life.random.random() < 0.5:
        life.daemon.stop()
    else:
        life.daemon.kill()


# What the stores of earlier releases hold, in Tests/Released.
RELEASED = str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Released")
KEPT = {"home", "depot", "yard", "visits", "significantChange"}


def of_earlier_releases(bench, outcome):
    """A store of an earlier release is taken over with its registrations and denials."""
    for release in sorted(name for name in os.listdir(RELEASED) if os.path.isdir(os.path.join(RELEASED, name))):
        known = [Client("tracker", FIRST_USER), Client("camera", FIRST_USER + 1)]
        installation = Installation(bench, known, name=release)
        os.mkdir(installation.state, 0o700)
        with gzip.open(os.path.join(RELEASED, release, "state.sqlite.gz")) as packed, \
                open(installation.database, "wb") as file:
            shutil.copyfileobj(packed, file)
        shutil.copy(os.path.join(RELEASED, release, "state.decisions"), installation.state)
        daemon, tracker = VirtualDaemon(installation).start(), Admitted(known[0], outcome)
        tracker.connect(installation.socket)
        found = tracker.registrations()
        if found != KEPT:
            outcome.find(f"of the store of {release}, {', '.join(sorted(found)) or 'nothing'} was taken over and not "
                         f"{', '.join(sorted(KEPT))}")
        with Wire(installation.socket, known[1].user) as wire:
            if (status := wire.hello()["status"]) != "denied":
                outcome.find(f"a client that was denied under {release} is {status}")
        daemon.stop()
        outcome.attacks += 1


def ageing(bench, seed):
    """A store of a later release is left as it is, and one of an earlier release is taken over."""
    life = Life(bench, seed).begin()
    for index in range(ROUNDS):
        life.change_until_gone(4)
        life.daemon.stop()
        version = set_version(life, lambda version: version + life.random.randrange(1, 1000))
        bench.say(f"version {version} was made a later one")
        kept = bench.path("kept")
        shutil.copy(life.installation.database, kept)
        life.daemon.start()
        life.outcome.attacks += 1
        life.witness.connect(life.installation.socket)
        life.witness.ask()
        deny_holds(life, "on a store of a later release")
        came = life.witness.ask("monitorRegion", identifier="later", latitude=10, longitude=10, radius=100)
        if not any(event.get("code") == "notStored" for event in came):
            life.outcome.find("on a store of a later release a region was confirmed, though nothing may be kept there")
        end_daemon(life)
        with open(kept, "rb") as one, open(life.installation.database, "rb") as other:
            if one.read() != other.read():
                life.outcome.find("a store of a later release was changed")
        set_version(life, lambda _: version)
        life.daemon.start()
        life.meet("after a store of a later release was that of this one again")
        operate_services(life)
    life.daemon.stop()
    of_earlier_releases(bench, life.outcome)
    return life.outcome


def set_version(life, change):
    connection = sqlite3.connect(life.installation.database)
    [(version,)] = connection.execute("PRAGMA user_version")
    connection.execute(f"PRAGMA user_version = {change(version)}")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return version


# A card that is slow

def slow(bench, seed):
    """A client that registers waits for the card; another client's fixes come meanwhile, five a second."""
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    installation = Installation(bench, clients(2))
    card = Card(bench, installation.state)
    receiver = Terminal(bench.path("gnss"))
    daemon = Daemon(installation, receiver.path, environment=card.environment).start()
    # Where no time is judged, more fixes a second are fewer seconds.
    receiver.say(lambda instant: solution(Place(), instant), 5 if bench.is_timed else 20)
    registering = Admitted(installation.clients[1], outcome)
    try:
        with Wire(installation.socket, installation.clients[0].user) as watcher:
            watcher.send("watch")
            watcher.wait("epoch")
            for index in range(ROUNDS):
                registering.connect(daemon.installation.socket)
                watcher.ask()
                if bench.is_timed:
                    measure_wait(card, watcher, registering, index, 0.1 + 0.3 * random.random(), outcome)
                else:
                    hold_card(daemon, card, watcher, registering, index, outcome)
                kill_after_wait(daemon, watcher, registering)
        daemon.stop()
    finally:
        receiver.close()
    if bench.is_timed and seed == TIMED[0]:
        measure_start(bench, outcome)
    return outcome


def hold_card(daemon, card, watcher, registering, index, outcome):
    """While the card does not return from a call, others are served, and nothing is confirmed that waits for it."""
    name, place = f"slow{index}", Place(50_000 + index * 1000)
    card.hold()
    registering.everything.add(name)
    registering.wire.send("monitorRegion", identifier=name, latitude=place.latitude, longitude=place.longitude,
                          radius=200)
    if not until(lambda: card.is_awaited):
        outcome.find(f"a region was registered, and within {PATIENCE:g} s nothing of it was written on the card")
    for _ in range(3):
        watcher.wait("epoch")
    watcher.ask()
    for user, who in ((0, "an operator"), (watcher.user, "another client")):
        try:
            with Wire(daemon.installation.socket, user) as newcomer:
                newcomer.hello()
                newcomer.ask("status")
                if not user:
                    newcomer.ask("clients")
        except Failure as failure:
            outcome.find(f"{who} that connected while a client's region waited for the card was not served: {failure}")
    for event in registering.wire.drain():
        registering.note(event)
        if event["event"] == "monitoring":
            outcome.find("a region was confirmed while the card had not returned from writing it")
    card.mend()
    # Again, with its answer: what was asked for is confirmed once the card takes it.
    registering.monitor(name, place)
    outcome.attacks += 1


def measure_wait(card, watcher, registering, index, delay, outcome):
    card.slow(delay)
    began = time.monotonic()
    registering.monitor(f"slow{index}", Place(50_000 + index * 1000))
    waited = time.monotonic() - began
    card.mend()
    epochs = sum(event["event"] == "epoch" for event in watcher.ask())
    outcome.attacks += 1
    outcome.note_most("most seconds that a region waited for a slow card", waited)
    outcome.rows.append(row(f"slow card, {delay * 1000:.0f} ms a call: fixes to another client in {waited:.2f} s",
                            f"{epochs}", f"at least {waited * 5 - 2:.1f}", epochs >= waited * 5 - 2))
    if waited < delay:
        outcome.find(f"a region was confirmed after {waited:.2f} s by a card of which each call takes {delay:.2f} s")


def measure_start(bench, outcome):
    """A store of 34 MB with 400 regions on a card that reads a hundred times a second, after a clean end and a kill."""
    installation = Installation(bench, [Client(f"client{index}", FIRST_USER + index, members="maximumRegions: 1000,")
                                        for index in range(4)], name="start")
    card, notices = Card(bench, installation.state), bench.path("notices")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(notices)
        os.chmod(notices, 0o777)
        listener.settimeout(PATIENCE)
        daemon = Daemon(installation, environment=dict(card.environment, NOTIFY_SOCKET=notices)).start()
        register(installation, "kept", 100, outcome)
        daemon.stop()
        lengthen_track(installation.database)
        for how in ("a clean end", "a kill"):
            daemon.start()
            register(installation, how, 60, outcome)
            (daemon.kill if how == "a kill" else daemon.stop)()
            sizes = [os.path.getsize(path) / 1e6 for path in (installation.database, installation.database + "-wal")
                     if os.path.exists(path)]
            card.read_slowly(READING)
            wait_until_ready(listener, None)
            began = time.monotonic()
            daemon.launch()
            wait_until_ready(listener, PATIENCE)
            seconds = time.monotonic() - began
            card.mend()
            daemon.stop()
            outcome.attacks += 1
            outcome.rows.append(row(f"ready after {how}, {READING * 1000:.0f} ms a read, "
                                    f"{' and '.join(f'{size:.2f}' for size in sizes)} MB",
                                    f"{seconds:.2f} s", f"{READY:g} s", seconds <= READY * bench.slack))


def register(installation, name, count, outcome):
    for client in installation.clients:
        user = Admitted(client, outcome)
        user.connect(installation.socket)
        for index in range(count):
            user.monitor(f"{name} {index}", Place(1000 * index))


def lengthen_track(path):
    connection = sqlite3.connect(path)
    connection.executemany("INSERT INTO track (time, latitude, longitude, altitude, horizontalAccuracy, speed, course)"
                           " VALUES (?, ?, ?, 400.5, 5.1, 0.7, 0.3)",
                           ((1_790_000_000_000_000_000 + index * 10**9, 47 + index * 1e-6, 8 + index * 1e-6)
                            for index in range(POINTS)))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def wait_until_ready(listener, seconds):
    """Takes what the daemon says to its service manager until it is ready; nothing: what it has said so far."""
    listener.settimeout(seconds or 0)
    try:
        while b"READY=1" not in listener.recv(4096) or seconds is None:
            pass
    except BlockingIOError:
        pass


def kill_after_wait(daemon, watcher, registering):
    """What was confirmed on a slow card is there after a kill."""
    daemon.kill()
    daemon.start()
    registering.connect(daemon.installation.socket)
    registering.compare("after a kill on a slow card")
    watcher.close()
    watcher.__init__(daemon.installation.socket, watcher.user)
    watcher.send("watch")
    watcher.wait("epoch")


FORMS = (failing, failing, failing, forging, spoiling, spoiling_both, ageing, slow)
