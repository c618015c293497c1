import Foundation
import Testing

/// `sextant doctor` on a card that is mounted somewhere, and on this machine.
@Suite("Doctor command")
struct DoctorCommandTests {
    private let scratch: Scratch
    private var root: String { scratch.path("card") }

    init() throws { scratch = try Scratch() }

    private func write(_ text: String, to path: String) throws {
        let url = URL(filePath: root + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// A Zero 2 W's card, right but for its boot files.
    private func makeCard(configuration: String, commandLine: String) throws {
        try write(configuration, to: "/boot/firmware/config.txt")
        try write(commandLine, to: "/boot/firmware/cmdline.txt")
        try write("i2c-dev\n", to: "/etc/modules")
        try write("root:x:0:0::/root:/bin/sh\nsextant:x:\(geteuid()):994::/:/bin/false\n", to: "/etc/passwd")
        try write("root:x:0:\nsextant:x:994:\n", to: "/etc/group")
        try write("[Service]\nUser=sextant\nStateDirectory=sextant\n", to: "/lib/systemd/system/sextantd.service")
        try write("", to: "/lib/udev/rules.d/60-sextant.rules")
        let wants = root + "/etc/systemd/system/multi-user.target.wants"
        try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: wants + "/sextantd.service", withDestinationPath: "/lib/systemd/system/sextantd.service")
        try write("{ board: \"tracker\" }", to: "/etc/sextant/sextant.json5")
        for file in ["policy.json5", "clients.d/command.json5"] { try write("{}", to: "/etc/sextant/\(file)") }
        try write(
            """
            {
                receiver: {
                    model: "neo-m8n", device: "/dev/serial0", baud: "auto", supplyVolts: 3.3, draw: "typical",
                },
                lines: { powerEnable: { name: "GPIO17", safe: "inactive" } },
                backup: "battery",
                magnetometer: { bus: "/dev/i2c-1", model: "qmc5883l", address: 0x0d, x: "right", y: "forward" },
                host: "zero-2w",
            }
            """, to: "/usr/share/sextant/boards/tracker/board.json5")
    }

    private let right = "dtparam=i2c_arm=on\nenable_uart=1\n"

    @Test func `for a card without problems it lists what it checked and skipped, and ends with nothing wrong`()
        async throws
    {
        try makeCard(configuration: right, commandLine: "console=tty1 root=/dev/mmcblk0p2\n")
        let run = try await Program.sextant(["doctor", "--root", root], in: scratch)
        #expect(run.status == 0, "\(run.program.output)\(run.program.errors)")
        #expect(run.program.outputLines.last == "nothing wrong")
        #expect(run.program.outputLines.contains("right: the kernel's console"))
        let leftOut = "left out (the system is not running): the receiver's device; who else has the device open"
        #expect(run.program.outputLines.contains { $0.hasPrefix(leftOut) })
    }

    @Test func `problems are reported with file and line, as text and as JSON`() async throws {
        try makeCard(configuration: "#dtparam=i2c_arm=on\n", commandLine: "console=serial0,115200 console=tty1\n")
        let run = try await Program.sextant(["doctor", "--root", root], in: scratch)
        #expect(run.status == 1)
        #expect(run.program.outputLines.last == "3 problems")
        let lines = run.program.outputLines
        let place = try #require(lines.firstIndex(of: "problem: I2C is off (i2c)"))
        #expect(lines[place + 1] == "    /boot/firmware/config.txt:1: take the # away before dtparam=i2c_arm=on")

        let json = try await Program.sextant(["doctor", "--root", root, "--json"], in: scratch)
        #expect(json.status == 1)
        let findings = json.program.outputLines.compactMap { JSON(line: $0) }.filter {
            $0.text("severity") == "problem"
        }
        #expect(findings.map { $0.text("check") } == ["uart", "serial-console", "i2c"])
        #expect(findings[1].text("file") == "/boot/firmware/cmdline.txt" && findings[1].number("line") == 1)
        #expect(findings[1].text("mend") == "remove console=serial0,115200")
    }

    @Test func `GEO-29: doctor reports a damaged table of places with its file on the card`() async throws {
        try makeCard(configuration: right, commandLine: "console=tty1\n")
        try write("towns", to: "/usr/share/sextant/places.sqlite")
        let run = try await Program.sextant(["doctor", "--root", root], in: scratch)
        #expect(run.status == 1)
        let lines = run.program.outputLines
        let place = try #require(lines.firstIndex(of: "problem: places.sqlite is not a table of places (places)"))
        let install = "install it again: sudo apt install ./sextant-places_*_all.deb"
        #expect(lines[place + 1].hasPrefix("    /usr/share/sextant/places.sqlite: \(install)"))
    }

    @Test func `a configuration error is reported with the paths on the examined card`() async throws {
        try makeCard(configuration: right, commandLine: "console=tty1\n")
        try write("{ board: \"elsewhere\" }", to: "/etc/sextant/sextant.json5")
        let run = try await Program.sextant(["doctor", "--root", root, "--json"], in: scratch)
        let finding = run.program.outputLines.compactMap { JSON(line: $0) }.first {
            $0.text("check") == "configuration"
        }
        #expect(run.status == 1)
        #expect(finding?.text("mend")?.contains("elsewhere") ?? false)
        #expect(finding?.text("mend")?.contains(root) == false)
    }

    @Test func `the power savings of a Zero 2 W add up to the measured difference`() async throws {
        try makeCard(configuration: right + "dtoverlay=vc4-kms-v3d\n", commandLine: "console=tty1\n")
        let run = try await Program.sextant(["doctor", "--power", "--root", root], in: scratch)
        #expect(run.status == 0)
        #expect(run.program.outputLines.contains("125 mW: HDMI is on"))
        #expect(run.program.outputLines.contains("not measured: Bluetooth is on"))
        #expect(
            run.program.outputLines.last?.hasPrefix(
                "together: 225 mW; with nothing to do the host draws 600 mW now, and 375 mW then") ?? false)
        let json = try await Program.sextant(["doctor", "--power", "--json", "--root", root], in: scratch)
        let total = json.program.outputLines.last.flatMap { JSON(line: $0) }
        #expect(total?.number("idleMilliwatts") == 600 && total?.number("savedMilliwatts") == 225)
    }

    @Test func `this machine is examined without failing, whatever machine it is`() async throws {
        let run = try await Program.sextant(["doctor", "--device", "/dev/nowhere"], in: scratch)
        #expect(run.status <= 1 && run.program.errors.isEmpty)
    }

    @Test func `wrong usage and an invalid root folder have different exit statuses`() async throws {
        let usage = try await Program.sextant(["doctor", "--config", "relative.json5"], in: scratch)
        #expect(usage.status == 64)
        let missing = try await Program.sextant(["doctor", "--root", scratch.path("nowhere")], in: scratch)
        #expect(missing.status == 74)
        #expect(missing.program.errors.contains("not a system's root"))
    }
}
