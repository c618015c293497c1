import Foundation
import Testing

/// Serial devices of the kernel that come, go and are taken.
///
/// `VirtualDeviceTests` has what needs no kernel.
@Suite("Devices", .serialized)
struct DeviceTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a receiver that is unplugged and plugged in again is read again, and the flight replays`() async throws
    {
        let flight = scratch.path("flight")
        let daemon = try await Daemon.start(in: scratch, ["--record", flight])
        let watcher = try daemon.sextant(["watch", "--json"])
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        try await daemon.program.logged("receiving")
        _ = try await watcher.lines(3)
        receiver.signal(SIGTERM)
        try await daemon.program.logged("the device went away; waiting for it to return")
        let before = watcher.outputLines.count
        let again = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { again.signal(SIGTERM) }
        try await daemon.program.logged("receiving", times: 2)
        _ = try await watcher.lines(before + 3)
        #expect(daemon.logged("receiver: open") == 2)
        #expect(daemon.logged("went away") == 1)
        #expect(daemon.logged("no such device") == 1, "at the start alone")
        #expect(try await daemon.receiver().text("state") == "receiving")
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.status() == 0)
        let replay = try await Program.sextant(["replay", "--quiet", flight], in: scratch)
        #expect(replay.status == 0, "\(replay.program.errors)")
    }

    @Test func `a device whose folder does not exist yet is opened when it appears`() async throws {
        let daemon = try await Daemon.start(in: scratch, device: scratch.path("later/deep/receiver"))
        #expect(daemon.logged("later/deep/receiver: no such device; is it plugged in") == 1)
        let absent = try await daemon.receiver()
        #expect(absent.text("state") == "absent" && absent.text("detail")?.contains("no such device") == true)
        try FileManager.default.createDirectory(
            atPath: scratch.path("later/deep"), withIntermediateDirectories: true)
        let receiver = try await EmulatedReceiver.start(
            in: scratch, link: "later/deep/receiver", EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        try await daemon.program.logged("receiver: receiving")
        #expect(try await daemon.receiver().text("detail") == nil)
    }

    @Test func `a device in use is reported with its holder, and opened once it is free`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let holder = try await Daemon.start(in: scratch, socket: scratch.path("first"))
        try await holder.program.logged("receiving")
        let daemon = try await Daemon.start(in: scratch, socket: scratch.path("second"))
        let line = try await daemon.program.logged("in use by")
        #expect(
            line
                == "sextantd: \(daemon.device): in use by sextantd (process \(holder.program.identifier)); stop it first"
        )
        #expect(try await daemon.receiver().text("detail")?.contains("in use by sextantd") == true)
        holder.program.signal(SIGTERM)
        #expect(try await holder.program.status() == 0)
        try await daemon.program.logged("receiver: receiving")
        #expect(daemon.logged("in use by") == 1)
    }

    @Test(arguments: [
        ("directory", "a directory; name the serial device itself, such as /dev/ttyAMA0"),
        ("file", "not a serial device; name a tty such as /dev/ttyAMA0"),
        ("/dev/null", "not a serial device; name a tty such as /dev/ttyAMA0"),
    ])
    func `a path that is not a serial device is reported with the remedy, and the daemon continues`(
        device: String, problem: String
    ) async throws {
        try FileManager.default.createDirectory(atPath: scratch.path("directory"), withIntermediateDirectories: false)
        _ = try scratch.write("", to: "file")
        let path = device.hasPrefix("/") ? device : scratch.path(device)
        let daemon = try await Daemon.start(in: scratch, device: path)
        #expect(daemon.program.errorLines.first == "sextantd: \(path): \(problem)")
        #expect(try await daemon.receiver().text("detail") == "\(path): \(problem)")
    }

    @Test func `a second daemon on the same socket or port is refused in one line`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let second = try Program(
            Built.sextantd, ["--device", daemon.device, "--socket", daemon.socket, "--gpsd", "off"], in: scratch)
        #expect(try await second.status() == 69)
        #expect(second.errorLines == ["sextantd: \(daemon.socket): another sextantd serves it; stop that one first"])
        let third = try Program(
            Built.sextantd,
            ["--device", daemon.device, "--socket", scratch.path("third"), "--gpsd", "\(daemon.port)"], in: scratch)
        #expect(try await third.status() == 69)
        #expect(
            third.errorLines == [
                "sextantd: 127.0.0.1 port \(daemon.port): in use by another program (gpsd?); stop it, or choose another port"
            ])
        #expect(!FileManager.default.fileExists(atPath: scratch.path("third")))
        #expect(try await daemon.status().text("event") == "status")
    }
}
