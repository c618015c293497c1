"""The models of what is stored and told and of the host's sleep, explored by spin: scripts/prove --models.

Every state of a model is visited, in the order of their distance from the start, so that a trace is as short as can be.
"""
import concurrent.futures, os, re, shutil, subprocess, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "..", "..", "..", "Sources")
# How many of a trace's last steps are told.
STEPS = 8
# What a comment of Swift says of the step that its function is, and what such a comment belongs to.
NAMED = re.compile(r"`(\w+)` in the Promela models? ([\w.]+\.pml(?: and [\w.]+\.pml)*)")
TYPE = re.compile(r"^(?:\w+ )*(?:struct|class|enum|extension|actor) (\w+)")
FUNCTION = re.compile(r"^\s*(?:\w+ )*func `?(\w+)")


class Model:
    """A model's file, and what its comments say of it."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().splitlines()
        self.parts = [name for name, _, _ in self.said("part")] or [""]
        self.steps = {(self.name, name, function) for name, _, function in self.said("step")}

    def said(self, word):
        """The names of such lines, the part that each is of, and their sentences."""
        found = (re.match(rf"// {word} (\w+)(?: \((\w+)\))?: (.+)", line) for line in self.lines)
        return [match.groups() for match in found if match]

    def explorations(self):
        for part in self.parts:
            yield Exploration(self, part)
        for kind in ("planted", "open"):
            for name, part, sentence in self.said(kind):
                yield Exploration(self, part or self.parts[0], kind, name, sentence)


class Exploration:
    """A model with one fault, or with none, and what spin found."""

    def __init__(self, model, part, kind=None, fault=None, sentence=""):
        self.model, self.part, self.kind, self.fault, self.sentence = model, part, kind, fault, sentence
        self.problem, self.steps = "", []

    @property
    def name(self):
        return " ".join(filter(None, [self.model.name.removesuffix(".pml"), self.part, self.fault]))

    def run(self):
        defines = [f"-D{name}" for name in (self.part, self.fault) if name]
        with tempfile.TemporaryDirectory(prefix="sextant-model-") as folder:
            shutil.copy(self.model.path, folder)

            def told(*words):
                done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace")
                return done.stdout + done.stderr

            made = told("spin", "-a", *defines, self.model.name)
            # Where a fault is found early, compiling takes longer than exploring.
            made += told("gcc", "-O0" if self.fault else "-O2", "-w", "-DSAFETY", "-DBFS", "-DNOREDUCE", "-o", "pan",
                         "pan.c")
            end = told("./pan", "-w22") if os.path.exists(os.path.join(folder, "pan")) else made
            has_trail = os.path.exists(os.path.join(folder, self.model.name + ".trail"))
            trail = told("spin", "-t", "-B", *defines, self.model.name) if has_trail else ""
        states = re.search(r"(\d+) states, stored", end)
        depth = re.search(r"depth reached (\d+), errors: (\d)", end)
        if not states or not depth or "not completed" in end and depth[2] == "0":
            self.problem = f"spin gave up: {end.strip()[:300]}"
            return self
        self.states, self.depth, self.is_broken = int(states[1]), int(depth[1]), depth[2] != "0"
        self.steps = re.findall(r"^ +(\w+: .+)$", trail, re.MULTILINE)
        place = re.search(r":(\d+), Error: assertion violated", trail)
        self.promise = self.model.lines[int(place[1]) - 1].rpartition("// ")[2] if place else ""
        if self.is_broken != bool(self.fault):
            self.problem = "spin does not find the fault" if self.fault else f"a promise is broken: {self.promise}"
        return self

    def tell(self):
        if self.problem:
            print(f"FAILED {self.name}: {self.problem}")
        elif not self.fault:
            print(f"{self.name}: all {self.states:,} states hold every promise, up to {self.depth} steps away")
        else:
            known = "planted" if self.kind == "planted" else "the code has it"
            print(f"{self.name} ({known}): {self.sentence}")
            print(f"    found after {self.states:,} states; broken: {self.promise}")
        for step in (["..."] if len(self.steps) > STEPS else []) + self.steps[-STEPS:]:
            print(f"        {step}")


def models():
    return [Model(os.path.join(HERE, name)) for name in sorted(os.listdir(HERE)) if name.endswith(".pml")]


def steps_in_swift(sources=SOURCES):
    """The steps that comments of Swift functions name: model, step, and the function with its type."""
    found = set()
    for folder, _, names in os.walk(sources):
        for name in sorted(names):
            if name.endswith(".swift"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found |= set(steps_of(file))
    return found


def steps_of(lines):
    type_name, named = "", []
    for line in lines:
        if match := TYPE.match(line):
            type_name = match[1]
        if line.lstrip().startswith("///"):
            named += [(model, step) for step, files in NAMED.findall(line) for model in files.split(" and ")]
        elif match := FUNCTION.match(line):
            yield from ((model, step, f"{type_name}.{match[1]}") for model, step in named)
            named = []


def differences():
    """Sentences about steps that either the models or the comments of the code do not name."""
    modelled, commented = set().union(*(model.steps for model in models())), steps_in_swift()
    for model, step, function in sorted(modelled - commented):
        yield f"no comment of {function} in Sources says that it is `{step}` in the Promela model {model}"
    for model, step, function in sorted(commented - modelled):
        yield f"{model} has no line \"step {step}: {function}\", which a comment of that function names"


def explore(jobs):
    """Explores every model, without a fault and with each; the exit status."""
    wrong = list(differences())
    for sentence in wrong:
        print(f"FAILED names: {sentence}")
    missing = [program for program in ("spin", "gcc") if not shutil.which(program)]
    if missing:
        print(f"skipped: models: {' and '.join(missing)} cannot be found; scripts/setup --tests installs them")
        return 1 if wrong else 69
    every = [exploration for model in models() for exploration in model.explorations()]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for exploration in pool.map(Exploration.run, every):
            exploration.tell()
    failed = [exploration for exploration in every if exploration.problem]
    print(f"{len(every) - len(failed)} of {len(every)} explorations ended as they must")
    return 1 if wrong or failed else 0
