import BenchControl
import Emulation
import Foundation
import GNSS
import Receivers
import SextantUnits

/// A running `sextantd-bench` that serves gpsd's clients too, and its harness.
///
/// Time passes only in `run` and `letTimePass`. Clients are served while it stands still, so that an answer is simply
/// waited for. It stands still for a client whose socket is full, so a long run is made of short ones.
final class DrivenDaemon<Device: EmulatedDevice> {
    let program: Program
    let harness: BenchHarness<Device>
    let socket: String
    /// The TCP port for gpsd's clients.
    let port: UInt16
    let device: String

    /// Starts it with an emulated device, which is plugged in.
    ///
    /// - Parameters:
    ///   - socket: Its socket; nil for a new one.
    ///   - admission: Whom it serves; nil for everybody.
    ///   - runner: A program that runs it, with its arguments; none for the daemon itself.
    ///   - members: More of its configuration, such as `baud: 9600,`.
    static func start(
        in scratch: Scratch, _ device: Device, socket: String? = nil, admission: Admission? = nil,
        under runner: [String] = [], _ members: String = ""
    ) async throws -> DrivenDaemon {
        let (socket, control) = (socket ?? scratch.newPath("s"), scratch.newPath("c"))
        let path = "/dev/virtual"
        let members = try (admission ?? .everybody(in: scratch)).member + members
        let file = scratch.newPath("sextant.json5")
        try Data("{ device: '\(path)', socket: '\(socket)', \(members) }".utf8).write(to: URL(filePath: file))
        let command =
            runner + ["\(Built.folder)/sextantd-bench", "--config", file, "--control", control, "--gpsd", "0"]
        let program = try Program(command[0], Array(command.dropFirst()), in: scratch)
        try await program.logged("waiting for a harness")
        let harness = try BenchHarness(control: control, device: device)
        let line = try await program.logged("gpsd on port")
        guard let port = line.split(separator: " ").last.flatMap({ UInt16($0) }) else { throw Late(description: line) }
        return DrivenDaemon(program: program, harness: harness, socket: socket, port: port, device: path)
    }

    private init(
        program: Program, harness: BenchHarness<Device>, socket: String, port: UInt16, device: String
    ) {
        (self.program, self.harness, self.socket) = (program, harness, socket)
        (self.port, self.device) = (port, device)
    }

    /// Where gpsd's clients find it.
    var address: String { "127.0.0.1:\(port)" }

    /// How many lines of the log hold a text.
    func logged(_ text: String) -> Int { program.errorLines.filter { $0.contains(text) }.count }

    // MARK: Time

    /// Lets time pass.
    func run(seconds: Double) throws { try harness.run(seconds: seconds) }

    /// Lets a second pass, and again, until a client that is a program of its own has what it waits for.
    ///
    /// How many seconds pass depends on the machine: nothing that depends on their number may be asserted.
    @discardableResult
    func letTimePass<Value>(until what: String, seen: () -> String = { "" }, _ look: () throws -> Value?) async throws
        -> Value
    {
        try await eventually(what, seen: seen) {
            if let value = try look() { return value }
            try harness.run(seconds: 1)
            return nil
        }
    }

    /// Lets time pass until a program ends.
    ///
    /// - Returns: Its exit status.
    func letTimePass(untilEndOf client: Program) async throws -> Int32 {
        try await letTimePass(until: "a client's end", seen: { client.errors + client.output }) {
            client.isRunning ? nil : ()
        }
        return try await client.status()
    }

    /// Ends the daemon as a harness does.
    func quit() async throws {
        try harness.quit()
        try await program.status()
    }

    // MARK: Clients

    /// A connection to the local socket that was greeted.
    func connect() async throws -> Wire {
        let client = try Wire(socket: socket)
        _ = try await client.object { $0.text("event") == "hello" }
        return client
    }

    /// A connection to the gpsd port that was greeted.
    func connectToGPSD(receiveBuffer: Int32? = nil) async throws -> Wire {
        let client = try Wire(port: port, receiveBuffer: receiveBuffer)
        _ = try await client.object { $0.text("class") == "VERSION" }
        return client
    }

    /// A connection to the local socket that watches.
    ///
    /// - Parameter members: More of its request, such as `"satellites":true,`.
    func watcher(_ members: String = "") async throws -> Wire {
        let client = try await connect()
        try client.send("{\"request\":\"watch\",\(members)\"id\":\"w\"}\n")
        _ = try await client.object { $0.text("event") == "watching" }
        return client
    }

    /// Starts `sextant` with arguments and this daemon's socket.
    func sextant(_ arguments: [String]) throws -> Program {
        try Program(Built.sextant, arguments + ["--socket", socket], in: program.scratch)
    }

    /// The daemon's answer to `status`.
    func status() async throws -> JSON {
        let client = try await connect()
        try client.send("{\"request\":\"status\"}\n")
        return try await client.object { $0.text("event") == "status" }
    }

    /// The receiver's state, as `status` tells it.
    func receiver() async throws -> JSON { try await status().object("receiver") ?? JSON([:]) }

    /// Waits until so many clients are connected, the one that asks among them.
    func clients(_ count: Int) async throws {
        let client = try await connect()
        var number: Double?
        while number != Double(count) {
            try client.send("{\"request\":\"status\"}\n")
            number = try await client.object { $0.text("event") == "status" }.number("clients")
        }
    }
}

extension Wire {
    /// What the daemon had sent to a client of the local socket before it answered a request that was made just now.
    func received() async throws -> [JSON] {
        try send("{\"request\":\"ping\"}\n")
        var events: [JSON] = []
        while true {
            let event = try await object()
            if event.text("event") == "pong" { return events }
            events.append(event)
        }
    }

    /// The lines that the daemon had sent to a client of gpsd before it answered a request that was made just now.
    func receivedFromGPSD() async throws -> [String] {
        try send("?VERSION;\n")
        var lines: [String] = []
        while true {
            let line = try await line()
            if line.contains("\"class\":\"VERSION\"") { return lines }
            lines.append(line)
        }
    }
}

extension [JSON] {
    /// Those whose member is this text.
    func with(_ key: String, _ text: String) -> [JSON] { filter { $0.text(key) == text } }
}

/// A receiver on the driven clock that sends what `sextant emulate receiver` would send on a pseudo-terminal.
///
/// A script's disconnects have no effect: a test unplugs the device by its harness.
struct ScriptedDevice: EmulatedDevice {
    private var script: ReceiverScript
    private var next: Step?
    /// Half a second after the daemon's start.
    private let start = VirtualBench.start.advanced(byNanoseconds: 500_000_000)

    /// - Parameters:
    ///   - baud: The rate at which the bytes are paced; nil for whole bursts.
    ///   - faults: How the stream is spoiled; nil for not at all.
    init(_ source: ReceiverScript.Source, baud: Int? = nil, faults: Faults.Configuration? = nil) {
        script = ReceiverScript(
            source: source, pacer: Pacer(configuration: Pacer.Configuration(bitsPerSecond: baud)),
            faults: Faults(configuration: faults ?? Faults.Configuration(seed: 1)), durationSeconds: nil)
        next = script.next()
    }

    /// A synthetic receiver at rest in Zurich that starts hot: its first position is that of its third second.
    static func synthetic(
        _ output: SyntheticReceiver.Output = .nmea, rate: Int = 1, baud: Int? = nil,
        faults: Faults.Configuration? = nil
    ) -> ScriptedDevice {
        ScriptedDevice(.synthetic(receiver(output, rate: rate)), baud: baud, faults: faults)
    }

    /// What a synthetic receiver sends in so many seconds.
    static func recording(_ output: SyntheticReceiver.Output = .nmea, seconds: Int) -> [UInt8] {
        var receiver = receiver(output, rate: 1)
        return (0..<seconds).flatMap { _ in receiver.nextBurst().bytes }
    }

    private static func receiver(_ output: SyntheticReceiver.Output, rate: Int) -> SyntheticReceiver {
        var configuration = SyntheticReceiver.Configuration(
            seed: 7, startTime: UTCInstant(nanoseconds: 1_772_323_200_000_000_000))
        configuration.acquisition = .hotStart
        configuration.output = output
        configuration.rate = rate
        var place = SyntheticDrive.Start(latitude: 47.3769, longitude: 8.5417, altitudeAboveMeanSeaLevel: 408)
        place.parkedSeconds = 86_400
        return SyntheticReceiver(
            drive: SyntheticDrive(start: place, seed: 7),
            sky: SyntheticSky(constellations: [.gps, .galileo], longitude: place.longitude, seed: 7),
            configuration: configuration)
    }

    var nextEvent: MonotonicInstant? { next.map { start.advanced(byNanoseconds: $0.at) } }

    mutating func advance(to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void) {
        while let step = next, let due = nextEvent, due <= instant {
            if case .write(let bytes) = step.action { emit(bytes.span, due) }
            next = script.next()
        }
    }

    func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant) {}
    func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant) {}
}
