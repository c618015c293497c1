import Doctor
import HostSleep
import Testing

/// The owner's file on the boot partition keeps the host on.
struct StayAwakeFileTests {
    @Test(arguments: ["sextant-stay-awake", "sextant-stay-awake.txt", "Sextant-Stay-Awake.TXT", "SEXTANT-STAY-AWAKE"])
    func `the file counts as other computers write its name`(name: String) {
        var system = System.quiet
        system.tree["/boot/firmware/\(name)"] = ""
        #expect(
            system.obstacles == [
                "stayAwake: /boot/firmware/\(name) keeps the host on; sudo rm /boot/firmware/\(name)"
            ])
        #expect(system.survey?.inspection.isStayAwakeFileThere == true)
    }

    @Test func `the file counts in /boot, where older systems have the partition`() {
        var system = System.quiet
        system.tree.remove("/boot/firmware")
        system.tree["/boot/config.txt"] = "dtparam=audio=on\n"
        #expect(system.obstacles == [])
        system.tree["/boot/sextant-stay-awake"] = "until the battery is changed\n"
        #expect(system.survey?.inspection.isStayAwakeFileThere == true)
    }

    @Test func `a partition that is not mounted leaves the answer open`() {
        var system = System.quiet
        system.tree["/boot/firmware/config.txt"] = nil
        system.tree.folder("/boot/firmware", owner: 0, mode: 0o755)
        #expect(system.survey?.inspection.isStayAwakeFileThere == nil)
        #expect(
            system.obstacles == [
                "unanswered: the boot partition is not mounted at /boot/firmware, where sextant-stay-awake may be; "
                    + "sudo mount /boot/firmware"
            ])
    }

    @Test func `a partition that may not be read leaves the answer open`() {
        var system = System.quiet
        system.tree.close("/boot/firmware")
        #expect(
            system.obstacles == [
                "unanswered: /boot/firmware cannot be read, where sextant-stay-awake may be; "
                    + "mount it with umask=022 in /etc/fstab"
            ])
    }

    @Test func `a host that boots in another way has its kernel in /boot`() {
        var system = System.quiet
        system.tree.remove("/boot")
        #expect(system.survey?.inspection.isStayAwakeFileThere == nil)
        system.tree.folder("/boot", owner: 0, mode: 0o755)
        #expect(system.survey?.inspection.isStayAwakeFileThere == nil)
        system.tree["/boot/vmlinuz-6.1.0-40-arm64"] = "MZ"
        #expect(system.obstacles == [])
    }
}
