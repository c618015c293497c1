"""Made-up bytes for everything that takes bytes from outside."""
import os, pathlib, re, subprocess, tarfile

from .support.bench import Failure, Outcome
from .support.daemon import VirtualDaemon
from .support.installation import Installation, clients
from .support.patience import PATIENCE, until
from .support.wire import Wire

ABOUT = ("Made-up bytes to decoders, the receiver's line, the configuration, manifests and the policy: "
         "no input ends a program by a trap, and the next client is served.")
FINDING = ("A trap; a value out of its range; output that is no JSON; pieces that decode otherwise than the whole; "
           "growth; a status other than 78 of a wrong configuration.")
SHORT = 6
GOAL = 1_000_000_000
RANK = 40

# Inputs of a trial for the decoders, some ten seconds of a release build; and in the short form, beside which scripts/test has
# a longer run of the same program. Under libFuzzer each input goes to every decoder, and fewer are made.
INPUTS, SHORT_INPUTS, GUIDED_INPUTS = 2_000_000, 200_000, 200_000
# The same under libFuzzer, where the toolchain has it and SEXTANT_LIBFUZZER had it built.
GUIDED = "sextant-libfuzzer"
# Inputs that reach what others do not; `scripts/sanitize guided` adds to them.
CORPUS = pathlib.Path(__file__).with_name("corpus.tar.gz")


def trial(bench, seed):
    # The decoders are most of what is wanted; of the later seeds every tenth is of the daemon's own surfaces.
    forms = (decoders, files, line)
    form = forms[seed % 3 if seed < 20 or seed % 30 < 3 else 0]
    if form is decoders and seed >= 20 and seed % 5 == 0 and os.access(os.path.join(bench.programs, GUIDED), os.X_OK):
        form = guided
    return form(bench, seed)


def decoders(bench, seed):
    outcome = Outcome()
    inputs = INPUTS if seed >= 20 else SHORT_INPUTS
    command = [bench.program("sextant-fuzz"), "--inputs", str(inputs), "--seed", str(seed)]
    ended = bench.start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said, _ = ended.communicate()
    outcome.attacks = inputs
    if ended.returncode:
        outcome.find(f"sextant-fuzz --inputs {inputs} --seed {seed} ended with {ended.returncode}; --trace shows the "
                     f"session: {' / '.join(said.strip().splitlines()[-2:])}")
    return outcome


def guided(bench, seed):
    """The same decoders under libFuzzer, which looks for inputs that reach new code."""
    outcome, inputs, corpus = Outcome(), GUIDED_INPUTS, bench.path("corpus")
    os.mkdir(corpus)
    if CORPUS.exists():
        with tarfile.open(CORPUS) as packed:
            packed.extractall(corpus)
    ended = bench.start([bench.program(GUIDED), f"-runs={inputs}", f"-seed={seed}", "-rss_limit_mb=1024",
                         f"-artifact_prefix={bench.folder}/", "-print_final_stats=0", corpus],
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    said, _ = ended.communicate()
    outcome.attacks = inputs
    if ended.returncode:
        outcome.find(f"{GUIDED} -runs={inputs} -seed={seed} ended with {ended.returncode}: "
                     f"{' / '.join(said.strip().splitlines()[-3:])}")
    return outcome


# Files

def damaged(text, random):
    data = bytearray(text.encode())
    for _ in range(random.choice([1, 1, 2, 5, 30])):
        place = random.randrange(len(data) + 1)
        choice = random.randrange(5)
        if choice == 0:
            del data[place:place + random.randrange(1, 20)]
        elif choice == 1:
            data[place:place] = random.choice(
                [b"{", b"}", b"[", b"'", b"//", b"/*", b"\\", b"\0", b"\xff", b",,", b"0x", b"Infinity", b"NaN",
                 b"1e999", b"-", b":", b"{" * 2000, b"[" * 20_000, b"'" + b"x" * 5000 + b"'"])
        elif choice == 2 and data:
            data[min(place, len(data) - 1)] = random.randrange(256)
        elif choice == 3:
            numbers = list(re.finditer(rb"\d+", bytes(data)))
            if numbers:
                found = random.choice(numbers)
                data[found.start():found.end()] = random.choice([b"-1", b"0", b"9" * 20, b"1e400", b"0.5"])
        else:
            source = random.randrange(len(data) + 1)
            data[place:place] = data[source:source + random.randrange(60)]
    return bytes(data)


def files(bench, seed):
    """A wrong manifest or policy leaves the others served; a wrong configuration is status 78, never a trap."""
    bench.need_root()
    random, outcome = bench.random(seed), Outcome()
    installation = Installation(bench, clients(2))
    daemon = VirtualDaemon(installation).start()
    manifest = installation.clients[0].manifest
    with open(installation.path("policy.json5"), encoding="utf-8") as file:
        policy = file.read()
    for _ in range(60):
        for name, text in (("clients.d/client0.json5", manifest), ("policy.json5", policy)):
            write(installation.path(name), damaged(text, random))
        outcome.attacks += 2
        # The daemon reads half a second after the last change.
        for _ in range(3):
            daemon.run(0.4)
        with Wire(installation.socket, installation.clients[1].user) as wire:
            if wire.hello().get("client") not in ("client1", None):
                outcome.find("a damaged manifest gave another client's name to a client")
    if not daemon.is_running:
        outcome.find(f"the daemon ended with {daemon.process.returncode} after damaged manifests: {daemon.last_words}")
        return outcome
    daemon.stop()
    with open(installation.configure("/dev/virtual"), encoding="utf-8") as file:
        configuration = file.read()
    for _ in range(25):
        outcome.attacks += 1
        data = damaged(configuration, random)
        status = try_configuration(bench, data)
        if status not in (None, 69, 74, 78):
            outcome.find(f"sextantd ended with {status} at a damaged configuration: {data[:300]!r}")
    return outcome


def try_configuration(bench, data):
    """The exit status of a daemon with this configuration; nothing where it serves with it."""
    path, log = bench.path("damaged.json5"), bench.path("said")
    write(path, data)
    with open(log, "wb") as said:
        # A damaged path must not lead out of the bench.
        process = bench.start([bench.program("sextantd"), "--config", path, "--socket", bench.path("other"), "--gpsd",
                               "off", "--state-directory", bench.path("other-state")], stdout=said, stderr=said,
                              cwd=bench.folder)

    def serves():
        with open(log, "rb") as said:
            return b"serving" in said.read()

    if not until(lambda: serves() or process.poll() is not None):
        raise Failure(f"sextantd neither served nor ended within {PATIENCE:g} s with the configuration {data[:300]!r}")
    if not serves():
        return process.returncode
    process.kill()
    process.wait()
    return None


def write(path, data):
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.chmod(path + ".new", 0o644)
    os.replace(path + ".new", path)


# The receiver's line, through the whole daemon

def line(bench, seed):
    """Whatever comes from the receiver, clients are told numbers in their ranges, and the next fix is right."""
    from .receivers import lies
    return lies(bench, seed)
