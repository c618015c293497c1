"""Faults that are planted on purpose, and the kinds that must find each: scripts/prove --planted FOLDER.

Half of them are in the programs: faults.patch puts them into a copy of the checkout, which is built in FOLDER, and the
variable SEXTANT_PLANTED chooses one. The others are put in from outside, by `support.sabotage`.
"""
import os, subprocess

from tuning.command import DeviceError, Progress

from ..support.runner import Trial

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PATCH = os.path.join(HERE, "faults.patch")
PROGRAMS = ("sextantd", "sextantd-bench", "sextant", "sextant-page", "sextant-fuzz")
# What a program with the fault does; the kinds that must find it.
IN_PROGRAMS = {
    "operator": ("serves everybody what only operators may ask: an identity check is skipped",
                 ("adversaries", "privacy")),
    "sync": ("never waits for the card: every fsync is left out", ("cuts",)),
    "row": ("takes a decision that it cannot read for none: a row is decoded leniently", ("cards",)),
    "bound": ("tells all beacons in one line: a bound is removed", ("radio",)),
    "open": ("keeps connections that ended open", ("strangers",)),
    "belief": ("never believes again a receiver that jumped", ("receivers",)),
    "trap": ("ends at a certain byte in a line", ("requests", "fuzzing")),
    "session": ("serves the page without a session", ("page",)),
    "check": ("calls every table of places whole", ("tables",)),
}
FROM_OUTSIDE = {
    "cut": ("confirms before the last transactions are on the card", ("kills", "syscalls", "clocks")),
    "row": ("loses a registration", ("kills", "adversaries")),
    "events": ("forgets events that nobody acknowledged", ("kills", "syscalls")),
    "deferred": ("forgets fixes that were held back", ("kills",)),
    "decisions": ("forgets denials", ("kills", "cards")),
    "old": ("goes back to an earlier time", ("kills", "adversaries")),
    "unsynced": ("confirms before the bytes are on the card, one sync of ten", ("cuts",)),
    "open-files": ("lets everybody read what it keeps", ("adversaries",)),
}


def problem():
    """Why faults.patch does not fit the checkout any more; nothing where it fits, or outside of a clone."""
    if not os.path.exists(os.path.join(ROOT, ".git")):
        return None
    tried = subprocess.run(["git", "-C", ROOT, "apply", "--check", PATCH], capture_output=True, text=True)
    return tried.stderr.strip().replace("\n", "; ") if tried.returncode else None


def build(folder):
    """Builds the programs with the faults of the last commit; returns their folder."""
    os.makedirs(folder, exist_ok=True)
    pack = subprocess.Popen(["git", "-C", ROOT, "archive", "HEAD"], stdout=subprocess.PIPE)
    steps = [(["tar", "-x", "-C", folder], {"stdin": pack.stdout}), (["patch", "-p1", "-s", "-N", "-i", PATCH], {}),
             (["scripts/release", *PROGRAMS], {})]
    for command, options in steps:
        if subprocess.run(command, cwd=folder, **options).returncode:
            raise DeviceError(f"{folder}: {command[0]} failed; faults.patch is to be made anew where it does not apply")
    return os.path.join(folder, ".build", "release")


def find(kinds, programs, folder):
    """Makes the short form's trials of each kind with each fault, until one finds it; the exit status."""
    progress, missed = Progress(), []
    plan = [(name, what, kind, folder, None) for name, (what, found) in IN_PROGRAMS.items() for kind in found
            if kind in kinds]
    plan += [(name, what, kind, programs, name) for name, (what, found) in FROM_OUTSIDE.items()
             for kind in found if kind in kinds]
    for name, what, kind, where, sabotage in plan:
        os.environ["SEXTANT_PLANTED"] = "" if sabotage else name
        found = first(kinds[kind], kind, where, sabotage, progress)
        place = "from outside" if sabotage else "in the program"
        print(f"planted: {name} ({place}) {what}: {kind} "
              + (f"found it with seed {found[0]}: {found[1]}" if found else "did NOT find it"), flush=True)
        if not found:
            missed.append(f"{name} by {kind}")
    os.environ.pop("SEXTANT_PLANTED")
    print(f"{len(plan) - len(missed)} of {len(plan)} found" + (f"; not: {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


def first(kind, name, programs, sabotage, progress):
    """The first seed with a finding and its sentence; nothing where the short form has none."""
    for seed in range(1, kind.SHORT + 1):
        trial = Trial(kind, name, seed, programs, sabotage=sabotage)
        try:
            while not (record := trial.poll(0.2)):
                pass
        except BaseException:
            trial.end()
            raise
        progress.show(f"{name}:{seed}")
        if record["findings"]:
            return seed, record["findings"][0]
    return None
