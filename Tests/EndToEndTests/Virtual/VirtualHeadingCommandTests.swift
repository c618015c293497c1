import BenchControl
import Emulation
import Foundation
import Receivers
import Testing

/// `sextant heading`, `sextant compass use` and what `sextant status` says of a compass.
@Suite("sextant heading")
struct VirtualHeadingCommandTests {
    private let scratch: Scratch
    private let table = Turntable()

    init() throws { scratch = try Scratch() }

    private func daemon(
        hasCompass: Bool = true, _ members: String = ""
    ) async throws -> VirtualDaemon<Emulation.EmulatedReceiver> {
        let daemon = try await VirtualDaemon.start(
            in: scratch, VirtualBench.receiver(.neoM8N), chips: table.bus,
            board: try BoardText(hasCompass: hasCompass).write(in: scratch), members)
        try daemon.harness.run(seconds: 1)
        return daemon
    }

    private static let calibration = """
        {"verdict":"good","reach":"spatial","offset":[0,0,0],"matrix":[[1,0,0],[0,1,0],[0,0,1]],"norm":48.6,\
        "residual":0.3,"levelHeadingError":0.5,"tiltedHeadingError":0.5,"advice":""}
        """

    private func calibrate(_ daemon: VirtualDaemon<Emulation.EmulatedReceiver>) async throws {
        let file = try scratch.write(Self.calibration, to: "calibration.json")
        let use = try daemon.sextant(["compass", "use", file, "--magnetometer", "lis3mdl"])
        #expect(try await use.status() == 0, "\(use.errors)")
        #expect(use.output.contains("calibrated for every attitude"))
    }

    @Test func `a calibration takes effect, a heading is printed, and its recording replays to the same bytes`()
        async throws
    {
        let flight = scratch.path("flight")
        let daemon = try await daemon("recording: '\(flight)',")
        try await calibrate(daemon)
        table.heading = 123.4
        let heading = try daemon.sextant(["heading", "--count", "1"])
        try daemon.harness.run(seconds: 2)
        #expect(try await heading.status() == 0, "\(heading.errors)")
        #expect(heading.output.contains("123.4° magnetic") && heading.output.contains("±"))
        try daemon.harness.quit()
        #expect(try await daemon.program.status() == 0)
        let replay = try await Program.sextant(["replay", flight], in: scratch)
        #expect(replay.status == 0, "\(replay.program.errors)")
    }

    @Test func `a calibration for another magnetometer is refused`() async throws {
        let daemon = try await daemon()
        let text = Self.calibration.replacing("{\"verdict\"", with: "{\"magnetometer\":\"rm3100\",\"verdict\"")
        let file = try scratch.write(text, to: "other.json")
        let use = try daemon.sextant(["compass", "use", file])
        #expect(try await use.status() == 69)
        #expect(use.errors.contains("of a rm3100, and this board has a lis3mdl"), "\(use.errors)")
        let unlike = try daemon.sextant(["compass", "use", file, "--magnetometer", "lis3mdl"])
        #expect(try await unlike.status() == 65)
        #expect(unlike.errors.contains("of a rm3100, not of a lis3mdl"), "\(unlike.errors)")
    }

    @Test func `raw samples are printed as a table of time, field and acceleration`() async throws {
        let daemon = try await daemon()
        let raw = try daemon.sextant(["heading", "--raw", "--csv", "--count", "10"])
        try daemon.harness.run(seconds: 2)
        #expect(try await raw.status() == 0, "\(raw.errors)")
        let rows = raw.outputLines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.first?.joined(separator: ",") == "time,x,y,z,ax,ay,az" && rows.count == 11)
        for row in rows.dropFirst() {
            let numbers = row.compactMap { Double($0) }
            #expect(numbers.count == 7)
            #expect(abs(numbers[2] - 21.6) < 0.2 && abs(numbers[3] + 43.5) < 0.2 && abs(numbers[6] - 9.81) < 0.1)
        }
    }

    @Test func `heading says that the compass is not calibrated, and status names the chip`() async throws {
        let daemon = try await daemon()
        let heading = try daemon.sextant(["heading", "--count", "1"])
        try daemon.harness.run(seconds: 2)
        #expect(try await heading.status() == 0)
        #expect(heading.output.contains("invalid") && heading.errors.contains("calibration"))
        let status = try daemon.sextant(["status"])
        #expect(try await status.status() == 0)
        #expect(status.output.contains("compass: lis3mdl") && status.output.contains("not calibrated"))
    }

    @Test func `a compass that does not answer yet is waited for`() async throws {
        let chips = table.bus.chips
        table.bus.chips = []
        let daemon = try await daemon()
        let heading = try daemon.sextant(["heading", "--count", "1"])
        try await heading.logged("waiting for the compass")
        #expect(heading.errors.contains("sextant: /dev/i2c-1: no lis3dh answers at"), "\(heading.errors)")
        try daemon.harness.run(seconds: 60)
        #expect(heading.isRunning && heading.outputLines.isEmpty)
        table.bus.chips = chips
        try daemon.harness.run(seconds: 70)
        #expect(try await heading.status() == 0, "\(heading.errors)")
        #expect(heading.outputLines.count == 1 && heading.output.contains("field 48.6"), "\(heading.output)")
    }

    @Test func `a board without a compass exits 69 with a message`() async throws {
        let none = try await daemon(hasCompass: false)
        let heading = try none.sextant(["heading", "--count", "1"])
        #expect(try await heading.status() == 69)
        #expect(heading.errors.contains("this board has no compass; name its magnetometer in the board's file"))
    }
}
