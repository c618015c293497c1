"""Debian's brokers, each in a folder of its own and on a port of this machine's loopback alone."""
import os, shutil, signal, socket, subprocess

import paho.mqtt.client as mqtt

from proving.support.patience import until


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def client(name, clean=True):
    """A client of paho 1's interface, which paho 2 has under another name."""
    version = [mqtt.CallbackAPIVersion.VERSION1] if hasattr(mqtt, "CallbackAPIVersion") else []
    return mqtt.Client(*version, client_id=name, clean_session=clean)


class Broker:
    """A process that can be started, ended and killed, again and again."""

    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None
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
        """Whether it takes a client of MQTT; a cluster without a leader does not, though it listens."""
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

    def command(self):
        return [self.program, "-c", f"{self.folder}/mosquitto.conf"]
