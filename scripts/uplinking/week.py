"""A week offline in sextant-uplink's queue, and then a broker with TLS: what comes when, each once and in order (MQTT-02), and
what the process weighs meanwhile (MQTT-14)."""
import contextlib, datetime, json, os, random, re, signal, socket, sqlite3, threading, time, zlib

from proving.support.patience import until
from uplinking.board import Board
from uplinking.broker import Mosquitto, client
from uplinking.collector import Collect
from uplinking.keys import Authority
from uplinking.uplink import Uplink

FIXES, EVENTS = 60_480, 200
ALLOWED = {"event": "hello", "protocol": 1, "servicesEnabled": True, "accuracyAuthorization": "full", "client": "boat",
           "status": "authorizedAlways"}


class Allowing:
    """In place of a board: a daemon that allows a client everything, and tells it one location with a time to trust."""

    def __init__(self, programs, folder):
        self.folder, self.socket, self.programs = folder, f"{folder}/sock", programs
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.socket)
        self.listener.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")[:23] + "Z"
            fix = {"event": "location", "latitude": 47.1, "longitude": 8.5, "horizontalAccuracy": 4.0, "age": 0.0, "time": now,
                   "timeValidated": True}
            with contextlib.suppress(OSError):
                client.sendall("".join(json.dumps(line) + "\n" for line in (ALLOWED, fix)).encode())
            threading.Thread(target=lambda: [None for _ in iter(lambda: client.recv(4096), b"")], daemon=True).start()

    def program(self, _device):
        return f"{self.programs}/sextant-uplink"

    write = Board.write


def memory(process):
    """Resident kilobytes now, and at the most since the start."""
    with open(f"/proc/{process.pid}/status") as file:
        text = file.read()
    return tuple(int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "VmHWM"))


def fill(path, seed):
    """Puts a week of fixes, one in ten seconds on a walk, with events among them, into a queue that is closed."""
    chance, start, each = random.Random(seed), time.time_ns() - FIXES * 10**10, FIXES // EVENTS
    place, rows, events = [47.3769, 8.5417], [], 0
    for count in range(FIXES):
        place = [degrees + chance.gauss(0, 1e-4) for degrees in place]
        when, here = start + count * 10**10, f'"latitude":{place[0]:.8f},"longitude":{place[1]:.8f}'
        rows.append((len(rows) + 1, 0, when, f'{{{here},"horizontalAccuracy":{chance.uniform(2, 7):.2f},'
                     f'"altitudeAboveMeanSeaLevel":{chance.gauss(400, 5):.2f},"verticalAccuracy":5.50,'
                     f'"speed":{chance.uniform(0, 20):.3f},"course":{chance.uniform(0, 360):.1f}}}'.encode()))
        if count % each == 0 and events < EVENTS:
            events += 1
            rows.append((len(rows) + 1, 1, when, f'{{"event_type":"{("enter", "exit")[events % 2]}","region":"quay",{here}}}'.encode()))
    queue = sqlite3.connect(path)
    queue.execute("DELETE FROM record")
    queue.executemany("INSERT INTO record VALUES (?, ?, ?, NULL, ?)", rows)
    queue.execute("UPDATE state SET value = ? WHERE key = 'next'", (len(rows) + 1,))
    queue.commit()
    queue.close()


class Arrivals:
    """When messages come at a subscriber, by the last part of their topics; a track without a record is a question."""

    def __init__(self, port, authority, certificate, key):
        self.times = {}
        self.client = client("arrivals")
        self.client.tls_set(authority, certificate, key)
        self.client.on_connect = lambda *_: self.client.subscribe("sextant/1/boat/+", 1)
        self.client.on_message = self.arrived
        subscribed = []
        self.client.on_subscribe = lambda *_: subscribed.append(True)
        self.client.connect("localhost", port)
        self.client.loop_start()
        if not until(lambda: subscribed):
            raise AssertionError("the broker takes no subscriber")

    def arrived(self, _client, _data, message):
        name = message.topic.rsplit("/", 1)[1]
        if name == "track" and zlib.decompress(message.payload).count(b"\n") == 1:
            name = "question"
        self.times.setdefault(name, []).append(time.monotonic())


def trial(programs, folder, seed=1):
    """Rows of a table: what was measured, the figure, the bar."""
    keys = Authority(f"{folder}/keys")
    broker = Mosquitto(f"{folder}/broker")
    broker.secure(*keys.sign("localhost"), keys.certificate)
    uplink = Uplink(Allowing(os.path.realpath(programs), folder), broker.port, "boat", scheme="mqtts", delivery="receiver")
    uplink.give(ca_pem=keys.certificate, **dict(zip(("certificate_pem", "key_pem"), keys.sign("boat"))))
    certificate, key = keys.sign("receiver")
    collect = Collect(f"{folder}/fleet.sqlite", broker.port, "sextant-collect", "--host", "localhost", "--tls", "--ca", keys.certificate,
                      "--certificate", certificate, "--key", key)
    uplink.start()
    try:
        until(lambda: uplink.status)
        uplink.end(signal.SIGTERM)
        fill(f"{uplink.folder}/state/queue.sqlite", seed)
        os.unlink(f"{uplink.folder}/run/tail")
        uplink.start()
        until(lambda: uplink.status.get("queuedFixes", 0) > FIXES and "lastError" in uplink.status)
        waiting, _ = memory(uplink.process)
        broker.start()
        collect.start()
        arrivals = Arrivals(broker.port, keys.certificate, *keys.sign("arrivals"))
        began = time.monotonic()
        if not until(lambda: uplink.connect() and uplink.status["queuedFixes"] + uplink.status["queuedEvents"] == 0, pause=0.05):
            raise AssertionError(f"not all is delivered: {uplink.status}")
        stored = time.monotonic() - began
        after, most = memory(uplink.process)
        judge(collect, arrivals.times)
        first, last = arrivals.times["location"][0] - began, {name: arrivals.times[name][-1] - began for name in ("event", "track")}
        return [
            ("memory while a week waits, no broker, kB", waiting, ""),
            ("the most from the start until all is stored, kB", most, 14_000), ("afterwards, kB", after, ""),
            ("from the attempt to connect: the newest location, s", round(first, 2), 1),
            (f"the last of {EVENTS} events, s", round(last["event"], 2), 5), ("the last of the history, s", round(last["track"], 2), 60),
            (f"{FIXES + EVENTS + 1} records in the receiver's table, each once, and its word, s", round(stored, 2), ""),
            ("bytes sent for a fix", round(uplink.status["sentBytes"] / FIXES, 1), 30)]
    finally:
        uplink.kill()
        collect.kill()
        broker.kill()


def judge(collect, times):
    """That each record is there once, in order, and that events came before the history."""
    rows = collect.query("SELECT n, kind, time FROM records ORDER BY n")
    if [n for n, *_ in rows] != list(range(1, FIXES + EVENTS + 2)):
        raise AssertionError(f"{len(rows)} rows, numbers from {rows[:1]} to {rows[-1:]}")
    if [time for *_, time in rows] != sorted(time for *_, time in rows):
        raise AssertionError("times do not ascend with the numbers")
    if sum(kind == "event" for _, kind, _ in rows) != EVENTS or len(times["event"]) != EVENTS or " 0 repeated" not in tail(collect):
        raise AssertionError(f"{len(times['event'])} events came; {tail(collect)}")
    if times["event"][-1] > times["track"][0] or times["location"][0] > times["event"][0]:
        raise AssertionError("not in the order newest, events, history")


def tail(collect):
    """The receiver's last words, once it has ended."""
    collect.end()
    return collect.told().splitlines()[-1]
