import Foundation
import Testing

/// Devices that come, go, fall silent and are taken.
@Suite("Devices", .serialized)
struct DeviceTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a receiver that is unplugged and plugged in again is read again`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let watcher = try daemon.sextant(["watch", "--json"])
        let receiver = try await EmulatedReceiver.start(
            in: scratch, EmulatedReceiver.plain + ["--rate", "5", "--disconnect", "2:1"])
        defer { receiver.signal(SIGTERM) }
        try await daemon.program.logged("receiving")
        try await daemon.program.logged("the device went away; waiting for it to return")
        let before = watcher.outputLines.count
        try await daemon.program.logged("receiving", times: 2)
        _ = try await watcher.lines(before + 5)
        #expect(daemon.logged("receiver: open") == 2)
        #expect(daemon.logged("went away") == 1)
        #expect(daemon.logged("no such device") == 1, "at the start alone")
        #expect(try await daemon.receiver().text("state") == "receiving")
    }

    @Test func `gpsd clients are told when the device disappears and returns`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try Wire(port: daemon.port)
        try client.send("?WATCH={\"enable\":true};")
        _ = try await client.object { $0.text("class") == "WATCH" }
        let receiver = try await EmulatedReceiver.start(
            in: scratch, EmulatedReceiver.plain + ["--disconnect", "1.5:1"])
        defer { receiver.signal(SIGTERM) }
        let states = [
            try await client.object { $0.text("class") == "DEVICE" },
            try await client.object { $0.text("class") == "DEVICE" },
            try await client.object { $0.text("class") == "DEVICE" },
        ]
        #expect(states.map { $0.text("path") } == Array(repeating: daemon.device, count: 3))
        #expect(states.map { $0.text("driver") != nil } == [true, false, true])
        #expect(states[1].number("activated") == 0)
    }

    @Test func `a receiver that stops sending is logged once, and read again when it resumes`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(
            in: scratch, EmulatedReceiver.plain + ["--pause", "2:9"])
        defer { receiver.signal(SIGTERM) }
        try await daemon.program.logged("receiver: nothing heard for 5 s")
        #expect(try await daemon.receiver().text("state") == "silent")
        let said = try daemon.sextant(["status"])
        #expect(try await said.status() == 0)
        #expect(said.outputLines.contains("receiver \(daemon.device): silent"))
        try await daemon.program.logged("receiver: receiving", times: 2)
        #expect(daemon.logged("nothing heard") == 1)
        #expect(try await daemon.receiver().text("state") == "receiving")
    }

    @Test func `a device whose directory does not exist yet is opened when it appears`() async throws {
        let daemon = try await Daemon.start(in: scratch, device: scratch.path("later/deep/receiver"))
        #expect(daemon.logged("later/deep/receiver: no such device; is it plugged in") == 1)
        let absent = try await daemon.receiver()
        #expect(absent.text("state") == "absent" && absent.text("detail")?.contains("no such device") == true)
        try FileManager.default.createDirectory(
            atPath: scratch.path("later/deep"), withIntermediateDirectories: true)
        let receiver = try await EmulatedReceiver.start(
            in: scratch, link: "later/deep/receiver", EmulatedReceiver.plain)
        defer { receiver.signal(SIGTERM) }
        try await daemon.program.logged("receiver: receiving")
        #expect(try await daemon.receiver().text("detail") == nil)
    }

    @Test func `a device in use is reported with its holder, and opened once it is free`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain)
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

    @Test func `the socket left by a killed daemon is taken over by the next one`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain)
        defer { receiver.signal(SIGTERM) }
        let first = try await Daemon.start(in: scratch)
        try await first.program.logged("receiving")
        first.program.signal(SIGKILL)
        #expect(try await first.program.status() == -9)
        let second = try await Daemon.start(in: scratch)
        try await second.program.logged("receiving")
        second.program.signal(SIGTERM)
        #expect(try await second.program.status() == 0)
        #expect(second.program.errorLines.last == "sextantd: stopped")
        #expect(!FileManager.default.fileExists(atPath: second.socket))
    }

    /// A receiver on the line that says nothing, and one that has said something.
    @Test(arguments: [(pause: "0:1000", mark: "receiver: open"), (pause: "1.5:1000", mark: "nothing heard for 5 s")])
    func `the daemon does not wake up when there is no input and its client is idle`(pause: String, mark: String)
        async throws
    {
        let daemon = try await Daemon.start(in: scratch)
        let client = try Wire(socket: daemon.socket)
        try client.send("{\"request\":\"watch\"}\n")
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain + ["--pause", pause])
        defer { receiver.signal(SIGTERM) }
        try await daemon.program.logged(mark)
        let deadline = ContinuousClock.now + .seconds(120)
        var wasQuiet = false
        while !wasQuiet, ContinuousClock.now < deadline { wasQuiet = try await isQuiet(daemon.program.identifier) }
        #expect(wasQuiet)
    }

    /// Whether it slept for 3 s on end.
    ///
    /// The terminals of other tests come and go in the directory where its device
    /// is, which it must look at: it gets more than one try.
    private func isQuiet(_ process: Int32) async throws -> Bool {
        let before = try switches(of: process)
        try await Task.sleep(for: .seconds(3))
        return try switches(of: process) == before
    }

    /// Voluntary context switches of all threads so far.
    private func switches(of process: Int32) throws -> Int {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}
