"""Files from elsewhere: flight recordings, tables of places and lists of streets and borders, spoilt in every way."""
import json, os, shutil, sqlite3, subprocess

from .support.bench import Failure, Outcome
from .support.daemon import VirtualDaemon
from .support.installation import Installation, clients
from .support.patience import PATIENCE
from .support.receiver import Place, solution
from .support.wire import Wire

ABOUT = ("Flight recordings, tables of places, and lists of streets and borders are spoilt, at their bytes and at "
         "their rows; the commands that read them say so by their statuses, and none of them traps.")
FINDING = ("A trap; a status that the command does not have; a place off the globe; a table that `places check` calls "
           "whole and `geocode` calls damaged.")
SHORT = 2
GOAL = 20_000
RANK = 46

# Files of a trial, and of one of the short form (seeds to 9).
FILES, SHORT_FILES = 60, 6
EDGES = (0, -1, 1, 2**31, 2**63 - 1, -2**63, 1e308, -1e308, float("inf"), 5e-324, "", "x" * 300, "é" * 90, b"\xff" * 9,
         None)
CODES = {"replay": {0, 65, 74}, "import": {0, 65, 74}, "check": {0, 65, 74}, "geocode": {0, 65, 69}}


def trial(bench, seed):
    return (recordings, tables)[seed % 2](bench, seed)


def sextant(bench, outcome, *arguments, places=None, given=None):
    """Runs the command; its status and what it printed."""
    environment = dict(os.environ, SEXTANT_PLACES=places or "/nonexistent", SEXTANT_GEOCODER="/nonexistent")
    process = bench.start([bench.program("sextant"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.PIPE, env=environment, cwd=bench.folder)
    try:
        said, problem = process.communicate(given, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Failure(f"sextant {arguments[0]} did not end within {PATIENCE:g} s") from None
    outcome.attacks += 1
    name = arguments[1] if arguments[0] == "places" else arguments[0]
    if process.returncode not in CODES[name]:
        outcome.find(f"sextant {name} ended with {process.returncode} on a spoilt file: {problem[-200:]!r}")
    return process.returncode, said


def spoil(data, random):
    """Some bytes changed, cut out, doubled or replaced by edges; mostly few, so that much of it is still read."""
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 5, 30])):
        place, choice = random.randrange(len(data)), random.randrange(6)
        if choice == 0:
            data[place] = random.randrange(256)
        elif choice == 1:
            data[place:place + 8] = random.choice([b"\xff" * 8, b"\0" * 8, b"\x7f" + b"\xff" * 7, b"\0" * 7 + b"\x80"])
        elif choice == 2:
            del data[place:place + random.randrange(1, 40)]
        elif choice == 3:
            data[place:place] = data[place:place + random.randrange(200)]
        elif choice == 4:
            data[place] ^= 1 << random.randrange(8)
        elif random.random() < 0.3:
            del data[place:]
        data = data or bytearray(b"\0")
    return bytes(data)


# Flight recordings

def recordings(bench, seed):
    """A daemon's own recording, replayed whole and spoilt."""
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    installation = Installation(bench, clients(1))
    path, configure = installation.path("flight"), installation.configure
    installation.configure = lambda device, members="": configure(device, f"baud: 115200, recording: '{path}',")
    daemon = VirtualDaemon(installation).start()
    with Wire(installation.socket, installation.clients[0].user) as wire:
        wire.hello()
        wire.ask("watch", accuracy="best", deferral={"timeout": 60}, label="x")
        wire.ask("monitorRegion", identifier="home", latitude=47.3769, longitude=8.5417, radius=200)
        for index in range(30):
            daemon.feed(solution(Place(index * 40, speed=10), daemon.time), random.choice([1, 5]))
            wire.ask(random.choice(["status", "registrations", "energy", "flush"]))
    daemon.stop()
    files = sorted(name for name in os.listdir(installation.folder) if name.startswith("flight"))
    with open(installation.path(files[0]), "rb") as file:
        whole = file.read()
    if sextant(bench, outcome, "replay", "--quiet", installation.path(files[0]))[0] != 0:
        outcome.find("a recording that the daemon made is not replayed with the same outputs")
    for index in range(SHORT_FILES if seed < 10 else FILES):
        with open(bench.path("spoilt"), "wb") as file:
            file.write(spoil(whole, random))
        sextant(bench, outcome, "replay", "--quiet", bench.path("spoilt"))
    return outcome


# Places

def streets(random):
    """A list as osmium exports it: streets, house numbers, places and borders around Zurich."""
    def feature(number, geometry, **tags):
        return json.dumps({"type": "Feature", "id": number, "geometry": geometry, "properties": tags})

    def point():
        return [round(8.5 + random.random() / 10, 5), round(47.3 + random.random() / 10, 5)]

    lines = []
    for index in range(40):
        lines.append(feature(f"n{index}", {"type": "Point", "coordinates": point()}, **{
            "addr:housenumber": str(index), "addr:street": f"Street {index % 5}", "addr:city": "Town"}))
    for index in range(5):
        lines.append(feature(f"w{index}", {"type": "LineString", "coordinates": [point() for _ in range(5)]},
                             highway="residential", name=f"Street {index}"))
    lines.append(feature("n900", {"type": "Point", "coordinates": point()}, place="town", name="Town"))
    lines.append(feature("n901", {"type": "Point", "coordinates": point()}, amenity="cafe", name="Café"))
    ring = [[8.4, 47.2], [8.7, 47.2], [8.7, 47.5], [8.4, 47.5], [8.4, 47.2]]
    for level in (2, 4, 6, 8):
        lines.append(feature(f"r{level}", {"type": "MultiPolygon", "coordinates": [[ring]]}, boundary="administrative",
                             admin_level=str(level), name=f"Unit {level}", **{"ISO3166-1": "CH"}))
    return "\n".join(lines).encode() + b"\n"


def tables(bench, seed):
    """Lists are imported and tables asked, whole and spoilt."""
    random, outcome = bench.random(seed), Outcome()
    listed, table = streets(random), bench.path("whole.sqlite")
    whole, _ = sextant(bench, outcome, "places", "import", "-", "--output", table, "--country", "ch", given=listed)
    if whole:
        raise Failure("a list of streets as osmium exports them is not imported")
    ask(bench, outcome, table, "a whole table")
    for index in range(SHORT_FILES if seed < 10 else FILES):
        spoilt = bench.path("spoilt.sqlite")
        if index % 3 == 0:
            sextant(bench, outcome, "places", "import", "-", "--output", spoilt, given=spoil(listed, random))
            continue
        shutil.copy(table, spoilt)
        if index % 3 == 1:
            with open(spoilt, "r+b") as file:
                data = file.read()
                file.seek(0)
                file.truncate()
                file.write(spoil(data, random))
        else:
            change_rows(spoilt, random)
        ask(bench, outcome, spoilt, "a spoilt table")
    return outcome


def change_rows(path, random):
    """Values of a table's rows are replaced by edges: the file stays a sound database."""
    with sqlite3.connect(path) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for _ in range(random.choice([1, 3, 10])):
            name = random.choice(names)
            try:
                columns = [row[1] for row in database.execute(f'PRAGMA table_info("{name}")')]
                rows = [row[0] for row in database.execute(f'SELECT rowid FROM "{name}" LIMIT 200')]
                if not rows:
                    continue
                value = random.choice([*EDGES, random.randbytes(random.choice([1, 8, 60]))])
                everywhere = random.random() < 0.3
                database.execute(f'UPDATE "{name}" SET "{random.choice(columns)}" = ?'
                                 + ("" if everywhere else f" WHERE rowid = {random.choice(rows)}"), (value,))
            except (sqlite3.Error, OverflowError):
                # A constraint, a table without numbers of rows, or a number that SQLite cannot hold.
                continue
    database.close()


def ask(bench, outcome, table, what):
    """`places check` and `geocode` on one table, by name and by place."""
    sound = sextant(bench, outcome, "places", "check", table)[0] == 0
    for words in (["Street", "3"], ["Town"], ["Café"], ["--reverse", "47.35", "8.55"], ["--reverse", "90", "-180"]):
        status, said = sextant(bench, outcome, "geocode", "--local", "--json", *words, places=table)
        if sound and status == 65:
            outcome.find(f"{what} that places check calls whole is damaged to geocode")
        for line in said.splitlines():
            place = json.loads(line)
            if not (-90 <= place.get("latitude", 0) <= 90 and -180 <= place.get("longitude", 0) <= 180):
                outcome.find(f"{what} gave a place off the globe")
