"""Debian's chronyd beside a daemon whose receiver tells the time: what chrony makes of it."""
import concurrent.futures, contextlib, os, shutil, statistics, subprocess, sys, tempfile, time

from proving.support.patience import until
from proving.support.ports import is_served
from sextant_client import Sextant
from timing.receiver import Receiver

# The folder of the programs, that of chrony's bin and sbin, and the one check that is made.
PROGRAMS, CHRONY, *ONLY = sys.argv[1:]
PULSES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pulses.c")
# Polls of chrony, 8 s each, whose samples are looked at.
POLLS = 20


class Bench(contextlib.ExitStack):
    """A folder, a receiver, a daemon that serves the time, and chronyd, which never touches this machine's clock."""

    def __init__(self, programs, has_pulses=False):
        super().__init__()
        self.folder = tempfile.mkdtemp(prefix="sxtime-")
        self.callback(shutil.rmtree, self.folder, True)
        os.chmod(self.folder, 0o750)
        self.chrony, self.socket = f"{self.folder}/chrony.sock", f"{self.folder}/sextant.sock"
        pulses, pulse, environment = "", "", dict(os.environ)
        if has_pulses:
            library, socket = f"{self.folder}/pulses.so", f"{self.folder}/pps.sock"
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, PULSES, "-lm", "-ldl"], check=True)
            environment["LD_PRELOAD"] = library
            pulses = f"refclock SOCK {socket} refid GPPS poll 2 filter 4 precision 1e-6 prefer"
            pulse = f', pulse: {{ device: "/dev/null", chrony: "{socket}" }}'
        with open(f"{self.folder}/chrony.conf", "w") as file:
            file.write(f"""refclock SOCK {self.chrony} refid GNSS poll 3 filter 8 precision 1e-3 delay 0.2 minsamples 16
{pulses}
bindcmdaddress {self.folder}/command.sock
cmdport 0
port 0
pidfile {self.folder}/chronyd.pid
logdir {self.folder}
log refclocks
""")
        self.receiver = Receiver()
        self.callback(self.receiver.stop)
        with open(f"{self.folder}/sextant.json5", "w") as file:
            file.write(f"""{{ device: "{self.receiver.path}", gpsd: {{ enabled: false }}, time: {{ chrony: "{self.chrony}"{pulse} }} }}""")
        self.log = open(f"{self.folder}/sextantd.log", "w+")
        self.callback(self.log.close)
        # Ended with this program however that ends: the kernel gives its terminal's number to another receiver then.
        daemon = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", f"{programs}/sextantd", "--config", f"{self.folder}/sextant.json5",
             "--socket", self.socket], stderr=self.log, env=environment)
        self.callback(daemon.wait)
        self.callback(daemon.terminate)
        if not until(lambda: is_served(self.socket)):
            raise AssertionError("sextantd does not serve")
        self.chronyd = None
        self.callback(self.stop_chrony)

    def start_chrony(self):
        # -x: the machine's clock is not touched.
        self.chronyd = subprocess.Popen(
            [f"{CHRONY}/sbin/chronyd", "-x", "-d", "-u", "root", "-f", f"{self.folder}/chrony.conf"], stderr=subprocess.DEVNULL)

    def stop_chrony(self):
        if self.chronyd:
            self.chronyd.terminate()
            self.chronyd.wait()
            self.chronyd = None

    def chronyc(self, *words):
        run = subprocess.run([f"{CHRONY}/bin/chronyc", "-n", "-c", "-h", f"{self.folder}/command.sock", *words], capture_output=True, text=True)
        return [line.split(",") for line in run.stdout.splitlines()]

    def status(self):
        with Sextant(self.socket) as sextant:
            sextant.send("status")
            return sextant.wait("status").get("time", {})

    def lines(self):
        self.log.flush()
        with open(self.log.name) as file:
            return sum("chrony" in line for line in file)


def follows(bench):
    """TIME-01: chronyd as Debian has it selects the receiver whose messages are 60 to 140 ms late, by its samples alone."""
    bench.start_chrony()
    began = time.monotonic()
    selected = until(lambda: [row for row in bench.chronyc("sources") if row[:2] == ["#", "*"]], pause=0.5)
    if not selected:
        raise AssertionError(f"chronyd selects nothing: {bench.chronyc('sources')}, {bench.status()}")
    print(f"figure: TIME-01 | seconds to selection | {time.monotonic() - began:.0f}")
    if not until(lambda: len(offsets(bench)[0]) >= POLLS, pause=1):
        raise AssertionError("chronyd logs too few samples")
    for name, found in zip(("chrony's filtered samples", "the clock that chrony keeps"), offsets(bench)):
        errors = sorted(abs(error) for error in found)
        median, most = statistics.median(errors) * 1e3, errors[int(len(errors) * 0.95)] * 1e3
        print(f"figure: TIME-01 | {name}, {len(errors)}: median and 95 % of the errors, ms | {median:.1f}, {most:.1f}")
    print(f"figure: TIME-01 | status | {bench.status()}")


def logged(bench, name):
    """The rows of chrony's log of a source."""
    try:
        with open(f"{bench.folder}/refclocks.log") as file:
            return [words for words in map(str.split, file) if len(words) > 7 and words[2] == name]
    except FileNotFoundError:
        return []


def offsets(bench):
    """The errors of chrony's filtered samples and, at each raw sample, of its clock, in seconds, from its log.

    With -x chrony keeps a clock of its own beside this machine's, which is the truth here. A raw sample has its offset to
    both, a filtered one its offset to chrony's alone.
    """
    samples, clock = [], []
    for row in logged(bench, "GNSS"):
        if row[6] != "-":
            clock.append(float(row[6]) - float(row[7]))
        elif clock:
            samples.append(float(row[7]) + clock[-1])
    # Until the first polls chrony has no clock of its own.
    return samples, [error for error in clock if error]


def numbers(bench):
    """TIME-02: chronyd as Debian has it selects pulses with 2 us of deviation that the daemon has numbered."""
    bench.start_chrony()
    began = time.monotonic()

    def selected():
        return [row for row in bench.chronyc("sources") if row[:3] == ["#", "*", "GPPS"]]

    if not until(selected, pause=0.5):
        raise AssertionError(f"chronyd selects no pulses: {bench.chronyc('sources')}, {bench.status()}")
    print(f"figure: TIME-02 | seconds to selection | {time.monotonic() - began:.0f}")

    def settled():
        return [row for row in bench.chronyc("sourcestats") if row[0] == "GPPS" and int(row[1]) >= POLLS // 2]

    if not until(settled, pause=1):
        raise AssertionError(f"chronyd has too few samples: {bench.chronyc('sourcestats')}")
    [row] = settled()
    print(f"figure: TIME-02 | {row[1]} samples of 4 pulses: deviation and offset, us | {float(row[7]) * 1e6:.1f}, {float(row[6]) * 1e6:.1f}")
    # Before its filter chrony has each pulse's offset to this machine's clock; a wrong second would be 1 s.
    raw = [abs(float(row[6])) for row in logged(bench, "GPPS") if row[6] != "-"]
    worst = max(raw)
    print(f"figure: TIME-02 | the worst of {len(raw)} pulses, us | {worst * 1e6:.1f}")
    if worst > 0.1:
        raise AssertionError(f"a pulse was numbered wrong: {worst:.3f} s off")
    print(f"figure: TIME-02 | status | {bench.status()}")


def survives(bench):
    """TIME-05: chronyd is absent, comes, and is started anew 20 times; each time it has samples again, and two lines tell."""
    bench.stop_chrony()
    for attempt in range(20):
        if not until(lambda: bench.status().get("chrony") == "absent", pause=0.2):
            raise AssertionError(f"attempt {attempt}: chronyd is gone, and the status is {bench.status()}")
        bench.start_chrony()
        if not until(lambda: bench.status().get("chrony") == "takes", pause=0.2):
            raise AssertionError(f"attempt {attempt}: chronyd is back, and the status is {bench.status()}")
        bench.stop_chrony()
    count = bench.lines()
    print(f"figure: TIME-05 | lines of the log for 20 restarts | {count}")
    if count > 2 * 2 * 21:
        raise AssertionError(f"{count} lines of the log tell of chrony, and 2 a change are allowed")


def passes(check):
    try:
        with Bench(PROGRAMS, has_pulses=check is numbers) as bench:
            check(bench)
        print(f"passed {check.__name__}")
        return True
    except AssertionError as error:
        print(f"FAILED {check.__name__}\n    error: {error}")
        return False


def main():
    checks = [check for check in (follows, numbers, survives) if not ONLY or check.__name__ in ONLY]
    if not checks:
        print(f"check-time: {ONLY[0]}: no check has this name; they are follows, numbers and survives", file=sys.stderr)
        return 64
    # Each has a folder, a daemon and a chronyd of its own, and mostly waits.
    with concurrent.futures.ThreadPoolExecutor() as threads:
        return 0 if all(list(threads.map(passes, checks))) else 1


sys.exit(main())
