public import SextantUnits

/// Decides when to try again to open a device: at once when it appears, and after growing waits where it exists but
/// cannot be opened.
///
/// A missing device is not retried on a timer, because its appearance is an event. No event tells when a busy device
/// becomes free or access to it is granted, so such a device is tried again after 1, 2, 5, 10, 30 and then every 60
/// seconds.
public struct DeviceSupervisor: Sendable, Equatable {
    /// The reason why a device is not open, which decides when opening it is tried again.
    public enum Absence: Sendable, Equatable {
        /// The device does not exist or went away; an event will report its appearance.
        case missing
        /// The device exists but cannot be opened.
        case refused
    }

    private enum State: Equatable {
        case idle
        case open
        case missing
        case refused(attempts: Int, retryAt: MonotonicInstant)
    }

    private var state = State.idle
    private static let waits: [Int64] = [1, 2, 5, 10, 30, 60]

    public init() {}

    /// The instant at which `timePassed` must be called; nil where no call is needed.
    public var deadline: MonotonicInstant? {
        if case .refused(_, let retryAt) = state { return retryAt }
        return nil
    }

    public mutating func opened() { state = .open }

    /// Takes note that the device could not be opened, or was lost.
    public mutating func failed(_ absence: Absence, at instant: MonotonicInstant) {
        switch absence {
        case .missing: state = .missing
        case .refused:
            var attempts = 0
            if case .refused(let before, _) = state { attempts = before + 1 }
            let wait = DeviceSupervisor.waits[min(attempts, DeviceSupervisor.waits.count - 1)]
            state = .refused(attempts: attempts, retryAt: instant.advanced(byNanoseconds: wait * 1_000_000_000))
        }
    }

    /// Takes note that the device's path has appeared.
    ///
    /// - Returns: Whether to open the device.
    public func appeared() -> Bool {
        switch state {
        case .missing, .refused: return true
        case .idle, .open: return false
        }
    }

    /// Checks whether the wait before the next attempt to open the device has ended.
    ///
    /// - Returns: Whether to try to open the device now.
    public func timePassed(to instant: MonotonicInstant) -> Bool {
        guard let deadline else { return false }
        return deadline <= instant
    }
}
