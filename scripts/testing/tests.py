"""What the runner of the gates promises: `python3 -m unittest testing.tests`, with scripts in PYTHONPATH."""
import contextlib, importlib.machinery, importlib.util, io, json, os, subprocess, sys, tempfile, unittest

from proving import models
from proving.support.receiver import Terminal

from . import changed, passed, run, swift_tests
from .gate import FAILED, FLAKE, PASSED, SKIPPED, Gate, Run, TestGate

# A bundle that writes the stream that a test of it asks for, and ends as that says.
BUNDLE = """#!/bin/bash
while [ $# -gt 0 ]; do case $1 in --event-stream-output-path) stream=$2 ;; --filter) filter=$2 ;; esac; shift; done
declare() { echo '{"kind":"test","payload":{"kind":"function","id":"'"$1"'","name":"'"$1"'()","displayName":"the '"$1"'","sourceLocation":{"fileID":"A/B.swift","line":7}}}'; }
event() { echo '{"kind":"event","payload":{"kind":"'"$1"'","testID":"'"$2"'","issue":{},"messages":[{"text":"'"$3"'"}]}}'; }
{ %s
} >"$stream"
%s
"""
GOOD = "declare good; event testStarted good; event testEnded good"
BAD = "declare bad; event testStarted bad; event issueRecorded bad 'Expectation failed: 1 == 2'; event testEnded bad"


class Gates(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.bundle = f"{self.folder.name}/bundle"
        environment = os.environ | {"SEXTANT_PATIENCE": "1", "SEXTANT_TESTS": self.bundle}
        self.run_of_gates = Run(self.folder.name, f"{self.folder.name}/log", environment)

    def gate_of(self, events, end="exit 0"):
        with open(self.bundle, "w", encoding="utf-8") as file:
            file.write(BUNDLE % (events, end))
        os.chmod(self.bundle, 0o755)
        return TestGate("unit", ".")

    def through(self, *gates):
        """What is printed, and the exit status."""
        with contextlib.redirect_stdout(io.StringIO()) as text:
            run.perform(gates, self.run_of_gates, 2)
            self.status = run.close(gates, self.run_of_gates, 1)
        self.text = text.getvalue()
        return [gate.state for gate in gates]

    def test_a_failed_gate_stops_only_those_that_need_it(self):
        states = self.through(Gate("one", "echo 'error: no such thing'; exit 3"), Gate("two", "true", needs=["one"]),
                              Gate("three", "true"))
        self.assertEqual(states, [FAILED, SKIPPED, PASSED])
        self.assertIn("error: no such thing", self.text)
        self.assertIn("needs one", self.text)
        self.assertEqual(self.status, 1)
        self.assertTrue(self.text.endswith("1 passed, 2 failed\n"))

    def test_a_gate_runs_again_only_where_a_file_that_it_depends_on_has_changed(self):
        os.makedirs(f"{self.folder.name}/scripts/testing")
        os.makedirs(f"{self.folder.name}/models")
        for name, text in (("models/one", "1"), ("models/README.md", "1"), ("other", "1")):
            with open(f"{self.folder.name}/{name}", "w", encoding="ascii") as file:
                file.write(text)

        def count():
            """How many times it has run after one more run of all gates."""
            self.through(Gate("models", "echo >>runs", covers=["models"]))
            with open(f"{self.folder.name}/runs", encoding="ascii") as file:
                return len(file.readlines())

        self.assertEqual([count(), count()], [1, 2])
        passed.write(self.folder.name, [Gate("models", "", covers=["models"])])
        self.assertEqual(count(), 2)
        self.assertIn("passed (as before: nothing that it depends on has changed)", self.text)
        for name, runs in (("models/README.md", 2), ("other", 2), ("models/one", 3)):
            with open(f"{self.folder.name}/{name}", "w", encoding="ascii") as file:
                file.write("2")
            self.assertEqual(count(), runs, name)

    def test_the_end_fits_a_screen(self):
        gates = [Gate(f"gate{index}", "seq 200; exit 1") for index in range(20)]
        self.through(*gates)
        end = self.text.partition("step ")[2]
        self.assertLessEqual(end.count("\n"), run.SCREEN)
        self.assertIn("and 4 more that failed", self.text)

    def test_a_part_that_passes_alone_is_a_flake_with_its_name(self):
        gate = Gate("bench", "echo 'FAILED  kill  no fix came'; exit 1", again="test {} = kill")
        self.assertEqual(self.through(gate), [FLAKE])
        self.assertIn("passed when tried again: kill", self.text)
        self.assertEqual(self.status, 0)

    def test_what_a_gate_tried_again_by_itself_is_a_flake_with_its_reason(self):
        self.assertEqual(self.through(Gate("bench", "echo 'flake: the boot of the guest: Kernel panic'")), [FLAKE])
        self.assertIn("passed when tried again: the boot of the guest: Kernel panic", self.text)
        self.assertEqual(self.status, 0)

    def test_a_part_that_fails_alone_too_is_a_failure_with_its_lines(self):
        gate = Gate("bench", "echo 'FAILED  kill  no fix came'; echo its log; exit 1", again="echo {}; false")
        self.assertEqual(self.through(gate), [FAILED])
        self.assertIn("no fix came", self.text)
        self.assertIn("its log", self.text)

    def test_a_gate_that_says_nothing_is_ended(self):
        self.assertEqual(self.through(Gate("page", "sleep 1000")), [FAILED])
        self.assertIn("page said nothing for 2 s", self.text)

    def test_what_a_gate_left_out_is_told(self):
        self.assertEqual(self.through(Gate("page", "echo 'skipped: no chromium'")), [PASSED])
        self.assertIn("left out in page: no chromium", self.text)

    def test_a_failed_test_is_told_with_its_place(self):
        self.assertEqual(self.through(self.gate_of(f"{GOOD}; {BAD}; event runEnded", "exit 1")), [FAILED])
        self.assertIn('Tests/A/B.swift:7 "the bad"', self.text)
        self.assertIn("Expectation failed: 1 == 2", self.text)

    def test_a_test_that_passes_alone_is_a_flake(self):
        once = f"if [ $filter = . ]; then {BAD}; else {GOOD.replace('good', 'bad')}; fi; event runEnded"
        self.assertEqual(self.through(self.gate_of(once, "[ $filter != . ]")), [FLAKE])
        self.assertIn('passed when tried again: "the bad"', self.text)

    def test_a_crash_is_a_failure_and_names_the_tests_that_ran(self):
        told = ['Test "a crashed daemon comes back" started.', "A.swift:7: Fatal error: Index out of range", "Thread 4 crashed:",
                "", "  0    0x0007f1 trap + 1 in B.so", "  1 [ra] 0x0007f2 the last() + 2 in A.xctest", "Registers:"]
        gate = self.gate_of(f"{GOOD}; declare last; event testStarted last",
                            f"cat <<'END'\n{chr(10).join(told)}\nEND\nkill -SEGV $$")
        self.assertEqual(self.through(gate), [FAILED])
        self.assertIn("ended by signal 11 (Segmentation fault) while these ran: the last", self.text)
        self.assertIn("A.swift:7: Fatal error: Index out of range\n    0    trap + 1 in B.so\n    1 [ra] the last()", self.text)
        self.assertNotIn("a crashed daemon", self.text)

    def test_a_run_without_a_test_is_a_failure(self):
        self.assertEqual(self.through(self.gate_of("event runEnded")), [FAILED])
        self.assertIn("no test has this name", self.text)

    def test_a_skip_is_a_failure_unless_it_is_listed(self):
        skip = f"{GOOD}; declare away; event testSkipped away 'Test skipped: no radio'; event runEnded"
        self.assertEqual(self.through(self.gate_of(skip)), [FAILED])
        self.assertIn("skipped, and not in Tests/skips.txt: the away: no radio", self.text)
        os.makedirs(f"{self.folder.name}/Tests")
        with open(f"{self.folder.name}/Tests/skips.txt", "w", encoding="utf-8") as file:
            file.write("# what may be skipped\nthe away | no radio\n")
        self.assertEqual(self.through(self.gate_of(skip)), [PASSED])

    def test_a_pattern_matches_its_test_alone(self):
        self.assertRegex("A.B/`c (d)`()/E.swift:1:2", swift_tests.pattern("A.B/`c (d)`()/E.swift:1:2"))
        self.assertNotRegex("A.B/`c (d)`()/E.swift:1:23", swift_tests.pattern("A.B/`c (d)`()/E.swift:1:2"))


class Arrows(unittest.TestCase):
    def test_a_change_reaches_all_that_stands_on_it(self):
        arrows = changed.Arrows.__new__(changed.Arrows)
        arrows.folders = {"Units": "Sources/Units/", "GNSS": "Sources/GNSS/", "UnitsTests": "Tests/UnitsTests/"}
        arrows.below = {"Units": set(), "GNSS": {"Units"}, "UnitsTests": {"Units"}}
        self.assertEqual(arrows.above({arrows.target("Sources/GNSS/Fix.swift")}), {"GNSS"})
        self.assertEqual(arrows.above({arrows.target("Sources/Units/Angle.swift")}), {"Units", "GNSS", "UnitsTests"})
        self.assertIsNone(arrows.target("README.md"))

    def test_a_target_names_all_that_it_stands_on(self):
        # SwiftPM compiles a target anew only where a module changed that it names, and a struct's size comes from all.
        below = changed.Arrows(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")).below
        for name, named in below.items():
            farther = set().union(*(below.get(each, set()) for each in named))
            self.assertEqual(farther & below.keys() - named, set(), name)


class StepsOfModels(unittest.TestCase):
    """The models of scripts/prove --models and the functions whose steps they have."""

    def test_each_step_is_a_function_that_names_it(self):
        self.assertEqual(list(models.differences()), [])

    def test_a_comment_belongs_to_the_function_below_it(self):
        lines = """\
            package struct Box: Sendable {
                /// This is `put` in the Promela models a.pml and b.pml.
                ///
                /// - Returns: Nothing.
                private mutating func add(_ x: Int) {}
                func take() {}
            }
            extension Box.Inner {
                /// This is `take` in the Promela model a.pml.
                func take() {}
            }""".replace(" " * 12, "").splitlines()
        found = [("a.pml", "put", "Box.add"), ("b.pml", "put", "Box.add"), ("a.pml", "take", "Box.take")]
        self.assertEqual(list(models.steps_of(lines)), found)


class NamesThatExist(unittest.TestCase):
    """What scripts/check-names finds in a text, of programs that have one command with one option."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        loader = importlib.machinery.SourceFileLoader("check_names", "scripts/check-names")
        self.check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_names", loader))
        loader.exec_module(self.check)
        watch = {"commandName": "watch", "arguments": [{"names": [{"kind": "long", "name": "json"}]}]}
        told = {"sextant": json.dumps({"command": {"commandName": "sextant", "subcommands": [watch]}})}
        with open("scripts/debian/programs", encoding="utf-8") as file:
            programs = [line.split()[1] for line in file]
        for name in programs:
            with open(f"{self.folder.name}/{name}", "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\ncat <<'END'\n{told.get(name, '  --config <file>')}\nEND\n")
            os.chmod(file.name, 0o755)
        self.names = self.check.Names(self.folder.name)

    def wrong(self, text, ending="md"):
        path = f"{self.folder.name}/text.{ending}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return len(self.check.Text(path, self.names).wrong)

    def test_what_is_there_may_be_named(self):
        for text in ("sudo apt install ./sextant-page_*_arm64.deb", "sudo sextant watch --json", "sextantd --config FILE",
                     "scripts/package --arch arm64", "/usr/share/sextant/boards/zero-2w/README.md", "sextantd.socket",
                     "/etc/sextant/page.json5", "sextant-wake@tracker.path", "the package sextant is small",
                     "/usr/share/doc/sextant/protocol.md", "[text](text.md)"):
            self.assertEqual(self.wrong(text), 0, text)

    def test_what_is_not_there_is_found(self):
        for text in ("sudo apt install sextent", "install sextant-tables", "sextant_*_arm64.deb, sextant-x_*_all.deb",
                     "sudo sextant look", "`sextant watch --jason`", "sextant [--jason]", "sextantd --konfig FILE",
                     "scripts/package --arc arm64", "scripts/pack", "/usr/share/sextant/bords", "/etc/sextant/pages.json5",
                     "sextant-page.timer", "/usr/share/doc/sextant/boards.md", "[text](texts.md)", "[text](text.md#none)"):
            self.assertGreater(self.wrong(text), 0, text)

    def test_a_text_of_swift_is_read_as_it_is_shown(self):
        self.assertEqual(self.wrong('"sextant " + "watch --json"\n"see \\(path)/x; sextant \\(command)"', "swift"), 0)
        self.assertEqual(self.wrong('"sextant "\n    + "look"\n"sudo \\\n  sextant look"', "swift"), 2)
        self.assertEqual(self.wrong('"scripts/package makes it"', "swift"), 1)
        self.assertEqual(self.wrong('"scripts/package of Sextant\'s sources makes it"', "swift"), 0)


class TerminalOfAnAttack(unittest.TestCase):
    def test_one_that_goes_and_comes_while_it_speaks_holds_nobody_up(self):
        """Each new terminal has the descriptors' numbers of the one before; a speaker that used those waited for ever."""
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        sys.setswitchinterval(1e-6)
        with tempfile.TemporaryDirectory() as folder:
            terminal = Terminal(f"{folder}/gnss")
            terminal.say(lambda second: b"x" * 50, hertz=20000)
            for _ in range(500):
                terminal.unplug()
                terminal.plug()
            terminal.close()


class PlantedFaults(unittest.TestCase):
    def test_they_fit_the_code(self):
        """scripts/prove --planted is no gate, and would find out only when it is wanted."""
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        done = subprocess.run(["git", "apply", "--check", "scripts/proving/planted/faults.patch"], cwd=root,
                              capture_output=True, text=True)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
