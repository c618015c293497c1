"""The page before a daemon that says what a check has it say: skies that receivers recorded, places where no emulator drives,
and a page that may only look."""
import datetime, json, os, socket, subprocess, threading

from .board import ROOT, Board

RECORDINGS = os.path.join(os.path.dirname(ROOT), "shared/data/gpsd")
# Receivers of five makers, of which one has two signals a satellite.
SKIES = ("ublox-neo-m8n", "ublox-zed-f9p-rtk", "skytraq-fix", "sirfstarv-nmea", "mt3339")

# Fiji's islands lie on both sides of 180 degrees.
ABROAD = {"event": "location", "latitude": -16.8, "longitude": 179.99, "horizontalAccuracy": 12.0, "age": 0,
          "ellipse": {"semiMajor": 10.0, "semiMinor": 4.0, "orientation": 45.0}}
OVER_180 = [
    {"event": "region", "identifier": "lagoon", "latitude": -16.8, "longitude": 179.98, "radius": 900, "state": "inside"},
    {"event": "region", "identifier": "reef", "state": "outside",
     "polygon": [[[179.9, -16.9], [-179.9, -16.9], [-179.9, -16.7], [179.9, -16.7]],
                 [[-179.98, -16.85], [-179.95, -16.85], [-179.95, -16.75], [-179.98, -16.75]]]},
]

ABOUT_THE_POLE = {"event": "region", "identifier": "ice camp", "latitude": 89.95, "longitude": 0, "radius": 20000, "state": "inside"}

# A table of one town of theirs.
TOWNS = "meta\tkind\ttowns\nmeta\tattribution\tContains data from Fiji.\ncountry\tFJ\tFiji\nplace\tLabasa\t-16.8\t179.98\t27949\tFJ\t\t\tPacific/Fiji\t\n"

# A receiver that has just been switched on: it is heard, and sees two satellites.
SEARCHING = ({"event": "status", "version": "0.1.0", "clients": 1, "servicesEnabled": True,
              "receiver": {"state": "receiving", "device": "/dev/ttyAMA0", "sentences": 212, "secondsSinceEpoch": 0.4},
              "power": {"state": "searching"}},
             {"event": "epoch", "fixType": "noFix", "satellitesUsed": 0, "satellites": [
                 {"constellation": "gps", "number": 7, "elevation": 41, "azimuth": 120, "carrierToNoise": 21},
                 {"constellation": "galileo", "number": 31, "elevation": 63, "azimuth": 250, "carrierToNoise": 18}]})

# A receiver at rest that has started nine times, and what that cost.
AT_REST = {"event": "status", "receiver": {"state": "resting"}, "power": {"state": "hardwareSleep"},
           "counters": {"starts": [{"kind": "hot", "fix": 6, "failed": 2, "ended": 1, "seconds": 12.0}]}}
SPENT = {"event": "energy", **{window: {"hours": 1.5, "deviceMilliwatts": 636.0, "byState": {"acquiring": 108.0}, "byCause": {}, "byClient": []}
                               for window in ("lastHour", "lastDay", "sinceBoot")}}

CAUSES = ("accuracyRequest", "singleLocation", "regionMonitoring", "significantChange", "visitMonitoring", "gpsd", "ephemerisRefresh",
          "heartbeat", "motionStart", "failedSearch", "coldStart", "idleSleep", "alwaysOn", "configuration", "aiding", "timeService")
# An hour in which each cause had some minutes, one of them too little for a pixel and one that no page knows.
ENERGY_ROWS = [{"event": "energyRow", "from": f"2026-11-27T12:{minute:02}:00.000Z", "seconds": 60,
                "byState": {("acquiring", "tracking", "cyclic", "softwareSleep", "hardwareSleep")[minute // 12]: 1.0},
                "byCause": {CAUSES[minute % 16]: 1.0 + minute / 20, CAUSES[(minute + 5) % 16]: 0.7, "heartbeat": 0.001,
                            **({"tomorrow's cause": 0.5} if minute > 55 else {})}} for minute in range(60)]


def track_point(second, latitude, longitude):
    return {"event": "trackPoint", "time": f"2026-11-27T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.250Z",
            "latitude": latitude, "longitude": longitude, "altitude": 4.5, "speed": 6.0}


# A ship eastwards over 180 degrees with a bend each minute, 20 minutes of silence, and from 2 h on another over the pole.
TRACK = ([track_point(60 * step, -16.8 + 0.01 * (step % 2), 179.9 + 0.01 * step if step <= 10 else -180 + 0.01 * (step - 10))
          for step in range(20)]
         + [track_point(60 * step + 1200, -16.8 + 0.01 * (step % 2), -179.9 + 0.01 * (step - 20)) for step in range(20, 30)]
         + [track_point(7200 + 60 * step, 89.0 + 0.2 * step + 0.01 * (step % 2), 20.0) for step in range(5)]
         + [track_point(7500 + 60 * step, 89.9 - 0.2 * step - 0.01 * (step % 2), -160.0) for step in range(5)])


def recorded_sky(programs, name):
    """The recording's epoch with the most satellites, as the daemon tells one; None where it is not there."""
    path = f"{RECORDINGS}/{name}.log"
    if not os.path.isfile(path):
        return None
    lines = subprocess.run([f"{programs}/sextant", "decode", path], capture_output=True, text=True).stdout
    epochs = [json.loads(line) for line in lines.splitlines()]
    return {"event": "epoch", **max(epochs, key=lambda epoch: len(epoch.get("satellites", [])))}


class Teller:
    """The daemon's side of its protocol, as far as the page asks."""

    def __init__(self, path, regions=(), operator=True, track=(), visits=(), energy=()):
        self.energy = list(energy)
        self.lists = {"regions": list(regions), "visits": list(visits), "clients": []}
        self.operator, self.track = operator, list(track)
        self.asked, self.connections, self.lock = [], [], threading.Lock()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:  # closed
                return
            with self.lock:
                self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        self._send(connection, {"event": "hello", "protocol": 1, "client": "sextant-page", "status": "authorizedAlways",
                                "accuracy": "full", "servicesEnabled": True})
        with connection.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                asked = json.loads(line)
                self.asked.append(asked["request"])
                for event in self._answers(asked):
                    self._send(connection, {**event, "id": asked.get("id")})

    def _answers(self, asked):
        request = asked["request"]
        if request in ("services", "agent", "clients", "regions", "visits") and not self.operator:
            return [{"event": "error", "code": "notOperator", "message": f"{request} is for operators"}]
        if request == "history":
            until = datetime.datetime.fromtimestamp(asked.get("to", 1e10), datetime.timezone.utc).isoformat()
            points = [each for each in self.track if each["time"] <= until]
            return [*points[-asked["limit"]:], {"event": "history", "total": len(self.track), "more": len(points) > asked["limit"]}]
        if request in self.lists:
            return [*self.lists[request], {"event": request}]
        if request == "monitorRegion":
            region = {name: asked[name] for name in ("identifier", "latitude", "longitude", "radius")}
            self.lists["regions"].append({"event": "region", "client": "sextant-page", "active": True, "state": "inside", **region})
            return [{"event": "monitoring", "identifier": asked["identifier"]}]
        if request == "unmonitorRegion":
            self.lists["regions"] = [each for each in self.lists["regions"] if each["identifier"] != asked["identifier"]]
        if request == "energyHistory":
            return [*self.energy, {"event": "energyHistory", "window": "hour"}]
        if request == "ping":
            return [{"event": "pong"}]
        if request == "locate":
            return [ABROAD]
        if request == "services":
            return [{"event": "services", "enabled": True}]
        return []

    @staticmethod
    def _send(connection, event):
        # As the daemon writes it: `event` first, and no spaces.
        try:
            connection.sendall(json.dumps(event, separators=(",", ":")).encode() + b"\n")
        except OSError:  # the page has gone
            pass

    def tell(self, event):
        with self.lock:
            for connection in self.connections:
                self._send(connection, event)

    def close(self):
        with self.lock:
            for each in [self.listener, *self.connections]:
                each.close()


class ToldBoard(Board):
    def __init__(self, programs, regions=(), operator=True, track=(), visits=(), energy=()):
        self.told_lists = {"regions": regions, "track": track, "visits": visits, "energy": energy}
        super().__init__(programs, operator=operator)

    def _start_board(self):
        self.daemon = Teller(self.socket, operator=self.operator, **self.told_lists)

    def close(self):
        self.daemon.close()
        super().close()
