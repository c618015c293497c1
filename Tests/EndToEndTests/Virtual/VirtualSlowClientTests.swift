import BenchControl
import Foundation
import Testing

/// Clients that do not read what they asked for, and more clients than are served.
///
/// `VirtualTimeTests` has the client of the local socket that does not read.
@Suite("Slow clients", .serialized)
struct VirtualSlowClientTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a gpsd client that stops reading is disconnected, and the others get every epoch`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        let watcher = try await daemon.watcher()
        let slow = try await daemon.connectToGPSD(receiveBuffer: 4096)
        try slow.send("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};")
        _ = try await slow.object { $0.text("class") == "WATCH" }
        try daemon.harness.waitForClients(false)
        var epochs = 0
        // How much the kernel keeps for the client is the kernel's affair.
        for _ in 0..<500 where daemon.logged("does not read; it is dropped") == 0 {
            try daemon.run(seconds: 100)
            epochs += try await watcher.received().with("event", "epoch").count
        }
        #expect(daemon.logged("does not read; it is dropped") == 1)
        #expect(Double(epochs) == (try await daemon.receiver().number("epochs")))
        try await slow.closed()
    }

    @Test func `a client beyond the limit is turned away, and the daemon continues`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
        var clients: [Wire] = []
        for _ in 0..<128 { clients.append(try await daemon.connect()) }
        let extra = try Wire(socket: daemon.socket)
        let answer = try await extra.object { $0.text("event") == "error" }
        #expect(answer.text("code") == "tooManyConnections")
        try await extra.closed()
        try await daemon.program.logged("a client is turned away: 128 connections are open")
        clients.removeLast()
        // Its place is free once the daemon has noticed its end.
        let deadline = Patience.deadline
        var greeting: String?
        while greeting != "hello", ContinuousClock.now < deadline {
            greeting = try await Wire(socket: daemon.socket).object().text("event")
        }
        #expect(greeting == "hello")
    }
}
