"""Debian's brokers, each in a folder of its own and on a port of this machine's loopback alone."""
import contextlib, os, shutil, signal, socket, subprocess

import paho.mqtt.client as mqtt

from proving.support.patience import until
from proving.support.ports import free_port


def client(name, clean=True):
    """A client of paho 1's interface, which paho 2 has under another name."""
    version = [mqtt.CallbackAPIVersion.VERSION1] if hasattr(mqtt, "CallbackAPIVersion") else []
    return mqtt.Client(*version, client_id=name, clean_session=clean)


class Broker:
    """A process that can be started, ended and killed, again and again."""

    def __init__(self, folder):
        self.folder, self.port, self.process, self.is_secure = folder, free_port(), None, False
        os.makedirs(folder)

    def command(self):
        raise NotImplementedError

    def start(self):
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(self.command(), cwd=self.folder, stdout=log, stderr=log)
        if not until(self.answers, pause=0.05):
            raise AssertionError(f"{self.command()[0]} does not serve; its log is {self.folder}/log")
        return self

    def answers(self):
        """Whether it takes a client of MQTT; a cluster without a leader does not, though it listens. With TLS: whether it listens."""
        if self.is_secure:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return True
            return False
        probe, codes = client("probe"), []
        probe.on_connect = lambda *said: codes.append(said[-1])
        try:
            probe.connect("127.0.0.1", self.port)
            for _ in range(20):
                if probe.loop(0.1) or codes:
                    break
            probe.disconnect()
        except OSError:
            pass
        return codes == [0]

    def end(self, how=signal.SIGTERM):
        if self.process:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def kill(self):
        self.end(signal.SIGKILL)

    @property
    def log(self):
        with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def seconds(self):
        """Seconds of a processor that the process has used so far."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Mosquitto(Broker):
    """Mosquitto with Debian's own settings, but for its folder and a listener on the loopback; `more` is added to them."""

    def __init__(self, folder, more=""):
        super().__init__(folder)
        self.program = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
        with open("/etc/mosquitto/mosquitto.conf") as file:
            own = [line for line in file if line.split()[:1] not in (["pid_file"], ["log_dest"], ["include_dir"])]
        text = "".join(own).replace("/var/lib/mosquitto/", f"{folder}/")
        with open(f"{folder}/mosquitto.conf", "w") as file:
            file.write(f"{text}\nuser root\nlog_dest stderr\nlistener {self.port} 127.0.0.1\nallow_anonymous true\n{more}\n")

    def secure(self, certificate, key, authority):
        """From the next start on it speaks TLS alone, to those with a certificate of the authority."""
        self.is_secure = True
        path, own = f"{self.folder}/mosquitto.conf", ("certfile", "keyfile", "cafile", "require_certificate")
        with open(path) as file:
            text = "".join(line for line in file if line.split()[:1] and line.split()[0] not in own)
        with open(path, "w") as file:
            file.write(f"{text}certfile {certificate}\nkeyfile {key}\ncafile {authority}\nrequire_certificate true\n")

    def command(self):
        return [self.program, "-c", f"{self.folder}/mosquitto.conf"]


class Nats(Broker):
    """A node of NATS with MQTT and JetStream: alone, or with others by their ports."""

    def __init__(self, folder, program, name="one", cluster=None):
        super().__init__(folder)
        self.program, self.name, self.cluster, self.own, self.routes = program, name, cluster, free_port(), []

    def command(self):
        return [self.program, "-c", f"{self.folder}/nats.conf"]

    def configure(self, replicas=1):
        text = f"""server_name: {self.name}
listen: "127.0.0.1:{free_port()}"
jetstream {{ store_dir: "{self.folder}" }}
mqtt {{ listen: "127.0.0.1:{self.port}", stream_replicas: {replicas} }}
"""
        if self.cluster:
            routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in self.routes)
            text += f'cluster {{ name: {self.cluster}, listen: "127.0.0.1:{self.own}", routes: [{routes}] }}\n'
        with open(f"{self.folder}/nats.conf", "w") as file:
            file.write(text)
        return self


def nats_cluster(folder, program, count=3):
    """So many nodes of one cluster, started."""
    nodes = [Nats(f"{folder}/{name}", program, name, "fleet") for name in [f"n{index}" for index in range(count)]]
    for node in nodes:
        node.routes = [other.own for other in nodes if other is not node]
        node.configure(replicas=count)
    for node in nodes:
        with open(f"{node.folder}/log", "ab") as log:
            node.process = subprocess.Popen(node.command(), stdout=log, stderr=log)
    for node in nodes:
        if not until(node.answers, pause=0.2):
            raise AssertionError(f"NATS does not serve; its log is {node.folder}/log")
    return nodes
