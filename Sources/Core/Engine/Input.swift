public import Access
public import ClientProtocol
public import HostSleep
public import Magnetism
public import Parts
public import Receivers
public import SextantUnits
public import TimeService

/// Everything that can happen to the Engine; a flight recording stores these inputs.
public enum Input: Sendable, Equatable {
    /// The daemon has started, with the configuration that its Engine was made with.
    ///
    /// It is `indirect`, because it is by far the largest value and would make every input as large.
    indirect case started(EngineConfiguration)
    /// Bytes that the receiver sent; the daemon passes them to `Engine.handle(bytes:)` instead, without a copy.
    case bytes([UInt8])
    /// The receiver's device is open; `time` is the wall-clock time; nil unless the host says that its clock is right.
    case deviceOpened(ReceiverLink, time: UTCInstant?)
    /// The receiver's device could not be opened, or was lost; `detail` is a sentence for people that says why.
    case deviceFailed(DeviceSupervisor.Absence, detail: String)
    case deviceAppeared
    /// The manifests and the policy, which say which clients are served; given before any client connects, and after
    /// every change.
    case admission(Admission)
    /// A client connected; its identity is what the kernel reports about the process, nil where that is not known.
    ///
    /// Sometimes only the user of a gpsd port's connection is known. Then `others` are the other processes of that user
    /// that can have made the connection.
    case clientConnected(ClientID, ClientKind, PeerIdentity? = nil, others: [PeerIdentity] = [])
    /// A line (one request, as JSON or in gpsd's protocol) that a client sent, undecoded.
    case clientLine(ClientID, ClientKind, [UInt8])
    /// An undecoded line of a local client that has too many changes waiting for the SD card; the request in it is
    /// refused.
    case clientLineUnkept(ClientID, [UInt8])
    /// A client sent a line that is longer than the protocol allows.
    case clientLineTooLong(ClientID, ClientKind)
    case clientGone(ClientID)
    /// The board's GPIO lines in `lines` are open; `problem` is a sentence for people about the lines that are not
    /// open.
    ///
    /// Given once, after `started`, where there is a `PowerConfiguration`.
    case linesOpened(Set<LineRole>, problem: String?)
    /// The board moves (true) or is at rest (false), as a test harness or an old recording says; never given on a board
    /// without a motion sensor.
    ///
    /// A test harness gives this in place of the motion sensor's line; an old recording was made before the Engine
    /// evaluated that line itself.
    case motion(Bool)
    /// The state of the motion sensor's interrupt line, at its opening and each time after `lookAtLine` asked for it.
    case lineChanged(MotionLine)
    /// The accelerometer's answer to `watchMotion`; `problem` is a sentence for people that says why the accelerometer
    /// does not watch; nil where it does.
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
    /// The Bluetooth management socket cannot be used any more; `detail` is the system's message.
    case radioFailed(detail: String)
    /// One event of the Bluetooth management socket.
    case radioEvent([UInt8])
    /// A record that the log of deferred fixes held when the daemon started; given before any client connects, in the
    /// order of the log.
    case deferredFound([UInt8])
    /// A row that the store held when the daemon started; given after the first `admission` and before any client
    /// connects.
    case storeFound(DurableRow)
    /// Stored decisions about clients were lost or cannot be read, so a client without a decision may in truth have
    /// been denied.
    ///
    /// Given before the rows that could be read.
    case decisionsLost
    /// A sentence for people that says why something cannot be stored; nil once everything can be stored again.
    case storeTrouble(String?)
    /// New figures about the process: its times, memory and counts; given when a local client sends a request, at most
    /// once a second.
    case figures(ProcessFigures)
    /// The Engine has been given every row that the store held when the daemon started.
    case storeRead
    /// The wall clock, once the host says that it is right; given once, after `storeRead`.
    case clockTrusted(UTCInstant)
    /// A report about the host and its power switch; the first report is `woke`, which comes after `storeRead`.
    case host(HostReport)
    /// The service that gives the receiver's time to the host's time daemon is configured; given after `started`.
    case timeServed(TimeConfiguration)
    /// The host's wall clock and its monotonic clock; the answer to `readClock`.
    case clockRead(ClockReading)
    /// Whether the host's time daemon accepts the time samples from this source; given when that changes.
    case timeSink(TimeSinkState, of: TimeSample.Source)
    /// The systemd unit of a client could not be started.
    case wakeFailed(client: String)
    /// The instant in `Turn.wake` has come.
    case timePassed
    /// The daemon is about to end: values that wait to be stored are stored now.
    case stopping
}
