"""What came of every trial, kept in a file as lines of JSON, so that an interruption loses none."""
import json, os


class Results:
    """The trials of one folder; a line that was cut off by a sudden end is left out."""

    def __init__(self, folder):
        self.folder, self.path, self.trials = folder, os.path.join(folder, "trials.jsonl"), []
        os.makedirs(folder, exist_ok=True)
        if os.path.exists(self.path):
            with open(self.path, "rb") as file:
                data = file.read()
            for line in data.split(b"\n"):
                try:
                    trial = json.loads(line)
                    self.trials.append({"figures": {}, "findings": [], "unavailable": None, **trial,
                                        "kind": trial["kind"], "seed": trial["seed"]})
                except (ValueError, KeyError, TypeError):
                    continue
            if data and not data.endswith(b"\n"):
                with open(self.path, "ab") as file:
                    file.write(b"\n")

    def add(self, trial):
        self.trials.append(trial)
        with open(self.path, "ab") as file:
            file.write(json.dumps(trial).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def of(self, kind):
        return [trial for trial in self.trials if trial["kind"] == kind and not trial["unavailable"]]

    def seeds(self, kind):
        return {trial["seed"] for trial in self.of(kind)}

    def attacks(self, kind):
        return sum(trial["attacks"] for trial in self.of(kind))

    def seconds(self, kind):
        return sum(trial["seconds"] for trial in self.of(kind))

    def figures(self, kind):
        """Numbers of a kind by name: the largest where it is a most or a quantile, else the sum."""
        found = {}
        for trial in self.of(kind):
            for name, value in trial["figures"].items():
                is_most = name.startswith(("most", "slowest", "p99", "longest"))
                found[name] = max(found[name], value) if is_most and name in found else (
                    value if is_most else found.get(name, 0) + value)
        return found
