#!/usr/bin/env python3
"""A client of sextantd, in Python 3 and nothing else: a module, and a command.

    from sextant_client import Sextant
    with Sextant() as sextant:                      # SEXTANT_SOCKET, or /run/sextant/sextant.sock
        sextant.authorize()                         # waits for an answer where nobody was asked yet
        for location in sextant.watch(accuracy=100, distanceFilter=50):
            print(location["latitude"], location["longitude"])

Names are those of Sources/Core/ClientProtocol/README.md. What is refused is a SextantError; its `code` is the error's,
or the authorization's status. As a command it prints events as JSON: see --help; exit status 69 where it is refused.
"""
import argparse, itertools, json, os, socket, sys


class SextantError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Sextant:
    """One connection. `hello` is the daemon's first line, kept up to date with what this client may see."""

    def __init__(self, path=None):
        path = path or os.environ.get("SEXTANT_SOCKET") or "/run/sextant/sextant.sock"
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(path)
        except OSError as error:
            raise SextantError("unavailable", f"{path}: {error.strerror}; start sextantd, or name its socket") from None
        self._lines, self._kept = self._socket.makefile("r", encoding="utf-8"), []
        self.hello = self.wait("hello")
        if self.hello["protocol"] != 1:
            raise SextantError("protocol", f"{path}: speaks protocol {self.hello['protocol']}, and this client 1")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._lines.close()
        self._socket.close()

    def send(self, request, **members):
        """Sends any request; members that are None are left out."""
        given = {name: value for name, value in members.items() if value is not None}
        self._socket.sendall(json.dumps({"request": request, **given}).encode() + b"\n")

    def events(self, *names):
        """Every event of these names (all, if none is given) as it comes; a refusal is raised."""
        while True:
            event = self._kept.pop(0) if self._kept else self._receive()
            if event["event"] in ("authorization", "failed") and not self._is_undetermined():
                self._check()
            if not names or event["event"] in names:
                yield event

    def wait(self, *names):
        """The next event of these names; others are kept for `events`."""
        while (event := self._receive())["event"] not in names:
            self._kept.append(event)
        return event

    def authorize(self, always=False):
        """Has somebody asked where nobody was yet, and waits for the answer; a refusal is raised."""
        if "client" not in self.hello:
            raise SextantError("noManifest", "no manifest names this process; write one in /etc/sextant/clients.d")
        if self._is_undetermined() and not self.hello["purposes"]["whenInUse"]:
            raise SextantError("noPurpose", f"the manifest of {self.hello['client']} needs purpose.whenInUse")
        self.send("authorize", authorization="always" if always else "whenInUse")
        while self._is_undetermined():
            self.wait("authorization")
        self._check()

    def watch(self, **members):
        """Locations as asked for, or every epoch where no member asks for locations."""
        self.send("watch", **members)
        return self.events("location", "epoch")

    def locate(self, timeout=60, accuracy=None):
        self.send("locate", timeout=timeout, accuracy=accuracy)
        return self.wait("location")

    def significant_changes(self):
        """A location when the board is somewhere else, also while this client is away; acknowledge each."""
        self.send("monitorSignificantChange", enabled=True)
        return (event for event in self.events("location") if event.get("service") == "significantChange")

    def monitor_region(self, identifier, latitude, longitude, radius, **members):
        """Watches a circle (degrees, metres), also while this client is away; returns when it is watched."""
        members.update(identifier=identifier, latitude=latitude, longitude=longitude, radius=radius)
        self.send("monitorRegion", **members)
        if self.wait("monitoring", "monitoringFailed")["event"] == "monitoringFailed":
            raise SextantError("monitoringFailed", f"{identifier} cannot be watched: this needs the authorization always, and a free region")

    def acknowledge(self, event):
        """The event was taken: it is not sent again."""
        if "number" in event:
            self.send("acknowledge", number=event["number"])

    def _receive(self):
        line = self._lines.readline()
        if not line:
            raise SextantError("ended", "the daemon closed the connection")
        event = json.loads(line)
        if event["event"] == "error":
            raise SextantError(event["code"], event["message"])
        if event["event"] == "authorization":
            self.hello.update({name: value for name, value in event.items() if name != "event"})
        return event

    def _is_undetermined(self):
        return self.hello["servicesEnabled"] and self.hello["status"] == "notDetermined"

    def _check(self):
        status = self.hello["status"]
        mend = "sextant clients allow" if self.hello["servicesEnabled"] else "sextant services on"
        if status not in ("authorizedWhenInUse", "authorizedAlways"):
            raise SextantError(status, f"this client is {status}; an operator can mend that: {mend}")


def main():
    parser = argparse.ArgumentParser(description="A client of sextantd: prints its events as JSON, one a line.")
    parser.add_argument("--socket", help="the daemon's socket; SEXTANT_SOCKET, or /run/sextant/sextant.sock")
    parser.add_argument("--count", type=int, help="end after this many events")
    parser.add_argument("--accuracy", type=float, help="for watch and locate: metres that are accurate enough")
    parser.add_argument("--region", nargs=4, metavar=("NAME", "LATITUDE", "LONGITUDE", "RADIUS"), help="watch it first")
    parser.add_argument("command", choices=["watch", "locate", "changes", "regions"])
    options = parser.parse_args()
    try:
        with Sextant(options.socket) as sextant:
            sextant.authorize(always=options.command in ("changes", "regions"))
            if options.region:
                sextant.monitor_region(options.region[0], *map(float, options.region[1:]))
            events = {"watch": lambda: sextant.watch(accuracy=options.accuracy),
                      "locate": lambda: [sextant.locate(accuracy=options.accuracy)],
                      "changes": sextant.significant_changes, "regions": lambda: sextant.events("regionEvent")}
            for event in itertools.islice(events[options.command](), options.count):
                print(json.dumps(event), flush=True)
                sextant.acknowledge(event)
            sextant.send("ping")
            sextant.wait("pong")  # what was acknowledged is forgotten
    except SextantError as error:
        sys.exit(print(f"{parser.prog}: {error}", file=sys.stderr) or 69)


if __name__ == "__main__":
    main()
