"""The page in the browser: every request of HTTP by its grammar, maps that are spoilt, and the metrics."""
import json, os, pathlib, re, select, shutil, socket, sqlite3, time

from .support.admission import operate
from .support.bench import Failure, Outcome
from .support.daemon import VirtualDaemon
from .support.installation import FIRST_USER, Client, Installation
from .support.patience import PATIENCE, until
from .support.ports import free_port
from .support.receiver import Place, solution

ABOUT = ("The page's every route, made up by the grammar of HTTP: with and without session, secret and origin, under "
         "other names, damaged, slowly and at once; spoilt maps; the metrics: nothing is served to whom it is not for.")
FINDING = ("An end of the page; a place, a name or a change for a request without a session, a secret, the page's name "
           "or its origin; a status that HTTP does not have; metrics without their secret; a viewer who is locked out.")
SHORT = 1
GOAL = 300_000
RANK = 45

# Requests of a trial, and in the short form (seeds to 9).
COUNT, SHORT_COUNT = 3000, 100
ROOT = pathlib.Path(__file__).resolve().parents[2]
# The routes, by the page's own table, so that a new one is attacked on the day on which it exists.
GATE = (ROOT / "Sources/Service/Page/Gate/PageRequest.swift").read_text(encoding="utf-8")
ROUTES = re.findall(r'case "(/\w*)": self = ', GATE)
WEB = ROOT / "Sources/Service/Page/web"
FILES = {"/"} | {f"/{path.name}" for path in WEB.iterdir()}
# What is anybody's: the page's own files, and what asks for a secret in its body.
OPEN = {"/session", "/code"}
TILES = ("/tiles/0/0/0", "/tiles/3/4/2", "/tiles/24/16777215/0", "/tiles/1/2/0", "/tiles/-1/0/0", "/tiles/9/9",
         "/tiles//0/0", "/tiles/99999999999999999999/0/0")
SECRET, SCRAPERS = "0123456789abcdef" * 2, "fedcba9876543210" * 2
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "", "G\0T")
GROWTH = 8 * 2**20


def trial(bench, seed):
    return Siege(bench, seed).run()


class Siege:
    """A daemon, its page, a viewer who stays, and requests of everybody else."""

    def __init__(self, bench, seed):
        bench.need_root()
        self.bench, self.random, self.outcome, self.seed = bench, bench.random(seed), Outcome(), seed
        self.client = Client("sextant-page", FIRST_USER, members="operator: true,")
        self.installation = Installation(bench, [self.client])
        self.daemon = VirtualDaemon(self.installation)
        self.port, self.cookie, self.process = free_port(), None, None
        # The page runs as its client's user, to whom root's checkout may be shut.
        self.program = shutil.copy(bench.program("sextant-page"), self.installation.path("sextant-page"))
        self.web = shutil.copytree(WEB, self.installation.path("web"))

    def run(self):
        self.daemon.start()
        for step in range(5):
            self.daemon.feed(solution(Place(step, speed=1), self.daemon.time), 1)
        self.map = self.make_map()
        self.start()
        self.log_in()
        resident = self.resident
        for index in range(SHORT_COUNT if self.seed < 10 else COUNT):
            self.attack()
            if index % 100 == 99:
                self.look()
            if index % 400 == 399:
                self.restart_with_other_map()
                resident = max(resident, self.resident)
        self.trickle()
        self.look()
        self.outcome.note_most("most KiB that memory grew by", max(0, self.resident - resident) / 1024)
        if self.resident > resident + GROWTH:
            self.outcome.find(f"made-up requests made the page grow by {(self.resident - resident) / 2**20:.1f} MiB")
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.daemon.stop()
        return self.outcome

    # The page

    def start(self):
        files = {"page.secret": SECRET, "metrics.secret": SCRAPERS,
                 "page.json5": f'{{ hosts: ["board.lan"], map: "{self.map}" }}\n'}
        for name, text in files.items():
            self.installation.write(name, text)
        path = self.installation.path
        with open(path("log"), "ab") as log:
            self.process = self.bench.start(
                [self.program, "--port", str(self.port), "--socket", self.installation.socket,
                 "--secret", path("page.secret"), "--metrics-secret", path("metrics.secret"), "--config",
                 path("page.json5"), "--web", self.web],
                stdout=log, stderr=log, user=self.client.user)
        if not until(self.is_up):
            raise Failure(f"the page did not come: {self.daemon.last_words}")

    def is_up(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            if self.process.poll() is not None:
                raise Failure(f"the page ended with {self.process.returncode}: {self.daemon.last_words}") from None
            return False

    @property
    def resident(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            _, resident, shared = file.read().split()[:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")

    def log_in(self):
        """The viewer's session, by the secret and a code, as a browser gets one."""
        code = json.loads(self.ask("POST", "/code", {"secret": SECRET})[2])["code"]
        status, head, _ = self.ask("POST", "/session", {"code": code})
        found = re.search(rb"(?i)set-cookie: *(sextant=[^;]+)", head)
        if not found:
            raise Failure(f"the page gave no session for a code: {status}")
        self.cookie = found.group(1).decode()
        # The page knows its daemon while somebody looks.
        self.stream = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.stream.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                            f"Cookie: {self.cookie}\r\n\r\n".encode())
        self.hear()

    def hear(self):
        """The viewer is told where the board is, by what comes from now on."""
        self.stream.settimeout(0.05)
        came, deadline = b"", time.monotonic() + PATIENCE
        while b'"latitude"' not in came:
            self.daemon.feed(solution(Place(self.random.random(), speed=1), self.daemon.time), 1)
            try:
                part = self.stream.recv(1 << 16)
            except TimeoutError:
                part = b"-"
            if not part or time.monotonic() > deadline:
                raise Failure("beside made-up requests a viewer's stream ended or stays silent")
            came += part

    def ask(self, method, path, body=None, cookie=None):
        """A request as the page itself makes it."""
        data = json.dumps(body).encode() if body is not None else b""
        head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Origin: http://127.0.0.1:{self.port}",
                "Content-Type: application/json", f"Content-Length: {len(data)}", "Connection: close"]
        head += [f"Cookie: {cookie}"] if cookie else []
        return self.exchange("\r\n".join(head).encode() + b"\r\n\r\n" + data)

    def exchange(self, data, whole=True, is_made_up=False):
        """Sends bytes, and takes what comes until the page has answered or ends the connection: status, head, body."""
        came, deadline = b"", time.monotonic() + PATIENCE
        try:
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as line:
                line.sendall(data)
                if not whole:
                    return None, b"", b""
                # A stream goes on, and what is no request has no answer: neither is waited for.
                line.settimeout(0.2 if is_made_up else PATIENCE)
                while time.monotonic() < deadline and not is_whole(came) and (part := line.recv(65536)):
                    came += part
        except TimeoutError:
            pass
        except OSError:
            if self.process.poll() is not None:
                raise Failure(f"the page ended with {self.process.returncode} after {data[:300]!r}") from None
        head, _, body = came.partition(b"\r\n\r\n")
        found = re.match(rb"HTTP/1\.[01] (\d{3}) ", head)
        return int(found.group(1)) if found else None, head, body

    # Attacks

    def attack(self):
        """One made-up request, and whether what came back may be told to whoever sent it."""
        random = self.random
        path = random.choice([*ROUTES, *sorted(FILES), *TILES, *random.choices(ROUTES, k=4)])
        asked = path + random.choice(["", "", "", "?from=0&to=9e9&points=4000", "?points=-1", "?span=1e308",
                                      "?window=day", "?" + "a" * 3000, "?%00", "/", "//", "/..", "/../../etc/passwd",
                                      "%2e%2e/", "#x"])
        method = random.choice(["GET", "POST", random.choice(METHODS)])
        here = f"127.0.0.1:{self.port}"
        host = random.choice([here, here, here, f"localhost:{self.port}", "board.lan", "evil.example",
                              f"evil.example:{self.port}", "", f"127.0.0.1:{self.port + 1}", here + "\0",
                              f"[::1]:{self.port}"])
        origin = random.choice([f"http://{host}", f"http://{here}", "null", "http://evil.example", None])
        cookie = random.choice([None, None, self.cookie, self.cookie[:-1] + "0", "sextant=", "sextant=" + "0" * 4000])
        bearer = random.choice([None, None, f"Bearer {SCRAPERS}", f"Bearer {SECRET}", "Bearer ", "Basic " + SCRAPERS])
        body = random.choice([b"", b"{}", b"[" * 5000, json.dumps({"secret": SCRAPERS}).encode(), b"\xff" * 100,
                              json.dumps({"code": "0" * 32}).encode(), json.dumps({"enabled": False}).encode(),
                              json.dumps({"client": "sextant-page", "answer": "deny"}).encode(), b"x" * 70_000])
        head = [f"{method} {asked} HTTP/1.1", f"Host: {host}"]
        head += [f"{name}: {value}" for name, value in (
            ("Origin", origin), ("Cookie", cookie), ("Authorization", bearer),
            ("Content-Type", random.choice(["application/json", "text/plain", None])),
            ("Sec-Fetch-Site", random.choice([None, None, "cross-site", "same-origin"])),
            ("Content-Length", random.choice([len(body), len(body), 0, -1, 10**18, "x"]) if method != "GET" else None),
            ("Transfer-Encoding", random.choice([None] * 8 + ["chunked"])),
            ("X", random.choice([None] * 9 + ["y" * 9000])),
            ("Host", random.choice([None] * 20 + ["evil.example"]))) if value is not None]
        is_damaged = random.random() < 0.15
        data = "\r\n".join(head).encode() + b"\r\n\r\n" + (body if method != "GET" else b"")
        if is_damaged:
            data = bytearray(data)
            for _ in range(random.choice([1, 3, 20])):
                data[random.randrange(len(data))] = random.randrange(256)
            data = bytes(data)
        self.outcome.attacks += 1
        if random.random() < 0.05:
            self.exchange(data[:random.randrange(len(data))], whole=False)
            return
        status, _, said = self.exchange(data, is_made_up=True)
        if status is not None and not 100 <= status <= 599:
            self.outcome.find(f"the page answered {asked[:40]} with the status {status}")
        may = cookie == self.cookie or path in FILES or (path == "/metrics" and bearer == f"Bearer {SCRAPERS}")
        if not is_damaged and status in (200, 204) and not may:
            self.outcome.find(f"the page served {method} {path} without a session or a secret")
        # libmicrohttpd ends a header at a NUL, which no browser sends.
        names = (here, f"localhost:{self.port}", "board.lan", f"[::1]:{self.port}")
        if not is_damaged and status in (200, 204) and host.partition("\0")[0] not in names:
            self.outcome.find(f"the page served {method} {path} under the name {host!r}")
        if not may and b'"latitude"' in said:
            self.outcome.find(f"{method} {path} was told where the board is without a session")
        change = path in ("/answer", "/services") and status in (200, 204)
        if change and not is_damaged and (method != "POST" or origin not in (f"http://{host}", f"https://{host}")):
            self.outcome.find(f"{method} {path} with the origin {origin} changed something")
        if change:
            self.allow()

    def allow(self):
        """Takes back what a request with the viewer's own session may change."""
        operate(self.installation.socket, "services", enabled=True)
        operate(self.installation.socket, "answer", client=self.client.name, answer="always")

    def look(self):
        """The viewer is served: the page, its stream with the place, the track and the metrics."""
        if self.process.poll() is not None:
            raise Failure(f"the page ended with {self.process.returncode}: {self.daemon.last_words}")
        self.allow()
        self.hear()
        for path, word in (("/", b"<html"), ("/track?points=10", b"points")):
            # Where its queue was full, it says so and is asked again.
            if not until(lambda: self.is_served(path, word)):
                self.outcome.find(f"beside made-up requests a viewer is not answered {path}: {self.answered}")
        head = (f"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {SCRAPERS}\r\n"
                "Connection: close\r\n\r\n")
        status, _, body = self.exchange(head.encode())
        if status != 200 or b"sextant_up 1" not in body or b"latitude" in body:
            self.outcome.find(f"beside made-up requests a scraper was answered with {status}: {body[:60]!r}")

    def is_served(self, path, word):
        status, _, body = self.ask("GET", path, cookie=self.cookie)
        self.answered = status
        return status == 200 and word in body

    def trickle(self):
        """Connections that send a byte now and then do not lock a viewer out."""
        count, lines = 100 if self.seed < 10 else 700, []
        try:
            for _ in range(count):
                line = socket.socket()
                line.setblocking(False)
                line.connect_ex(("127.0.0.1", self.port))
                lines.append(line)
            for line in lines:
                if select.select([], [line], [], 0)[1]:
                    try:
                        line.send(b"GET / HT")
                    except OSError:
                        pass
            self.outcome.attacks += count
            self.look()
        finally:
            for line in lines:
                line.close()

    # The owner's map

    def make_map(self):
        """A small map of raster tiles, whole or spoilt, or of views that never end or give very much."""
        path, random = self.installation.path(f"map{self.random.randrange(10**9)}.mbtiles"), self.random
        if random.random() < 0.2:
            return self.make_views(path)
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
            database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
                             "tile_data BLOB)")
            for name, value in (("format", random.choice(["png", "pbf", "x" * 5000, "jpg"])), ("minzoom", "0"),
                                ("maxzoom", random.choice(["3", "-1", "1e99", "é"])), ("bounds", "0,0,0"),
                                ("attribution", "<script>alert(1)</script>")):
                database.execute("INSERT INTO metadata VALUES (?, ?)", (name, value))
            for zoom, column, row, data in ((0, 0, 0, b"\x89PNG"), (3, 4, 5, b""), (3, 4, 2, "text"), (1, 0, 0, None)):
                database.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (zoom, column, row, data))
        database.close()
        if random.random() < 0.7:
            with open(path, "r+b") as file:
                data = bytearray(file.read())
                for _ in range(random.choice([1, 10, 300])):
                    data[random.randrange(random.choice([100, len(data)]))] = random.randrange(256)
                file.seek(0)
                file.write(data[:random.choice([len(data), random.randrange(len(data))])])
        os.chmod(path, 0o644)
        return path

    def make_views(self, path):
        """A map whose tables are views: each never ends, or has 400 MB in a row."""
        endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT 0, x, x, x FROM n WHERE x < 1"
        much = "SELECT 0, 0, 0, hex(zeroblob(200000000))"
        with sqlite3.connect(path) as database:
            for view in ("metadata(name, a, b, value)", "tiles(zoom_level, tile_column, tile_row, tile_data)"):
                database.execute(f"CREATE VIEW {view} AS {self.random.choice([endless, much])}")
        database.close()
        os.chmod(path, 0o644)
        return path

    def restart_with_other_map(self):
        self.stream.close()
        self.process.terminate()
        if self.process.wait(PATIENCE) != 0:
            self.outcome.find(f"the page ended with {self.process.returncode} after SIGTERM")
        self.map = self.make_map()
        self.start()
        self.log_in()


def is_whole(answer):
    """Whether an answer's body has come, by its own length."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end and length and len(body) >= int(length.group(1)))
