"""A board on its way: sextantd in real time with a receiver that goes in and out of a region, and a witness of what it tells."""
import contextlib, math, os, shutil, subprocess, tempfile, threading

from proving.support.patience import until
from proving.support.ports import is_served
from sextant_client import Sextant, SextantError
from timing.receiver import Receiver

# Round a circle in a minute, a third of which lies in the region: 21 m/s. Of a board that turns as no vehicle can, the daemon
# believes a crossing only now and then.
CENTRE, RADIUS, LAP = (47.3769, 8.5417), 200.0, 60
METRES = 111_195.0


def place(second):
    """Where the board is in a second of Unix time; degrees."""
    turn = 2 * math.pi * (second % LAP) / LAP
    latitude, longitude = CENTRE
    return (latitude + RADIUS * math.cos(turn) / METRES,
            longitude + RADIUS * math.sin(turn) / METRES / math.cos(math.radians(latitude)))


# So many small ones on the way: two crossings a second.
SMALL = [(f"buoy{index}", place(index), 20) for index in range(LAP)]
# Each is a client of its own, which the daemon knows by its program's file.
DEVICES = ("boat", "van")
QUAY = place(0)
# Where the events of the region in the boat's manifest go.
TOPIC = "harbour/boat"


class Board(contextlib.ExitStack):
    """sextantd with its clients' manifests, all in one folder with a copy of sextant-uplink for each device."""

    def __init__(self, programs, rate=1):
        super().__init__()
        self.programs = os.path.realpath(programs)
        self.folder = tempfile.mkdtemp(prefix="sxuplink-")
        self.callback(shutil.rmtree, self.folder, True)
        self.socket = f"{self.folder}/sextant.sock"
        self.receiver = Receiver(way=place, rate=rate)
        self.callback(self.receiver.stop)
        purpose = "purpose: { whenInUse: 'Tests.', always: 'Tests.' }, backgroundMode: true"
        # The boat's manifest has a region that names a topic.
        berth = (f"regions: [{{ name: 'berth', topic: '{TOPIC}', "
                 f"shape: {{ latitude: {QUAY[0]}, longitude: {QUAY[1]}, radius: 200 }} }}]")
        for device, regions in zip(DEVICES, (berth, "regions: []")):
            self.write(f"clients.d/{device}.json5", f"{{ executable: '{self.program(device)}', {purpose}, {regions} }}")
            os.makedirs(os.path.dirname(self.program(device)), exist_ok=True)
            shutil.copy(f"{self.programs}/sextant-uplink", self.program(device))
        self.write("clients.d/witness.json5", f"{{ user: {os.getuid()}, operator: true, {purpose} }}")
        self.write("policy.json5", "{ clients: { %s } }" % ", ".join(
            f"{name}: {{ authorization: 'always', accuracy: 'full' }}" for name in (*DEVICES, "witness")))
        self.write("sextant.json5", f"""{{ device: "{self.receiver.path}", gpsd: {{ enabled: false }},
            stateDirectory: "{self.folder}/state",
            clients: {{ manifests: "{self.folder}/clients.d", policy: "{self.folder}/policy.json5" }} }}""")
        log = self.enter_context(open(f"{self.folder}/sextantd.log", "ab"))
        # Ended with this program however that ends: the kernel gives its terminal's number to another receiver then.
        self.daemon = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", f"{self.programs}/sextantd", "--config", f"{self.folder}/sextant.json5",
             "--socket", self.socket],
            stdout=log, stderr=log)
        self.callback(self.daemon.wait)
        self.callback(self.daemon.terminate)
        if not until(lambda: is_served(self.socket)):
            raise AssertionError("sextantd does not serve")

    def program(self, device):
        return f"{self.folder}/programs/{device}"

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class Witness:
    """Every location that the daemon tells another client, by its time, and its crossings of the same regions."""

    def __init__(self, socket, regions=()):
        self.sextant, self.locations, self.crossings, self.regions = Sextant(socket), {}, [], regions
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        with contextlib.suppress(SextantError, OSError, ValueError):
            self.sextant.authorize(always=True)
            for name, (latitude, longitude), radius in self.regions:
                self.sextant.monitor_region(name, latitude, longitude, radius)
            self.sextant.send("watch", accuracy=10)
            for event in self.sextant.events("location", "regionEvent"):
                if event["event"] == "location":
                    self.locations[event["time"]] = event
                else:
                    self.crossings.append((event["identifier"], event["transition"], event["time"]))
                    self.sextant.acknowledge(event)
