"""What scripts/firmware finds in a program for the chip: `python3 -m unittest testing.chip_tests`, with scripts in PYTHONPATH.

Each fault is planted in a program of a few lines, so that the Engine need not be compiled.
"""
import contextlib, importlib.machinery, importlib.util, io, os, shutil, struct, tempfile, unittest

PROGRAM = """internal import CChip
%s
@main struct Planted {
    static func main() {
        let name = String(cString: chip_argument())
        var (inputs, checksum) = (0, 7)
        %s
        print("\\(name): \\(inputs) inputs, 1 with other outputs than recorded, checksum \\(checksum), 9 instructions")
        chip_exit(1)
    }
}
"""


class FaultsOnChip(unittest.TestCase):
    def setUp(self):
        loader = importlib.machinery.SourceFileLoader("firmware", "scripts/firmware")
        self.firmware = importlib.util.module_from_spec(importlib.util.spec_from_loader("firmware", loader))
        loader.exec_module(self.firmware)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = self.firmware.BUILT = folder.name
        self.library = self.firmware.library()
        if not os.path.isdir(self.library) or not shutil.which("qemu-system-arm"):
            self.skipTest("the toolchain's library for the chip, or qemu-system-arm, is not there")

    def compiled(self, body, functions=""):
        """What the compiler says of errors in the program."""
        with open(f"{self.folder}/Planted.swift", "w", encoding="utf-8") as file:
            file.write(PROGRAM % (functions, body))
        room = {"path": self.folder, "dependencies": [], "settings": []}
        return self.firmware.compile_room("Planted", {"Planted": room}, {})[1]

    def said(self, body, functions=""):
        """What scripts/firmware tells of a recording that the program replays, and its exit status."""
        self.assertEqual(self.compiled(body, functions), "")
        image = f"{self.folder}/Planted.elf"
        self.firmware.link_program([self.firmware.translate("Planted")], self.library, image)
        recording = f"{self.folder}/flight"
        with open(recording, "wb") as file:
            file.write(b"SXFLT00\n" + struct.pack("<IBqQ", 17, 10, 1, 0))
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.status = self.firmware.replay(image, [recording], self.folder)
        return text.getvalue()

    def test_a_key_path_is_told_with_its_file_and_line(self):
        problem = self.compiled("", "public func planted(_ texts: [String]) -> [Int] { texts.map(\\.count) }")
        self.assertRegex(problem, r"Planted\.swift:2:\d+: error: cannot use key path")

    def test_an_overflow_of_32_bits_is_told_with_its_function(self):
        planted = "@inline(never) func planted(_ nanoseconds: Int64) -> Int { Int(nanoseconds) }"
        said = self.said("inputs = planted(Int64(chip_ticks()) + 1 << 40)", planted)
        self.assertRegex(said, r"a trap at 0x[0-9a-f]+, in planted")
        self.assertEqual(self.status, 70)

    def test_the_order_of_a_dictionary_is_told_where_it_comes_out(self):
        order = "checksum = Dictionary(uniqueKeysWithValues: (0..<64).map { ($0, $0) }).values.reduce(0) { $0 &* 31 &+ $1 } & 0xFFFF"
        self.assertIn("the order of a Dictionary comes out", self.said(order))
        # Other outputs than recorded that are the same each time have another cause.
        self.assertNotIn("Dictionary", self.said("checksum += 1"))

    def test_a_heap_that_grows_is_told_with_its_bound(self):
        grows = "var kept: [[UInt8]] = []\n        while true { kept.append([UInt8](repeating: 1, count: 1024)); inputs = kept.count }"
        said = self.said(grows)
        self.assertRegex(said, r"memory is full: the heap has its bound of \d+ bytes")
        self.assertEqual(self.status, 70)
        # Started anew once, and not again and again.
        self.assertEqual(said.count("memory is full"), 2)

    def test_a_stack_that_grows_is_told_with_its_bound(self):
        deep = "@inline(never) func deep(_ depth: Int) -> Int { depth == 0 ? 0 : deep(depth - 1) ^ Int(chip_ticks()) }"
        self.assertRegex(self.said("inputs = deep(Int.max)", deep), r"the stack is full at its bound of \d+ bytes")


if __name__ == "__main__":
    unittest.main()
