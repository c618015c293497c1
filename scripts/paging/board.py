"""A daemon in virtual time that has lived some hours, its clients, and sextant-page in front of it."""
import os, secrets, shutil, socket, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from sextant_client import Sextant

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEB = os.path.join(ROOT, "Sources/Service/Page/web")
HOSTILE = "<img src=x onerror=alert(1)> \u202e\u2066 quay"

REGIONS = [
    {"identifier": "harbour", "latitude": 47.3530, "longitude": 8.5360, "radius": 350},
    {"identifier": "home mooring", "latitude": 47.3667, "longitude": 8.5450, "radius": 250},
    {"identifier": "bathing area",
     "polygon": [[[8.512, 47.336], [8.526, 47.333], [8.523, 47.325], [8.511, 47.327]],
                 [[8.516, 47.332], [8.520, 47.331], [8.519, 47.328], [8.515, 47.329]]]},
]


def copied_web(target):
    """The page's files with their compressed forms beside them, as the package has them."""
    shutil.copytree(WEB, target)
    for name in os.listdir(target):
        subprocess.run(["gzip", "-9nk", os.path.join(target, name)], check=True)
    return target


class Board:
    """state: tracking, asleep, no-sky or unplugged."""

    def __init__(self, programs, state="tracking", hours=6.0, port=0, page_options=(), hostile=False, operator=True):
        self.programs, self.state, self.hours = os.path.abspath(programs), state, hours
        self.folder = tempfile.mkdtemp(prefix="sextant-page-")
        os.chmod(self.folder, 0o755)
        self.socket = f"{self.folder}/sextant.sock"
        self.secret = secrets.token_hex(16)
        self.processes, self.board, self.page, self.port = [], None, None, port
        self.hostile, self.operator, self.page_options = hostile, operator, list(page_options)
        try:
            self._write_files()
            self._start_board()
            self._start_page()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

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
        purpose = "purpose: { whenInUse: 'Shows where the boat is.', always: 'Tells when the boat leaves the harbour.' }"
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

    def _start_board(self):
        command = [f"{self.programs}/page-board", "--programs", self.programs, "--folder", self.folder, "--hours", str(self.hours)]
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
        regions = [] if self.state == "asleep" else REGIONS + ([{"identifier": HOSTILE, "latitude": 47.36, "longitude": 8.52, "radius": 400}] if self.hostile else [])
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
        if not self.port:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = probe.getsockname()[1]
        self.page_log = open(f"{self.folder}/page-log", "w+", encoding="utf-8")
        self.page = subprocess.Popen(
            [f"{self.programs}/sextant-page", "--socket", self.socket, "--secret", f"{self.folder}/secret", "--web", self.web,
             "--config", f"{self.folder}/page.json5", "--port", str(self.port), *self.page_options],
            stderr=self.page_log)
        self.processes.append(self.page)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.page.poll() is not None:
                break
            time.sleep(0.05)
        self.page_log.seek(0)
        raise RuntimeError(f"sextant-page did not start: {self.page_log.read()}")

    def tell(self, line):
        self.board.stdin.write(line + "\n")
        self.board.stdin.flush()

    def ask_from_another(self):
        """A program that has to be allowed asks."""
        return self._start([f"{self.folder}/chart-plotter", "watch", "--socket", self.socket])

    def close(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
