"""sextantd, sextant-uplink, Debian's mosquitto and receivers, as they are: what arrives, and what it survives."""
import contextlib, json, os, random, sqlite3, subprocess, sys, time

from proving.support.patience import PATIENCE, until
from uplinking.board import QUAY, TOPIC, Board, Witness
from uplinking.broker import Mosquitto, client
from uplinking.collector import Collect
from uplinking.home import Home
from uplinking.keys import Authority
from uplinking.liar import LIES, Liar
from uplinking.recorder import Recorder
from uplinking.uplink import Uplink
from uplinking import week

EVERY_FIX = {"accuracy": 10, "minimumInterval": 0}


def waypoints(*regions):
    """The command of OwnTracks that sets regions, each a name, a place and a radius."""
    return json.dumps({"_type": "cmd", "action": "setWaypoints", "waypoints": {"_type": "waypoints", "waypoints": [
        {"_type": "waypoint", "desc": name, "rid": name, "tst": 1700000000 + index, "lat": place[0], "lon": place[1], "rad": radius}
        for index, (name, place, radius) in enumerate(regions)]}})


def geojson(*regions):
    """The command of our own that does."""
    return json.dumps({"do": "regions", "id": "r1", "regions": {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": name, "properties": {"radius": radius},
         "geometry": {"type": "Point", "coordinates": [place[1], place[0]]}} for name, place, radius in regions]}})


class Bench(contextlib.ExitStack):
    """A board, a broker and, started by the checks, uplinks and receivers."""

    def __init__(self, programs, rate=1):
        super().__init__()
        self.board = self.enter_context(Board(programs, rate))
        self.folder = self.board.folder
        self.broker = Mosquitto(f"{self.folder}/broker").start()
        self.callback(self.broker.kill)

    def collect(self):
        found = Collect(f"{self.folder}/fleet.sqlite", self.broker.port)
        self.callback(found.kill)
        return found.start()

    def uplink(self, device, **settings):
        found = Uplink(self.board, self.broker.port, device, watch=EVERY_FIX, **settings)
        self.callback(found.kill)
        return found.start()


def awaited(test, what, *logs):
    """What `test` gives, once it gives something."""
    if not (found := until(test, pause=0.05)):
        raise AssertionError(f"awaited for {PATIENCE:g} s: {what}" + "".join(f"\n    {line}" for log in logs for line in log.splitlines()[-6:]))
    return found


def survives(bench):
    """MQTT-03: uplink, broker and receiver are killed in turn, and each numbered record is in the table, once."""
    collect, witness = bench.collect(), Witness(bench.board.socket)
    uplink = bench.uplink("boat", delivery="receiver")

    more(collect, uplink, 3)
    for victim in random.sample([uplink, uplink, bench.broker, collect], 4):
        victim.kill()
        victim.start()
        awaited(uplink.connect, "a connection", uplink.log)
        more(collect, uplink, 2)
    rows = complete(collect, uplink)
    judge(rows, witness, collect)
    print(f"figure: MQTT-03 | records stored, each once, over 4 kills | {len(rows)}")


def stored(collect):
    return collect.query("SELECT n, kind, time, json FROM records ORDER BY n")


def more(collect, uplink, count):
    """Waits for so many further records."""
    goal = len(stored(collect)) + count
    awaited(lambda: len(stored(collect)) >= goal, f"{goal} records of {len(stored(collect))}; {uplink.status}", uplink.log, collect.told())


def complete(collect, uplink):
    """All records to the one that is the newest now, once so many are stored: the newest comes before those that waited."""
    newest = awaited(lambda: uplink.status.get("newest"), "a status that names the newest number", uplink.log)
    return awaited(lambda: rows if len(rows := [row for row in stored(collect) if row[0] <= newest]) >= newest else None,
                   f"{newest} records; {len(stored(collect))} are stored", uplink.log)


def judge(rows, witness, collect):
    """That no number is missing, no fix is doubled, and each is what the daemon told."""
    numbers, times = [n for n, *_ in rows], [time for _, kind, time, _ in rows if kind == "fix"]
    if numbers != list(range(1, len(numbers) + 1)):
        raise AssertionError(f"{len(numbers)} numbers, and none of {sorted(set(range(1, max(numbers) + 1)) - set(numbers))}")
    if wrong := [pair for pair in zip(times, times[1:]) if pair[0] >= pair[1]]:
        raise AssertionError(f"fixes are doubled or out of order: {wrong}")
    for _, kind, time, text in rows:
        told, seen = json.loads(text), witness.locations.get(time)
        if kind == "fix" and seen and any(abs(told[name] - seen[name]) > 1e-7 for name in ("latitude", "longitude")):
            raise AssertionError(f"the daemon told {seen}, and {told} is stored")
    if "another content" in collect.told():
        raise AssertionError(collect.told())


def closes(bench):
    """MQTT-13: denied, the uplink ends its session, and nothing of that time is sent."""
    collect = bench.collect()
    uplink = bench.uplink("boat", delivery="receiver")
    seen = listen(bench, "sextant/1/boat/availability", PLACE)
    awaited(lambda: collect.query("SELECT 1 FROM records") and seen.get(PLACE), "a first record", uplink.log)
    operate(bench, "clients", "deny", "boat")
    awaited(lambda: seen.get("sextant/1/boat/availability") == b"offline", f"the session's end; {seen}", uplink.log)
    if seen[PLACE]:
        raise AssertionError(f"denied, the broker retains {seen[PLACE]}")
    before = collect.query("SELECT max(time) FROM records")
    operate(bench, "clients", "always", "boat")
    awaited(lambda: collect.query("SELECT max(time) FROM records") > before, "records after it is allowed again", uplink.log)


def forgets(bench):
    """MQTT-13: sextant privacy erase empties the queue and has the broker forget the place, also one that does not run."""
    uplink = bench.uplink("boat")
    seen = listen(bench, PLACE)
    awaited(lambda: seen.get(PLACE), "a place that is retained", uplink.log)
    bench.broker.end()
    awaited(lambda: uplink.status.get("queuedFixes", 0) >= 3, "fixes that wait", uplink.log)
    uplink.end()
    operate(bench, "privacy", "erase", "boat", "--yes")
    operate(bench, "clients", "deny", "boat")
    seen.clear()
    bench.broker.start()
    awaited(lambda: seen.get(PLACE), "the place that the broker has kept")
    uplink.start()
    awaited(lambda: (uplink.connect(), seen[PLACE] == b"")[1], f"the place to be forgotten; {seen}", uplink.log)
    # A denial alone has the place forgotten too; the order to erase comes after it.
    awaited(lambda: uplink.status["queuedFixes"] + uplink.status["queuedEvents"] == 0, f"an empty queue; {uplink.status}", uplink.log)


def outlives(bench):
    """MQTT-16: a broker that ends, refuses, cuts its packets or speaks garbage is named and left, and nothing is lost."""
    collect = bench.collect()
    collect.kill()
    bench.broker.end()
    liar = Liar(bench.broker.port)
    bench.callback(liar.stop)
    uplink, largest = bench.uplink("boat", delivery="receiver"), 0
    for liar.lie in LIES:
        awaited(lambda: (uplink.connect(), liar.heard[liar.lie])[1], f"an attempt at a broker that {liar.lie}", uplink.log)
        liar.hang_up()
        largest = max(largest, weight(uplink))
    if uplink.process.poll() is not None:
        raise AssertionError(f"it has ended with {uplink.process.returncode}: {uplink.log[-300:]}")
    if largest > 16_000:
        raise AssertionError(f"it took {largest} kB")
    liar.stop()
    bench.broker.start()
    collect.start()
    awaited(uplink.connect, "a connection to a broker that does as it should", uplink.log)
    more(collect, uplink, 2)
    judge(complete(collect, uplink), Witness(bench.board.socket), collect)
    print(f"figure: MQTT-16 | the most memory with a broker that lies, kB | {largest}")


def weight(uplink):
    """The memory of a process; kB."""
    with open(f"/proc/{uplink.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def trusts(bench):
    """MQTT-12: a certificate of another authority, for another name or expired, and none of its own: refused, and named."""
    ours, other = Authority(f"{bench.folder}/keys"), Authority(f"{bench.folder}/others", "another")
    device = dict(zip(("certificate_pem", "key_pem"), ours.sign("boat")))
    uplink = bench.uplink("boat", scheme="mqtts", user="boat")
    secret = bench.board.write("password", "correct-horse-battery\n")
    told = ""
    for what, broker, keys, words in (
        ("another authority", ours.sign("localhost"), {"ca_pem": other.certificate, **device}, "certificate"),
        ("another name", ours.sign("elsewhere"), {"ca_pem": ours.certificate, **device}, "host name"),
        ("an expired certificate", ours.sign("old", "localhost", days=-1), {"ca_pem": ours.certificate, **device}, "expired"),
        ("no certificate of its own", ours.sign("localhost"), {"ca_pem": ours.certificate}, "TLS"),
        ("all as it should be", ours.sign("localhost"), {"ca_pem": ours.certificate, **device}, None),
    ):
        uplink.kill()
        bench.broker.kill()
        bench.broker.secure(*broker, ours.certificate)
        bench.broker.start()
        uplink.give(password=secret, **keys)
        uplink.start()
        if words:
            awaited(lambda: words.lower() in uplink.status.get("lastError", "").lower(), f"a word of {what}; {uplink.status}", uplink.log)
        else:
            awaited(uplink.connect, f"a connection with {what}", uplink.log)
        told += json.dumps(uplink.status)
    with open(f"/proc/{uplink.process.pid}/cmdline") as file:
        told += file.read()
    if "correct-horse" in told + uplink.log:
        raise AssertionError("the password stands in the log, in the status or in the command line")


def waits_for_time(bench):
    """MQTT-12: with a clock of 1970 TLS is not tried, which one line says; nothing is lost once the clock is set."""
    keys, library, clock = Authority(f"{bench.folder}/keys"), f"{bench.folder}/clock.so", f"{bench.folder}/clock"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, f"{os.path.dirname(__file__)}/clock.c"], check=True)
    bench.broker.kill()
    bench.broker.secure(*keys.sign("localhost"), keys.certificate)
    bench.broker.start()
    set_clock(clock, back=time.time())
    uplink = Uplink(bench.board, bench.broker.port, "boat", scheme="mqtts", watch=EVERY_FIX)
    uplink.give(ca_pem=keys.certificate, **dict(zip(("certificate_pem", "key_pem"), keys.sign("boat"))))
    uplink.environment |= {"LD_PRELOAD": library, "CLOCK_FILE": clock}
    bench.callback(uplink.kill)
    uplink.start()
    awaited(lambda: uplink.status.get("queuedFixes", 0) >= 3, "fixes that wait", uplink.log)
    if uplink.status["state"] != "waitingForTime" or "until the time is known" not in uplink.status["message"]:
        raise AssertionError(f"in 1970: {uplink.status}")
    if uplink.status["connectsFailed"] + uplink.status["connectsRefused"] or "sextant-boat" in bench.broker.log:
        raise AssertionError(f"in 1970 TLS was tried: {uplink.status}")
    # A clock that the kernel calls kept, and is wrong all the same: it is tried, and named.
    set_clock(clock, back=time.time(), kept=True)
    awaited(lambda: "not yet valid" in uplink.status.get("lastError", ""), f"a word on the certificate; {uplink.status}", uplink.log)
    set_clock(clock)
    awaited(uplink.connect, "a connection once the clock is set", uplink.log)
    awaited(lambda: uplink.status["queuedFixes"] == 0, f"all to be delivered; {uplink.status}", uplink.log)
    for words in ("until the time is known", "not yet valid"):
        if sum(words in line for line in uplink.log.splitlines()) != 1:
            raise AssertionError(f"not one line says {words!r}: {uplink.log}")


def set_clock(path, back=0, kept=False):
    """Sets what a process with clock.c reads: so many seconds back; whether the kernel calls the clock kept."""
    with open(f"{path}.new", "w") as file:
        file.write(f"{back:.0f} {'kept' if kept else ''}")
    os.replace(f"{path}.new", path)


def begins_anew(bench):
    """A queue that is damaged, or of a later release, is set aside with one line; a full one is thinned, and keeps its events."""
    uplink = bench.uplink("boat", queue={"bytes": 1 << 20})
    path, collect = f"{uplink.folder}/state/queue.sqlite", bench.collect()
    more(collect, uplink, 1)

    def spoil_bytes():
        # What SQLite's log still holds would mend it.
        for name, bytes_there in ((path, bytes(range(256)) * 8), (f"{path}-wal", b"")):
            with open(name, "wb") as file:
                file.write(bytes_there)

    def spoil_version():
        with contextlib.closing(sqlite3.connect(path)) as queue:
            queue.execute("PRAGMA user_version = 99")

    for spoil, words in ((spoil_bytes, "was damaged"), (spoil_version, "written by a later release")):
        uplink.end()
        said = len(uplink.log.splitlines())
        spoil()
        uplink.start()
        before = len(stored(collect))
        awaited(lambda: len(stored(collect)) > before, f"a record of the new queue; {uplink.status}", uplink.log)
        lines = [line for line in uplink.log.splitlines()[said:] if "queue.sqlite" in line]
        if len(lines) != 1 or words not in lines[0]:
            raise AssertionError(f"{spoil.__name__}: {lines}")
    uplink.end()
    week.fill(path, seed=1)
    uplink.start()
    awaited(lambda: uplink.status.get("newest", 0) >= week.FIXES, "a status of the full queue", uplink.log)
    awaited(lambda: uplink.connect() and uplink.status["queuedFixes"] + uplink.status["queuedEvents"] == 0, "the rest to be sent", uplink.log)

    def arrived():
        """The fixes and events that the receiver has; the broker has all of them by then."""
        return collect.query("SELECT sum(kind = 'fix'), sum(json LIKE '%\"region\"%') FROM records WHERE series = ?",
                             uplink.status["series"])[0]

    thinned = uplink.status["thinned"]
    awaited(lambda: arrived()[1] == week.EVENTS and abs(arrived()[0] + thinned - week.FIXES) <= 200,
            f"all but the {thinned} thinned of {week.FIXES} fixes, and {week.EVENTS} events, at the receiver", uplink.log)
    if not 0 < thinned < week.FIXES:
        raise AssertionError(f"of {week.FIXES} fixes {thinned} were thinned")


PLACE = "sextant/1/boat/location"


def listen(bench, *topics):
    """The newest message of each topic, from now on; it outlives the broker."""
    seen, listener = {}, client("listener")
    listener.on_message = lambda _client, _data, message: seen.__setitem__(message.topic, message.payload)
    listener.on_connect = lambda *_: listener.subscribe([(topic, 1) for topic in topics])
    listener.reconnect_delay_set(1, 1)
    listener.connect("127.0.0.1", bench.broker.port)
    listener.loop_start()
    bench.callback(listener.loop_stop)
    return seen


def operate(bench, *words):
    subprocess.run([f"{bench.board.programs}/sextant", *words], env=os.environ | {"SEXTANT_SOCKET": bench.board.socket},
                   check=True, stdout=subprocess.DEVNULL)


def is_taken(bench):
    """MQTT-09, MQTT-10: Recorder and Home Assistant, as their stand-ins know them, take locations and crossings."""
    recorder, home = Recorder(f"{bench.folder}/recorder", bench.broker.port), Home(bench.broker.port)
    bench.callback(recorder.stop)
    bench.callback(home.stop)
    tracks = bench.uplink("van", format="owntracks", owntracks={"user": "anna", "device": "van", "tracker": "va"},
                          commands=["setWaypoints"])
    boat = bench.uplink("boat", homeAssistant=True, commands=["locate", "regions"])
    berth = listen(bench, TOPIC)

    def filed(kind):
        return [told for told in recorder.records("anna", "van") if told["_type"] == kind]

    awaited(lambda: len(filed("location")) >= 3, "three locations at Recorder", tracks.log)
    awaited(lambda: "sextant_boat_position" in home.states and "sextant_boat_time" in home.states, f"a tracker; {home.refused}", boat.log)
    home.client.publish("owntracks/anna/van/cmd", waypoints(("quay", QUAY, 200)), 1)
    home.client.publish("sextant/1/boat/do", geojson(("quay", QUAY, 200)), 1)
    awaited(lambda: filed("transition") and home.events, f"a crossing; {home.refused}, {recorder.dropped}", tracks.log, boat.log)
    awaited(lambda: berth.get(TOPIC), "a crossing of the manifest's region at its topic", boat.log)
    if home.refused or recorder.dropped or recorder.odd:
        raise AssertionError(f"refused: {home.refused}; dropped: {recorder.dropped}; not as the booklet has it: {recorder.odd}")
    done = []
    home.client.message_callback_add("sextant/1/boat/done", lambda _client, _data, message: done.append(json.loads(message.payload)))
    home.client.subscribe("sextant/1/boat/done", 1)
    home.press("sextant_boat_locate")
    awaited(lambda: any(told.get("ok") for told in done), f"the command's outcome; {done}", boat.log)


CHECKS = {check.__name__: check for check in (survives, closes, forgets, outlives, trusts, waits_for_time, begins_anew, is_taken)}


def main(programs, only=None):
    if only not in (None, *CHECKS):
        print(f"check-uplink: {only}: no check has this name; they are {', '.join(CHECKS)}", file=sys.stderr)
        return 64
    status = 0
    for check in [CHECKS[only]] if only else CHECKS.values():
        began = time.monotonic()
        try:
            with Bench(programs) as bench:
                check(bench)
            print(f"passed {check.__name__}, {time.monotonic() - began:.0f} s", flush=True)
        except (AssertionError, subprocess.CalledProcessError) as error:
            print(f"FAILED {check.__name__}\n    error: {error}", flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
