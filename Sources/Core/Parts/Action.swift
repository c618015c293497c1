public import ClientProtocol
public import ClientVocabulary
public import HostSleep
public import Monitors
public import Receivers
public import SextantUnits
public import TimeService

/// An action that the Engine asks the rest of the daemon to carry out.
///
/// Bytes to be sent or stored are given as a range of the buffer `Turn.text`.
public enum Action: Sendable, Equatable {
    /// Open the receiver's device; `baud` is its serial rate in bits per second, or nil for a device without a rate.
    case openDevice(baud: Int?)
    /// Carry out this order on the serial port of the receiver's open device.
    case port(PortOrder)
    /// Set an output GPIO line of the board; true is active.
    case setLine(LineRole, Bool)
    /// Do not read the receiver's serial port before this instant, so that the daemon does not wake for every few
    /// bytes.
    case rest(until: MonotonicInstant)
    /// Send the client the bytes of `Turn.text` in this range.
    case send(ClientID, Range<Int>)
    /// Append the bytes of `Turn.text` in this range to a log that survives a power cut.
    ///
    /// The bytes are on the SD card before any later action sends anything.
    case persist(DurableLog, sequence: UInt64, Range<Int>)
    /// Drop the records up to this sequence number from a log that survives a power cut, because they were delivered.
    case acknowledge(DurableLog, through: UInt64)
    /// Make this change to the store, which survives a power cut.
    case store(DurableChange)
    /// Hold back the lines (JSON objects) that this input sends to a client until the input's changes to the store are
    /// on the SD card.
    ///
    /// If the changes cannot be written, the lines in `confirmations` are left out, and the line in `refusal` is sent.
    case hold(ClientID, confirmations: [Range<Int>], refusal: Range<Int>?)
    /// Store points of the track.
    case keepTrack([TrackedPlace])
    /// Answer an operator's request about the track (the board's stored past positions).
    case serveTrack(ClientID, id: String?, TrackRequest)
    /// Start a client's systemd unit, because an event of the given service (such as regions) waits for the client.
    case wake(String, unit: String, MonitoredService)
    /// Ask systemd to stop the unit of a client that was started for an event and has not exited in the allowed time.
    case endWake(String, unit: String)
    /// Withdraw the request to start a client's unit, because no event waits for the client any more.
    case wakeDone(String, unit: String)
    /// Start a systemd unit that a manifest names for an event of a region.
    case startUnit(BorderStart)
    /// Withdraw the request to start a systemd unit, if systemd has not taken the request in time.
    case expireStart(BorderStart)
    /// Look for the compass at the addresses in the board's file (which describes the board's hardware), and configure
    /// it.
    ///
    /// The answer is the input `compassFound`, `compassAbsent` or `compassFailed`.
    case findCompass
    /// Measure the compass once; its chips sleep before and after.
    ///
    /// The answer is the input `compassSampled` or `compassFailed`.
    case sampleCompass
    /// Set the accelerometer to watch for motion, at first or again; the answer is the input `motionAnswered`.
    case watchMotion
    /// Read the motion sensor's interrupt line at this instant, not earlier; nil: read it when its level next changes.
    ///
    /// The answer is the input `lineChanged`.
    case lookAtLine(at: MonotonicInstant?)
    /// Write one command to the Bluetooth management socket: the bytes of `Turn.text` in this range.
    case radio(Range<Int>)
    /// Read the host's wall clock and its monotonic clock together; the answer is the input `clockRead`.
    case readClock
    /// Send this time sample to the host's time daemon.
    case tellTime(TimeSample)
    /// Carry out one step of putting the host to sleep, or of undoing such a step.
    case host(HostOrder)
    /// Store this UART rate, in bits per second, for the daemon's next start.
    case remember(baud: Int)
    /// Store what was learned about the receiver, the bytes of `Turn.text` in this range, for the daemon's next start.
    case keepLearned(Range<Int>)
    case log(Notice)
}

/// A log that survives a power cut.
public enum DurableLog: Sendable, Hashable {
    /// Fixes that are held back for one location session: records of `DeferredFix` in ascending order of sequence
    /// number.
    case deferred(DeferredKey)
}

/// An event or a problem that the daemon reports in one line of its log when it occurs.
public enum Notice: Sendable, Equatable {
    case deviceOpened(path: String, baud: Int?)
    case deviceFailed(detail: String)
    case tryingRate(Int)
    case rateFound(Int)
    /// The receiver's bytes form no messages at the UART rate `fixedBaud`, or, where it is nil, at any rate tried.
    case unintelligible(path: String, fixedBaud: Int?)
    case receiving(path: String)
    case silent(path: String, seconds: Int)
    /// The receiver's positions are in another datum than WGS 84; `detail` explains this to people.
    case foreignDatum(path: String, detail: String)
    /// The receiver's positions are in WGS 84 again.
    case datumIsOurs(path: String)
    case receiverIdentified(String, firmware: String)
    /// A problem with the receiver's power control or its GPIO lines, described by a sentence for people.
    case receiverTrouble(String)
    /// A compass was found; the text describes its chips and its calibration in a sentence for people.
    case compassFound(String)
    /// A problem with the compass, described by a sentence for people.
    case compassTrouble(String)
    /// Bluetooth beacons cannot be received; the text says why in a sentence for people.
    case radioTrouble(String)
    /// A fault of the receiver's time pulses (PPS).
    case pulseTrouble(PulseTrouble)
    /// A client has a problem that an operator must know: the client's name, and a sentence for people about the
    /// problem.
    case client(String, String)
    /// A row of the store cannot be decoded, and is ignored.
    case unreadableRow(table: DurableTable, client: String, name: String)
    /// A record of the log of deferred fixes cannot be decoded, and is ignored.
    case unreadableDeferredFix(byteCount: Int)
}
