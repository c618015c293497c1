"""The gates that `scripts/test` is asked for. Exits 1 where one failed, and 64 for usage."""
import argparse, os, shutil, signal, subprocess, sys, tempfile, time

from tuning.command import Parser

from . import changed, passed, patience, run
from .gate import PASSED, Run
from .gates import gates

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def options(known):
    parser = Parser("test", "Builds, and runs the tests: all of them, or the gates named.")
    parser.add_argument("gates", metavar="GATE", nargs="*", help=f"one of {', '.join(gate.name for gate in known)}")
    parser.add_argument("--changed", action="store_true", help="those that a change since main's last commit can break")
    parser.add_argument("--write", action="store_true",
                        help="run also what need not run again while its files are as they passed before, and keep that they pass")
    parser.add_argument("--cores", type=float, default=os.cpu_count(), help="processors to fill (all)")
    given = parser.parse_args()
    for name in given.gates:
        if name not in {gate.name for gate in known}:
            parser.error(f'"{name}" is no gate; the gates are {", ".join(gate.name for gate in known)}')
    if given.gates and given.changed:
        parser.error("--changed finds the gates itself; name gates or give --changed")
    return given


def main():
    started, known = time.monotonic(), gates()
    given = options(known)
    if given.changed:
        chosen, paths = changed.narrow(known, ROOT)
        print(f"{len(paths)} files differ from main's last commit: {', '.join(gate.name for gate in chosen) or 'no gate'}")
        if not chosen:
            return 0
    else:
        chosen = [gate for gate in known if not given.gates or gate.name in given.gates]
    chosen = changed.with_needs(chosen, known)
    folder = os.path.join(ROOT, ".build/test")
    shutil.rmtree(folder, ignore_errors=True)
    # As /tmp itself is: some programs run as other users. What tests leave among the temporary files goes with it.
    temporary = tempfile.mkdtemp(prefix="sextant-test.", dir="/tmp")
    os.chmod(temporary, 0o1777)
    environment = os.environ | {
        "TMPDIR": temporary, "SEXTANT_PATIENCE": str(patience.seconds()), "PROGRAMS": f"{ROOT}/.build/release",
        "SEXTANT_PROGRAMS": f"{ROOT}/.build/release", "SEXTANT_TESTS": f"{ROOT}/.build/release/sextantPackageTests.xctest"}
    print(f"a wait for a state may take {environment['SEXTANT_PATIENCE']} s here", flush=True)
    # Tests send these to the programs that they run, which would inherit that nohup or a shell's & ignores them.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        shared = Run(ROOT, folder, environment, given.write)
        run.perform(chosen, shared, given.cores)
        if given.write:
            passed.write(ROOT, [gate for gate in chosen if gate.covers and gate.state == PASSED and not gate.skips])
        return run.close(chosen, shared, time.monotonic() - started)
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


sys.exit(main())
