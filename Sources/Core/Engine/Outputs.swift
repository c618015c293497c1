public import ClientProtocol
public import JSON
public import Monitors
public import Receivers
public import Sessions
public import Units

/// What the Engine wants done.
///
/// Text that is sent lies in the outputs' buffer.
public enum Action: Sendable, Equatable {
    /// Open the device, at this rate where it has one.
    case openDevice(baud: Int?)
    /// Set the open device's rate, after what was transmitted before has left, and forget what it sent at the old one.
    case setBaud(Int)
    /// Write the bytes of `text` in this range to the receiver.
    case transmit(Range<Int>)
    /// Set an output line of the board; true is active.
    case setLine(LineRole, Bool)
    /// Let the host's transmitter pin carry no voltage, after what was transmitted before has left; or let it transmit.
    case holdTransmitterLow(Bool)
    /// Do not look at the receiver's line before this instant.
    case rest(until: MonotonicInstant)
    /// Send the bytes of `text` in this range.
    case send(ClientID, Range<Int>)
    /// Append the bytes of `text` in this range to a log that outlives a power cut, before what follows is sent.
    case persist(DurableLog, sequence: UInt64, Range<Int>)
    /// What the log holds up to this sequence was delivered, and need be kept no longer.
    case acknowledge(DurableLog, through: UInt64)
    /// Change what the store keeps; what is sent after it leaves when the change is on the card.
    case store(DurableChange)
    /// Keep points of the track.
    case keepTrack([TrackedPlace])
    /// Answer an operator who asks for the track; the store has it.
    case serveTrack(ClientID, id: String?, TrackRequest)
    /// Start a client for an event of this service.
    case wake(String, unit: String, MonitoredService)
    /// Ask that a client that was started leaves.
    case endWake(String, unit: String)
    /// No event waits for a client any more.
    case wakeDone(String, unit: String)
    /// Look for the compass where the board's file says that it is, and configure it; `compassFound`, `compassAbsent` or
    /// `compassFailed` answers.
    case findCompass
    /// Measure once; the chips sleep before and after. `compassSampled` or `compassFailed` answers.
    case sampleCompass
    /// Keep this rate for the next start.
    case remember(baud: Int)
    /// Keep the bytes of `text` in this range, what was learned about the receiver, for the next start.
    case keepLearned(Range<Int>)
    case log(Notice)
}

/// A log that the Engine has kept.
public enum DurableLog: Sendable, Hashable {
    /// The fixes that are held back for one user's program: records of `DeferredFix`, sequences ascending.
    case deferred(DeferredKey)
}

/// A change worth a line in the log; each is told once.
public enum Notice: Sendable, Equatable {
    case deviceOpened(path: String, baud: Int?)
    case deviceFailed(detail: String)
    case tryingRate(Int)
    case rateFound(Int)
    /// Bytes come and are no messages; the rate they were read at, where it is fixed, else all were tried.
    case unintelligible(path: String, fixedBaud: Int?)
    case receiving(path: String)
    case silent(path: String, seconds: Int)
    case receiverIdentified(String, firmware: String)
    /// Something is wrong with a receiver that is switched, or its lines; a sentence for people.
    case receiverTrouble(String)
    /// A compass was found: what it is and how it is calibrated, in a sentence.
    case compassFound(String)
    /// Something is wrong with the compass; a sentence for people.
    case compassTrouble(String)
    /// Something about a client that its operator must know; a sentence for people.
    case client(String, String)
    /// A row of the store is none, and was left out.
    case unreadableRow(table: DurableTable, client: String, name: String)
    /// A record of the log of deferred fixes is none, and was left out.
    case unreadableDeferredFix(byteCount: Int)
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

    /// Writes a record that is to be durable.
    mutating func persist(_ fix: DeferredFix, for key: DeferredKey) {
        let start = text.count
        fix.encode(key) { text.append($0) }
        actions.append(.persist(.deferred(key), sequence: fix.sequence, start..<text.count))
    }

    /// Writes a line and says where it lies.
    mutating func line(_ write: (inout TextBuffer) -> Void) -> Range<Int> {
        let start = text.count
        write(&text)
        text.append(0x0A)
        return start..<text.count
    }
}
