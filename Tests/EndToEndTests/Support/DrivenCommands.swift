import BenchControl
import Emulation
import Foundation
import GNSS
import SextantUnits

/// Commands of a client's against a daemon whose clock is driven.
///
/// The daemon serves them while time stands still; time passes only where a test lets it.
extension VirtualDaemon {
    /// Starts a command.
    ///
    /// - Parameter path: The program; `sextant` unless given.
    func start(_ arguments: [String], as path: String = Built.sextant) throws -> Program {
        try Program(path, arguments + ["--socket", socket], in: program.scratch)
    }

    /// Runs a command to its end, while time stands still.
    func finish(_ arguments: [String], as path: String = Built.sextant) async throws -> (
        status: Int32, program: Program
    ) {
        let command = try start(arguments, as: path)
        return (try await command.status(), command)
    }

    /// Lets time pass, a second after another, until something is there to be seen.
    ///
    /// How many seconds pass depends on how soon clients get to it, and must not matter to the test.
    @discardableResult
    func letTimePass<Value>(until what: String, seen: () -> String = { "" }, _ look: () throws -> Value?) async throws
        -> Value
    {
        try await eventually(what, seen: seen, every: .milliseconds(5)) {
            if let value = try look() { return value }
            try harness.run(seconds: 1)
            return nil
        }
    }

    /// Lets time pass, a second after another, until a program has printed so many lines.
    @discardableResult
    func letTimePass(untilLines count: Int, of program: Program) async throws -> [String] {
        try await letTimePass(until: "\(count) lines", seen: { program.output + program.errors }) {
            let isOver = !program.isRunning
            let lines = program.outputLines
            if lines.count >= count { return lines }
            if isOver { throw Late(description: "ended after \(lines.count) lines: \(program.errors)") }
            return nil
        }
    }

    /// Lets time pass, a second after another, until a program ends.
    ///
    /// - Returns: Its exit status; a signal's number negated.
    @discardableResult
    func letTimePass(untilEndOf program: Program) async throws -> Int32 {
        try await letTimePass(until: "the end", seen: { program.output + program.errors }) {
            program.isRunning ? nil : ()
        }
        return try await program.status()
    }

    /// Waits until so many clients are connected, the one that asks among them.
    func clients(_ count: Int) async throws {
        let deadline = Patience.deadline
        var seen: JSON?
        while seen?.number("clients") != Double(count) {
            guard ContinuousClock.now < deadline else {
                throw Late(description: "not \(count) clients: \(seen as Any)")
            }
            let wire = try Wire(socket: socket)
            try wire.send("{\"request\":\"status\"}\n")
            seen = try await wire.object { $0.text("event") == "status" }
        }
    }
}

extension Scratch {
    /// A program under test under another name in this directory, by which the daemon tells it from others.
    ///
    /// - Returns: Its path.
    func program(_ built: String, named name: String) async throws -> String {
        // A program that copies: a file that this process has open for writing while another thread starts a process
        // cannot be run.
        let copy = try await Program.shell(
            "ln -L '\(built)' '\(path(name))' || cp '\(built)' '\(path(name))'", in: self)
        guard copy.status == 0 else { throw Late(description: copy.program.errors) }
        return path(name)
    }
}

/// What a synthetic receiver in a moving car sends, as a recording.
struct SyntheticRecording {
    /// 2026-03-01T00:00:00Z, when the receiver is switched on, seconds since 1970.
    static let startTime = 1_772_323_200.0

    let bytes: [UInt8]

    /// - Parameter seconds: For how long it sends, an epoch a second, after a hot start.
    init(_ output: SyntheticReceiver.Output = .nmea, seconds: Int) {
        var configuration = SyntheticReceiver.Configuration(
            seed: 1, startTime: UTCInstant(nanoseconds: Int64(Self.startTime) * 1_000_000_000))
        configuration.output = output
        configuration.acquisition = .hotStart
        let place = SyntheticDrive.Start(latitude: 47.3769, longitude: 8.5417, altitudeAboveMeanSeaLevel: 408)
        var receiver = SyntheticReceiver(
            drive: SyntheticDrive(start: place, seed: 1),
            sky: SyntheticSky(
                constellations: [.gps, .sbas, .galileo, .glonass], longitude: place.longitude, seed: 1),
            configuration: configuration)
        bytes = (0..<seconds).flatMap { _ in receiver.nextBurst().bytes }
    }
}
