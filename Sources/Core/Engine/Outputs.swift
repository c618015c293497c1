public import JSONText
public import Sessions
public import Units

/// What the Engine wants done.
///
/// Text that is sent lies in the outputs' buffer.
public enum Action: Sendable, Equatable {
    /// Open the device, at this rate where it has one.
    case openDevice(baud: Int?)
    /// Set the open device's rate and forget what it sent at the old one.
    case setBaud(Int)
    /// Do not look at the receiver's line before this instant.
    case rest(until: MonotonicInstant)
    /// Send the bytes of `text` in this range.
    case send(ClientID, Range<Int>)
    /// Keep this rate for the next start.
    case remember(baud: Int)
    case log(StateChange)
}

/// A change worth a line in the log; each is told once.
public enum StateChange: Sendable, Equatable {
    case deviceOpened(path: String, baud: Int?)
    case deviceFailed(detail: String)
    case tryingRate(Int)
    case rateFound(Int)
    /// Bytes come and are no messages; the rate they were read at, where it is fixed, else all were tried.
    case unintelligible(path: String, fixedBaud: Int?)
    case receiving(path: String)
    case silent(path: String, seconds: Int)
}

/// The outputs of one input, in a buffer that is reused.
public struct Outputs: ~Copyable {
    public var text = TextBuffer(capacity: 16_384)
    public var actions: [Action] = []
    /// When `timePassed` is wanted; nil for never.
    public var wake: MonotonicInstant?

    public init() { actions.reserveCapacity(256) }

    /// Forgets the last input's outputs.
    public mutating func removeAll() {
        text.removeAll()
        actions.removeAll(keepingCapacity: true)
        wake = nil
    }
}

extension Outputs {
    /// Writes a line for one client and sends it.
    mutating func send(_ client: ClientID, _ write: (inout TextBuffer) -> Void) {
        let start = text.count
        write(&text)
        actions.append(.send(client, start..<text.count))
    }

    /// Writes a line and says where it lies.
    mutating func line(_ write: (inout TextBuffer) -> Void) -> Range<Int> {
        let start = text.count
        write(&text)
        text.append(0x0A)
        return start..<text.count
    }
}
