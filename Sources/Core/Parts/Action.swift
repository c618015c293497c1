public import ClientProtocol
public import ClientVocabulary
public import HostSleep
public import Monitors
public import Receivers
public import SextantUnits
public import TimeService

/// An action that the Engine wants done.
///
/// Text to be sent is a range of the buffer `Turn.text`.
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
    /// Have the accelerometer watch for motion anew; `motionAnswered` answers.
    case watchMotion
    /// Look at the motion sensor's line at this instant and not before, or, where it is nil, when it changes next.
    ///
    /// `lineChanged` answers.
    case lookAtLine(at: MonotonicInstant?)
    /// Write one command, the bytes of `text` in this range, to the Bluetooth management socket.
    case radio(Range<Int>)
    /// Read both clocks of the host at once; `clockRead` answers.
    case readClock
    /// Give the host's time daemon a sample.
    case tellTime(TimeSample)
    /// An order for a sleep of the host.
    case host(HostOrder)
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
    /// The receiver's positions are in another datum than WGS 84, with a sentence for people.
    case foreignDatum(path: String, detail: String)
    /// The receiver's positions are in WGS 84 again.
    case datumIsOurs(path: String)
    case receiverIdentified(String, firmware: String)
    /// A problem with the receiver's power control or its GPIO lines; a sentence for people.
    case receiverTrouble(String)
    /// A compass was found; a sentence for people about its chips and its calibration.
    case compassFound(String)
    /// A problem with the compass; a sentence for people.
    case compassTrouble(String)
    /// Why beacons cannot be heard; a sentence for people.
    case radioTrouble(String)
    /// A fault of the receiver's pulses, for the log.
    case pulseTrouble(PulseTrouble)
    /// A client's name, and a sentence for people about a problem that an operator must know.
    case client(String, String)
    /// A row of the store cannot be decoded, and was left out.
    case unreadableRow(table: DurableTable, client: String, name: String)
    /// A record of the log of deferred fixes cannot be decoded, and was left out.
    case unreadableDeferredFix(byteCount: Int)
}
