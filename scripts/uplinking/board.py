"""A board on its way: sextantd in real time with a receiver that goes in and out of a region, and a witness of what it tells."""
import contextlib, math, os, shutil, subprocess, tempfile, threading

from proving.support.patience import until
from sextant_client import Sextant, SextantError
from timing.receiver import Receiver

# Round a circle in 40 s, a third of which lies in the region.
CENTRE, RADIUS, LAP = (47.3769, 8.5417), 200.0, 40
METRES = 111_195.0


def place(second):
    """Where the board is in a second of Unix time; degrees."""
    turn = 2 * math.pi * (second % LAP) / LAP
    latitude, longitude = CENTRE
    return (latitude + RADIUS * math.cos(turn) / METRES,
            longitude + RADIUS * math.sin(turn) / METRES / math.cos(math.radians(latitude)))


REGION = {"name": "quay", "shape": {"latitude": place(0)[0], "longitude": place(0)[1], "radius": 200}}


class Board(contextlib.ExitStack):
    """sextantd with its clients' manifests, all in one folder, and the programs of another."""

    def __init__(self, programs):
        super().__init__()
        self.programs = os.path.realpath(programs)
        self.folder = tempfile.mkdtemp(prefix="sxuplink-")
        self.callback(shutil.rmtree, self.folder, True)
        self.socket = f"{self.folder}/sextant.sock"
        self.receiver = Receiver(way=place)
        self.callback(self.receiver.stop)
        purpose = "purpose: { whenInUse: 'Tests.', always: 'Tests.' }, backgroundMode: true"
        self.write("clients.d/uplink.json5", f"{{ executable: '{self.programs}/sextant-uplink', {purpose} }}")
        self.write("clients.d/witness.json5", f"{{ user: {os.getuid()}, operator: true, {purpose} }}")
        self.write("policy.json5", "{ clients: { uplink: { authorization: 'always', accuracy: 'full' }, "
                                   "witness: { authorization: 'always', accuracy: 'full' } } }")
        self.write("sextant.json5", f"""{{ device: "{self.receiver.path}", gpsd: {{ enabled: false }},
            stateDirectory: "{self.folder}/state",
            clients: {{ manifests: "{self.folder}/clients.d", policy: "{self.folder}/policy.json5" }} }}""")
        log = self.enter_context(open(f"{self.folder}/sextantd.log", "ab"))
        self.daemon = subprocess.Popen(
            [f"{self.programs}/sextantd", "--config", f"{self.folder}/sextant.json5", "--socket", self.socket],
            stdout=log, stderr=log)
        self.callback(self.daemon.wait)
        self.callback(self.daemon.terminate)
        if not until(lambda: os.path.exists(self.socket)):
            raise AssertionError("sextantd does not serve")

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class Witness:
    """Every location that the daemon tells another client, by its time."""

    def __init__(self, socket):
        self.sextant, self.locations = Sextant(socket), {}
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        with contextlib.suppress(SextantError, OSError, ValueError):
            self.sextant.authorize(always=True)
            for location in self.sextant.watch(accuracy=10):
                self.locations[location["time"]] = location
