"""An installation of Sextant in a folder: configuration, manifests, policy and state."""
import os

FIRST_USER = 20_001


class Client:
    """A client as an operator installs it: the kernel knows it by its user."""

    def __init__(self, name, user, authorization="always", accuracy="full", members=""):
        self.name, self.user, self.members = name, user, members
        # None: nothing was decided.
        self.authorization, self.accuracy = authorization, accuracy

    @property
    def manifest(self):
        purpose = "purpose: { whenInUse: 'To be proved.', always: 'To be proved.' }"
        return f"{{ user: {self.user}, {purpose}, backgroundMode: true, {self.members} }}\n"

    @property
    def rule(self):
        words = [f"{name}: '{word}'" for name, word in
                 (("authorization", self.authorization), ("accuracy", self.accuracy)) if word]
        return f"'{self.name}': {{ {', '.join(words)} }}," if words else ""


def clients(count):
    """So many clients that may have everything, users 20001 and on."""
    return [Client(f"client{index}", FIRST_USER + index) for index in range(count)]


class Installation:
    """The files of one daemon below a bench's folder."""

    def __init__(self, bench, clients, name="d", others="", port=None):
        self.bench, self.clients, self.folder = bench, clients, bench.path(name)
        # The gpsd protocol's, where it is served.
        self.port = port
        self.socket, self.state = self.path("s"), self.path("state")
        os.makedirs(self.path("clients.d"), mode=0o755)
        os.chmod(self.folder, 0o755)
        for client in clients:
            self.write(f"clients.d/{client.name}.json5", client.manifest)
        self.write("policy.json5", f"{{ clients: {{ {' '.join(client.rule for client in clients)} }}, {others} }}\n")
        self.configure("/dev/virtual")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)
        return path

    def configure(self, device, members="baud: 115200,"):
        port = f"{{ port: {self.port} }}" if self.port else "{ enabled: false }"
        return self.write("sextant.json5", (
            f"{{ device: '{device}', socket: '{self.socket}', {members} gpsd: {port},\n"
            f"  stateDirectory: '{self.state}', wakeDirectory: '{self.folder}',\n"
            f"  clients: {{ manifests: '{self.path('clients.d')}', policy: '{self.path('policy.json5')}' }} }}\n"))

    def client(self, name):
        return next(client for client in self.clients if client.name == name)

    @property
    def database(self):
        return os.path.join(self.state, "state.sqlite")

    @property
    def log(self):
        """What the daemon wrote into its log so far, all starts together."""
        try:
            with open(self.path("log"), encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""
