/// The bytes that a receiver sends for one navigation epoch, and the time at which it begins to send them.
public struct Burst: Sendable, Hashable {
    /// The time of the first byte, in nanoseconds since the start of the playback, at normal speed.
    public var offset: Int64
    public var bytes: [UInt8]

    public init(offset: Int64, bytes: [UInt8]) {
        self.offset = offset
        self.bytes = bytes
    }
}

/// A few bytes that a UART hands to the kernel together, and the time of the handover.
public struct Crumb: Sendable, Hashable {
    /// The time at which the last of the bytes has arrived, in nanoseconds since the start of the playback.
    public var offset: Int64
    public var bytes: ArraySlice<UInt8>

    public init(offset: Int64, bytes: ArraySlice<UInt8>) {
        self.offset = offset
        self.bytes = bytes
    }
}

/// One action of an emulated receiver at one time; the caller carries it out, because the caller owns the port and the
/// clock.
public struct Step: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        case write([UInt8])
        /// The receiver disappears, as when a USB plug is pulled; nothing is written until `reconnect`.
        case disconnect
        case reconnect
    }

    /// The time of the action in nanoseconds since the start of the playback; never earlier than that of the previous
    /// step.
    public var at: Int64
    public var action: Action

    public init(at: Int64, action: Action) {
        self.at = at
        self.action = action
    }
}
