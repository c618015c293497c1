import Foundation
import Glibc

/// A running `sextantd` of one test's own, on a socket and a port of its own.
final class Daemon {
    let program: Program
    let socket: String
    let port: UInt16
    let device: String

    /// Starts it and waits until it serves.
    ///
    /// - Parameters:
    ///   - admission: Whom it serves; nil for everybody.
    ///   - runner: A program that runs it, with its arguments; none for the daemon itself.
    static func start(
        in scratch: Scratch, device: String? = nil, socket: String? = nil, admission: Admission? = nil,
        under runner: [String] = [], _ arguments: [String] = []
    ) async throws -> Daemon {
        let device = device ?? scratch.path("receiver")
        let socket = socket ?? scratch.path("s")
        let admission = try admission ?? .everybody(in: scratch)
        let command =
            runner + [Built.sextantd, "--device", device, "--socket", socket, "--gpsd", "0"] + admission.options
            + arguments
        let program = try Program(command[0], Array(command.dropFirst()), in: scratch)
        let line = try await program.logged("serving \(socket)")
        let port = line.split(separator: " ").last.flatMap { UInt16($0) } ?? 0
        return Daemon(program: program, socket: socket, port: port, device: device)
    }

    private init(program: Program, socket: String, port: UInt16, device: String) {
        self.program = program
        self.socket = socket
        self.port = port
        self.device = device
    }

    /// Where gpsd's clients find it.
    var address: String { "127.0.0.1:\(port)" }

    /// The log without the lines that hold a text.
    func logged(_ text: String) -> Int { program.errorLines.filter { $0.contains(text) }.count }

    func sextant(_ arguments: [String]) throws -> Program {
        try Program(Built.sextant, arguments + ["--socket", socket], in: program.scratch)
    }

    /// Its answer to `status`.
    func status() async throws -> JSON {
        let client = try Wire(socket: socket)
        _ = try await client.object { $0.text("event") == "hello" }
        try client.send("{\"request\":\"status\"}\n")
        return try await client.object { $0.text("event") == "status" }
    }

    /// Asks again and again, as an operator, until a client stands as wanted.
    @discardableResult
    func client(_ name: String, where fits: (JSON) -> Bool) async throws -> JSON {
        try await ClientList.client(name, at: socket, where: fits)
    }

    func receiver() async throws -> JSON { try await status().object("receiver") ?? JSON([:]) }

    /// Waits until so many clients are connected, the one that asks among them.
    func clients(_ count: Int) async throws {
        try await eventually("\(count) clients", every: .milliseconds(20)) {
            try await status().number("clients") == Double(count) ? () : nil
        }
    }

    /// Asks again and again until the receiver stands as wanted.
    @discardableResult
    func receiver(_ what: String, where fits: (JSON) -> Bool) async throws -> JSON {
        var seen: JSON?
        return try await eventually(what, seen: { "\(String(describing: seen))" }, every: .milliseconds(50)) {
            let receiver = try await receiver()
            seen = receiver
            return fits(receiver) ? receiver : nil
        }
    }
}

/// What an operator asks over the socket.
enum ClientList {
    /// Every client, as the daemon tells it.
    static func clients(at socket: String) async throws -> [JSON] {
        let wire = try Wire(socket: socket)
        try wire.send("{\"request\":\"clients\"}\n")
        var clients: [JSON] = []
        while true {
            let object = try await wire.object { ["client", "clients"].contains($0.text("event")) }
            guard object.text("event") == "client" else { return clients }
            clients.append(object)
        }
    }

    /// Asks again and again until a client stands as wanted.
    @discardableResult
    static func client(_ name: String, at socket: String, where fits: (JSON) -> Bool) async throws -> JSON {
        var seen: JSON?
        return try await eventually(name, seen: { "\(seen?.members ?? [:])" }, every: .milliseconds(50)) {
            seen = try await clients(at: socket).first { $0.text("name") == name }
            return seen.flatMap { fits($0) ? $0 : nil }
        }
    }
}

/// A running `sextant emulate receiver`, linked at `receiver` in the scratch directory.
enum EmulatedReceiver {
    /// One epoch a second, whole at once.
    static let plain = ["--start", "hot", "--baud", "off"]
    /// Five of them a second.
    static let fast = plain + ["--speed", "5"]

    static func start(
        in scratch: Scratch, link: String = "receiver", _ arguments: [String] = []
    ) async throws -> Program {
        let program = try Program(
            Built.sextant, ["emulate", "receiver", "--link", scratch.path(link)] + arguments, in: scratch)
        _ = try await program.lines(1)
        return program
    }

    /// What a synthetic receiver sends in so many seconds of its own time, as a file.
    static func recording(
        in scratch: Scratch, name: String = "recording", output: String = "nmea", seconds: Int,
        _ arguments: [String] = ["--start", "hot"]
    ) async throws -> (path: String, bytes: [UInt8]) {
        let speed = 20.0
        let receiver = try Program(
            Built.sextant,
            [
                "emulate", "receiver", "--wait", "--output", output, "--baud", "off", "--speed", "\(speed)",
                "--duration",
                "\(Double(seconds) / speed)", "--link", scratch.path("\(name).pty"),
            ] + arguments, in: scratch)
        let terminal = try await receiver.lines(1)[0]
        let reader = try Program("/bin/cat", [terminal], in: scratch)
        try await receiver.status()
        try await reader.status()
        return (try scratch.write(reader.outputBytes, to: name), reader.outputBytes)
    }
}
