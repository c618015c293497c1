"""Strangers that do their worst to a daemon's socket and to its gpsd port, from processes of their own."""
import itertools, mmap, os, random, signal, socket, struct, time

FIRST_STRANGER, STRANGERS = 30_000, 60


class Stranger:
    """A user who may be connected several times, and what it does with that."""

    def __init__(self, path, port, user):
        self.path, self.port, self.user, self.sockets = path, port, user, []

    def connect(self):
        """One more connection, or nothing where none is to be had."""
        line = socket.socket(socket.AF_UNIX)
        line.setblocking(False)
        try:
            os.seteuid(self.user)
            line.connect(self.path)
        except OSError:
            line.close()
            return None
        finally:
            os.seteuid(0)
        self.sockets.append(line)
        return line

    def connect_gpsd(self):
        line = socket.socket(socket.AF_INET)
        try:
            line.settimeout(0.2)
            line.connect(("127.0.0.1", self.port))
            line.setblocking(False)
        except OSError:
            line.close()
            return None
        self.sockets.append(line)
        return line

    def line(self, most=16):
        """One of its connections, perhaps a new one."""
        if len(self.sockets) < most and (not self.sockets or random.random() < 0.2):
            return self.connect()
        return random.choice(self.sockets)

    def close(self, line):
        if line in self.sockets:
            self.sockets.remove(line)
            line.close()

    def send(self, line, data, reads=True):
        """Sends what there is room for; True while the connection stands."""
        if line is None:
            return
        try:
            line.send(data)
            if reads:
                line.recv(1 << 18)
        except BlockingIOError:
            pass
        except OSError:
            self.close(line)


def churn(stranger):
    stranger.close(stranger.connect())


def crowd(stranger):
    if not stranger.connect() and stranger.sockets:
        stranger.close(stranger.sockets[0])
    if len(stranger.sockets) > 20:
        stranger.close(stranger.sockets[0])


def ask(stranger):
    stranger.send(stranger.line(), b'{"request":"status"}\n{"request":"energy"}\n{"request":"ping"}\n' * 30)


def deaf(stranger):
    stranger.send(stranger.line(), b'{"request":"status"}\n' * 500, reads=False)


def unending(stranger):
    stranger.send(stranger.line(), b'{"request":"' + b"x" * 100_000)


def garbage(stranger):
    stranger.send(stranger.line(), random.randbytes(5000).replace(b"\0", b"\n"))


def deep(stranger):
    stranger.send(stranger.line(), b"[" * 1000 + b"\n" + b'{"a":' * 200 + b"\n")


def wrong(stranger):
    stranger.send(stranger.line(), b'{"request":"watch","accuracy":"best","id":"a"}\n{"request":"regions"}\n{}\n' * 50)


def trickle(stranger):
    stranger.send(stranger.line(), b'{"request":"ping"}\n'[int(time.monotonic() * 1000) % 19:][:1])


def gpsd(stranger):
    line = random.choice(stranger.sockets) if len(stranger.sockets) > 2 else stranger.connect_gpsd()
    stranger.send(line, random.choice([b'?WATCH={"enable":true,"json":true}\n', b"?POLL;\n" * 100, b"?" * 2000 + b"\n",
                                       random.randbytes(300), b"?DEVICES;?VERSION;" * 50 + b"\n"]),
                  reads=random.random() < 0.5)
    if random.random() < 0.05:
        stranger.close(line)


def register(stranger):
    """What one may do who has a manifest: regions, watches and deferrals, as fast as it can."""
    name = random.randrange(3000)
    stranger.send(stranger.line(), (
        f'{{"request":"monitorRegion","identifier":"{name}","latitude":{name / 100},"longitude":1,"radius":99}}\n'
        '{"request":"watch","accuracy":"best","deferral":{"timeout":100},"label":"x"}\n'
        f'{{"request":"unmonitorRegion","identifier":"{name}"}}\n{{"request":"registrations"}}\n'
        '{"request":"locate","timeout":1}\n').encode() * 5)


def everything(stranger):
    random.choice([churn, ask, deaf, unending, garbage, deep, wrong, trickle, gpsd])(stranger)


FLOODS = (ask, everything, register, deaf, churn, crowd, unending, garbage, gpsd, wrong, deep, trickle)


class Flood:
    """Strangers at work, in a process of their own, until they are ended; of so many acts they make no more."""

    def __init__(self, path, port, act, seed, acts=None):
        self.counter = mmap.mmap(-1, 8)
        self.pid = os.fork()
        if self.pid:
            return
        try:
            # The kernel ends it. A handler in Python would be lost where the signal comes just before the pause.
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            random.seed(seed)
            os.nice(5)
            strangers = [Stranger(path, port, FIRST_STRANGER + index) for index in range(STRANGERS)]
            for count in range(1, acts + 1) if acts else itertools.count(1):
                act(random.choice(strangers))
                struct.pack_into("q", self.counter, 0, count)
            while True:
                signal.pause()
        finally:
            os._exit(1)

    @property
    def acts(self):
        """How many times a stranger did something so far."""
        return struct.unpack_from("q", self.counter)[0]

    def end(self):
        """Ends it; 0, or the exit status with which it had ended by itself."""
        os.kill(self.pid, signal.SIGTERM)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return 0 if status == -signal.SIGTERM else status
