import Doctor
import Foundation
import HostSleep
import HostSwitches
import Testing

/// A system below a directory is looked at as if that were its root.
struct RootedFilesTests {
    /// A directory with a system's files, removed with this value's end.
    private final class Card {
        let root = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString)"

        func write(_ text: String, to path: String) throws {
            let url = URL(fileURLWithPath: root + path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }

        func link(_ path: String, to target: String) throws {
            let folder = URL(fileURLWithPath: root + path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: target)
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }
    }

    @Test func `an absolute link resolves below the root folder, not on this system`() throws {
        let card = Card()
        try card.write("Raspberry Pi Zero 2 W Rev 1.0\0", to: "/sys/firmware/devicetree/base/model")
        try card.link("/proc/device-tree", to: "/sys/firmware/devicetree/base")
        try card.link("/etc/passwd", to: "/etc/shadow-of-another")
        let files = RootedFiles(root: card.root)
        #expect(files.value(of: "/proc/device-tree/model") == "Raspberry Pi Zero 2 W Rev 1.0")
        #expect(files.text(of: "/etc/passwd") == nil)
        #expect(files.resolved("/proc/device-tree/../device-tree") == nil)
    }

    @Test func `an entry has its kind, mode and owner`() throws {
        let card = Card()
        try card.write("{}", to: "/etc/sextant/policy.json5")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: card.root + "/etc/sextant/policy.json5")
        let files = RootedFiles(root: card.root)
        let entry = try #require(files.entry(at: "/etc/sextant/policy.json5"))
        #expect(entry.kind == .file && entry.mode == 0o640 && entry.owner == geteuid())
        #expect(files.entry(at: "/etc/sextant")?.kind == .folder)
        #expect(files.entry(at: "/etc/nothing") == nil)
        #expect(files.list("/etc/sextant") == ["policy.json5"])
        #expect(try #require(files.freeBytes(at: "/etc")) > 0)
    }

    @Test func `a device is recognised without being opened`() throws {
        let files = RootedFiles(root: "/")
        #expect(files.entry(at: "/dev/null")?.kind == .characterDevice(number: 1 << 8 | 3))
        #expect(files.contents(of: "/dev/null") == nil)
        #expect(files.text(of: "/proc/self/comm") != nil)
    }

    @Test func `a card with several problems is examined file by file`() throws {
        let card = Card()
        try card.write("dtparam=audio=on\n#dtparam=i2c_arm=on\n[pi4]\n", to: "/boot/firmware/config.txt")
        try card.write("console=serial0,115200 console=tty1\n", to: "/boot/firmware/cmdline.txt")
        try card.write("Raspberry Pi 3 Model B Plus Rev 1.3\0", to: "/sys/firmware/devicetree/base/model")
        try card.link("/proc/device-tree", to: "/sys/firmware/devicetree/base")
        try card.link(
            "/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service",
            to: "/lib/systemd/system/serial-getty@.service")
        var installation = Installation(configuration: "/etc/sextant/sextant.json5", knownStoreVersion: 2)
        installation.device = "/dev/serial0"
        let examination = Examination(HostFacts(files: RootedFiles(root: card.root), installation: installation))
        #expect(
            examination.findings.filter { $0.severity == .problem }.map { "\($0.check.rawValue) \($0.mend)" } == [
                "uart /boot/firmware/config.txt: add after line 3, [all] and below it: enable_uart=1",
                "serial-console /boot/firmware/cmdline.txt:1: remove console=serial0,115200",
                "serial-login /etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service: "
                    + "sudo systemctl disable --now serial-getty@ttyS0.service",
            ])
    }

    /// A pipe of logind's is opened by nobody else: its opening would tell logind of a client.
    @Test func `the locks of a system on disk are read, and its pipes are not opened`() throws {
        let card = Card()
        try card.write("systemd\n", to: "/proc/1/comm")
        try card.write("systemd-logind\n", to: "/proc/301/comm")
        try card.write("WHAT=shutdown\nMODE=block\nWHO=backup\n", to: "/run/systemd/inhibit/1")
        try #require(unsafe mkfifo(card.root + "/run/systemd/inhibit/1.ref", 0o600) == 0)
        try #require(unsafe mkfifo(card.root + "/run/systemd/inhibit/2", 0o600) == 0)
        try card.write(String(repeating: "WHAT=shutdown\n", count: 10_000), to: "/run/systemd/inhibit/3")
        try card.link("/run/systemd/inhibit/4", to: "/etc/hostname")
        let survey = HostSurvey(
            files: RootedFiles(root: card.root), hostSwitch: examined(.pijuice, "/dev/i2c-1"))
        #expect(survey.inspection.isInhibited == true)
        #expect(
            survey.obstacles.map { $0.what.prefix { $0 != "," } }.prefix(4) == [
                "backup forbids to power off", "/run/systemd/inhibit/2 cannot be read",
                "/run/systemd/inhibit/3 cannot be read", "/run/systemd/inhibit/4 cannot be read",
            ])
    }

    @Test func `dpkg's lock is found by its file's number`() throws {
        let card = Card()
        try card.write("", to: "/var/lib/dpkg/lock-frontend")
        let files = RootedFiles(root: card.root)
        let inode = try #require(files.entry(at: "/var/lib/dpkg/lock-frontend")?.inode)
        try card.write("1: POSIX  ADVISORY  WRITE 811 b3:02:\(inode) 0 EOF\n", to: "/proc/locks")
        let hostSwitch = examined(.rtc, nil)
        #expect(HostSurvey(files: files, hostSwitch: hostSwitch).inspection.isPackageManagerBusy == true)
        try card.write("1: POSIX  ADVISORY  WRITE 811 b3:02:\(inode + 1) 0 EOF\n", to: "/proc/locks")
        #expect(HostSurvey(files: files, hostSwitch: hostSwitch).inspection.isPackageManagerBusy == false)
    }

    @Test func `surveying this machine does no harm, whatever machine it is`() {
        let survey = HostSurvey(
            files: RootedFiles(root: "/"), hostSwitch: examined(.pijuice, "/dev/i2c-1"))
        #expect(survey.obstacles.allSatisfy { !$0.what.isEmpty && !$0.mend.action.isEmpty })
    }

    @Test func `examining this machine does no harm, whatever machine it is`() {
        let installation = Installation(configuration: "/etc/sextant/sextant.json5", knownStoreVersion: 2)
        let facts = HostFacts(files: RootedFiles(root: "/"), installation: installation, live: LiveFacts(of: nil))
        let examination = Examination(facts)
        #expect(examination.made.count + examination.skipped.count == Check.allCases.count)
    }
}
