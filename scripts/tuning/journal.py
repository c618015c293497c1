"""What was measured, a line of JSON each: on the disk as soon as it is known, so that no interruption takes it away."""
import fcntl, json, os

from .command import DataError, DeviceError, Unavailable


class Journal:
    """A file of records whose first line says of what it is.

    A last line that was cut off by a loss of power is no record, and is taken away. One program at a time has it.
    """

    def __init__(self, path, subject):
        self.path, self.records = path, []
        try:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            self.file = open(path, "a+b", buffering=0)
        except OSError as error:
            raise DataError(path, 0, error.strerror, "name another file with --record") from None
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unavailable(f"{path} is in use by another run; end that one first") from None
        self.file.seek(0)
        whole, _, cut = self.file.read().rpartition(b"\n")
        if cut:
            self.file.truncate(len(whole) + 1 if whole else 0)
        for number, line in enumerate(whole.split(b"\n") if whole else [], 1):
            self.take(number, line)
        self.check(subject)

    def take(self, number, line):
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ValueError
        except ValueError:
            raise DataError(self.path, number, "it is no record", "remove the line, or name another --record") from None
        self.records.append(record)

    def check(self, subject):
        if not self.records:
            return self.add(subject)
        for key, value in subject.items():
            if self.records[0].get(key) != value:
                mend = "name another file with --record, or remove this one to begin anew"
                raise DataError(self.path, 1, f"it is of {key} {self.records[0].get(key)}, and this is {value}", mend)

    def add(self, record):
        """Keeps a record; when it returns, the record is on the disk."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        try:
            written = self.file.write(line)
            os.fsync(self.file.fileno())
        except OSError as error:
            raise DeviceError(f"{self.path}: {error.strerror}; make room, and start this again") from None
        if written < len(line):
            raise DeviceError(f"{self.path}: its file system is full; make room, and start this again")
        self.records.append(record)

    def of(self, kind):
        return [record for record in self.records if record.get("kind") == kind]


def usual_path(script, name):
    """Where a script keeps its records unless it is told: the same file at every start."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(state, "sextant", f"{script}-{name}.jsonl")
