import Foundation
import Testing

/// Clients that do not read what they asked for.
@Suite("Slow clients", .serialized)
struct SlowClientTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Whole bursts, a hundred epochs a second, each with a sky.
    private func fastReceiver() async throws -> Program {
        try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain + ["--speed", "100"])
    }

    @Test func `a local client that stops reading is disconnected, and the others get every epoch`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let watcher = try daemon.sextant(["watch", "--json", "--satellites"])
        let slow = try Wire(socket: daemon.socket)
        try slow.send("{\"request\":\"watch\",\"satellites\":true}\n")
        try await daemon.clients(2 + 1)
        let receiver = try await fastReceiver()
        try await daemon.program.logged("does not read; it is dropped")
        receiver.signal(SIGTERM)
        try await receiver.status()
        try await daemon.program.logged("went away")
        let epochs = Int(try await daemon.receiver().number("epochs") ?? 0)
        #expect(try await watcher.lines(epochs).count == epochs)
        #expect(daemon.logged("does not read") == 1)
        try await slow.closed()
        #expect(watcher.isRunning)
    }

    @Test func `a gpsd client that stops reading is disconnected, and the others get every epoch`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let watcher = try daemon.sextant(["watch", "--json"])
        let slow = try Wire(port: daemon.port, receiveBuffer: 4096)
        try slow.send("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};")
        try await daemon.clients(2 + 1)
        let receiver = try await fastReceiver()
        try await daemon.program.logged("does not read; it is dropped", within: 60)
        receiver.signal(SIGTERM)
        try await receiver.status()
        try await daemon.program.logged("went away")
        let epochs = Int(try await daemon.receiver().number("epochs") ?? 0)
        #expect(try await watcher.lines(epochs).count == epochs)
        try await slow.closed()
    }

    @Test func `a client beyond the limit is turned away, and the daemon continues`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        var clients: [Wire] = []
        for _ in 0..<128 {
            let client = try Wire(socket: daemon.socket)
            _ = try await client.object { $0.text("event") == "hello" }
            clients.append(client)
        }
        let extra = try Wire(socket: daemon.socket)
        let answer = try await extra.object { $0.text("event") == "error" }
        #expect(answer.text("code") == "tooManyConnections")
        try await extra.closed()
        try await daemon.program.logged("a client is turned away: 128 connections are open")
        clients.removeLast()
        try await daemon.clients(128)
    }
}
