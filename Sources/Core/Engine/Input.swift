public import Access
public import ClientProtocol
public import HostSleep
public import Magnetism
public import Parts
public import Receivers
public import SextantUnits
public import TimeService

/// Everything that can happen to the Engine, as a flight recording stores it.
public enum Input: Sendable, Equatable {
    /// The daemon has started, with the configuration that its Engine was made with.
    ///
    /// Not in line: it is by far the largest value, and would make every input as large.
    indirect case started(EngineConfiguration)
    /// Bytes that the receiver sent; the daemon passes them to `Engine.handle(bytes:)` instead, without a copy.
    case bytes([UInt8])
    /// The device is open; `time` is the wall clock, nil unless the host says that its clock is right.
    case deviceOpened(ReceiverLink, time: UTCInstant?)
    /// The device could not be opened, or was lost; `detail` is the sentence for people.
    case deviceFailed(DeviceSupervisor.Absence, detail: String)
    case deviceAppeared
    /// The manifests and the policy, which say which clients are served; given before any client, and with every
    /// change.
    case admission(Admission)
    /// A client connected; its identity is what the kernel says of the process, nil where that is not known.
    ///
    /// Of a connection of the gpsd port only the user may be known; then `others` are the other processes of that user
    /// that may have made it.
    case clientConnected(ClientID, ClientKind, PeerIdentity? = nil, others: [PeerIdentity] = [])
    /// A line that a client sent, undecoded.
    case clientLine(ClientID, ClientKind, [UInt8])
    /// A line of a local client for which as many changes wait for the card as may, undecoded; the request is refused.
    case clientLineUnkept(ClientID, [UInt8])
    /// A client sent a line that is longer than the protocol allows.
    case clientLineTooLong(ClientID, ClientKind)
    case clientGone(ClientID)
    /// The board's GPIO lines in `lines` are open; `problem` says, for people, which others are not and why.
    ///
    /// Given once, after `started`, where there is a `PowerConfiguration`.
    case linesOpened(Set<LineRole>, problem: String?)
    /// The board moves (true) or is at rest (false), as a harness in place of the motion sensor says, or a recording
    /// that was made before the Engine itself decided it; never given on a board without a sensor.
    case motion(Bool)
    /// The state of the motion sensor's line, at the first look and at each that `lookAtLine` asked for.
    case lineChanged(MotionLine)
    /// The accelerometer's answer to `watchMotion`; `problem` says, for people, why it does not watch, nil where it
    /// does.
    case motionAnswered(problem: String?)
    /// The compass's chips answered `findCompass` and are configured.
    case compassFound(CompassChips)
    /// No chip answers at the compass's address in the board's file; `detail` is a sentence for people.
    case compassAbsent(detail: String)
    /// The compass cannot be found, or did not measure; `detail` is a sentence for people.
    case compassFailed(detail: String)
    /// The measurement that one `sampleCompass` asked for.
    case compassSampled(CompassSample)
    /// The Bluetooth management socket is open.
    case radioOpened
    /// The Bluetooth management socket is of no use any more; `detail` is what the system says.
    case radioFailed(detail: String)
    /// One event of the Bluetooth management socket.
    case radioEvent([UInt8])
    /// A record that the log of deferred fixes held when the daemon started; given before any client, in order.
    case deferredFound([UInt8])
    /// A row that the store held when the daemon started; given after the first `admission` and before any client.
    case storeFound(DurableRow)
    /// Decisions about clients were lost or cannot be read, so that each client without one may have been denied; given
    /// before the rows that could be read.
    case decisionsLost
    /// Why something cannot be stored, in a sentence for people; nil where everything can again.
    case storeTrouble(String?)
    /// New figures of the process: its times, memory and counts; given when a local client asks something, once a
    /// second at most.
    case figures(ProcessFigures)
    /// All rows of the store were given.
    case storeRead
    /// The wall clock, once the host says that it is right; given once, after `storeRead`.
    case clockTrusted(UTCInstant)
    /// News of the host and its switch; the first is `woke`, after `storeRead`.
    case host(HostReport)
    /// The time service is on; given after `started`, and never where it is off.
    case timeServed(TimeConfiguration)
    /// Both clocks of the host, after `readClock`.
    case clockRead(ClockReading)
    /// Whether the time daemon takes the samples of one source that `tellTime` gives; given when that changes.
    case timeSink(TimeSinkState, of: TimeSample.Source)
    /// The systemd unit of a client could not be started.
    case wakeFailed(client: String)
    /// The instant in `Turn.wake` has come.
    case timePassed
    /// The daemon is about to end: values that wait to be stored are stored now.
    case stopping
}
