"""The program sextant-uplink as a process of a bench, which can be started, ended and killed again and again."""
import json, os, shutil, signal, subprocess


class Uplink:
    """device: One of the board's DEVICES. settings: What uplink.json5 says beside the broker and the id."""

    def __init__(self, board, port, device, scheme="mqtt", **settings):
        self.folder, self.process = f"{board.folder}/{device}", None
        for name in ("state", "run", "keys"):
            os.makedirs(f"{self.folder}/{name}")
        text = json.dumps({"broker": f"{scheme}://localhost:{port}", "id": device, "spread": 0, **settings})
        self.command = [board.program(device), "--config", board.write(f"{device}/uplink.json5", text), "--keys", f"{self.folder}/keys"]
        self.environment = os.environ | {
            "SEXTANT_SOCKET": board.socket, "STATE_DIRECTORY": f"{self.folder}/state", "RUNTIME_DIRECTORY": f"{self.folder}/run"}

    def start(self):
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log)
        return self

    def end(self, how=signal.SIGTERM):
        if self.process:
            self.process.send_signal(how)
            status = self.process.wait()
            self.process = None
            return status

    def kill(self):
        self.end(signal.SIGKILL)

    def connect(self):
        """Has it try again at once, and says whether it is connected."""
        if not self.status.get("connected") and self.heeds(signal.SIGHUP):
            self.process.send_signal(signal.SIGHUP)
        return self.status.get("connected")

    def heeds(self, number):
        """Whether the process lives, and blocks or handles a signal, which would end it before."""
        if self.process.poll() is not None:
            return False
        with open(f"/proc/{self.process.pid}/status") as file:
            masks = [int(line.split()[1], 16) for line in file if line.startswith(("SigBlk", "SigCgt"))]
        return any(mask >> (number - 1) & 1 for mask in masks)

    def give(self, **keys):
        """Puts files into the folder of the password and the keys, each by a path; takes the others out."""
        for name in os.listdir(f"{self.folder}/keys"):
            os.unlink(f"{self.folder}/keys/{name}")
        for name, path in keys.items():
            shutil.copy(path, f"{self.folder}/keys/{name.replace('_', '.')}")

    @property
    def status(self):
        """What the program tells of itself; empty while it tells nothing."""
        try:
            with open(f"{self.folder}/run/status.json", encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    @property
    def log(self):
        with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as file:
            return file.read()
