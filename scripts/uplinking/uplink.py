"""The program sextant-uplink as a process of a bench, which can be started, ended and killed again and again."""
import json, os, signal, subprocess


class Uplink:
    """device: One of the board's DEVICES. settings: What uplink.json5 says beside the broker and the id."""

    def __init__(self, board, port, device, **settings):
        self.folder, self.process = f"{board.folder}/{device}", None
        for name in ("state", "run"):
            os.makedirs(f"{self.folder}/{name}")
        text = json.dumps({"broker": f"mqtt://127.0.0.1:{port}", "id": device, "spread": 0, **settings})
        self.command = [board.program(device), "--config", board.write(f"{device}/uplink.json5", text)]
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
