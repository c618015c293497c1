"""Home Assistant as it is, beside Debian's mosquitto, a real daemon and sextant-uplink: what it shows, and what it gets done."""
import contextlib, json, os, subprocess, threading

from tuning.command import Unavailable
from uplinking.check import Bench, awaited, operate

# Of a version that knows discovery of whole devices, which came with 2024.11.
INSTALLED = "import homeassistant.const as it; assert (it.MAJOR_VERSION, it.MINOR_VERSION) >= (2024, 11)"
PROGRAM = os.path.join(os.path.dirname(__file__), "home_assistant.py")


class HomeAssistant:
    """python: The words that start a Python with Home Assistant."""

    def __init__(self, python, port):
        with open(PROGRAM, encoding="utf-8") as file:
            words = [*python, "-c", file.read(), str(port)]
        self.states, self.version = {}, None
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            told = json.loads(line)
            if "entity" in told:
                self.states[told["entity"]] = (told["state"], told["attributes"])
            else:
                self.version = told["version"]

    def of(self, kind):
        """The entities of a kind, each with its state and attributes."""
        return {name: state for name, state in self.states.items() if name.startswith(f"{kind}.")}

    def press(self, entity):
        self.process.stdin.write(f"{entity}\n")
        self.process.stdin.flush()

    def kill(self):
        self.process.kill()
        self.process.wait()


def require(python):
    """Ends with one line where these words start no Python that has Home Assistant."""
    with contextlib.suppress(OSError):
        if not subprocess.run([*python, "-c", INSTALLED], capture_output=True).returncode:
            return
    raise Unavailable(f"{' '.join(python)} is no Python with Home Assistant of 2024.11 or later; make one with "
                      "python3 -m venv DIR && DIR/bin/pip install homeassistant, and name it: --python DIR/bin/python")


def shows(programs, python):
    """MQTT-10: a device appears by itself, is placed with its accuracy, is asked for its location, and is off once it is denied."""
    require(python)
    with Bench(programs) as bench:
        uplink = bench.uplink("boat", homeAssistant=True, commands=["locate"])
        home = HomeAssistant(python, bench.broker.port)
        bench.callback(home.kill)
        awaited(lambda: home.version or home.process.poll() is not None, "Home Assistant's start")
        if not home.version:
            raise AssertionError("Home Assistant ended; its reasons stand above")

        def tracker():
            return next((found for found in home.of("device_tracker").values() if "latitude" in found[1]), None)

        placed = awaited(tracker, f"a tracker with a place; {home.states}", uplink.log)[1]
        north = abs(placed["latitude"] - 47.3769)
        if north > 0.01 or not 0 < placed["gps_accuracy"] < 1000:
            raise AssertionError(f"the tracker's place: {placed}")
        button = awaited(lambda: next(iter(home.of("button")), None), f"a button; {home.states}", uplink.log)
        before = tracker()[1]
        home.press(button)
        awaited(lambda: tracker()[1] != before, "another place after it was asked for", uplink.log)
        shown = {name: state for name, (state, _) in sorted(home.states.items()) if ".boat" in name}
        operate(bench, "clients", "deny", "boat")
        awaited(lambda: home.states["binary_sensor.boat_connected"][0] == "off", "that it is not connected once it is denied")
        return home.version, shown
