"""What `scripts/check-page` looks at. Every check is a method of `Checks` whose name begins with check."""
import http.client, json, os, random, socket, statistics, subprocess, sys, threading, time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from .board import Board, HOSTILE
from .rules import RULES

WIDTHS = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1440, 900)}


class Browser:
    def __init__(self, *arguments):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--disable-background-networking", "--lang=en-GB", *arguments):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB"})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def size(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def media(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, identifier):
        return self.run("return document.getElementById(arguments[0]).textContent", identifier)

    def until(self, test, seconds, what):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = test()
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s: {what}; the page says {self.text('sentence-text')!r}")

    def open(self, board, seconds=8):
        self.driver.get(board.secret_address)
        self.until(lambda: self.text("sentence-text") not in ("Connecting", ""), seconds, "a sentence")

    def whole(self, path):
        """A picture of the whole page, however long."""
        size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}})
        import base64
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def requests(self):
        """Addresses that were asked for, and bytes that came over the wire, since last asked."""
        addresses, size, by_type, types = [], 0, {}, {}
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
                types[message["params"]["requestId"]] = message["params"].get("type")
            elif message["method"] == "Network.loadingFinished":
                size += message["params"]["encodedDataLength"]
                kind = types.get(message["params"]["requestId"])
                by_type[kind] = by_type.get(kind, 0) + message["params"]["encodedDataLength"]
        return addresses, size, by_type

    def complaints(self):
        """What the browser's console holds against the page."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING") and "503" not in entry["message"] and "403" not in entry["message"]]


def figures_of(process):
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        lines = dict(line.split(":", 1) for line in file)
    return {"rss": int(lines["VmRSS"].split()[0]) / 1024, "threads": int(lines["Threads"]),
            "switches": int(lines["voluntary_ctxt_switches"]) + int(lines["nonvoluntary_ctxt_switches"])}


def ask(board, method, path, body=None, session=True, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", board.port, timeout=10)
    given = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
    if session:
        given.setdefault("Cookie", "sextant=" + board.session)
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    result = answer.status, answer.read() if path.split("?")[0] != "/events" or answer.status != 200 else b"", answer
    connection.close()
    return result


def open_session(board):
    status, _, answer = ask(board, "POST", "/session", json.dumps({"secret": board.secret}), session=False,
                            Content_Type="application/json", Origin=board.address.rstrip("/"))
    assert status == 200, status
    board.session = answer.getheader("Set-Cookie").split(";")[0].removeprefix("sextant=")


class Checks:
    def __init__(self, programs, report):
        self.programs, self.report, self.figures = programs, report, {}
        os.makedirs(report, exist_ok=True)

    def run(self):
        failed = 0
        with Board(self.programs, "tracking", hours=2.5, hostile=True) as self.board:
            open_session(self.board)
            for name in [name for name in dir(self) if name.startswith("check_")]:
                failed += self.attempt(name, getattr(self, name))
        for state, words in (("asleep", "by plan"), ("no-sky", "No sky"), ("unplugged", "unplugged")):
            failed += self.attempt(f"state {state}", lambda: self.look(state, words))
        with open(f"{self.report}/figures.json", "w", encoding="utf-8") as file:
            json.dump(self.figures, file, indent=1)
        for name, value in self.figures.items():
            print(f"    {name}: {value}")
        print(f"check-page: {'all passed' if not failed else f'{failed} failed'}; screenshots in {self.report}")
        return 1 if failed else 0

    @staticmethod
    def attempt(name, work):
        start = time.monotonic()
        try:
            work()
        except Exception as error:  # every failure is told, and the next check is made
            print(f"✘ {name}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", flush=True)
            if os.environ.get("PAGE_TRACE"):
                import traceback
                traceback.print_exc()
            return 1
        print(f"✔ {name} ({time.monotonic() - start:.1f} s)", flush=True)
        return 0

    # ---- In the browser

    def check_1_first_load(self):
        """PAGE-02, PAGE-03: a cold load is quick and small, and asks nobody else."""
        with Browser() as browser:
            browser.size(*WIDTHS["desk"])
            started = time.monotonic()
            browser.driver.get(self.board.secret_address)
            browser.until(lambda: browser.run("return !document.getElementById('position-box').hidden && document.getElementById('position').textContent.length > 5"), 5, "a position")
            seconds = browser.run("""return (async () => { const [entry] = performance.getEntriesByName('first-contentful-paint'); return entry?.startTime ?? null })()""")
            shown = browser.run("return performance.now()") / 1000
            addresses, size, by_type = browser.requests()
            self.figures["first contentful paint, ms"] = round(seconds) if seconds else None
            self.figures["first position on screen, s, at most"] = round(min(shown, time.monotonic() - started), 2)
            names = [address for address in addresses if not address.endswith("/session") and "/events" not in address]
            self.figures["first load, bytes on the wire"] = size
            self.figures["of it script"] = by_type.get("Script")
            self.figures["requests of the first load"] = len(addresses)
            assert all(address.startswith(self.board.address) for address in addresses), addresses
            assert size <= 150_000, size
            assert (by_type.get("Script") or 0) <= 60_000, by_type
            assert shown <= 1.0, shown

    def check_2_tour(self):
        """PAGE-03, PAGE-12, PAGE-13: every panel, at three widths, light and dark; no complaint, no foreign request."""
        with Browser() as browser:
            browser.open(self.board)
            browser.until(lambda: "Tracking" in browser.text("sentence-text"), 10, "Tracking")
            browser.until(lambda: browser.run("return document.querySelectorAll('#visits-list tr').length > 1 && document.querySelectorAll('#power-legend span').length > 0"), 10, "visits and power")
            browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
            time.sleep(1.2)
            for name, (width, height) in WIDTHS.items():
                for scheme in ("light", "dark"):
                    browser.size(width, height)
                    browser.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
                    browser.run("for (const each of document.querySelectorAll('details')) each.open = false; document.getElementById('map-fit').click()")
                    time.sleep(0.5)
                    browser.whole(f"{self.report}/tracking-{name}-{scheme}.png")
                    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
                    broken = browser.run(RULES)
                    assert not broken, f"{name}, {scheme}: {broken}"
                    wide = browser.run("return document.documentElement.scrollWidth")
                    assert wide <= width, f"{name}: {wide} px wide"
                    if scheme == "light":
                        browser.run("document.getElementById('map-follow').click()")
            addresses, _, _ = browser.requests()
            assert all(address.startswith(self.board.address) or address.startswith("data:,") for address in addresses), addresses
            complaints = browser.complaints()
            assert not complaints, complaints

    def check_3_hostile_names(self):
        """PAGE-12: what programs call themselves is text."""
        with Browser() as browser:
            browser.open(self.board)
            process = self.board.ask_from_another()
            try:
                started = time.monotonic()
                browser.until(lambda: "chart-plotter" in browser.text("prompts-list"), 3, "the question of a program")
                self.figures["a program's question on screen, s"] = round(time.monotonic() - started, 2)
                assert "<img src=x" in browser.text("prompts-list")
                if self.lists("regions"):
                    assert "<img src=x" in browser.text("regions-list")
                assert browser.run("return document.images.length + document.querySelectorAll('[onerror]').length") == 0
                assert not browser.run(r"return /[\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent)")
                browser.whole(f"{self.report}/prompt-desk.png")
                self.answer_by_keyboard(browser)
            finally:
                process.kill()

    def answer_by_keyboard(self, browser):
        """PAGE-10: the keyboard alone suffices, and an allowance asks again."""
        browser.run("document.querySelector('#prompts-list button').focus()")
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        browser.until(lambda: browser.run("return document.getElementById('ask').open"), 1, "the question whether it is meant")
        assert "chart-plotter" in browser.text("ask-text") and "<img" in browser.text("ask-text")
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        started = time.monotonic()
        browser.until(lambda: browser.run("return document.getElementById('prompts').hidden"), 3, "the end of the question")
        self.figures["question gone after the answer, s"] = round(time.monotonic() - started, 2)

    def check_4_drawing(self):
        """PAGE-06: 10 000 points are redrawn in 4 ms; nothing is drawn while nothing changes."""
        with Browser() as browser:
            browser.size(*WIDTHS["desk"])
            browser.open(self.board)
            time.sleep(1)
            for count in (10_000, 100_000):
                median = browser.run("""
                    const points = Array.from({ length: arguments[0] }, (_, i) => ({ time: '2026-01-01T00:00:00Z',
                        latitude: 47.36 + 0.02 * Math.sin(i / 400) + 0.001 * Math.sin(i), longitude: 8.54 + 0.02 * Math.cos(i / 300) }));
                    sextantMap.setTrack(points);
                    const times = [];
                    for (let i = 0; i < 21; i++) {
                        const start = performance.now();
                        sextantMap.draw();
                        document.getElementById('map-canvas').getContext('2d').getImageData(0, 0, 1, 1);
                        times.push(performance.now() - start);
                    }
                    sextantMap.setTrack([]);
                    return times.sort((a, b) => a - b)[10];""", count)
                self.figures[f"{count} points redrawn, ms"] = round(median, 1)

    # ---- By hand on the wire

    def check_5_refusals(self):
        """PAGE-11: nothing is changed for whoever is not the page."""
        here = self.board.address.rstrip("/")
        good = {"Content_Type": "application/json", "Origin": here}
        body = json.dumps({"client": "track-log", "answer": "deny"})
        before = self.standing("track-log")
        tries = [ask(self.board, "GET", path, session=False) for path in ("/events", "/track", "/energyHistory", "/tiles/0/0/0")]
        for host in ("evil.test", "evil.test:%d" % self.board.port, "127.0.0.1", "localhost:1", "127.0.0.1:%d.evil.test" % self.board.port):
            tries.append(ask(self.board, "POST", "/answer", body, Host=host, **{**good, "Origin": f"http://{host}"}))
            tries.append(ask(self.board, "GET", "/", Host=host))
        tries += [ask(self.board, "POST", "/answer", body, **{**good, "Origin": origin}) for origin in ("null", "http://evil.test", None)]
        tries += [ask(self.board, "POST", "/answer", body, **{**good, "Content_Type": kind}) for kind in ("text/plain", "application/x-www-form-urlencoded")]
        tries += [ask(self.board, "POST", "/answer", body, session=False, **good)]
        tries += [ask(self.board, "POST", "/answer", body, Sec_Fetch_Site="cross-site", **good)]
        tries += [ask(self.board, "GET", path) for path in ("/answer", "/services", "/session")]
        tries += [ask(self.board, "POST", "/session", json.dumps({"secret": "0" * 32}), session=False, **good)]
        for status, text, answer in tries:
            assert status in (403, 421), (status, text)
            assert len(json.loads(text)["error"]) > 15
            assert answer.getheader("Content-Security-Policy", "").startswith("default-src 'none'")
        assert self.standing("track-log") == before

    def standing(self, name):
        answer = subprocess.run([f"{self.programs}/sextant-page", "--version"], capture_output=True)
        assert answer.returncode == 0
        from sextant_client import Sextant
        return [event for event in self.lists("clients") if event["name"] == name][0]["status"]

    def lists(self, kind):
        """The newest list that a viewer is told."""
        for name, value in self.stream(6):
            if name == kind:
                return value[kind]
        raise AssertionError(f"no {kind} were told")

    def stream(self, seconds):
        connection = http.client.HTTPConnection("127.0.0.1", self.board.port, timeout=seconds)
        connection.request("GET", "/events", headers={"Cookie": "sextant=" + self.board.session})
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        name, deadline = None, time.monotonic() + seconds
        try:
            while time.monotonic() < deadline:
                line = answer.readline().decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    yield name, json.loads(line[6:])
        finally:
            answer.close()
            connection.close()

    def check_6_rebinding(self):
        """PAGE-11: another name that leads here shows nothing."""
        with Browser("--host-resolver-rules=MAP evil.test 127.0.0.1") as browser:
            browser.driver.get(f"http://evil.test:{self.board.port}/#s={self.board.secret}")
            assert "another name" in browser.run("return document.body.textContent")
            browser.driver.get(self.board.secret_address)
            browser.driver.get(f"http://evil.test:{self.board.port}/")
            status = browser.run("return fetch(arguments[0] + 'answer', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'Content-Type': 'text/plain' }, body: '{\"client\":\"track-log\",\"answer\":\"deny\"}' }).then(answer => answer.type, error => 'refused')", self.board.address)
            assert status in ("opaque", "refused"), status
        assert self.standing("track-log") == "authorizedAlways"

    def check_7_attack(self):
        """PAGE-14: 10 000 hostile requests, slow senders and 500 connections, while a viewer goes on."""
        gaps, stop = [], threading.Event()

        def view():
            last = time.monotonic()
            for name, _ in self.stream(60):
                if name in ("epoch", "sky"):
                    gaps.append(time.monotonic() - last)
                    last = time.monotonic()
                if stop.is_set():
                    return

        viewer = threading.Thread(target=view)
        viewer.start()
        time.sleep(1)
        slow = []
        for _ in range(500):
            each = socket.socket()
            each.setblocking(False)
            # What finds no room waits in the kernel, and is sent nothing.
            each.connect_ex(("127.0.0.1", self.board.port))
            slow.append(each)
        time.sleep(0.5)
        for each in slow:
            try:
                each.send(b"GET / HTTP/1.1\r\nHost: ")
            except OSError:
                pass
        time.sleep(1)
        for each in slow:
            each.close()
        # A 1 GB body is announced, and refused before it comes.
        status, text, _ = ask(self.board, "POST", "/answer", b"{}", Content_Length="1000000000", Content_Type="application/json", Origin=self.board.address.rstrip("/"))
        assert status == 413, (status, text)
        status, text, _ = ask(self.board, "GET", "/", X="y" * 9000)
        assert status in (431, 413), status
        self.throw_garbage(10_000)
        stop.set()
        viewer.join()
        figures = figures_of(self.board.page.pid)
        self.figures["RSS after the attack, MB"] = round(figures["rss"], 1)
        self.figures["longest gap between a viewer's epochs during the attack, s"] = round(max(gaps[1:]), 2)
        assert self.board.page.poll() is None
        assert figures["rss"] <= 16, figures
        assert max(gaps[1:]) <= 2.0, max(gaps)

    def throw_garbage(self, count):
        dice = random.Random(1)
        seeds = [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"POST /answer HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{\"a\":",
                 b"GET /events?heading=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: sextant=1.2\r\n\r\n",
                 b"POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nxx",
                 b"GET /tiles/9/9/9 HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
        for _ in range(count):
            data = bytearray(dice.choice(seeds))
            for _ in range(dice.randrange(4)):
                data[dice.randrange(len(data))] = dice.randrange(256)
            each = socket.socket()
            each.settimeout(2)
            try:
                each.connect(("127.0.0.1", self.board.port))
                each.sendall(data)
            except OSError:
                pass
            each.close()

    def check_8_viewers(self):
        """PAGE-04, PAGE-15: the ninth viewer is told to come later; four cost little; none costs nothing."""
        # Requests that the attack left unfinished are closed after 5 s.
        time.sleep(6)
        connections = []
        for _ in range(8):
            each = http.client.HTTPConnection("127.0.0.1", self.board.port, timeout=5)
            each.request("GET", "/events", headers={"Cookie": "sextant=" + self.board.session})
            connections.append((each, each.getresponse()))
            assert connections[-1][1].status == 200
        status, text, _ = ask(self.board, "GET", "/events")
        assert status == 503 and "Close one of the other tabs" in json.loads(text)["error"], text
        for each, _ in connections[4:]:
            each.close()
        time.sleep(4)
        figures = figures_of(self.board.page.pid)
        self.figures["RSS with 4 viewers, one of them reading, MB"] = round(figures["rss"], 1)
        self.figures["threads"] = figures["threads"]
        assert figures["rss"] <= 10 and figures["threads"] == 1, figures
        for each, answer in connections[:4]:
            answer.close()
            each.close()
        time.sleep(3)
        before = figures_of(self.board.page.pid)["switches"]
        time.sleep(5)
        self.figures["wake-ups in 5 s without a viewer"] = figures_of(self.board.page.pid)["switches"] - before
        assert self.figures["wake-ups in 5 s without a viewer"] == 0

    def check_8b_sentences(self):
        """Each thing that can be wrong is a sentence that says what to do."""
        here, run = self.board.folder, lambda *arguments: subprocess.run(
            [f"{self.programs}/sextant-page", *arguments], capture_output=True, text=True, timeout=10)
        good = ["--secret", f"{here}/secret", "--web", self.board.web, "--config", f"{here}/none.json5"]
        with open(f"{here}/short", "w", encoding="utf-8") as file:
            file.write("abc")
        for arguments, status, words in (
                (["--secret", f"{here}/none", "--port", "0"], 74, "sudo sextant page --new-secret"),
                (["--secret", f"{here}/short", "--port", "0"], 74, "no secret of 32 hexadecimal digits"),
                (good + ["--port", str(self.board.port)], 69, "choose another --port"),
                (good + ["--web", here, "--port", "0"], 74, "no page is there"),
                (good, 69, "systemctl enable --now sextant-page.socket"),
                (["--prot", "1"], 64, "unknown option --prot")):
            answer = run(*arguments)
            assert answer.returncode == status and words in answer.stderr, (arguments, answer)
        with open(f"{here}/broken.mbtiles", "wb") as file:
            file.write(b"SQLite format 3\0" + os.urandom(5000))
        with open(f"{here}/map.json5", "w", encoding="utf-8") as file:
            file.write("{ map: '%s/broken.mbtiles', host: [] }" % here)
        # No daemon and a broken map.
        page = subprocess.Popen([f"{self.programs}/sextant-page", *good[:4], "--config", f"{here}/map.json5", "--socket",
                                 f"{here}/nobody", "--port", "0"], stderr=subprocess.PIPE, text=True)
        try:
            told = [page.stderr.readline() for _ in range(3)]
            port = int(told[2].split()[-1])
            assert "is no key of this file" in told[0] and "until then the coast is drawn" in told[1], told
            with Browser() as browser:
                browser.driver.get(f"http://127.0.0.1:{port}/#s={self.board.secret}")
                browser.until(lambda: "No daemon" in browser.text("sentence-text") and "start it" in browser.text("because"), 5, "no daemon")
                browser.until(lambda: "until then the coast is drawn" in browser.text("map-note"), 3, "the broken map")
                browser.driver.delete_all_cookies()
                browser.driver.get(f"http://127.0.0.1:{port}/#s={'0' * 32}")
                browser.driver.refresh()
                browser.until(lambda: "not the page's secret" in browser.text("sentence-text"), 5, "a wrong secret")
        finally:
            page.kill()

    def check_9_hidden_and_gone(self):
        """PAGE-04, PAGE-07: a hidden tab costs nothing; a daemon that ends is told within 3 s."""
        with Browser() as browser:
            browser.open(self.board)
            browser.run("""Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))""")
            # The browser keeps connections that it asks nothing on; they are closed after 5 s.
            time.sleep(7.5)
            before = figures_of(self.board.page.pid)["switches"]
            time.sleep(3)
            self.figures["wake-ups in 3 s with the tab hidden"] = figures_of(self.board.page.pid)["switches"] - before
            assert self.figures["wake-ups in 3 s with the tab hidden"] == 0, "the page wakes although its tab is hidden"
            browser.run("""Object.defineProperty(document, 'hidden', { value: false, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))""")
            browser.until(lambda: "Tracking" in browser.text("sentence-text"), 5, "Tracking again")
            self.board.tell("unplug")
            started = time.monotonic()
            browser.until(lambda: "unplugged" in browser.text("sentence-text"), 5, "the unplugged receiver")
            self.figures["unplugged receiver told after, s"] = round(time.monotonic() - started, 2)
            self.board.board.kill()
            started = time.monotonic()
            browser.until(lambda: "No daemon" in browser.text("sentence-text"), 5, "no daemon")
            self.figures["daemon's end told after, s"] = round(time.monotonic() - started, 2)
            browser.size(*WIDTHS["phone"])
            browser.whole(f"{self.report}/no-daemon-phone.png")

    # ---- Other states

    def look(self, state, words):
        with Board(self.programs, state, hours=2.5) as board, Browser() as browser:
            browser.open(board)
            browser.until(lambda: words in browser.text("sentence-text"), 10, words)
            if state == "asleep":
                assert "lost" not in browser.run("return document.body.textContent")
                browser.until(lambda: browser.run("return document.querySelectorAll('#power-legend span').length > 0"), 10, "power")
                drawn = browser.run("return sextantMap.draws")
                time.sleep(3)
                self.figures["maps drawn in 3 s asleep"] = browser.run("return sextantMap.draws") - drawn
                assert self.figures["maps drawn in 3 s asleep"] == 0
            for name in ("phone", "desk"):
                for scheme in ("light", "dark"):
                    browser.size(*WIDTHS[name])
                    browser.media(prefers_color_scheme=scheme)
                    time.sleep(0.3)
                    browser.whole(f"{self.report}/{state}-{name}-{scheme}.png")
            complaints = browser.complaints()
            assert not complaints, complaints


if __name__ == "__main__":
    sys.exit(Checks(*sys.argv[1:3]).run())
