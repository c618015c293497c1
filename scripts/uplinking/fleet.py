"""A simulated fleet at Debian's mosquitto, with sextant-collect behind it."""
import resource, signal, subprocess, threading

from proving.support.patience import until
from uplinking.broker import Mosquitto
from uplinking.collector import Collect

# What README and page recommend to a broker of a fleet: more than 20 messages on their way to the one receiver, no limit to
# those that wait for it.
SETTINGS = "max_inflight_messages 1000\nmax_queued_messages 0\npid_file {folder}/pid\n"


class Supervised(Mosquitto):
    """Mosquitto, started anew whenever it ends, as a service manager does."""

    def __init__(self, folder, more):
        super().__init__(folder, more)
        self.runs = True

    def keep(self):
        while self.runs:
            self.process.wait()
            if self.runs:
                self.start()

    def stop(self):
        self.runs = False
        self.end(signal.SIGTERM)


def trial(program, folder, given):
    """Runs a fleet of `given` options; returns its lines and those of the table."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    broker = Supervised(f"{folder}/broker", SETTINGS.format(folder=f"{folder}/broker")).start()
    threading.Thread(target=broker.keep, daemon=True).start()
    several = [Collect(f"{folder}/fleet.sqlite", broker.port, f"collect-{index}", "--group", "collect").start()
               for index in range(given.collectors)]
    try:
        fleets = [subprocess.Popen(
            [program, "--devices", str(given.devices // given.processes), "--name", f"f{index}-", "--seed", str(index + 1),
             "--port", str(broker.port), "--broker-pid", f"{folder}/broker/pid", "--rate", str(given.rate),
             "--duration", str(given.duration), "--spread", str(given.spread), "--offline", str(given.offline),
             *(["--picture", given.picture.replace(".svg", f"-{index}.svg")] if given.picture else []),
             # One of them kills the broker for all.
             *(["--kill", f"broker:{given.kill}"] if given.kill and index == 0 else [])],
            stdout=subprocess.PIPE, text=True) for index in range(given.processes)]
        lines = [process.communicate()[0].splitlines() for process in fleets]
        with open(f"/proc/{broker.process.pid}/status") as file:
            memory = [line.split()[1] for line in file if line.startswith("VmHWM")][0]
    finally:
        broker.stop()
        for one in several:
            one.end()
    rows, fixes, devices = several[0].query(
        "SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT device, time FROM records)), count(DISTINCT device) FROM records")[0]
    return lines, {"rows": rows, "doubled": rows - fixes, "devices": devices, "broker's memory, MB": int(memory) // 1024}
