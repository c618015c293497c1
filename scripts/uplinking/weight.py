"""What sextant-uplink weighs: a week of fixes in its queue, without a broker, and while they are sent over TLS (MQTT-14)."""
import contextlib, json, os, random, re, signal, socket, sqlite3, threading, time

from proving.support.patience import until
from uplinking.broker import Mosquitto
from uplinking.keys import Authority
from uplinking.uplink import Uplink

WEEK = 60_480
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
            now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
            fix = {"event": "location", "latitude": 47.1, "longitude": 8.5, "horizontalAccuracy": 4.0, "age": 0.0, "time": now,
                   "timeValidated": True}
            with contextlib.suppress(OSError):
                client.sendall("".join(json.dumps(line) + "\n" for line in (ALLOWED, fix)).encode())
            threading.Thread(target=lambda: [None for _ in iter(lambda: client.recv(4096), b"")], daemon=True).start()

    def program(self, _device):
        return f"{self.programs}/sextant-uplink"

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def memory(process):
    """Resident kilobytes now, and at the most since the start."""
    with open(f"/proc/{process.pid}/status") as file:
        text = file.read()
    return tuple(int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "VmHWM"))


def fill(path, seed):
    """Puts a week of fixes, one in ten seconds on a walk, into a queue that is closed."""
    chance, start = random.Random(seed), time.time_ns() - WEEK * 10**10
    place, rows = [47.3769, 8.5417], []
    for n in range(1, WEEK + 1):
        place = [degrees + chance.gauss(0, 1e-4) for degrees in place]
        body = (f'{{"latitude":{place[0]:.8f},"longitude":{place[1]:.8f},"horizontalAccuracy":{chance.uniform(2, 7):.2f},'
                f'"altitudeAboveMeanSeaLevel":{chance.gauss(400, 5):.2f},"verticalAccuracy":5.50,'
                f'"speed":{chance.uniform(0, 20):.3f},"course":{chance.uniform(0, 360):.1f}}}')
        rows.append((n, start + n * 10**10, body.encode()))
    queue = sqlite3.connect(path)
    queue.execute("DELETE FROM record")
    queue.executemany("INSERT INTO record VALUES (?, 0, ?, NULL, ?)", rows)
    queue.execute("UPDATE state SET value = ? WHERE key = 'next'", (WEEK + 1,))
    queue.commit()
    queue.close()


def trial(programs, folder, seed=1):
    """Kilobytes at rest with a week in the queue, at the most until it is sent, and after."""
    keys = Authority(f"{folder}/keys")
    broker = Mosquitto(f"{folder}/broker")
    broker.secure(*keys.sign("localhost"), keys.certificate)
    uplink = Uplink(Allowing(os.path.realpath(programs), folder), broker.port, "boat", scheme="mqtts")
    uplink.give(ca_pem=keys.certificate, **dict(zip(("certificate_pem", "key_pem"), keys.sign("boat"))))
    uplink.start()
    try:
        until(lambda: uplink.status)
        uplink.end(signal.SIGTERM)
        fill(f"{uplink.folder}/state/queue.sqlite", seed)
        os.unlink(f"{uplink.folder}/run/tail")
        uplink.start()
        until(lambda: uplink.status.get("queuedFixes", 0) > WEEK and "lastError" in uplink.status)
        waiting, _ = memory(uplink.process)
        broker.start()
        if not until(lambda: uplink.connect() and uplink.status.get("queuedFixes") == 0):
            raise AssertionError(f"not all is sent: {uplink.status}")
        after, most = memory(uplink.process)
        return {"waiting": waiting, "most": most, "sent": after}
    finally:
        uplink.kill()
        broker.kill()
