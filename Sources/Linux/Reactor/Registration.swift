import CSextantLinux

/// The events that a descriptor is watched for; an empty set suspends the watching.
public struct Interest: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Interest(rawValue: 1)
    public static let write = Interest(rawValue: 2)
    /// Disarms the descriptor after one event, until it is armed again.
    public static let once = Interest(rawValue: 4)
    /// Marks a descriptor as urgent when it is registered: while many others are served in one wake-up, it does not
    /// wait for all of them.
    public static let urgent = Interest(rawValue: 8)

    /// These events as event bits of the kernel's epoll.
    var events: UInt32 {
        (contains(.read) ? clinux_epoll_in : 0)
            | (contains(.write) ? clinux_epoll_out : 0)
            | (contains(.once) ? clinux_epoll_once : 0)
    }
}

/// The readiness of a descriptor, as the kernel reports it.
public struct Readiness: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let readable = Readiness(rawValue: 1)
    public static let writable = Readiness(rawValue: 2)
    /// The other end is gone; bytes that it sent earlier can still be waiting to be read.
    public static let hungUp = Readiness(rawValue: 4)
    /// The next call on the descriptor fails, or the descriptor is the writing end of a pipe that has no reader.
    public static let failed = Readiness(rawValue: 8)

    init(events: UInt32) {
        var result: Readiness = []
        if events & clinux_epoll_in != 0 { result.insert(.readable) }
        if events & clinux_epoll_out != 0 { result.insert(.writable) }
        if events & clinux_epoll_hang_up != 0 { result.insert(.hungUp) }
        if events & clinux_epoll_error != 0 { result.insert(.failed) }
        self = result
    }
}

/// The handle of a descriptor in a reactor; the reactor ignores the handle once the descriptor is removed.
public struct Registration: Sendable, Hashable {
    let number: Int32
    let generation: UInt32

    var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: number)) }
}
