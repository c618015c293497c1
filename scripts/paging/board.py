"""A daemon in virtual time that has lived some hours, its clients, and sextant-page in front of it."""
import contextlib, math, os, random, re, secrets, shutil, socket, sqlite3, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from proving.support.patience import PATIENCE
from proving.support.ports import free_port
from sextant_client import Sextant

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEB = os.path.join(ROOT, "Sources/Service/Page/web")
HOSTILE = "<img src=x onerror=alert(1)> \u202e\u2066 quay"

REGIONS = [
    {"identifier": "anchorage", "latitude": 47.5030, "longitude": -2.9940, "radius": 350},
    {"identifier": "home mooring", "latitude": 47.5167, "longitude": -2.9850, "radius": 250},
    {"identifier": "race course",
     "polygon": [[[-3.018, 47.486], [-3.004, 47.483], [-3.007, 47.475], [-3.019, 47.477]],
                 [[-3.014, 47.482], [-3.010, 47.481], [-3.011, 47.478], [-3.015, 47.479]]]},
]


def until(test, what):
    """What `test` gives once it gives something; looks every 20 ms, for as long as every wait of a test may take."""
    deadline = time.monotonic() + PATIENCE
    while not (value := test()):
        if time.monotonic() > deadline:
            raise AssertionError(f"awaited for {PATIENCE:g} s: {what}")
        time.sleep(0.02)
    return value


def last_lines(path, count):
    """The last lines of a file; none where it is not there."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()[-count:]
    except OSError:
        return []


def copied_web(target):
    """The page's files with their compressed forms beside them, as the package has them."""
    shutil.copytree(WEB, target)
    for name in os.listdir(target):
        subprocess.run(["gzip", "-9nk", os.path.join(target, name)], check=True)
    return target


class Board:
    """state: tracking, asleep, no-sky or unplugged. track: points of the days before, in the daemon's store."""

    def __init__(self, programs, state="tracking", hours=6.0, port=0, page_options=(), hostile=False, operator=True, track=0):
        self.programs, self.state, self.hours = os.path.abspath(programs), state, hours
        self.folder = tempfile.mkdtemp(prefix="sextant-page-")
        os.chmod(self.folder, 0o755)
        self.socket = f"{self.folder}/sextant.sock"
        self.secret = secrets.token_hex(16)
        self.processes, self.board, self.page, self.port = [], None, None, port
        self.hostile, self.operator, self.page_options = hostile, operator, list(page_options)
        try:
            self._write_files()
            if track:
                self._write_track(track)
            self._start_board()
            self._start_page()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error:
            error.add_note(self.told())
        self.close()

    def told(self):
        """What there is to know of the board where a check has failed."""
        lines = []
        for name, file, process in (("daemon", "log", self.board), ("page", "page-log", self.page)):
            status = process.poll() if process else None
            if status is not None:
                lines.append(f"the {name}'s process has ended with {status}")
            said = last_lines(f"{self.folder}/{file}", 8)
            lines.append(f"the {name}'s log ends with:" if said else f"the {name}'s log is empty")
            lines += [f"    {line[:160]}" for line in said]
        return "\n".join(lines).replace(self.folder, "BOARD")

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def secret_address(self):
        return f"{self.address}#s={self.secret}"

    def _write(self, name, text):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)

    def _write_files(self):
        os.makedirs(f"{self.folder}/clients.d")
        purpose = "purpose: { whenInUse: 'Shows where the boat is.', always: 'Tells when the boat leaves the anchorage.' }"
        ask = "purpose: { whenInUse: '%s', always: 'Draws the way on a chart.' }" % (HOSTILE if self.hostile else "Draws the way on a chart.")
        # Who a client is, its program says: the page, the logger in Python, and copies of the command.
        for program in ("track-logger", "chart-plotter"):
            shutil.copy(f"{self.programs}/sextant", f"{self.folder}/{program}")
        python = os.path.realpath(sys.executable)
        self._write("clients.d/sextant-page.json5",
                    "{ user: %d, executable: '%s/sextant-page', operator: %s, %s }" % (os.getuid(), os.path.realpath(self.programs), str(self.operator).lower(), purpose))
        self._write("clients.d/harbour-log.json5", "{ executable: '%s', backgroundMode: true, %s }" % (python, purpose))
        self._write("clients.d/track-log.json5", "{ executable: '%s/track-logger', backgroundMode: true, %s }" % (self.folder, purpose))
        self._write("clients.d/chart-plotter.json5", "{ executable: '%s/chart-plotter', %s }" % (self.folder, ask))
        self._write("policy.json5", "{ clients: { %s } }" % ", ".join(
            f"'{name}': {{ authorization: 'always', accuracy: 'full' }}" for name in ("sextant-page", "harbour-log", "track-log")))
        self._write("board.json5", """{
            receiver: { model: 'neo-m8n', device: '/dev/virtual', baud: 'auto', supplyVolts: 3.3, draw: 'typical' },
            lines: { powerEnable: { name: 'GPIO-powerEnable', safe: 'inactive' } }, backup: 'battery', host: 'zero-2w',
            batteryWattHours: 74 }""")
        self._write("sextant.json5", """{ device: '/dev/virtual', socket: '%s', board: '%s/board.json5',
            gpsd: { enabled: false }, stateDirectory: '%s/state',
            clients: { manifests: '%s/clients.d', policy: '%s/policy.json5' } }""" % ((self.socket,) + 4 * (self.folder,)))
        self._write("secret", self.secret + "\n")
        self.web = copied_web(f"{self.folder}/web")

    def _write_track(self, count):
        """A walk with a point every 5 s, into the store that a daemon of a minute leaves."""
        first = subprocess.Popen(self._board_command(hours=1 / 60), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.processes.append(first)
        first.communicate("go\n", timeout=PATIENCE)
        dice, end = random.Random(1), time.time() - self.hours * 3600 - 60
        latitude, longitude, course, rows = 47.51, -2.99, 0.0, []
        for index in range(count):
            course += dice.uniform(-0.25, 0.25)
            latitude += 9e-5 * math.cos(course)
            longitude += 13e-5 * math.sin(course)
            rows.append((int((end - 5 * (count - index)) * 1e9), latitude, longitude, 2 + math.sin(index / 100)))
        with contextlib.closing(sqlite3.connect(f"{self.folder}/state/state.sqlite")) as store, store:
            store.executemany("INSERT INTO track (time, latitude, longitude, speed) VALUES (?, ?, ?, ?)", rows)

    def _board_command(self, hours):
        return [f"{self.programs}/page-board", "--programs", self.programs, "--folder", self.folder, "--hours", str(hours)]

    def _start_board(self):
        command = self._board_command(self.hours)
        if self.state == "no-sky":
            command += ["--indoors", "20"]
        if self.state != "tracking":
            command += ["--still"]
        self.board = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.processes.append(self.board)
        if not self.board.stdout.readline():
            with open(f"{self.folder}/log", encoding="utf-8") as log:
                raise RuntimeError(f"the board did not start: {log.read()}")
        self._start_clients()
        self.tell("go")
        if self.board.stdout.readline().strip() != "now":
            raise RuntimeError("the board did not reach the present")
        if self.state == "unplugged":
            self.tell("unplug")
        if self.state == "tracking":
            self._start([f"{self.folder}/track-logger", "watch", "--socket", self.socket])

    def _start(self, command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def _start_clients(self):
        logger = Sextant(self.socket)
        logger.authorize(always=True)
        # A border that is near keeps the receiver at work; who sleeps by plan has none.
        if self.state != "asleep":
            logger.send("monitorVisits", enabled=True)
        regions = [] if self.state == "asleep" else REGIONS + ([{"identifier": HOSTILE, "latitude": 47.51, "longitude": -3.01, "radius": 400}] if self.hostile else [])
        for region in regions:
            logger.send("monitorRegion", **region)
        logger.send("watch", accuracy=100, minimumInterval=900 if self.state == "asleep" else 120, background=True)
        self.logger = logger
        threading.Thread(target=self._read, args=(logger,), daemon=True).start()

    @staticmethod
    def _read(logger):
        try:
            for _ in logger.events():
                pass
        except Exception:  # the board has ended, or refused: the page shows it
            pass

    def _start_page(self):
        self.port = self.port or free_port()
        self.page_log = open(f"{self.folder}/page-log", "w+", encoding="utf-8")
        self.page = subprocess.Popen(
            [f"{self.programs}/sextant-page", "--socket", self.socket, "--secret", f"{self.folder}/secret", "--web", self.web,
             "--config", f"{self.folder}/page.json5", "--port", str(self.port),
             "--uplink", f"{self.folder}/uplink.json", *self.page_options],
            stderr=self.page_log, env=os.environ | {"SEXTANT_PLACES": f"{self.folder}/places.sqlite"})
        self.processes.append(self.page)
        until(lambda: self._listens() or self.page.poll() is not None, "sextant-page listens")
        if self.page.poll() is not None:
            self.page_log.seek(0)
            raise RuntimeError(f"sextant-page did not start: {self.page_log.read()}")

    def _listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def until_alone(self):
        """Waits until the page holds nothing but its listening sockets: no viewer, no request, no daemon."""
        until(lambda: self._connected() == 0, "the page holds no connection, to no viewer and not to the daemon")

    def until_at_rest(self):
        """Waits until nothing can wake the page but a viewer: it has no connection, and no timer runs."""
        self.until_alone()
        until(lambda: not self._timers(), "no timer of the page runs")

    def _timers(self):
        """How many of the page's timers run; its loop waits for those and for its connections, and without an end."""
        folder, count = f"/proc/{self.page.pid}/fdinfo", 0
        for name in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError), open(f"{folder}/{name}", encoding="ascii") as file:
                left = re.search(r"^it_value: \((\d+), (\d+)\)", file.read(), re.M)
                count += bool(left) and any(map(int, left.groups()))
        return count

    def _connected(self):
        """How many of the page's sockets do not listen."""
        folder, held, listening = f"/proc/{self.page.pid}/fd", set(), set()
        for name in os.listdir(folder):
            try:
                target = os.readlink(f"{folder}/{name}")
            except FileNotFoundError:  # closed meanwhile
                continue
            if target.startswith("socket:["):
                held.add(target[8:-1])
        for table in ("tcp", "tcp6"):
            with open(f"/proc/net/{table}", encoding="ascii") as file:
                listening |= {line.split()[9] for line in file if line.split()[3] == "0A"}
        return len(held - listening)

    def tell(self, line):
        self.board.stdin.write(line + "\n")
        self.board.stdin.flush()

    def restart(self):
        """The daemon and its clients once more, after they ended."""
        self.board.wait()
        self.hours = 1 / 60
        self._start_board()

    def command(self, *arguments):
        """The command sextant, as an operator."""
        subprocess.run([f"{self.programs}/sextant", *arguments, "--socket", self.socket], check=True, stdout=subprocess.DEVNULL)

    def ask_from_another(self):
        """A program that has to be allowed asks."""
        return self._start([f"{self.folder}/chart-plotter", "watch", "--socket", self.socket])

    def close(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
