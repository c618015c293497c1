"""A week of the daemon's life in virtual time, again and again, until it was years."""
import json, re, subprocess

from .support.bench import Outcome

ABOUT = ("The daemon lives on in virtual time with clients, kills, clocks and an unplugged receiver; what is "
         "registered, told and denied is compared, and memory, descriptors and the store do not grow.")
FINDING = "A difference of what is registered, told or denied; growth of memory, descriptors or the store."
SHORT = 1
GOAL = 365
RANK = 70
WAITS = 6

DAYS, SHORT_DAYS = 7, 1


def trial(bench, seed):
    """Seeds to 9 are a day, for the short form; each attack is a day."""
    bench.need_root()
    outcome, days = Outcome(), SHORT_DAYS if seed < 10 else DAYS
    process = bench.start([bench.program("virtual-year"), "--programs", bench.programs, "--days", str(days),
                           "--seed", str(seed)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said, last = [], {}
    for line in process.stdout:
        bench.say(line.strip())
        said.append(re.sub(r"/tmp/sextant-year-\w+", "FOLDER", line.strip()))
        try:
            last = json.loads(line)
            outcome.attacks += 1
            note(outcome, last)
        except ValueError:
            if line.startswith("problem:"):
                outcome.find(line.strip().removeprefix("problem: "))
    status = process.wait()
    if status and not outcome.findings:
        outcome.find(f"virtual-year --days {days} --seed {seed} ended with {status}: {' / '.join(said[-3:])}")
    if not outcome.findings and outcome.attacks < days:
        outcome.find(f"virtual-year told of {outcome.attacks} days of {days}")
    for name in ("kills", "restarts", "clockSteps", "events", "locations"):
        outcome.figures[name] = last.get(name, 0)
    return outcome


def note(outcome, day):
    outcome.note_most("most KiB of memory", day["residentKibibytes"])
    outcome.note_most("most descriptors", day["descriptors"])
    outcome.note_most("most KiB of the store", day["stateBytes"] / 1024)
