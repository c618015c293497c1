"""The report of a campaign: Markdown with a table, a picture of it, and each finding with its repetition."""
import os, re, statistics

from tuning.picture import BLUE, GREEN, GRID, RED, Drawing

def number(value):
    return f"{value:,.0f}".replace(",", " ") if value >= 100 or value == int(value) else f"{value:.3g}"


class Report:
    """Written anew after every trial of note, so that it holds after a sudden end too."""

    def __init__(self, kinds, results, command="scripts/prove --repeat"):
        # How a trial is repeated.
        self.kinds, self.results, self.command = kinds, results, command

    def write(self):
        self.draw(os.path.join(self.results.folder, "report.svg"))
        path = os.path.join(self.results.folder, "report.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines()) + "\n")
        return path

    def lines(self):
        found = [trial for trial in self.results.trials if trial["findings"]]
        yield "# What was tried, and what came of it"
        yield ""
        yield "| kind | what | trials | attacks | wanted | hours | on | of commit | findings |"
        yield "|---|---|--:|--:|--:|--:|---|---|--:|"
        for name, kind in self.kinds.items():
            trials = self.results.of(name)
            yield (f"| {name} | {kind.ABOUT} | {len(trials)} | {number(self.results.attacks(name))} | "
                   f"{number(getattr(kind, 'GOAL', 100))} | {self.results.seconds(name) / 3600:.2f} | "
                   f"{self.span(trials, 'date')} | {self.span(trials, 'commit')} | "
                   f"{sum(1 for trial in trials if trial['findings'])} |")
        yield ""
        yield "![attacks of each kind, and how long a trial took](report.svg)"
        yield ""
        yield "## What would have been a finding"
        yield ""
        for name, kind in self.kinds.items():
            yield f"- {name}: {kind.FINDING}"
        yield ""
        yield "## Figures"
        yield ""
        yield "| kind | figure | value |"
        yield "|---|---|--:|"
        for name in self.kinds:
            for figure, value in sorted(self.results.figures(name).items()):
                yield f"| {name} | {figure} | {number(value)} |"
        yield ""
        yield "## Findings"
        yield ""
        if not found:
            yield "None."
            yield ""
        for (kind, _), trials in self.grouped(found):
            sentence, first = trials[0]
            others = sorted({trial["seed"] for _, trial in trials} - {first["seed"]})
            yield f"- {kind}: {sentence}. In {len(others) + 1} of {len(self.results.of(kind))} trials:"
            yield f"  `{self.command} {kind}:{first['seed']}`"
            if others:
                yield f"  and the seeds {', '.join(map(str, others[:8]))}{' ...' if len(others) > 8 else ''}"
            yield ""
        missing = {(trial["kind"], trial["unavailable"]) for trial in self.results.trials if trial["unavailable"]}
        for kind, reason in sorted(missing):
            yield f"Not tried: {kind}: {reason}."

    @staticmethod
    def span(trials, name):
        """The first and the last value of a kind's trials, in the order in which they were made."""
        values = list(dict.fromkeys(trial[name] for trial in trials if trial.get(name)))
        return "" if not values else values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"

    @staticmethod
    def grouped(found):
        """Findings that differ in numbers and names alone are one: the kind and the sentence, and where it was found."""
        groups = {}
        for trial in found:
            for sentence in trial["findings"]:
                plain = re.sub(r"\b\w*\d[\w.]*(, \w*\d\w*)*", "N", sentence)
                groups.setdefault((trial["kind"], plain), []).append((sentence, trial))
        return sorted(groups.items(), key=lambda group: (group[0][0], -len(group[1])))

    def draw(self, path):
        """A row for each kind: the share of the wanted attacks that were made, and each trial's time as a dot."""
        height = 110 + 56 * len(self.kinds)
        total, findings = (sum(self.results.attacks(name) for name in self.kinds),
                           sum(1 for trial in self.results.trials if trial["findings"]))
        drawing = Drawing("Attacks on Sextant", f"{number(total)} attacks, {findings} trials with a finding", height)
        drawing.words("attacks made of those wanted", 150, 84, 12)
        drawing.words("seconds of a trial: each dot one, red with a finding", 660, 84, 12)
        for index, (name, kind) in enumerate(self.kinds.items()):
            top, trials = 100 + 56 * index, self.results.of(name)
            attacks, goal = self.results.attacks(name), getattr(kind, "GOAL", 100)
            drawing.words(name, 20, top + 24, 13, weight="bold")
            drawing.box(150, top + 6, 440, 26, GRID)
            drawing.box(150, top + 6, 440 * min(1, attacks / goal), 26, GREEN if attacks >= goal else BLUE, 0.4)
            drawing.words(f"{number(attacks)} of {number(goal)}", 156, top + 24, 12)
            drawing.line(660, top + 34, 1170, top + 34, GRID, 1)
            longest = max([trial["seconds"] for trial in trials] + [1])
            # At most so many dots, and all that found something.
            step = max(1, len(trials) // 500)
            for place, trial in enumerate(trials):
                if trial["findings"] or place % step == 0:
                    x = 660 + 500 * place / max(1, len(trials) - 1)
                    drawing.dot(x, top + 34 - 30 * trial["seconds"] / longest, RED if trial["findings"] else BLUE, 2.5)
            if trials:
                middle = statistics.median(trial["seconds"] for trial in trials)
                drawing.words(f"median {middle:.2g} s, longest {longest:.3g} s", 660, top + 48, 10)
        drawing.write(path)
