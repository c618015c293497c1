public import ClientProtocol
public import Monitors
public import Receivers
public import Sessions
public import SextantJSON
public import SextantUnits

/// An action that the Engine wants done.
///
/// Text to be sent is a range of the buffer `Outputs.text`.
public enum Action: Sendable, Equatable {
    /// Open the device, at this rate in bits per second where it has one.
    case openDevice(baud: Int?)
    /// Give this order to the open device.
    case port(PortOrder)
    /// Set an output line of the board; true is active.
    case setLine(LineRole, Bool)
    /// Do not read the receiver's line before this instant.
    case rest(until: MonotonicInstant)
    /// Send the bytes of `text` in this range.
    case send(ClientID, Range<Int>)
    /// Append the bytes of `text` in this range to a log that survives a power cut, before any later action sends.
    case persist(DurableLog, sequence: UInt64, Range<Int>)
    /// Drop the log's records up to this sequence number, which were delivered.
    case acknowledge(DurableLog, through: UInt64)
    /// Change the store.
    case store(DurableChange)
    /// Hold this input's lines to a client back until the input's changes are on the card.
    ///
    /// Where the card refuses the changes, the lines in `confirmations` are left out, and the one in `refusal` is sent.
    case hold(ClientID, confirmations: [Range<Int>], refusal: Range<Int>?)
    /// Store points of the track.
    case keepTrack([TrackedPlace])
    /// Answer an operator's request for the track from the store.
    case serveTrack(ClientID, id: String?, TrackRequest)
    /// Start a client's unit, because an event of this service waits for the client.
    case wake(String, unit: String, MonitoredService)
    /// Ask a client that was started for an event to exit.
    case endWake(String, unit: String)
    /// Note that no event waits any more for a client that was started.
    case wakeDone(String, unit: String)
    /// Start a unit that a manifest names for a region's event.
    case startUnit(BorderStart)
    /// Withdraw the request for a start that systemd has not taken.
    case expireStart(BorderStart)
    /// Look for the compass where the board's file says that it is, and configure it.
    ///
    /// `compassFound`, `compassAbsent` or `compassFailed` answers.
    case findCompass
    /// Measure the compass once; its chips sleep before and after.
    ///
    /// `compassSampled` or `compassFailed` answers.
    case sampleCompass
    /// Write one command, the bytes of `text` in this range, to the Bluetooth management socket.
    case radio(Range<Int>)
    /// Store this UART rate, in bits per second, for the daemon's next start.
    case remember(baud: Int)
    /// Store what was learned about the receiver, the bytes of `text` in this range, for the daemon's next start.
    case keepLearned(Range<Int>)
    case log(Notice)
}

/// A log that survives a power cut.
public enum DurableLog: Sendable, Hashable {
    /// Fixes that are held back for one client: records of `DeferredFix` in ascending sequence.
    case deferred(DeferredKey)
}

/// A change that the log tells in one line, once.
public enum Notice: Sendable, Equatable {
    case deviceOpened(path: String, baud: Int?)
    case deviceFailed(detail: String)
    case tryingRate(Int)
    case rateFound(Int)
    /// The receiver's bytes form no messages at the fixed rate, or, where that is nil, at any rate.
    case unintelligible(path: String, fixedBaud: Int?)
    case receiving(path: String)
    case silent(path: String, seconds: Int)
    case receiverIdentified(String, firmware: String)
    /// A problem with the receiver's power control or its GPIO lines; a sentence for people.
    case receiverTrouble(String)
    /// A compass was found; a sentence for people about its chips and its calibration.
    case compassFound(String)
    /// A problem with the compass; a sentence for people.
    case compassTrouble(String)
    /// Why beacons cannot be heard; a sentence for people.
    case radioTrouble(String)
    /// A client's name, and a sentence for people about a problem that an operator must know.
    case client(String, String)
    /// A row of the store cannot be decoded, and was left out.
    case unreadableRow(table: DurableTable, client: String, name: String)
    /// A record of the log of deferred fixes cannot be decoded, and was left out.
    case unreadableDeferredFix(byteCount: Int)
}

/// The outputs of one input, in a buffer that is reused.
public struct Outputs: ~Copyable {
    /// The client whose request an input brought.
    struct Asker {
        let connection: ClientID
        /// The request's own `id`, which its answers carry.
        let request: String?
    }

    public var text = TextBuffer(capacity: 16_384)
    public var actions: [Action] = []
    /// The lines that are true only once the input's changes are on the card.
    var confirmations: [Range<Int>] = []
    /// The connections that are told of events, whose rows may be on their way to the card since an earlier input.
    var told: [ClientID] = []
    /// The client whose request is being served; nil during every other input.
    var asker: Asker?
    /// The instant at which the Engine must be given `timePassed`; nil for never.
    public var wake: MonotonicInstant?

    public init() { actions.reserveCapacity(256) }

    /// Forgets the last input's outputs.
    public mutating func removeAll() {
        text.removeAll()
        actions.removeAll(keepingCapacity: true)
        confirmations.removeAll(keepingCapacity: true)
        told.removeAll(keepingCapacity: true)
        asker = nil
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

    /// Writes the line that confirms to a client what it asked for, and sends it once the input's changes are on the card.
    mutating func confirm(_ client: ClientID, _ write: (inout TextBuffer) -> Void) {
        let start = text.count
        send(client, write)
        confirmations.append(start..<text.count)
    }

    /// Writes a held-back fix and has it appended to its durable log.
    mutating func persist(_ fix: DeferredFix, for key: DeferredKey) {
        let start = text.count
        fix.encode(key) { text.append($0) }
        actions.append(.persist(.deferred(key), sequence: fix.sequence, start..<text.count))
    }

    /// Writes bytes that are no line, and returns their range in `text`.
    mutating func bytes(_ bytes: [UInt8]) -> Range<Int> {
        let start = text.count
        for byte in bytes { text.append(byte) }
        return start..<text.count
    }

    /// Writes a line without sending it, and returns its range in `text`.
    mutating func line(_ write: (inout TextBuffer) -> Void) -> Range<Int> {
        let start = text.count
        write(&text)
        text.append(0x0A)
        return start..<text.count
    }
}
