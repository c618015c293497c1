public import Receivers
public import SextantUnits

/// A report from `sextantd-bench` (the daemon with virtual time) to its harness, as one JSON object per line.
///
/// `{"uart":"hex"}`, `{"setLine":"powerEnable","level":true}`, `{"setBaud":9600}`, `{"transmitterLow":true}`,
/// `{"radio":"hex"}`, `{"error":"text"}`, and after every line of commands `{"idle":{"now":ns,"wake":ns,"wakeUps":n}}`.
///
/// Every reported change to the hardware happens at the instant in the `idle` that follows the change, because virtual
/// time stops while the daemon acts. The harness answers a transfer on an I2C bus (`BenchTransfer`) at once, and the
/// daemon waits for the answer.
public enum BenchReport: Sendable, Equatable {
    /// Bytes that the daemon wrote to the receiver.
    case uart([UInt8])
    /// The daemon sets a GPIO output to this level, or opens it with this initial level.
    case setLine(LineRole, Bool)
    /// The daemon opens the serial port at this baud rate, or changes the port to this baud rate.
    case setBaud(Int)
    /// The daemon holds the serial port's transmit line low, or releases it.
    case transmitterLow(Bool)
    /// A transfer on an I2C bus; the daemon waits for the harness's answer.
    case transfer(BenchTransfer)
    /// A command that the daemon writes to the Bluetooth management socket.
    case radio([UInt8])
    /// A command of the harness could not be obeyed; the text is the reason.
    case error(String)
    /// The daemon has nothing more to do at the present instant.
    case idle(BenchIdle)
}

/// What `sextantd-bench` reports when the daemon has nothing more to do: the virtual time and the daemon's wake-ups.
public struct BenchIdle: Sendable, Equatable {
    public var now: MonotonicInstant
    /// The instant at which the daemon wants to be woken; nil for never.
    public var wake: MonotonicInstant?
    /// The number of times since the start that a real daemon would have been woken from waiting for events.
    public var wakeUps: UInt64

    public init(now: MonotonicInstant, wake: MonotonicInstant?, wakeUps: UInt64) {
        self.now = now
        self.wake = wake
        self.wakeUps = wakeUps
    }
}

extension BenchReport {
    /// Decodes a line with a report.
    public static func decode(_ line: [UInt8]) throws(BenchFormatError) -> BenchReport {
        let members = try BenchText.members(of: line)
        switch (members.first?.key, members.first?.value) {
        case ("uart", .text(let text)): return .uart(try BenchText.bytes("uart", hexadecimal: text))
        case ("setBaud", .integer(let baud)): return .setBaud(Int(baud))
        case ("transmitterLow", .bool(let isLow)): return .transmitterLow(isLow)
        case ("radio", .text(let text)): return .radio(try BenchText.bytes("radio", hexadecimal: text))
        case ("error", .text(let text)): return .error(text)
        case ("i2c", .text(let bus)): return .transfer(try BenchTransfer(bus: bus, members.dropFirst()))
        case ("idle", .object(let members)): return .idle(try BenchIdle(members))
        case ("setLine", .text(let name)):
            guard members.count == 2, members[1].key == "level", case .bool(let level) = members[1].value else {
                throw BenchFormatError("setLine: \(name) has no level")
            }
            return .setLine(try LineRole(benchName: name), level)
        default: throw BenchFormatError("\(members.first?.key ?? "{}"): no such report, or not with this value")
        }
    }

    /// Encodes the report as one line of JSON, including the newline.
    public func encoded() -> [UInt8] {
        var line: [UInt8] = [UInt8(ascii: "{")]
        switch self {
        case .uart(let bytes): BenchText.append("uart", hexadecimal: bytes, to: &line)
        case .setLine(let role, let level): line += "\"setLine\":\"\(role)\",\"level\":\(level)".utf8
        case .setBaud(let baud): line += "\"setBaud\":\(baud)".utf8
        case .transmitterLow(let isLow): line += "\"transmitterLow\":\(isLow)".utf8
        case .transfer(let transfer): transfer.append(to: &line)
        case .radio(let command): BenchText.append("radio", hexadecimal: command, to: &line)
        case .error(let text): BenchText.append("error", text: text, to: &line)
        case .idle(let idle):
            let wake = idle.wake.map { "\($0.nanoseconds)" } ?? "null"
            line += "\"idle\":{\"now\":\(idle.now.nanoseconds),\"wake\":\(wake),\"wakeUps\":\(idle.wakeUps)}".utf8
        }
        line += "}\n".utf8
        return line
    }
}

extension BenchIdle {
    fileprivate init(_ members: [BenchText.Member]) throws(BenchFormatError) {
        self.init(now: .zero, wake: nil, wakeUps: 0)
        for member in members {
            switch (member.key, member.value) {
            case ("now", .integer(let instant)): now = MonotonicInstant(nanoseconds: instant)
            case ("wake", .null): wake = nil
            case ("wake", .integer(let instant)): wake = MonotonicInstant(nanoseconds: instant)
            case ("wakeUps", .integer(let count)) where count >= 0: wakeUps = UInt64(count)
            default: throw BenchFormatError("idle: \(member.key): no such member, or not with this value")
            }
        }
    }
}
