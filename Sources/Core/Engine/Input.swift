public import Magnetism
public import Receivers
public import Sessions
public import Units

/// Which protocol a client speaks.
public enum ClientKind: UInt8, Sendable, Equatable {
    case local = 0
    case gpsd = 1
}

/// Everything that can happen to the Engine, as a flight recording keeps it.
public enum Input: Sendable, Equatable {
    /// The daemon runs, with the configuration that its Engine was made with.
    case started(EngineConfiguration)
    /// Bytes that the receiver sent; the daemon lends them to the Engine instead.
    case bytes([UInt8])
    /// The device is open; `time` is the wall clock, where the host vouches for it.
    case deviceOpened(ReceiverLink, time: UTCInstant?)
    /// The device could not be opened, or was lost; `detail` is the sentence for people.
    case deviceFailed(DeviceSupervisor.Absence, detail: String)
    case deviceAppeared
    /// Who is served, and on what terms; it comes before any client, and again with every change.
    case admission(Admission)
    /// A client came; who it is by the kernel's word, where there is one.
    case clientConnected(ClientID, ClientKind, PeerIdentity? = nil)
    /// A line of a client, as it sent it.
    case clientLine(ClientID, ClientKind, [UInt8])
    /// A client sent a line that is longer than it may be.
    case clientLineTooLong(ClientID, ClientKind)
    case clientGone(ClientID)
    /// The board's lines are open, those in `lines`; `problem` says, for people, which are not and why. It comes once,
    /// after `started`, where there is a `PowerConfiguration`.
    case linesOpened(Set<LineRole>, problem: String?)
    /// What the accelerometer says: the board moves, or is quiet. A board without one never says anything.
    case motion(Bool)
    /// The compass's chips answer and are configured: what `findCompass` found.
    case compassFound(CompassChips)
    /// Nobody answers where the board's file says that the compass is; `detail` is a sentence for people.
    case compassAbsent(detail: String)
    /// The compass cannot be found, or did not measure; `detail` is a sentence for people.
    case compassFailed(detail: String)
    /// What was measured for one `sampleCompass`.
    case compassSampled(CompassSample)
    /// A record that the log of deferred fixes held when the daemon started; given before any client, in order.
    case deferredFound([UInt8])
    /// What the store held when the daemon started: given after the first `admission` and before any client.
    case storeFound(DurableRow)
    /// All that it held was given.
    case storeRead
    /// A client's unit could not be started.
    case wakeFailed(client: String)
    /// An instant that was asked for has come.
    case timePassed
    /// The daemon ends: what waits to be kept is kept now.
    case stopping
}
