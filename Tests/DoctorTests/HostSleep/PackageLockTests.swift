import Doctor
import HostSleep
import Testing

/// dpkg's lock is found in the kernel's list of locks.
struct PackageLockTests {
    @Test(arguments: [16_220_178, 16_220_176]) func `a lock on either of dpkg's files counts, and its holder is named`(
        inode: UInt64
    ) {
        var system = System.quiet
        system.process(811, "unattended-upgr", terminal: 0)
        system.tree["/proc/locks"]? += "4: POSIX  ADVISORY  WRITE 811 b3:02:\(inode) 0 EOF\n"
        #expect(
            system.obstacles == [
                "packageManager: unattended-upgr (process 811) installs or removes packages; wait for its end"
            ])
        #expect(system.survey?.inspection.isPackageManagerBusy == true)
    }

    @Test func `a program that has both locks is told once`() {
        var system = System.quiet
        for inode in [16_220_178, 16_220_176] {
            system.tree["/proc/locks"]? += "4: POSIX  ADVISORY  WRITE -1 b3:02:\(inode) 0 EOF\n"
        }
        #expect(system.obstacles == ["packageManager: a program installs or removes packages; wait for its end"])
    }

    @Test func `whoever waits for the lock does not hold it`() {
        var system = System.quiet
        system.tree["/proc/locks"]? += "4: -> POSIX  ADVISORY  WRITE 811 b3:02:16220178 0 EOF\n"
        #expect(system.obstacles == [])
    }

    @Test func `the number is compared whole`() {
        var system = System.quiet
        system.tree["/proc/locks"]? += "4: POSIX  ADVISORY  WRITE 811 b3:02:162201780 0 EOF\n"
        #expect(system.obstacles == [])
    }

    @Test(arguments: [
        (nil, 1), ("4: POSIX  ADVISORY\n", 1), ("nonsense\n", 1),
        ("1: POSIX  ADVISORY  WRITE 1 b3:02:1 0 EOF\n", 2000),
    ])
    func `a list that is missing, damaged or too long leaves the answer open`(line: String?, times: Int) {
        var system = System.quiet
        system.tree["/proc/locks"] = line.map { String(repeating: $0, count: times) }
        #expect(system.survey?.inspection.isPackageManagerBusy == nil)
        #expect(system.obstacles?.first?.hasSuffix("; see sudo lslocks, and report it with its output") == true)
    }

    @Test func `a list that may not be read leaves the answer open`() {
        var system = System.quiet
        system.tree.close("/proc/locks")
        #expect(
            system.obstacles == [
                "unanswered: the kernel's list of locks cannot be read, so that nobody knows whether packages are being "
                    + "installed; see sudo lslocks, and report it with its output"
            ])
    }

    @Test func `where dpkg has never run, it does not run`() {
        var system = System.quiet
        system.tree.remove("/var/lib/dpkg")
        #expect(system.obstacles == [])
        system.tree.folder("/var/lib/dpkg", owner: 0, mode: 0o755)
        #expect(system.obstacles == [])
        system.tree.close("/var/lib/dpkg")
        #expect(system.survey?.inspection.isPackageManagerBusy == nil)
    }
}
