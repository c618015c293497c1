"""A client's connection, with no part in common with the product's own."""
import json, os, select, socket, time

from .bench import Failure
from .patience import PATIENCE


class Closed(Failure):
    """The daemon closed the connection."""


class Wire:
    """Lines to and from the daemon, as a user: the kernel says who connects."""

    def __init__(self, path, user=0, patience=PATIENCE):
        self.user, self.patience, self.buffer, self.events = user, patience, b"", []
        self.asked, self.answered, self.is_closed = 0, 0, False
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            if user:
                os.seteuid(user)
            self.socket.connect(path)
        except OSError as error:
            self.socket.close()
            raise Closed(f"user {user} cannot connect: {error.strerror}") from None
        finally:
            if user:
                os.seteuid(0)
        self.socket.setblocking(False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, request, **members):
        self.send_bytes(json.dumps({"request": request, **members}).encode() + b"\n")

    def send_bytes(self, data):
        """Sends all, as the daemon takes it."""
        deadline = time.monotonic() + self.patience
        while data:
            try:
                data = data[self.socket.send(data):]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Failure(f"the daemon took nothing of user {self.user} for {self.patience:g} s") from None
                select.select([self.socket], [self.socket], [], 0.2)
                self.receive()
            except OSError:
                raise Closed(f"the connection of user {self.user} was closed") from None

    def receive(self):
        """Takes what has come."""
        while True:
            try:
                data = self.socket.recv(65536)
            except BlockingIOError:
                break
            except OSError:
                self.is_closed = True
                break
            if not data:
                self.is_closed = True
                break
            self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                raise Failure(f"user {self.user} was sent a line that is no JSON: {line[:80]!r}") from None
            self.events.append(event)

    def next(self, patience=None):
        """The next event."""
        deadline = time.monotonic() + (patience or self.patience)
        while not self.events:
            self.receive()
            if self.events:
                break
            if self.is_closed:
                raise Closed(f"the connection of user {self.user} was closed")
            left = deadline - time.monotonic()
            if left <= 0:
                raise Failure(f"user {self.user} heard nothing for {patience or self.patience:g} s")
            select.select([self.socket], [], [], left)
        return self.events.pop(0)

    def wait(self, *names, patience=None):
        """The next event of these names; others are thrown away."""
        while (event := self.next(patience))["event"] not in names:
            pass
        return event

    def hello(self):
        return self.wait("hello")

    def ask(self, request=None, **members):
        """Sends a request, and returns all that came until everything was answered."""
        if request:
            self.send(request, **members)
        # An earlier one that was given up is not waited for.
        self.answered = self.asked
        self.begin([b""])
        return self.finish()

    def begin(self, lines):
        """Sends lines, a ping after each, without waiting; `finish` is called once for each of them."""
        data = bytearray()
        for line in lines:
            self.asked += 1
            data += line + b'{"request":"ping","id":"ping%d"}\n' % self.asked
        self.send_bytes(bytes(data))

    def finish(self):
        """All that came until the next line of `begin` was answered."""
        self.answered += 1
        name = f"ping{self.answered}"
        came = []
        while True:
            event = self.next()
            if event["event"] == "pong" and event.get("id") == name:
                return came
            came.append(event)

    def drain(self):
        """What has come, without waiting."""
        self.receive()
        came, self.events = self.events, []
        return came
