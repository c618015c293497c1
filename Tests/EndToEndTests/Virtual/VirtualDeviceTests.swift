import BenchControl
import Emulation
import Foundation
import Glibc
import Testing

/// A receiver that falls silent, and a socket that a killed daemon left.
@Suite("Devices in virtual time", .serialized)
struct VirtualDeviceTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a receiver that stops sending is logged once, and read again when it resumes`() async throws {
        var faults = Faults.Configuration(seed: 1)
        faults.pauses = [Faults.Window(afterSeconds: 2, lengthSeconds: 9)]
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic(faults: faults))
        try daemon.run(seconds: 4)
        #expect(try await daemon.receiver().text("state") == "receiving")
        try daemon.run(seconds: 5)
        try await daemon.program.logged("nothing heard for 5 s")
        #expect(try await daemon.receiver().text("state") == "silent")
        let said = try daemon.sextant(["status"])
        #expect(try await said.status() == 0)
        #expect(said.outputLines.contains { $0.hasPrefix("receiver \(daemon.device): silent") })
        try daemon.run(seconds: 5)
        try await daemon.program.logged(": receiving", times: 2)
        #expect(daemon.logged("nothing heard") == 1)
        #expect(try await daemon.receiver().text("state") == "receiving")
    }

    @Test func `the socket left by a killed daemon is taken over by the next one`() async throws {
        let socket = scratch.path("s")
        let first = try await DrivenDaemon.start(in: scratch, SilentDevice(), socket: socket)
        first.program.signal(SIGKILL)
        #expect(try await first.program.status() == -SIGKILL)
        #expect(FileManager.default.fileExists(atPath: socket))
        let second = try await DrivenDaemon.start(in: scratch, SilentDevice(), socket: socket)
        #expect(try await second.status().text("event") == "status")
        second.program.signal(SIGTERM)
        #expect(try await second.program.status() == 0)
        #expect(second.program.errorLines.last?.hasSuffix(" stopped") == true)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }
}
