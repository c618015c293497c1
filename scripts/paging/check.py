"""What `scripts/check-page` looks at.

usage: python3 -m paging.check PROGRAMS REPORT [--timed] [--only NAME...]

Every check is a method of `Checks` that CHECKS names. A check waits for states, and never for a time; what takes time is a
figure, and is judged with --timed alone.
"""
import argparse, concurrent.futures, contextlib, http.client, itertools, json, math, os, random, re, socket, sqlite3, subprocess, sys, threading, time
from types import SimpleNamespace
from xml.etree import ElementTree

from selenium.webdriver.common.keys import Keys

from proving.support.patience import PATIENCE
from proving.support.rows import row

from . import axe
from .board import HOSTILE, ROOT, WEB, Board, Sextant, last_lines, until
from .browser import WIDTHS, Browser
from .rules import RULES, UNTIDY
from .told import ABOUT_THE_POLE, ABROAD, AT_REST, CAUSES, ENERGY_ROWS, OVER_180, SEARCHING, SKIES, SPENT, TOWNS, TRACK, ToldBoard, recorded_sky, track_point

# The checks by name, in two lanes that go on side by side: those before the board that drives about, of which the last ends
# its daemon, and those before other boards. Boards of the second lane that live some hours first do so meanwhile.
CHECKS = (
    ("first-load", "tour", "tables", "hostile-names", "power", "drawing", "refusals", "rebinding", "addresses",
     "attack", "viewers", "sentences", "hidden-and-gone"),
    ("recorded-skies", "overdue", "over-180", "track-lines", "saving", "anchor", "causes", "keys", "fingers", "land", "scale-bar", "settings", "view-only", "large-map", "no-sky", "asleep", "unplugged", "long-track"))
STATES = {"no-sky": "No sky", "asleep": "by plan", "unplugged": "unplugged"}


def figures_of(process):
    with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
        run = int(file.read().split()[0])
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        lines = dict(line.split(":", 1) for line in file)
    # "own" leaves out pages of the programs' files, of which the kernel keeps more or fewer in memory by its own choice.
    return {"rss": int(lines["VmRSS"].split()[0]) / 1024, "own": int(lines["RssAnon"].split()[0]) / 1024, "threads": int(lines["Threads"]),
            "switches": int(lines["voluntary_ctxt_switches"]) + int(lines["nonvoluntary_ctxt_switches"]),
            "seconds": run / 1e9}


def ask(board, method, path, body=None, session=True, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", board.port, timeout=PATIENCE)
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


@contextlib.contextmanager
def another_page(board, *arguments):
    """One more page beside a board's own: its process, what it said at its start, and where it is."""
    path = f"{board.folder}/another-page-log"
    with open(path, "w", encoding="utf-8") as log:
        process = subprocess.Popen([f"{board.programs}/sextant-page", *arguments, "--port", "0"], stderr=log)
    try:
        def port():
            said = last_lines(path, 9)
            found = said and said[-1].split()[-1]
            return said if found and found.isdigit() else process.poll() is not None and ["it ended"]
        said = until(port, "another sextant-page says its port")
        assert said[-1].split()[-1].isdigit(), f"another sextant-page ended with {process.returncode}: {last_lines(path, 3)}"
        number = int(said[-1].split()[-1])
        yield SimpleNamespace(process=process, said=said, port=number, address=f"http://127.0.0.1:{number}/")
    finally:
        process.kill()
        process.wait()


# In the browser, a walk of so many points: near by and whole, the median of its redrawing in ms, and how many pixels of
# the map are others than without it.
WALK = """
    let course = 0, latitude = 47.51, longitude = -2.99, dice = 1;
    const points = Array.from({ length: arguments[0] }, () => {
        dice = dice * 16807 % 2147483647;
        course += dice / 2147483647 * 0.5 - 0.25;
        return { time: '2026-01-01T00:00:00Z', latitude: latitude += 9e-5 * Math.cos(course), longitude: longitude += 13e-5 * Math.sin(course) };
    });
    const { setTrack, view, draw } = sextantMap, canvas = document.getElementById('map-canvas');
    const picture = () => { draw(); return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data; };
    const measure = () => {
        const times = [];
        for (let i = 0; i < 21; i++) {
            const start = performance.now();
            draw();
            canvas.getContext('2d').getImageData(0, 0, 1, 1);
            times.push(performance.now() - start);
        }
        const walk = picture();
        setTrack([]);
        const without = picture();
        let differing = 0;
        for (let i = 0; i < walk.length; i += 4) differing += walk[i] !== without[i] || walk[i + 1] !== without[i + 1] || walk[i + 2] !== without[i + 2];
        setTrack(points);
        return [times.sort((a, b) => a - b)[10], differing];
    };
    const follow = document.getElementById('map-follow'), middle = points[points.length >> 1];
    const isFollowing = follow.getAttribute('aria-pressed') === 'true';
    if (isFollowing) follow.click();
    setTrack(points);
    const sine = Math.sin(middle.latitude * Math.PI / 180);
    view.x = middle.longitude / 360 + 0.5;
    view.y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
    view.zoom = 15;
    const near = measure();
    document.getElementById('map-fit').click();
    const whole = measure();
    setTrack([]);
    if (isFollowing) follow.click();
    return [near, whole];"""


# How eyes without one kind of cone see linear red, green and blue. Source: Machado, Oliveira and Fernandes, "A
# Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, table 1, severity 1.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def seen(paint, eyes):
    """A colour #rrggbb in CIE Lab, D65, as such eyes see it."""
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
              for each in (int(paint[at:at + 2], 16) / 255 for at in (1, 3, 5))]
    red, green, blue = (min(1, max(0, sum(a * b for a, b in zip(line, linear)))) for line in eyes)
    x, y, z = ((each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116) for each in (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505, 0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def too_near(paints):
    """The pairs of paints, both plain or both striped, that some eyes hardly tell apart: less than 10 in Lab."""
    return [(name, a, b) for name, eyes in EYES.items() for (a, how), (b, other) in itertools.combinations(paints, 2)
            if how == other and math.dist(seen(a, eyes), seen(b, eyes)) < 10]


# In the browser: has the page think that its tab is hidden, or shown.
HIDE = "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"

# In the browser: moves the map to a longitude, latitude and zoom; the colour that is in its middle then.
LOOK_AT = """
    const [longitude, latitude, zoom] = arguments, { view, draw } = sextantMap, sine = Math.sin(latitude * Math.PI / 180);
    view.x = longitude / 360 + 0.5;
    view.y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
    view.zoom = zoom;
    draw();
    const canvas = document.getElementById('map-canvas');
    return [...canvas.getContext('2d').getImageData(canvas.width / 2 + 3, canvas.height / 2 + 3, 1, 1).data].join();"""
PLACES = {"Paris": (2.3, 48.9), "the Atlantic": (-40.3, 30.3), "the Caspian Sea": (51.3, 39.3), "the Bering Sea": (178.3, 59.3),
          "Chukotka": (-176.3, 66.7), "Siberia by 180 degrees": (178.3, 67.7), "Antarctica": (80.3, -80.3)}

NAMES = {"gps": "GPS", "glonass": "GLONASS", "galileo": "Galileo", "beidou": "BeiDou", "qzss": "QZSS", "navic": "NavIC", "sbas": "SBAS", "imes": "IMES"}


def sky_rows(sky):
    """The rows of the sky's table for an epoch: one a satellite, with the strongest of its signals."""
    best = {}
    for each in sky["satellites"]:
        key = each["constellation"], each["number"]
        other = best.get(key, {})
        strongest = max([each, other], key=lambda one: one.get("carrierToNoise", -1))
        best[key] = {**each, **other, **{name: strongest[name] for name in ["carrierToNoise"] if name in strongest},
                     "used": bool(each.get("used") or other.get("used"))}
    said = lambda each, key, unit, without: f"{each[key]}{unit}" if key in each else without
    return sorted([f"{NAMES[each['constellation']]} {each['number']}", said(each, "elevation", "°", "unknown"),
                   said(each, "azimuth", "°", "unknown"), said(each, "carrierToNoise", "", "none"), "yes" if each.get("used") else "no"]
                  for each in best.values())


# A map's scale by units: metres of each that it may be written in.
SCALES = {"metric": {"m": 1, "km": 1000}, "nautical": {"m": 1, "NM": 1852}, "imperial": {"ft": 0.3048, "mi": 1609.344}}


def ellipse_words(ellipse):
    return f"68 %: {ellipse['semiMajor']:.1f} m by {ellipse['semiMinor']:.1f} m, the long way towards {ellipse['orientation']:.0f}°"


def place_words(place, digits):
    latitude, longitude = place["latitude"], place["longitude"]
    return f"{abs(latitude):.{digits}f}° {'S' if latitude < 0 else 'N'}, {abs(longitude):.{digits}f}° {'W' if longitude < 0 else 'E'}"


def shape_words(region):
    if "radius" in region:
        return f"circle of {region['radius']:.0f} m about {place_words(region, 6)}"
    return f"polygon of {len(region['polygon'])} rings and {sum(len(ring) for ring in region['polygon'])} corners"


def check_shapes(rows, regions):
    """The map's table has the regions that were told."""
    shapes = {row[0]: (row[1], row[2]) for row in rows if row[0] not in ("Position", "Visit", "Track")}
    for region in regions:
        shown = shapes.get(printable(region["identifier"]))
        told = shape_words(region), region["state"]
        assert shown == told, f"the map's table has {shown} for {region['identifier']}, and told was {told}"


def check_place(shown, locations):
    """The map's table has one of the places that were told, with its ellipse."""
    told = [ellipse_words(each["ellipse"]) for each in locations]
    assert shown[0] == "Position" and shown[2] in told, f"the map's table has {shown}, and told were {told[-5:]}"


def check_visits(rows, visits):
    """The list of visits has those that were told, the newest first."""
    shown = [each[2] for each in rows]
    told = [place_words(each, 4) for each in reversed(visits)]
    assert shown == told, f"the list of visits has {shown}, and told were {told}"


def until_agreed(check):
    """Checks again while it fails, for as long as every wait may take: what is compared goes on."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return check()
        except AssertionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def printable(name):
    """A program's name as the page shows it: what turns the text is a foreign sign."""
    return "".join("\ufffd" if each in "\u202e\u2066" else each for each in name)


class Lane:
    """Checks that are made one after the other, in one browser."""

    def __init__(self, checks, names):
        self.checks, self.names, self.browser, self.failed, self.late = checks, names, None, [], []

    def run(self):
        try:
            for name in self.names:
                self.attempt(name)
        finally:
            if self.browser:
                self.browser.quit()
        return self.failed

    def attempt(self, name):
        start, self.late = time.monotonic(), []
        try:
            self.checks.method(name)(self)
            assert not self.late, "; ".join(self.late)
        except Exception as error:  # every failure is told, and the next check is made
            self.failed.append(name)
            self.say_failure(name, error)
        else:
            print(f"✔ {name} ({time.monotonic() - start:.1f} s)", flush=True)
        self.park()

    def park(self):
        """Leaves the page, since an open one is a viewer of its board; a browser that fails in it is replaced."""
        try:
            if self.browser:
                self.browser.driver.get("about:blank")
        except Exception:
            self.browser.quit()
            self.browser = None

    def say_failure(self, name, error):
        words = str(error).split("\n")[0][:400]
        kind = "" if isinstance(error, AssertionError) and words else f"{type(error).__name__}: "
        lines = [f"FAILED {name} {kind}{words}"]
        if self.browser:
            lines += self.browser.told().split("\n")
        lines += [line for note in getattr(error, "__notes__", []) for line in note.split("\n")]
        print("\n    ".join(lines), flush=True)
        if os.environ.get("PAGE_TRACE"):
            import traceback
            print("".join(traceback.format_exception(error)), flush=True)

    def begin(self):
        """The lane's browser, with nothing in it of the checks before."""
        self.browser = self.browser or Browser()
        self.browser.begin()
        self.browser.parse(os.path.join(WEB, "app.js"))
        return self.browser

    def judge(self, what, value, unit, bar):
        """Notes what took time; where times are judged, more than the bar fails the check."""
        self.checks.figures[f"{what}, {unit}"] = value
        if not self.checks.is_timed:
            return
        is_late = value is None or value > bar
        print(row(f"page: {what}", f"{value} {unit}", f"{bar} {unit}", not is_late), flush=True)
        if is_late:
            self.late.append(f"{what}: {value} {unit}, more than {bar} {unit}")


class Checks:
    def __init__(self, programs, report, is_timed=False, only=()):
        self.programs, self.report, self.is_timed, self.figures = programs, report, is_timed, {}
        self.lanes = [[name for name in lane if not only or name in only] for lane in CHECKS]
        self.board, self.boards = None, {}
        os.makedirs(report, exist_ok=True)
        self.axe = axe.source(f"{ROOT}/.build/axe")
        if not self.axe:
            print("skipped: axe: axe-core cannot be fetched by pip here; those rules are left out, those of rules.py are not")

    def run(self):
        # Beside each other nothing can be measured.
        lanes = [Lane(self, sum(self.lanes, []))] if self.is_timed else [Lane(self, lane) for lane in self.lanes if lane]
        with concurrent.futures.ThreadPoolExecutor(len(lanes)) as pool, concurrent.futures.ThreadPoolExecutor(1) as ahead:
            if not self.is_timed:
                for name in self.lanes[1]:
                    if name in STATES or name == "long-track":
                        self.boards[name] = ahead.submit(self.make_board, name)
            failed = sum(pool.map(Lane.run, lanes), [])
            for board in self.boards.values():
                # Of a board that was never looked at, since it did not start, or its lane has failed.
                if not board.cancel() and not board.exception():
                    board.result().close()
        if self.board:
            self.board.close()
        with open(f"{self.report}/figures.json", "w", encoding="utf-8") as file:
            json.dump(self.figures, file, indent=1)
        for name, value in self.figures.items():
            print(f"    {name}: {value}")
        came = f"{len(failed)} failed: {', '.join(failed)}" if failed else "all passed"
        print(f"check-page: {came}; screenshots in {self.report}")
        return 1 if failed else 0

    def method(self, name):
        """What makes a check of a lane."""
        if name in STATES:
            return lambda lane: self.look(lane, name)
        method = getattr(self, name.replace("-", "_"))
        return method if name in CHECKS[1] else lambda lane: self.before_main_board(lane, method)

    def make_board(self, name):
        """One of the boards of the second lane that live some time first."""
        if name == "long-track":
            return Board(self.programs, hours=1, track=100_000)
        return Board(self.programs, name, hours=2.5)

    def take_board(self, name):
        """A board that was made ahead, or is made now."""
        return self.boards[name].result() if name in self.boards else self.make_board(name)

    def before_main_board(self, lane, method):
        if not self.board:
            self.board = Board(self.programs, "tracking", hours=2.5, hostile=True)
            open_session(self.board)
        try:
            method(lane)
        except Exception as error:
            error.add_note(self.board.told())
            raise

    # ---- In the browser

    def first_load(self, lane):
        """PAGE-02, PAGE-03: a cold load is small, asks nobody else, and where times are judged it is quick."""
        browser = lane.begin()
        browser.size(*WIDTHS["desk"])
        started = time.monotonic()
        browser.driver.get(self.board.secret_address)
        until(lambda: browser.run("return !document.getElementById('position-box').hidden && document.getElementById('position').textContent.length > 5"), "a position is shown")
        seconds = browser.run("""return (async () => { const [entry] = performance.getEntriesByName('first-contentful-paint'); return entry?.startTime ?? null })()""")
        shown = browser.run("return performance.now()") / 1000
        for path in ("/track", "/energyHistory"):
            browser.until_loaded(path)
        asked, size, by_type = browser.requests()
        # Once a minute the bars are asked for again.
        again = sum(address.startswith(self.board.address + "energyHistory") for address in asked) - 1
        # The names of places come seconds later.
        again += sum(address.startswith(self.board.address + "near") for address in asked)
        self.figures["first load, bytes on the wire"] = size
        self.figures["of it script"] = by_type.get("Script")
        self.figures["requests of the first load"] = len(asked) - again
        assert all(address.startswith(self.board.address) for address in asked), f"another address was asked: {asked}"
        assert len(asked) - again <= 8, f"a first load makes more than 8 requests: {asked}"
        assert size <= 150_000, f"a first load has {size} bytes, more than 150 000"
        assert (by_type.get("Script") or 0) <= 60_000, f"a first load has more than 60 000 bytes of script: {by_type}"
        lane.judge("first contentful paint", round(seconds) if seconds else None, "ms", 300)
        lane.judge("first position on screen, at most", round(min(shown, time.monotonic() - started), 2), "s", 1)

    def tour(self, lane):
        """PAGE-03, PAGE-12, PAGE-13: every panel, at three widths, light and dark; no complaint, no foreign request."""
        browser = lane.begin()
        browser.open(self.board)
        browser.until_says("Tracking")
        until(lambda: browser.run("return document.querySelectorAll('#visits-list tr').length > 1 && document.querySelectorAll('#power-legend span').length > 0"), "visits and power")
        until(lambda: browser.run("return sextantSky.markers.length > 3"), "the sky")
        for name, (width, height) in WIDTHS.items():
            for scheme in ("light", "dark", "night"):
                browser.size(width, height)
                browser.media(prefers_color_scheme="dark" if scheme == "night" else scheme, prefers_reduced_motion="reduce")
                self.choose_night(browser, scheme == "night")
                browser.run("for (const each of document.querySelectorAll('details')) each.open = false; document.getElementById('map-fit').click()")
                browser.drawn()
                browser.whole(f"{self.report}/tracking-{name}-{scheme}.png")
                browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
                broken = browser.run(RULES) + browser.run(UNTIDY) + browser.axe(self.axe)
                assert not broken, f"{name}, {scheme}: {broken}"
                wide = browser.run("return document.documentElement.scrollWidth")
                assert wide <= width, f"{name}: {wide} px wide"
                if scheme == "light":
                    browser.run("document.getElementById('map-follow').click()")
        self.choose_night(browser, False)
        addresses, _, _ = browser.requests()
        assert all(address.startswith(self.board.address) or address.startswith("data:,") for address in addresses), addresses
        complaints = browser.complaints()
        assert not complaints, complaints

    @staticmethod
    def choose_night(browser, is_night):
        browser.run("""
            const night = document.getElementById('night');
            if ((night.getAttribute('aria-pressed') === 'true') !== arguments[0]) night.click();""", is_night)

    def tables(self, lane):
        """PAGE-08: the tables say of sky, ellipse, regions and visits what the daemon told."""
        browser = lane.begin()
        browser.open(self.board)
        browser.run("""
            window.told = { sky: [], location: [], regions: [], visits: [] };
            const stream = new EventSource('/events');
            for (const kind in told) stream.addEventListener(kind, (event) => told[kind].push(JSON.parse(event.data)));
            for (const each of document.querySelectorAll('details')) each.open = true;""")
        until(lambda: browser.run("return Object.values(told).every((each) => each.length)"), "all that is told")
        told = lambda kind: browser.run("return told[arguments[0]]", kind)
        # All of it goes on: a table shows one of the skies and places that were told.
        until(lambda: sorted(browser.table("sky-table")) in [sky_rows(each) for each in told("sky")], "the table has a sky that was told")
        until_agreed(lambda: check_place(browser.table("map-table")[0], told("location")))
        until_agreed(lambda: check_shapes(browser.table("map-table"), told("regions")[-1]["regions"]))
        until_agreed(lambda: check_visits(browser.table("visits-list"), told("visits")[-1]["visits"]))

    def hostile_names(self, lane):
        """PAGE-12: what programs call themselves is text."""
        browser = lane.begin()
        browser.open(self.board)
        process = self.board.ask_from_another()
        try:
            started = time.monotonic()
            browser.until_says("chart-plotter", "prompts-list")
            lane.judge("a program's question on screen after", round(time.monotonic() - started, 2), "s", 1)
            assert "<img src=x" in browser.text("prompts-list")
            if self.lists("regions"):
                assert "<img src=x" in browser.text("regions-list")
            assert browser.run("return document.images.length + document.querySelectorAll('[onerror]').length") == 0
            assert not browser.run(r"return /[\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent)")
            browser.whole(f"{self.report}/prompt-desk.png")
            self.answer_elsewhere(lane)
        finally:
            process.kill()
        process = self.board.ask_from_another()
        try:
            browser.until_says("chart-plotter", "prompts-list")
            self.answer_by_keyboard(lane)
        finally:
            process.kill()

    def answer_elsewhere(self, lane):
        """PAGE-10: a question that is answered by a command is gone from the page, within 1 s where times are judged."""
        self.board.command("clients", "deny", "chart-plotter")
        started = time.monotonic()
        until(lambda: lane.browser.run("return document.getElementById('prompts').hidden"), "the answered question is gone")
        lane.judge("question gone after a command's answer", round(time.monotonic() - started, 2), "s", 1)
        self.board.command("clients", "reset", "chart-plotter")

    def answer_by_keyboard(self, lane):
        """PAGE-10: the keyboard alone suffices, and an allowance asks again."""
        browser = lane.browser
        browser.run("document.querySelector('#prompts-list button').focus()")
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        until(lambda: browser.run("return document.getElementById('ask').open"), "the question whether it is meant")
        assert "chart-plotter" in browser.text("ask-text") and "<img" in browser.text("ask-text"), browser.text("ask-text")
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        started = time.monotonic()
        until(lambda: browser.run("return document.getElementById('prompts').hidden"), "the allowed question is gone")
        lane.judge("question gone after its answer", round(time.monotonic() - started, 2), "s", 1)
        until(lambda: self.standing("chart-plotter") == "authorizedWhenInUse", "the program that was allowed is authorized")

    def drawing(self, lane):
        """PAGE-06: a walk of 10 000 points is drawn, one of 100 000 too; where times are judged in 4 ms and in 16 ms."""
        browser = lane.begin()
        browser.size(*WIDTHS["desk"])
        browser.open(self.board)
        for path in ("/track", "/energyHistory"):
            browser.until_loaded(path)
        browser.drawn()
        for count, bar in ((10_000, 4), (100_000, 16)):
            # Steps of 10 m, as the daemon keeps them: 300 m about the middle of the walk, and all of it in the map.
            for where, (median, differing) in zip(("near by", "whole"), browser.run(WALK, count)):
                assert differing > 100, f"a walk of {count} points changes {differing} pixels of the map, {where}"
                lane.judge(f"{count} points redrawn {where}, median of 21", round(median, 1), "ms", bar)
        self.pan(lane)

    def power(self, lane):
        """PAGE-09: the bars of a day, those by cause and by client are the joules of the energy account."""
        until_agreed(self.check_power)

    def check_power(self):
        day = next(value for name, value in self.stream() if name == "energy")["lastDay"]
        status, text, _ = ask(self.board, "GET", "/energyHistory?window=day")
        assert status == 200, (status, text)
        rows = json.loads(text)["rows"]
        sums = {kind: sum(sum(each[kind].values()) for each in rows) for kind in ("byCause", "byState")}
        sums["byClient"] = sum(each["joules"] for row in rows for each in row["byClient"])
        whole = sum(day["byCause"].values())
        self.figures["energy of the day and of its bars, J"] = [round(whole, 2), round(sums["byCause"], 2)]
        assert abs(sum(each["joules"] for each in day["byClient"]) - whole) < 1e-6, day
        # Some seconds lie between the account and the bars: the host's idling of them is a joule at most, or both are asked
        # for again.
        assert abs(sums["byCause"] - whole) <= 1 and abs(sums["byClient"] - sums["byCause"]) < 1e-6, (sums, whole)
        assert abs(sums["byState"] - day["receiverJoules"]) <= 1, (sums, day)

    def pan(self, lane):
        """PAGE-06: a map with 1000 points is drawn for each move of it; where times are judged 50 times a second."""
        browser = lane.browser
        before = browser.run("return sextantMap.draws")
        costs = browser.driver.execute_async_script("""
            const done = arguments[0], { view, setTrack, draw } = sextantMap;
            document.getElementById('map-follow').click();
            setTrack(Array.from({ length: 1000 }, (_, i) => ({ time: '2026-01-01T00:00:00Z',
                latitude: 47.51 + 0.004 * Math.sin(i / 40), longitude: -2.99 + 0.006 * Math.cos(i / 27) })));
            const costs = [];
            const next = () => {
                view.x += 1e-7;
                const start = performance.now();
                draw();
                document.getElementById('map-canvas').getContext('2d').getImageData(0, 0, 1, 1);
                costs.push(performance.now() - start);
                costs.length < 60 ? requestAnimationFrame(next) : (setTrack([]), done(costs.sort((a, b) => a - b)));
            };
            requestAnimationFrame(next);""")
        drawn = browser.run("return sextantMap.draws") - before
        assert len(costs) == 60 and drawn >= 60, f"the map was moved {len(costs)} times, and drawn {drawn} times"
        lane.judge("a frame while 1000 points are panned, median", round(costs[30], 1), "ms", 20)

    # ---- By hand on the wire

    def refusals(self, lane):
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
        tries += [ask(self.board, "GET", path) for path in ("/answer", "/services", "/session", "/anchor", "/locate")]
        tries += [ask(self.board, "POST", path, "{}", session=False, **good) for path in ("/anchor", "/locate")]
        tries += [ask(self.board, "POST", "/session", json.dumps({"secret": "0" * 32}), session=False, **good)]
        for status, text, answer in tries:
            assert status in (403, 421), (status, text)
            assert len(json.loads(text)["error"]) > 15
            assert answer.getheader("Content-Security-Policy", "").startswith("default-src 'none'")
        assert self.standing("track-log") == before

    def standing(self, name):
        return [event for event in self.lists("clients") if event["name"] == name][0]["status"]

    def lists(self, kind):
        """The newest list that a viewer is told."""
        return next(value[kind] for name, value in self.stream() if name == kind)

    def stream(self):
        """What a viewer is told, by name; without an end."""
        connection = http.client.HTTPConnection("127.0.0.1", self.board.port, timeout=PATIENCE)
        connection.request("GET", "/events", headers={"Cookie": "sextant=" + self.board.session})
        answer = connection.getresponse()
        assert answer.status == 200, f"a viewer is refused with {answer.status}"
        name = None
        try:
            while data := answer.readline():
                line = data.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    yield name, json.loads(line[6:])
            raise AssertionError("the page ended a viewer's stream")
        finally:
            answer.close()
            connection.close()

    def rebinding(self, lane):
        """PAGE-11: another name that leads here shows nothing."""
        browser = lane.begin()
        browser.driver.get(f"http://evil.test:{self.board.port}/#s={self.board.secret}")
        assert "another name" in browser.run("return document.body.textContent")
        browser.driver.get(self.board.secret_address)
        browser.driver.get(f"http://evil.test:{self.board.port}/")
        status = browser.run("return fetch(arguments[0] + 'answer', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'Content-Type': 'text/plain' }, body: '{\"client\":\"track-log\",\"answer\":\"deny\"}' }).then(answer => answer.type, error => 'refused')", self.board.address)
        assert status in ("opaque", "refused"), status
        assert self.standing("track-log") == "authorizedAlways"

    def addresses(self, lane):
        """An address that sextant page prints opens the page once, and no program that it starts is told the secret."""
        tools = f"{self.board.folder}/tools"
        os.makedirs(tools, exist_ok=True)
        for name in ("xdg-open", "qrencode"):
            with open(f"{tools}/{name}", "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\necho \"$@\" >{tools}/{name}.told\n"
                           + (f"cat >{tools}/{name}.read\n" if name == "qrencode" else ""))
            os.chmod(f"{tools}/{name}", 0o755)
        with open(f"{self.board.folder}/named.json5", "w", encoding="utf-8") as file:
            file.write("{ hosts: ['board.test'] }")

        def asked(port, **desktop):
            given = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
            return subprocess.run(
                [f"{self.programs}/sextant", "page", "--secret", f"{self.board.folder}/secret", "--port", str(port)],
                capture_output=True, text=True, timeout=PATIENCE, env=given | desktop | {"PATH": f"{tools}:{given['PATH']}"})

        def read(name):
            with open(f"{tools}/{name}", encoding="utf-8") as file:
                return file.read().strip()

        told = asked(self.board.port)
        address = told.stdout.strip()
        assert told.returncode == 0 and address.startswith(f"{self.board.address}#c="), told
        assert "sudo sextant page --share" in told.stderr, told.stderr
        browser = lane.begin()
        browser.driver.get(address)
        until(lambda: browser.text("sentence-text"), "the page is shown to whoever has its address")
        assert browser.run("return location.hash") == ""
        browser.driver.delete_all_cookies()
        browser.driver.get(address)
        browser.driver.refresh()
        browser.until_says("was used already")
        # The page is drawn bit by bit.
        until(lambda: "sudo sextant page --share prints another" in browser.text("because"),
              "the page says which command prints another address")
        shown = "return [...document.querySelectorAll('section')].filter((each) => each.offsetHeight).map((each) => each.id)"
        until(lambda: browser.run(shown) == ["now"], "whoever has no session sees the panel of the position alone")
        with another_page(self.board, "--secret", f"{self.board.folder}/secret", "--web", self.board.web, "--socket",
                          self.board.socket, "--config", f"{self.board.folder}/named.json5") as page:
            told = asked(page.port, DISPLAY=":0")
            here, there = told.stdout.split()
            assert here.startswith(f"{page.address}#c=") and there.startswith(f"http://board.test:{page.port}/#c="), told
            opened, drawn = read("xdg-open.told"), read("qrencode.read")
            assert opened.startswith(page.address) and drawn.startswith(f"http://board.test:{page.port}/#c=")
            assert "http" not in read("qrencode.told")
            assert len({here, there, opened, drawn}) == 4
        assert all(self.board.secret not in text for text in (told.stdout, opened, drawn, read("qrencode.told")))

    def attack(self, lane):
        """PAGE-14: 10 000 hostile requests, and 500 connections that send slowly, while a viewer goes on; 700 that never come
        to an end keep no new viewer out."""
        # When each epoch came, by the page and from the daemon itself: a busy machine makes both late.
        viewed, told, stop = [], [], threading.Event()

        def view():
            for name, value in self.stream():
                if name in ("epoch", "sky") and "time" in value:
                    viewed.append((value["time"], time.monotonic()))
                if stop.is_set():
                    return

        def listen():
            with Sextant(self.board.socket) as daemon:
                daemon.send("watch", passive=True, satellites=True)
                for event in daemon.events("epoch"):
                    if "time" in event:
                        told.append((event["time"], time.monotonic()))
                    if stop.is_set():
                        return

        watchers = [threading.Thread(target=each, daemon=True) for each in (view, listen)]
        for each in watchers:
            each.start()
        until(lambda: viewed and told, "a viewer and a client of the daemon are told an epoch")
        slow = []
        for _ in range(500):
            each = socket.socket()
            each.setblocking(False)
            # What finds no room waits in the kernel, and is sent nothing.
            each.connect_ex(("127.0.0.1", self.board.port))
            slow.append(each)
        for each in slow:
            try:
                each.send(b"GET / HTTP/1.1\r\nHost: ")
            except OSError:
                pass
        self.go_on(viewed, "beside 500 slow senders")
        for each in slow:
            each.close()
        self.trickle(700)
        # A 1 GB body is announced, and refused before it comes.
        status, text, _ = ask(self.board, "POST", "/answer", b"{}", Content_Length="1000000000", Content_Type="application/json", Origin=self.board.address.rstrip("/"))
        assert status == 413, (status, text)
        status, text, _ = ask(self.board, "GET", "/", X="y" * 9000)
        assert status in (431, 413), status
        self.throw_garbage(10_000)
        self.go_on(viewed, "after 10 000 hostile requests")
        self.go_on(told, "of the daemon's own")
        stop.set()
        for each in watchers:
            each.join()
        figures = figures_of(self.board.page.pid)
        self.figures["RSS after the attack, MB"] = round(figures["rss"], 1)
        assert self.board.page.poll() is None, "the page has ended"
        assert figures["rss"] <= 16, f"the page has {figures['rss']:.1f} MB after the attack, more than 16"
        # A viewer is told the newest: an epoch is late until it, or one after it, is there.
        between = [(name, at) for name, at in told if viewed[0][0] <= name <= viewed[-1][0]]
        late = max(next(there for other, there in viewed if other >= name) - at for name, at in between)
        lane.judge("another viewer's epochs late during the attack, at most", round(late, 2), "s", 1)

    def trickle(self, count):
        """Requests that are sent byte by byte for as long as a new viewer is not answered."""
        stop, senders = threading.Event(), []

        def send():
            while not stop.wait(0.05):
                for at in range(count):
                    try:
                        senders[at].send(b"x")
                    except BlockingIOError:  # it waits in the kernel
                        pass
                    except OSError:
                        senders[at].close()
                        senders[at] = start()

        def start():
            each = socket.socket()
            each.setblocking(False)
            each.connect_ex(("127.0.0.1", self.board.port))
            return each

        senders += [start() for _ in range(count)]
        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        status, _, _ = ask(self.board, "GET", "/")
        stop.set()
        sender.join()
        for each in senders:
            each.close()
        assert status == 200, (status, "a viewer beside 700 senders of bytes")

    @staticmethod
    def go_on(epochs, when):
        """Waits for two more epochs."""
        seen = len(epochs)
        until(lambda: len(epochs) >= seen + 2, f"the viewer's epochs go on {when}")

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
            each.settimeout(PATIENCE)
            try:
                each.connect(("127.0.0.1", self.board.port))
                each.sendall(data)
            except OSError:
                pass
            each.close()

    def viewers(self, lane):
        """PAGE-04, PAGE-15: the ninth viewer is told to come later; four cost little; without one nothing wakes the page."""
        # Requests that the attack left unfinished are closed after 5 s.
        self.board.until_alone()
        connections = []
        for _ in range(8):
            each = http.client.HTTPConnection("127.0.0.1", self.board.port, timeout=PATIENCE)
            each.request("GET", "/events", headers={"Cookie": "sextant=" + self.board.session})
            connections.append((each, each.getresponse()))
            assert connections[-1][1].status == 200, f"viewer {len(connections)} of 8 gets {connections[-1][1].status}"
        status, text, _ = ask(self.board, "GET", "/events")
        assert status == 503 and "Close one of the other tabs" in json.loads(text)["error"], text
        for each, answer in connections[4:]:
            answer.close()
            each.close()
        epochs, before = 0, (figures_of(self.board.page.pid)["seconds"], time.monotonic())
        while epochs < 4:
            line = connections[0][1].readline()
            assert line, "the page ended a viewer's stream"
            epochs += line.startswith((b"event: epoch", b"event: sky"))
        figures = figures_of(self.board.page.pid)
        share = (figures["seconds"] - before[0]) / (time.monotonic() - before[1]) / 4
        self.figures["RSS with 4 viewers, one of them reading, MB"] = round(figures["rss"], 1)
        self.figures["threads"] = figures["threads"]
        assert figures["rss"] <= 10, f"the page has {figures['rss']:.1f} MB with 4 viewers, more than 10"
        assert figures["threads"] == 1, f"the page has {figures['threads']} threads"
        for each, answer in connections[:4]:
            answer.close()
            each.close()
        self.board.until_at_rest()
        lane.judge("of a core for each of 4 viewers at 1 Hz", round(100 * share, 2), "%", 0.5)
        self.count_wake_ups(lane, 5, "without a viewer")

    def count_wake_ups(self, lane, seconds, when):
        """Where times are judged: how often the page wakes in some seconds in which nothing should wake it."""
        if self.is_timed:
            before = figures_of(self.board.page.pid)["switches"]
            time.sleep(seconds)
            woken = figures_of(self.board.page.pid)["switches"] - before
            lane.judge(f"the page's wake-ups in {seconds} s {when}", woken, "times", 0)

    def sentences(self, lane):
        """Each thing that can be wrong is a sentence that says what to do."""
        here, run = self.board.folder, lambda *arguments: subprocess.run(
            [f"{self.programs}/sextant-page", *arguments], capture_output=True, text=True, timeout=PATIENCE)
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
            assert answer.returncode == status and words in answer.stderr, \
                f"sextant-page {' '.join(arguments)} ended with {answer.returncode} and said {answer.stderr!r}"
        with open(f"{here}/broken.mbtiles", "wb") as file:
            file.write(b"SQLite format 3\0" + os.urandom(5000))
        with open(f"{here}/map.json5", "w", encoding="utf-8") as file:
            file.write("{ map: '%s/broken.mbtiles', host: [] }" % here)
        # No daemon, and a broken map.
        with another_page(self.board, *good[:4], "--config", f"{here}/map.json5", "--socket", f"{here}/nobody") as page:
            assert "is no key of this file" in page.said[0] and "until then the coast is drawn" in page.said[1], page.said
            browser = lane.begin()
            browser.driver.get(f"{page.address}#s={self.board.secret}")
            until(lambda: "Sextant is not running" in browser.text("sentence-text") and "start it" in browser.text("because"),
                  "the page says that there is no daemon, and to start it")
            browser.until_says("until then the coast is drawn", "map-note")
            browser.driver.delete_all_cookies()
            browser.driver.get(f"{page.address}#s={'0' * 32}")
            browser.driver.refresh()
            browser.until_says("not the page's secret")

    def hidden_and_gone(self, lane):
        """PAGE-04, PAGE-07: nothing wakes the page for a hidden tab; a daemon's end and return are told, timed: in 3 s, 5 s."""
        browser = lane.begin()
        browser.open(self.board)
        browser.run(HIDE, True)
        # The browser keeps connections that it asks nothing on; they are closed after 5 s.
        self.board.until_at_rest()
        self.count_wake_ups(lane, 3, "with the tab hidden")
        browser.run(HIDE, False)
        browser.until_says("Tracking")
        self.board.tell("unplug")
        started = time.monotonic()
        browser.until_says("unplugged")
        lane.judge("unplugged receiver told after", round(time.monotonic() - started, 2), "s", 3)
        self.board.board.kill()
        started = time.monotonic()
        browser.until_says("Sextant is not running")
        lane.judge("daemon's end told after", round(time.monotonic() - started, 2), "s", 3)
        browser.size(*WIDTHS["phone"])
        browser.whole(f"{self.report}/no-daemon-phone.png")
        self.board.restart()
        started = time.monotonic()
        until(lambda: "Sextant is not running" not in browser.text("sentence-text"), "the page shows the daemon that is back")
        lane.judge("daemon's return told after", round(time.monotonic() - started, 2), "s", 5)

    # ---- Other boards

    def long_track(self, lane):
        """PAGE-06: of 100 000 points of some days the page is told, holds and draws the shape, and says how exactly.

        A question that fails once is asked again.
        """
        with self.take_board("long-track") as board:
            browser = lane.begin()
            browser.open(board)
            browser.until_loaded("/track")
            started = time.monotonic()
            browser.run("""
                performance.clearResourceTimings();
                const ask = fetch;
                globalThis.fetch = async () => { globalThis.fetch = ask; throw new TypeError('not this time'); };
                const span = document.getElementById('track-span');
                span.value = 'all';
                span.dispatchEvent(new Event('change'));""")
            browser.until_loaded("/track")
            until(lambda: "of 100," in browser.text("track-note"), "the map has the track of all time, and says how much of it")
            browser.drawn()
            points, days, size = browser.run("""
                const track = sextantMap.track;
                return [track.length, (Date.parse(track.at(-1).time) - Date.parse(track[0].time)) / 864e5,
                    performance.getEntriesByType('resource').find((each) => each.name.includes('/track')).transferSize]""")
            self.figures["a track of 100 000 points there after, s"] = round(time.monotonic() - started, 2)
            self.figures["of it told: points, days, bytes"] = [points, round(days, 2), size]
            own = figures_of(board.page.pid)["own"]
            self.figures["memory of the page's own with it, MB"] = round(own, 1)
            assert 1900 <= points <= 2100 and days > 5.5, f"of all time the page has {points} points of {days:.1f} days"
            assert 20_000 < size < 150_000, f"the track of all time is {size} bytes"
            assert own <= 5, f"the page has {own:.1f} MB of its own, more than 5"

    def recorded_skies(self, lane):
        """PAGE-08: skies that five receivers recorded are in the table as they were told."""
        skies = {name: recorded_sky(self.programs, name) for name in SKIES}
        missing = [name for name, sky in skies.items() if not sky]
        if missing:
            print(f"skipped: recorded-skies: recordings are not here: {', '.join(missing)}", flush=True)
        with ToldBoard(self.programs) as board:
            browser = lane.begin()
            browser.open(board)
            browser.run("document.getElementById('sky-table').closest('details').open = true")
            for name, sky in [(name, sky) for name, sky in skies.items() if sky]:
                # Again while it is awaited, since a sky of some seconds ago is shown no more.
                until(lambda: (board.daemon.tell(sky), sorted(browser.table("sky-table")) == sky_rows(sky))[1],
                      f"the sky's table has what the receiver of {name} recorded")

    def scale_bar(self, lane):
        """The map's scale bar is a third of the map at least, and a round number in the unit that was chosen."""
        with ToldBoard(self.programs, OVER_180) as board:
            browser = lane.begin()
            browser.open(board)
            for units in ("metric", "nautical", "imperial"):
                browser.run("""
                    const choice = document.getElementById('units');
                    choice.value = arguments[0];
                    choice.dispatchEvent(new Event('change', { bubbles: true }));""", units)
                for widest in (3, 90, 250, 700, 2500, 40_000, 900_000):
                    metres, name = browser.run("return sextantMap.roundLength(arguments[0])", widest)
                    figure, unit = name.replace(",", "").split(" ")
                    assert widest / 3 < metres <= widest and unit in SCALES[units], (units, widest, metres, name)
                    assert re.fullmatch(r"0\.[125]|[125]0*", figure), (units, widest, name)
                    assert abs(float(figure) * SCALES[units][unit] - metres) < 1e-6, (units, widest, metres, name)

    def settings(self, lane):
        """What a browser's user has chosen is kept there: units, degrees and minutes, UTC, large figures, red on black."""
        with ToldBoard(self.programs, OVER_180) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["phone"])
            browser.open(board)
            under_way = {**ABROAD, "speed": 3.3, "course": 241.2, "latitude": -16.80002, "time": "2026-11-27T23:30:00.000Z"}
            board.daemon.tell(under_way)
            browser.until_says("16.800020° S", "position")
            browser.run("""
                document.getElementById('settings-open').click();
                for (const [name, value] of Object.entries(arguments[0])) {
                    const choice = document.getElementById(name);
                    choice.value = value;
                    choice.dispatchEvent(new Event('change', { bubbles: true }));
                }""", {"units": "nautical", "format": "dm", "times": "utc", "figures": "large"})
            browser.whole(f"{self.report}/settings-phone.png")
            browser.run("document.getElementById('settings-done').click()")
            self.choose_night(browser, True)
            for begin in (lambda: None, browser.driver.refresh):
                begin()
                board.daemon.tell(under_way)
                browser.until_says("16° 48.001′ S", "position")
                browser.until_says("6.4 kn", "figures-large")
                assert "241° true" in browser.text("figures-large"), browser.text("figures-large")
                assert "Speed" not in browser.text("facts"), "the speed stands twice"
                paint = browser.run("return getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color")
                assert paint == "rgb(0, 0, 0)rgb(255, 79, 64)", paint
            browser.drawn()
            browser.whole(f"{self.report}/helm-phone.png")
            broken = browser.run(RULES) + browser.axe(self.axe)
            assert not broken, broken
            # The map's canvas has no pixel that is greener or bluer than red.
            reds = browser.run("""
                sextantMap.draw();
                const canvas = document.getElementById('map-canvas'), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                let others = 0;
                for (let i = 0; i < data.length; i += 4) others += data[i + 1] > data[i] || data[i + 2] > data[i];
                return others;""")
            assert reds == 0, f"{reds} pixels of the map are not red at night"

    def overdue(self, lane):
        """PAGE-07: a position is called tracked until it is overdue by its own interval, and never last known meanwhile."""
        with ToldBoard(self.programs) as board:
            for interval, told in ((10, ((8, "Tracking, 12 m", "Measured 8 s ago"), (40, "No new position for 40 s", "Last known, 40 s ago"))),
                                   (1, ((1.6, "Tracking, 12 m", "Measured 2 s ago"), (8, "No new position for 8 s", "Last known, 8 s ago")))):
                browser = lane.begin()
                browser.open(board)
                # Each is shown before the next one comes: a page that lags gets the newest alone.
                for before in (2, 1, 0):
                    board.daemon.tell({**ABROAD, "age": before * interval, "horizontalAccuracy": 20 + before})
                    browser.until_says(f"{20 + before} m", "facts")
                for age, sentence, words in told:
                    def is_told():
                        board.daemon.tell({**ABROAD, "age": age})
                        return browser.text("sentence-text") == sentence and browser.text("age").startswith(words)
                    until(is_told, f"at an interval of {interval} s, {age} s later: {sentence}; {words}")
            browser.whole(f"{self.report}/overdue.png")

    def over_180(self, lane):
        """PAGE-08: a board and its regions at 180 degrees are on one map, in its table as they were told, and named."""
        with ToldBoard(self.programs, OVER_180) as board:
            subprocess.run([f"{self.programs}/sextant", "places", "build", "-", "--output", f"{board.folder}/places.sqlite"],
                           input=TOWNS, text=True, check=True, stdout=subprocess.DEVNULL)
            browser = lane.begin()
            browser.size(*WIDTHS["desk"])
            browser.open(board)
            browser.run("document.getElementById('map-table').closest('details').open = true")
            until(lambda: len(browser.table("map-table")) == 2, "the map's table has two regions")
            check_shapes(browser.table("map-table"), OVER_180)
            board.daemon.tell(ABROAD)
            until(lambda: browser.table("map-table")[0][0] == "Position", "the map's table has the position")
            assert browser.table("map-table")[0][2] == ellipse_words(ABROAD["ellipse"])
            browser.until_says("near Labasa", "age")
            browser.until_says("inside · near Labasa", "regions-list")
            board.daemon.lists["regions"].reverse()
            board.daemon.tell({"event": "regionChanged", "identifier": "reef"})
            until(lambda: [row[0] for row in browser.table("map-table")].index("reef") == 1, "the regions in another order")
            assert browser.text("regions-list").startswith("lagoon"), "the region that the board is in does not stand first"
            browser.until_says("Contains data from Fiji.", "sources")
            browser.run("document.getElementById('map-fit').click()")
            browser.drawn()
            browser.whole(f"{self.report}/over-180-desk.png")
            zoom = browser.run("return sextantMap.view.zoom")
            assert zoom > 10, f"the map shows 0.2 degrees at zoom {zoom}"
            hidden = browser.run("""
                const { view, draw, outline } = sextantMap, canvas = document.getElementById('map-canvas'), tools = document.getElementById('map-in').parentElement;
                const [x, y] = outline(arguments[0])[0].reduce((best, each) => each[1] < best[1] ? each : best), k = 256 * 2 ** view.zoom;
                view.x = x - (tools.offsetLeft + tools.offsetWidth / 2 - canvas.clientWidth / 2) / k;
                view.y = y + (canvas.clientHeight / 2 - tools.offsetTop - tools.offsetHeight / 2) / k;
                const write = CanvasRenderingContext2D.prototype.fillText, hidden = [];
                CanvasRenderingContext2D.prototype.fillText = function (text, x, y) { if (y < tools.offsetTop + tools.offsetHeight) hidden.push(text); };
                draw();
                CanvasRenderingContext2D.prototype.fillText = write;
                return hidden;""", OVER_180[0])
            assert "lagoon" not in hidden, "the name of a region is written under the map's buttons"
            # From both sides the same region is beside the middle of the map.
            for middle in (0.0001, 0.9999):
                xs = browser.run("""
                    sextantMap.view.x = arguments[0];
                    return sextantMap.outline(arguments[1]).flat().map(([x]) => x - arguments[0])""", middle, OVER_180[1])
                assert max(map(abs, xs)) < 0.001, (middle, xs)

    def track_lines(self, lane):
        """PAGE-08: a track over 180 degrees is one line, a gap ends it, and over the pole there is no streak."""
        with ToldBoard(self.programs, track=TRACK) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["desk"])
            browser.open(board)
            until(lambda: browser.run("return sextantMap.track.length") == len(TRACK), "the map has the track")
            begins = browser.run("return sextantMap.begins")
            assert [index for index, each in enumerate(begins) if each] == [0, 20, 30, 35], begins
            browser.run("document.getElementById('map-fit').click()")
            browser.drawn()
            browser.whole(f"{self.report}/track-lines-desk.png")
            browser.run("document.getElementById('map-table').closest('details').open = true")
            until(lambda: ["Track", "40 points"] in [each[:2] for each in browser.table("map-table")], "the table has the track")

    def saving(self, lane):
        """Track and visits of the time chosen are saved as GPX and GeoJSON: whole, with a segment after a gap, cut at 180."""
        track = [track_point(second, 47.5, 8 + second * 1e-5) for second in range(0, 4500)] + TRACK[30:]
        visit = {"event": "pastVisit", "latitude": 47.5, "longitude": 180.0, "arrival": "2026-11-27T01:00:00.000Z", "horizontalAccuracy": 40.0}
        with ToldBoard(self.programs, track=track, visits=[visit]) as board:
            browser = lane.begin()
            browser.open(board)
            browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": board.folder})
            until(lambda: browser.table("visits-list"), "the page has the visit")
            saved = {}
            for ending in ("gpx", "geojson"):
                browser.run("document.getElementById(arguments[0]).click()", f"save-{ending}")
                path = f"{board.folder}/sextant-2026-11-27.{ending}"
                until(lambda: os.path.exists(path), f"{path} is saved; the page says {browser.text('track-note')!r}")
                browser.until_says("Saved: 4,510 points and 1 visit.", "track-note")
                with open(path, encoding="utf-8") as file:
                    saved[ending] = file.read()
            space = {"": "http://www.topografix.com/GPX/1/1"}
            tree = ElementTree.fromstring(saved["gpx"])
            segments = [[point.get("lon") for point in each] for each in tree.findall("trk/trkseg", space)]
            assert [len(each) for each in segments] == [4500, 10], [len(each) for each in segments]
            first, place = tree.find("trk/trkseg/trkpt", space), tree.find("wpt", space)
            assert [each.text for each in first] == ["4.5", "2026-11-27T00:00:00.250Z"], ElementTree.tostring(first)
            assert place.get("lon") == "-180" and place.find("time", space).text == visit["arrival"], ElementTree.tostring(place)
            lines = json.loads(saved["geojson"])["features"]
            assert [each["geometry"]["type"] for each in lines[:1] + lines[-1:]] == ["LineString", "Point"]
            assert len(lines[0]["geometry"]["coordinates"]) == len(lines[0]["properties"]["times"]) == 4500
            self.look_at_files(browser)

    def anchor(self, lane):
        """A position is asked for at a price; the anchor watch is a region, and drags, blindness and its end are told."""
        with ToldBoard(self.programs) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["phone"])
            browser.open(board)
            # A first search is not called a loss.
            for line in SEARCHING:
                board.daemon.tell(line)
            browser.until_says("Searching for satellites")
            board.daemon.tell(AT_REST)
            board.daemon.tell(SPENT)
            browser.until_says("for about 12 J, the mean of 9 starts so far", "price")
            assert "Time to a fix, hot2 s, mean of 6; 2 searches found none" in browser.text("health-list"), browser.text("health-list")
            with open(f"{board.folder}/uplink.json", "w", encoding="utf-8") as file:
                json.dump({"message": "not connected: no route", "connected": False, "queuedFixes": 12, "queuedEvents": 1,
                           "oldest": "2026-11-27T00:00:00.000Z"}, file)
            browser.until_says("not connected: no route; 12 positions and 1 event waiting, the oldest of", "health-list")
            self.press(browser, "anchor-drop")
            browser.until_says("There is no position of the last minute", "anchor-state")
            # A finger, after which the browser lets the page sound.
            browser.driver.find_element("id", "locate").click()
            browser.until_says("Found.", "price")
            assert "locate" in board.daemon.asked
            browser.run("""
                window.beeps = 0;
                const create = AudioContext.prototype.createOscillator;
                AudioContext.prototype.createOscillator = function () { beeps++; return create.call(this); };
                document.getElementById('anchor-radius').value = '60';""")
            self.press(browser, "anchor-drop", "ask-yes")
            browser.until_says("Holding: 0.0 m from where it was dropped, 60 m allowed", "anchor-state")
            assert browser.run("return document.getElementById('alarm').hidden && beeps === 0"), "the alarm is on"
            browser.drawn()
            browser.whole(f"{self.report}/anchor-phone.png")
            board.daemon.tell({**ABROAD, "latitude": ABROAD["latitude"] + 0.001})
            browser.until_says("Perhaps dragging: 111 m from where it was dropped, 60 m allowed", "anchor-state")
            assert browser.run("return document.getElementById('alarm').hidden"), "the alarm is on before the board is sure"
            board.daemon.tell({"event": "regionEvent", "number": 7, "identifier": "anchor", "transition": "exit"})
            board.daemon.lists["regions"][0]["state"] = "outside"
            board.daemon.tell({**ABROAD, "latitude": ABROAD["latitude"] + 0.001})
            until(lambda: browser.run("return !document.getElementById('alarm').hidden && beeps > 0"), "the alarm sounds")
            assert "acknowledge" in board.daemon.asked, "the region's event was not acknowledged"
            assert "The anchor drags. 111 m from where" in browser.text("alarm-text"), browser.text("alarm-text")
            assert "Anchor alarm" in browser.text("announce")
            browser.drawn()
            browser.whole(f"{self.report}/alarm-phone.png")
            broken = browser.run(RULES) + browser.axe(self.axe)
            assert not broken, broken
            self.press(browser, "alarm-silence")
            silent = browser.run("return beeps")
            board.daemon.lists["regions"][0]["state"] = "inside"
            board.daemon.tell({**ABROAD})
            board.daemon.tell({"event": "regionChanged", "identifier": "anchor"})
            until(lambda: browser.run("return document.getElementById('alarm').hidden"), "the alarm is over")
            assert browser.run("return beeps") == silent, "the alarm sounds though it is silenced"
            # A hidden page hears on while it watches; a watch that sees nothing is told, 31 s later by the browser's clock.
            browser.run(HIDE, True)
            board.daemon.tell({**AT_REST, "receiver": {"state": "absent"}})
            browser.until_says("unplugged")
            browser.run("const now = performance.now.bind(performance); performance.now = () => now() + 31000;")
            browser.until_says("The anchor watch sees nothing", "alarm-text")
            # Silenced, it sounds again once the anchor drags.
            self.press(browser, "alarm-silence")
            silent = browser.run("return beeps")
            board.daemon.lists["regions"][0]["state"] = "outside"
            board.daemon.tell({"event": "regionChanged", "identifier": "anchor"})
            until(lambda: browser.run("return beeps") > silent, "the alarm of a dragging anchor sounds after another's silence")
            self.press(browser, "anchor-weigh")
            until(lambda: browser.run("return document.getElementById('alarm').hidden"), "no watch, no alarm")
            assert not board.daemon.lists["regions"], "the region is still watched"

    def causes(self, lane):
        """Every cause of energy is drawn and named, in paints that the colour-blind tell apart; ticks are round numbers, and what battery and storage have left is told."""
        with ToldBoard(self.programs, energy=ENERGY_ROWS, track=TRACK) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["phone"])
            browser.open(board)
            board.daemon.tell(AT_REST)
            board.daemon.tell({**SPENT, "lastDay": {**SPENT["lastDay"], "batteryHours": 41.7, "byClient": [
                {"client": "logger", "number": 2147483650, "connected": False, "joules": 3}, {"client": "others", "joules": 2}, {"client": "sextantd", "joules": 1}]}})
            until(lambda: browser.run("return document.querySelectorAll('#power-legend span').length") > 17, "the key of the bars")
            legend, names = browser.text("power-legend"), browser.run("return sextantPower.causes")
            assert set(names) == set(CAUSES), set(names) ^ set(CAUSES)
            missing = [name for name, look in names.items() if look[0] not in legend]
            assert not missing and "tomorrow's cause" in legend, (missing, legend)
            told = browser.text("power-clients")
            for words in ("regions, visits and large moves (gone)", "beyond the 64 clients", "the daemon itself"):
                assert words in told, told
            # 40 points in 2 h 9 min; and the battery was full 1.5 h ago.
            browser.until_says("Track kept40 points; at most 500,000, of 30 days", "health-list")
            for words, place in (("Room left for the trackabout 30 days at this pace", "health-list"), ("Left, if full at the start40 h", "power-facts")):
                assert words in browser.text(place), browser.text(place)
            for scheme in ("light", "dark"):
                browser.media(prefers_color_scheme=scheme)
                browser.drawn()
                browser.whole(f"{self.report}/causes-phone-{scheme}.png")
                paints = browser.run("return Object.values(sextantPower.causes).map(([, ink, isStriped]) => [getComputedStyle(document.documentElement).getPropertyValue(ink).trim(), Boolean(isStriped)])")
                near = too_near(paints)
                assert not near, f"{scheme}: {near}"
            for most in (0.004, 0.7, 5.83, 50, 121, 1999, 2001, 86_400):
                ticks = browser.run("return sextantPower.energyTicks(arguments[0])", most)
                figures = [float(name.split(" ")[0].replace(",", "")) for _, name in ticks]
                assert 3 <= len(ticks) <= 7 and ticks[-1][0] >= most * 0.999 > ticks[-2][0] * 0.99, (most, ticks)
                assert figures[0] == 0 and re.fullmatch(r"0\.0*[125]|[125]0*(\.0)?", f"{figures[1]:.10g}"), (most, ticks)

    @staticmethod
    def press(browser, *buttons):
        """Presses buttons, each once it is shown."""
        for name in buttons:
            until(lambda: browser.run("return document.getElementById(arguments[0]).checkVisibility()", name), f"#{name} is shown")
            browser.run("document.getElementById(arguments[0]).click()", name)

    @staticmethod
    def look_at_files(browser):
        """What a file has of a name that wants to be markup, and of a line over 180 degrees."""
        points = [{"time": f"2026-11-27T00:00:0{second}.000Z", "latitude": latitude, "longitude": longitude}
                  for second, (latitude, longitude) in enumerate([(-16, 179), (-17, -177)])]
        text = browser.run("return sextantMap.gpx(arguments[0], [], arguments[1])", points, HOSTILE + "\x00]]>&\"'")
        assert ElementTree.fromstring(text).find("{*}trk/{*}name").text == printable(HOSTILE) + "\ufffd]]>&\"'", text
        lines = json.loads(browser.run("return sextantMap.geoJSON(arguments[0], [], arguments[1])", points, HOSTILE))["features"]
        assert lines[0]["properties"]["name"] == HOSTILE
        ends = [each["geometry"]["coordinates"] for each in lines]
        assert ends == [[[179, -16], [180, -16.25]], [[-180, -16.25], [-177, -17]]], ends

    def keys(self, lane):
        """PAGE-13: whatever a finger can do, keys and buttons can: each control is reached, the map moved, zoomed, measured."""
        with ToldBoard(self.programs, OVER_180) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["desk"])
            browser.open(board)
            board.daemon.tell(ABROAD)
            board.daemon.tell(AT_REST)
            browser.until_says("16.800000° S", "position")
            until(lambda: browser.run("return document.getElementById('locate').checkVisibility()"), "the page is an operator's")
            here = browser.driver.switch_to
            wanted = browser.run("return [...document.querySelectorAll('button, select, input, summary, canvas[tabindex]')].filter((each) => each.checkVisibility() && !each.disabled).map((each) => each.id || each.textContent)")
            reached = set()
            for _ in range(len(wanted) + 10):
                here.active_element.send_keys(Keys.TAB)
                reached.add(browser.run("return document.activeElement.id || document.activeElement.textContent"))
            assert set(wanted) <= reached, f"not reached by Tab: {set(wanted) - reached}"
            look = lambda: browser.run("return [sextantMap.view.x, sextantMap.view.y, sextantMap.view.zoom]")
            canvas, before = browser.driver.find_element("id", "map-canvas"), look()
            for keys, axis, sign in ((Keys.ARROW_LEFT, 0, -1), (Keys.ARROW_DOWN, 1, 1), ("+", 2, 1), ("-", 2, -1)):
                canvas.send_keys(keys)
                after = look()
                assert (after[axis] - before[axis]) * sign > 0, (keys, before, after)
                before = after
            for name, axis, sign in (("map-east", 0, 1), ("map-north", 1, -1)):
                browser.driver.find_element("id", name).send_keys(Keys.ENTER)
                after = look()
                assert (after[axis] - before[axis]) * sign > 0, (name, before, after)
                before = after
            browser.driver.find_element("id", "map-measure").send_keys(Keys.ENTER)
            canvas.send_keys(Keys.ENTER + Keys.ARROW_RIGHT + Keys.ENTER + Keys.ARROW_UP)
            browser.driver.find_element("id", "measure-point").send_keys(Keys.ENTER)
            browser.until_says("over 3 points", "map-note")
            assert "Measured" in browser.text("announce"), "a screen reader is not told what was measured"
            canvas.send_keys("f")
            assert look() != before, "F does not fit the map"
            # A dialog closes by Escape, and gives the focus back.
            browser.driver.find_element("id", "settings-open").send_keys(Keys.ENTER)
            here.active_element.send_keys(Keys.ESCAPE)
            assert browser.run("return !document.getElementById('settings').open && document.activeElement.id") == "settings-open"

    def fingers(self, lane):
        """On a phone one finger on the map scrolls the page, and two zoom the map."""
        with ToldBoard(self.programs, OVER_180) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["phone"])
            browser.open(board)
            board.daemon.tell(ABROAD)
            browser.until_says("16.800000° S", "position")
            browser.drawn()
            zoom = browser.run("return sextantMap.view.zoom")
            middle = self.middle_of_map(browser)
            before = browser.run("return scrollY")
            browser.touch([[(180, middle - 12 * step)] for step in range(16)])
            until(lambda: browser.run("return scrollY") > before + 100, "a finger on the map scrolls the page")
            middle = self.middle_of_map(browser)
            browser.touch([[(180, middle - 30 - 8 * step), (180, middle + 30 + 8 * step)] for step in range(10)])
            until(lambda: browser.run("return sextantMap.view.zoom") > zoom + 1, "two fingers zoom the map")
            assert browser.run("return visualViewport.scale") == 1, "two fingers zoom the page"

    @staticmethod
    def middle_of_map(browser):
        return browser.run("""
            const map = document.getElementById('map-canvas');
            map.scrollIntoView({ block: 'end' });
            const { y, height } = map.getBoundingClientRect();
            return Math.round(y + height / 2);""")

    def land(self, lane):
        """Land is filled, and the sea and the greatest lake are not: from afar and near by, at 180 degrees and by the poles."""
        with ToldBoard(self.programs, [ABOUT_THE_POLE]) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["desk"])
            browser.open(board)
            until(lambda: browser.run("return sextantMap.draws") > 0, "the map is drawn")
            for zoom in (2.2, 5.2, 10.2):
                browser.run(LOOK_AT, 0, 0, zoom)
                browser.until_loaded("/coast-110m.bin" if zoom < 4 else "/coast-50m.bin")
                browser.drawn()
                paints = {name: browser.run(LOOK_AT, *place, zoom) for name, place in PLACES.items()}
                assert paints["Paris"] != paints["the Atlantic"], f"at zoom {zoom} land has the colour of the sea"
                for name, paint in paints.items():
                    wet = name in ("the Atlantic", "the Caspian Sea", "the Bering Sea")
                    assert paint == paints["the Atlantic" if wet else "Paris"], (zoom, name, paints)
            for latitude, like in ((87, "the Atlantic"), (-87, "Paris")):
                beyond = browser.run(LOOK_AT, 2.3, latitude, zoom)
                assert beyond == paints[like], f"by the pole, at {latitude}, the map is not painted like {like}"
            browser.run("document.getElementById('map-out').click()")
            browser.until_says("it is no chart", "map-note")
            sea = paints["the Atlantic"]
            paints = {browser.run(LOOK_AT, *place, 13) for place in PLACES.values()}
            assert len(paints) == 1 and sea not in paints, f"closer than the coast, the map has land or sea: {paints}"
            browser.run("document.getElementById('map-out').click()")
            browser.run("document.getElementById('map-in').click()")
            browser.until_says("no coast is drawn", "map-note")
            inside, outside = (browser.run(LOOK_AT, 10, latitude, 6) for latitude in (89.9, 89))
            assert inside != outside, "a region about the pole is not filled"

    def view_only(self, lane):
        """PAGE-10: a page that may only look has no buttons that change something, and a change gets 403."""
        with ToldBoard(self.programs, operator=False) as board:
            browser = lane.begin()
            browser.size(*WIDTHS["desk"])
            open_session(board)
            browser.open(board)
            board.daemon.tell(ABROAD)
            browser.until_says("Tracking")
            until(lambda: {"agent", "services"} <= set(board.daemon.asked), "the page asks the daemon whether it is an operator's")
            board.daemon.tell({"event": "prompt", "client": "chart-plotter", "answers": ["allow", "deny"]})
            board.daemon.tell({**ABROAD, "latitude": -16.9})
            browser.until_says("16.900000° S", "position")
            buttons = "#prompts button, #clients-list button, #services-box button, #anchor button, #locate"
            assert browser.run("return [...document.querySelectorAll(arguments[0])].filter((each) => each.checkVisibility()).length", buttons) == 0
            browser.whole(f"{self.report}/view-only-desk.png")
            before = len(board.daemon.asked)
            here = {"Content_Type": "application/json", "Origin": board.address.rstrip("/")}
            for path, body in (("/answer", {"client": "chart-plotter", "answer": "allow"}), ("/services", {"enabled": False}),
                               ("/locate", {}), ("/anchor", {"latitude": 1, "longitude": 1, "radius": 50})):
                status, text, _ = ask(board, "POST", path, json.dumps(body), **here)
                assert status == 403 and "may only look" in json.loads(text)["error"], (path, status, text)
            assert not {"answer", "decide", "services", "locate", "monitorRegion"} & set(board.daemon.asked[before:]), board.daemon.asked[before:]

    def large_map(self, lane):
        """PAGE-16: tiles of a large map cost the page no memory; where times are judged the first is there within 100 ms."""
        size = int(os.environ.get("PAGE_MAP_MEGABYTES", "64"))
        with ToldBoard(self.programs) as board:
            path, tiles = f"{board.folder}/map.mbtiles", size * 50
            with sqlite3.connect(path) as file:
                file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
                file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
                file.execute("CREATE UNIQUE INDEX tile ON tiles (zoom_level, tile_column, tile_row)")
                file.execute("INSERT INTO metadata VALUES ('format', 'png'), ('minzoom', '16'), ('maxzoom', '16')")
                file.executemany("INSERT INTO tiles VALUES (16, ?, ?, ?)", (
                    (index % 256, index // 256, b"\x89PNG\r\n\x1a\n" + os.urandom(20_000)) for index in range(tiles)))
            file.close()
            board._write("map.json5", "{ map: '%s' }" % path)
            with another_page(board, "--secret", f"{board.folder}/secret", "--web", board.web, "--config",
                              f"{board.folder}/map.json5") as page:
                viewer = SimpleNamespace(port=page.port, address=page.address, secret=board.secret)
                open_session(viewer)
                started = time.monotonic()
                for count, index in enumerate(random.Random(1).sample(range(tiles), 1000)):
                    status, tile, _ = ask(viewer, "GET", f"/tiles/16/{index % 256}/{2 ** 16 - 1 - index // 256}")
                    assert status == 200 and len(tile) == 20_008, (status, len(tile))
                    if count == 0:
                        lane.judge(f"first tile of {size} MB", round(1000 * (time.monotonic() - started), 1), "ms", 100)
                        # The first tile brings in the code that reads it.
                        before = figures_of(page.process.pid)["rss"]
                grown = figures_of(page.process.pid)["rss"] - before
                self.figures["RSS of 1000 tiles of it, 20 MB, beyond the first's, MB"] = round(grown, 2)
                # The allocator keeps some of what was freed.
                assert grown <= 6, f"1000 tiles of 20 MB cost the page {grown:.1f} MB, more than 6"

    def look(self, lane, state):
        """PAGE-06, PAGE-07: each state is told in its words; asleep, nothing is drawn, and nothing is called lost."""
        with self.take_board(state) as board:
            browser = lane.begin()
            browser.open(board)
            browser.until_says(STATES[state])
            if state == "asleep":
                self.look_at_rest(browser)
            for name, (width, height) in WIDTHS.items():
                for scheme in ("light", "dark"):
                    browser.size(width, height)
                    browser.media(prefers_color_scheme=scheme)
                    browser.drawn()
                    browser.whole(f"{self.report}/{state}-{name}-{scheme}.png")
                    broken = browser.run(RULES) + browser.axe(self.axe)
                    assert not broken, f"{name}, {scheme}: {broken}"
            complaints = browser.complaints()
            assert not complaints, complaints

    def look_at_rest(self, browser):
        """PAGE-06: while the board is asleep, no map is drawn at the page's ticks."""
        assert "lost" not in browser.run("return document.body.textContent"), "the page of a board asleep says \"lost\""
        until(lambda: browser.run("return document.querySelectorAll('#power-legend span').length > 0"), "the page shows the power")
        browser.drawn()
        # The page ticks once a second; two ticks of another clock of the browser have one of it between them.
        drawn = browser.driver.execute_async_script("""
            const done = arguments[0], before = sextantMap.draws;
            let ticks = 0;
            const clock = setInterval(() => { if (++ticks === 2) { clearInterval(clock); done(sextantMap.draws - before); } }, 1000);""")
        self.figures["maps drawn at a tick asleep"] = drawn
        assert drawn == 0, f"asleep, {drawn} maps were drawn at a tick of the page"


def main():
    parser = argparse.ArgumentParser(prog="check-page", allow_abbrev=False)
    parser.add_argument("programs")
    parser.add_argument("report")
    parser.add_argument("--timed", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=sum(CHECKS, ()), default=())
    given = parser.parse_args()
    return Checks(given.programs, given.report, given.timed, given.only).run()


if __name__ == "__main__":
    sys.exit(main())
