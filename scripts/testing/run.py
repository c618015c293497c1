"""Runs gates side by side where their needs and the processors allow, and tells at the end what came of each."""
import os, queue, threading, time

from .gate import FAILED, FLAKE, LAST, PASSED, SKIPPED, TestGate

# Lines that the end may take, so that it fits a screen.
SCREEN = 60


def perform(gates, run, cores):
    """Runs all of them; a gate that fails stops only those that need it."""
    waiting, running, ended = list(gates), set(), queue.Queue()
    by_name = {gate.name: gate for gate in gates}
    try:
        while waiting or running:
            for gate in list(waiting):
                needed = [by_name[name] for name in gate.needs if name in by_name]
                failed = [each.name for each in needed if each.state in (FAILED, SKIPPED)]
                if failed:
                    gate.state, gate.why = SKIPPED, f"needs {', '.join(failed)}"
                    waiting.remove(gate)
                    tell(gate)
                elif all(each.state for each in needed) and sum(each.cores for each in running) + min(gate.cores, cores) <= cores:
                    waiting.remove(gate)
                    running.add(gate)
                    threading.Thread(target=work, args=(gate, run, ended), daemon=True).start()
            if running:
                gate = ended.get()
                running.remove(gate)
                tell(gate)
        for gate in gates:
            # Now nothing else runs.
            gate.repeat(run)
    finally:
        for gate in running:
            gate.end()


def work(gate, run, ended):
    try:
        gate.perform(run)
    except Exception as error:  # told as this gate's failure, so that the others go on
        gate.state, gate.problems = FAILED, {gate.name: [f"{type(error).__name__}: {error}"]}
    ended.put(gate)


def tell(gate):
    print(f"{time.strftime('%H:%M:%S')}  {gate.name:12} {gate.state}  {gate.why or f'{gate.seconds:.0f} s'}", flush=True)


def close(gates, run, seconds):
    """Prints the table and what failed, in at most SCREEN lines; the exit status."""
    lines = [f"{'step':12} {'seconds':>7} {'processor':>9}  result"]
    for gate in gates:
        result = gate.state
        if gate.why:
            result += f" ({gate.why})"
        elif gate.flakes:
            result += f"  passed when tried again: {'; '.join(gate.flakes)}"[:150]
        lines.append(f"{gate.name:12} {gate.seconds:7.0f} {gate.processor:9.0f}  {result}")
    notes = [f"left out in {gate.name}: {skip}" for gate in gates for skip in gate.skips if not isinstance(gate, TestGate)]
    lines += notes[:6]
    failed = [(gate, part) for gate in gates for part in gate.problems]
    room = SCREEN - len(lines) - 6
    for index, (gate, part) in enumerate(failed):
        here = gate.problems[part]
        share = max(2, room // (len(failed) - index) - 1)
        if room < 2:
            lines.append(f"and {len(failed) - index} more that failed")
            break
        # Of a log's end the last lines say most, of everything else the first.
        rest = here[1:][-(share - 1):] if here[0].endswith(LAST) else here[1:share]
        told = [f"{gate.name}: {here[0]}"[:200]] + [f"    {line.strip()}"[:200] for line in rest]
        lines += told
        room -= len(told)
    print("\n" + "\n".join(lines))
    tests = [gate for gate in gates if isinstance(gate, TestGate)]
    good = sum(gate.state in (PASSED, FLAKE) for gate in gates)
    passed = sum(len(gate.outcome.passed) + len(gate.flakes) for gate in tests)
    skipped = sum(len(gate.outcome.skipped) for gate in tests)
    print(f"{good} of {len(gates)} steps and {passed} tests passed, {skipped} skipped, in {seconds:.0f} s "
          f"and {sum(gate.processor for gate in gates):.0f} s of processor; "
          f"whole logs in {os.path.relpath(run.folder, run.root)}")
    print(f"{passed + good} passed, {len(failed) + sum(gate.state == SKIPPED for gate in gates)} failed")
    return 0 if good == len(gates) else 1
