public import Receivers
public import SextantUnits

/// A command to `sextantd-bench` (the daemon with emulated hardware and virtual time) from the harness that drives it.
///
/// Each line is one JSON object with one or more commands, which are obeyed in order.
///
/// `{"advance":ns}`, `{"uart":"hex"}`, `{"line":"motionInterrupt","level":true}`, `{"utc":seconds}` or `{"utc":null}`,
/// `{"radio":"hex"}`, `{"plug":true}`, `{"unplug":true}`, `{"waitForClients":false}`, `{"quit":true}`.
public enum BenchCommand: Sendable, Equatable {
    /// Lets virtual time pass up to this instant, but stops as soon as the daemon acts on its hardware.
    case advance(to: MonotonicInstant)
    /// Bytes from the receiver.
    case uart([UInt8])
    /// An event that the daemon receives from the kernel's Bluetooth management socket.
    case radio([UInt8])
    /// A GPIO input changes to this level.
    case line(LineRole, Bool)
    /// Sets the daemon's wall clock to these seconds since 1970 and makes it count as synchronized; nil makes the clock
    /// count as unsynchronized.
    case utc(Int64?)
    /// The receiver's device file appears.
    case plug
    case unplug
    /// If true, virtual time stands still until every client has read what the daemon sent to it; true when the daemon
    /// starts.
    case waitForClients(Bool)
    /// End the daemon.
    case quit
}

extension BenchCommand {
    /// The accepted wall-clock times, in seconds since 1970: expressed in nanoseconds they still fit into 64 bits.
    public static let utcRange: ClosedRange<Int64> = -9_000_000_000...9_000_000_000

    /// Decodes a line of commands.
    public static func decode(_ line: [UInt8]) throws(BenchFormatError) -> [BenchCommand] {
        var commands: [BenchCommand] = []
        var role: LineRole?
        for member in try BenchText.members(of: line) {
            switch (member.key, member.value) {
            case ("advance", .integer(let instant)):
                commands.append(.advance(to: MonotonicInstant(nanoseconds: instant)))
            case ("uart", .text(let text)): commands.append(.uart(try BenchText.bytes("uart", hexadecimal: text)))
            case ("radio", .text(let text)): commands.append(.radio(try BenchText.bytes("radio", hexadecimal: text)))
            case ("line", .text(let name)): role = try LineRole(benchName: name)
            case ("level", .bool(let level)):
                guard let known = role else { throw BenchFormatError("level: no line is named before it") }
                commands.append(.line(known, level))
                role = nil
            case ("utc", .null): commands.append(.utc(nil))
            case ("utc", .integer(let seconds)) where utcRange.contains(seconds): commands.append(.utc(seconds))
            case ("plug", .bool(true)): commands.append(.plug)
            case ("unplug", .bool(true)): commands.append(.unplug)
            case ("waitForClients", .bool(let waits)): commands.append(.waitForClients(waits))
            case ("quit", .bool(true)): commands.append(.quit)
            default: throw BenchFormatError("\(member.key): no such command, or not with this value")
            }
        }
        if let role { throw BenchFormatError("line: \(role) has no level") }
        return commands
    }

    /// Encodes commands as one line of JSON, including the newline.
    public static func encode(_ commands: [BenchCommand]) -> [UInt8] {
        var line: [UInt8] = [UInt8(ascii: "{")]
        for command in commands {
            if line.count > 1 { line.append(UInt8(ascii: ",")) }
            command.append(to: &line)
        }
        line += "}\n".utf8
        return line
    }

    private func append(to line: inout [UInt8]) {
        switch self {
        case .advance(let instant): line += "\"advance\":\(instant.nanoseconds)".utf8
        case .uart(let bytes): BenchText.append("uart", hexadecimal: bytes, to: &line)
        case .radio(let event): BenchText.append("radio", hexadecimal: event, to: &line)
        case .line(let role, let level): line += "\"line\":\"\(role)\",\"level\":\(level)".utf8
        case .utc(let seconds): line += "\"utc\":\(seconds.map { "\($0)" } ?? "null")".utf8
        case .plug: line += "\"plug\":true".utf8
        case .unplug: line += "\"unplug\":true".utf8
        case .waitForClients(let waits): line += "\"waitForClients\":\(waits)".utf8
        case .quit: line += "\"quit\":true".utf8
        }
    }
}
