"""What a command is: its errors and their exit statuses, its options, its line of progress."""
import argparse, contextlib, re, signal, sys, time


class DataError(Exception):
    """A file that cannot be used: which, where, why, and how to mend it."""

    status = 65

    def __init__(self, path, line, problem, mend):
        place = f"{path}: line {line}" if line else path
        super().__init__(f"{place}: {problem}; {mend}")


class Unavailable(Exception):
    """Something that is not there, or does not answer: what, and how to mend it."""

    status = 69


class DeviceError(Exception):
    """A device that failed while it was used."""

    status = 74


class Parser(argparse.ArgumentParser):
    """Options; what is wrong with them is status 64."""

    def __init__(self, name, description):
        super().__init__(
            prog=name, description=description, formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False)

    def error(self, message):
        self.print_usage(sys.stderr)
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(64)


UNITS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}


def seconds(text, least=1, most=86_400):
    """Seconds as somebody writes them: 90, 90s, 10m, 4h."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|min|h)?", text.strip())
    value = float(found.group(1)) * UNITS[found.group(2) or ""] if found else -1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f'"{text}" is no time from {least:g} s to {most:g} s, such as 90s, 10m or 4h')
    return value


def count(least, most):
    def parse(text):
        if not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f'"{text}" is no whole number from {least} to {most}')
        return int(text)

    return parse


def told(duration):
    """A duration as somebody says it: 45 s, 12 min, 3.5 h."""
    if duration < 100:
        return f"{max(duration, 0):.0f} s"
    return f"{duration / 60:.0f} min" if duration < 5940 else f"{duration / 3600:.1f} h"


class Progress:
    """One line on standard error that is written over on a terminal, and once a minute elsewhere."""

    def __init__(self, stream=sys.stderr):
        self.stream, self.width, self.last = stream, 0, 0

    def show(self, text):
        now = time.monotonic()
        if self.stream.isatty():
            if now - self.last >= 0.2:
                self.stream.write("\r" + text[:118].ljust(self.width))
                self.width, self.last = len(text[:118]), now
                self.stream.flush()
        elif now - self.last >= 60 or not self.last:
            self.last = now
            print(text, file=self.stream, flush=True)

    def say(self, text):
        """A line that stays."""
        if self.stream.isatty() and self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.width = 0
        print(text, file=self.stream, flush=True)


def end(number, frame):
    """A terminal that goes may say so twice: the second must not interrupt what is put in order after the first."""
    for each in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def run(name, main, is_resumable=False):
    """Runs a command, and ends with its status; a terminal that goes, and SIGTERM, end it as Ctrl-C does."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        # What nohup ignores stays ignored.
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
    try:
        sys.exit(main())
    except (DataError, Unavailable, DeviceError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(error.status)
    except KeyboardInterrupt:
        # Where the terminal has gone, nobody reads this.
        with contextlib.suppress(OSError):
            if is_resumable:
                words = "interrupted; what was measured is kept, and the next start goes on"
                print(f"\n{name}: {words}", file=sys.stderr)
        sys.exit(130)
