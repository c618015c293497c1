"""Which gates a change can break, by the package's own arrows: a target, and every target that stands on it."""
import json, os, subprocess


def files(root):
    """Paths that differ from main's last commit, those that git does not know yet among them."""
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True).stdout.split("\n")

    return sorted({path for path in git("diff", "--name-only", "main") + git("ls-files", "--others", "--exclude-standard")
                   if path})


class Arrows:
    """The package's targets: their folders, and what each stands on."""

    def __init__(self, root):
        text = subprocess.run(["swift", "package", "--ignore-lock", "dump-package"], cwd=root, capture_output=True, text=True, check=True)
        targets = json.loads(text.stdout)["targets"]
        self.folders = {each["name"]: each["path"].rstrip("/") + "/" for each in targets}
        self.below = {each["name"]: {next(iter(one.values()))[0] for one in each["dependencies"]} for each in targets}

    def target(self, path):
        """The target that a file belongs to; nil for none."""
        owners = [name for name, folder in self.folders.items() if path.startswith(folder)]
        return max(owners, key=lambda name: len(self.folders[name]), default=None)

    def above(self, changed):
        """The targets given, and all that stand on them."""
        reached = set(changed)
        while True:
            more = {name for name, below in self.below.items() if name not in reached and below & reached}
            if not more:
                return reached
            reached |= more


def narrow(gates, root):
    """The gates that the change can break, that of the unit tests with the rooms' own tests alone; and the changed files."""
    paths = files(root)
    arrows = Arrows(root)
    if "Package.swift" in paths:
        reached = set(arrows.folders)
    else:
        reached = arrows.above({target for path in paths if (target := arrows.target(path))})
    chosen = []
    for gate in gates:
        if gate.name == "unit":
            rooms = sorted(name for name in reached if name.endswith("Tests") and name != "EndToEndTests")
            if not rooms:
                continue
            gate.chosen = rf"^({'|'.join(rooms)})\."
        elif not (gate.reaches & reached or any(path.startswith(gate.paths) for path in paths if gate.paths)):
            continue
        chosen.append(gate)
    return chosen, paths


def with_needs(chosen, gates):
    """The gates chosen and all that they need, in the table's order."""
    by_name, wanted = {gate.name: gate for gate in gates}, set()

    def want(gate):
        wanted.add(gate.name)
        for name in gate.needs:
            want(by_name[name])

    for gate in chosen:
        want(gate)
    return [gate for gate in gates if gate.name in wanted]
