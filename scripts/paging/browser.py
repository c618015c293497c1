"""Debian's chromium without a screen, and what a check asks of the page in it."""
import base64, contextlib, json, math

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.remote_connection import RemoteConnection

from proving.support.patience import PATIENCE

from . import axe
from .board import until

WIDTHS = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1440, 900)}


class Browser:
    """One process for many checks: each of them `begins`, so that it finds nothing of the one before."""

    def __init__(self):
        options = Options()
        # The other name leads to this machine, as the name of an attacker may.
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--disable-background-networking", "--lang=en-GB",
                         "--host-resolver-rules=MAP evil.test 127.0.0.1"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB"})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        # Seconds until the driver's answer to one command; the limits in the browser come before.
        RemoteConnection.set_timeout(2 * PATIENCE)
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    def quit(self):
        with contextlib.suppress(Exception):  # it may have ended already
            self.driver.quit()

    def begin(self):
        """An empty tab without cookies, cache, sizes and logs of the check before."""
        self.driver.get("about:blank")
        for command, members in (("Network.clearBrowserCookies", {}), ("Network.clearBrowserCache", {}),
                                 ("Emulation.clearDeviceMetricsOverride", {}),
                                 ("Emulation.setEmulatedMedia", {"features": []})):
            self.driver.execute_cdp_cmd(command, members)
        for log in ("browser", "performance"):
            self.driver.get_log(log)

    def parse(self, path):
        """Fails where a script has an error in its text: the page would never run it, and each wait would be in vain."""
        with open(path, encoding="utf-8") as file:  # a module, which may wait outside of functions
            wrong = self.driver.execute_cdp_cmd("Runtime.compileScript", {
                "expression": f"(async () => {{{file.read()}}})", "sourceURL": path, "persistScript": False}).get("exceptionDetails")
        assert not wrong, f"{path}:{wrong['lineNumber'] + 1}: {wrong['exception']['description']}"

    def size(self, width, height):
        # A bar at the side would take of the width, and a picture of the whole page has none.
        self.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def media(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def table(self, identifier):
        return self.run("""
            return [...document.querySelectorAll(`#${arguments[0]} tbody tr`)].map((row) => [...row.cells].map((cell) => cell.textContent))""",
                        identifier)

    def text(self, identifier):
        return self.run("return document.getElementById(arguments[0])?.textContent ?? ''", identifier)

    def until(self, test, what):
        return until(test, what)

    def until_says(self, words, identifier="sentence-text"):
        """Waits until the page says these words, in its sentence unless another element is named."""
        return until(lambda: words in self.text(identifier), f"the page says {words!r} in #{identifier}")

    def until_loaded(self, path):
        """Waits until the page has loaded what is at a path."""
        return until(lambda: path in self.run(
            "return performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname)"),
            f"the page has loaded {path}")

    def drawn(self):
        """Waits until what was changed is on the screen: a new size is told in one frame, and drawn in the next."""
        self.driver.execute_async_script("""
            const done = arguments[0];
            let frames = 3;
            const next = () => frames-- ? requestAnimationFrame(next) : done();
            next();""")

    def open(self, board):
        self.driver.get(board.secret_address)
        until(lambda: self.text("sentence-text") not in ("Connecting", ""), "the page says how the board is")

    def touch(self, ways):
        """Fingers that come down, move and leave: for each instant their places, x and y."""
        send = lambda kind, places: self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]})
        send("touchStart", ways[0])
        for places in ways[1:]:
            send("touchMove", places)
        send("touchEnd", [])

    def whole(self, path, longest=1 << 20):
        """A picture of the whole page; pictures, numbered, where it has more pixels from top to bottom than one may have."""
        size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        tops = range(0, math.ceil(size["height"]), longest)
        for number, top in enumerate(tops, 1):
            picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": {
                "x": 0, "y": top, "width": size["width"], "height": min(longest, size["height"] - top), "scale": 1}})
            with open(path if len(tops) == 1 else path.replace(".png", f"-{number}.png"), "wb") as file:
                file.write(base64.b64decode(picture["data"]))

    def axe(self, script):
        """What axe-core holds against the page; nothing where there is no axe-core."""
        if not script:
            return []
        if not self.run("return Boolean(window.axe)"):
            self.run(script)
        return self.driver.execute_async_script(axe.RUN)

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

    def told(self):
        """What there is to know of the page where a check has failed."""
        try:
            text = self.run("return document.body?.innerText ?? ''")
            lines = [f"the page at {self.driver.current_url.split('#')[0]} says {self.text('sentence-text')!r}",
                     "the page shows: " + (" / ".join(text.split("\n"))[:400] or "nothing")]
            lines += [f"the browser's console: {each[:200]}" for each in self.complaints()[-3:]]
        except Exception as error:  # the browser itself has failed
            lines = [f"the browser does not answer: {str(error).splitlines()[0] if str(error) else type(error).__name__}"]
        return "\n".join(lines)
