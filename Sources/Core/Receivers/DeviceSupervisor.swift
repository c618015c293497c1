public import Units

/// Decides when a device is opened: at once, when it appears, and, where it cannot be opened now, after growing waits.
///
/// A device that does not exist is not asked for again: its appearance is an event. One that is busy or forbidden gives
/// no event when that ends, so it is tried again after 1, 2, 5, 10, 30 and then every 60 seconds.
public struct DeviceSupervisor: Sendable, Equatable {
    /// Why a device is not open, as far as it matters for trying again.
    public enum Absence: Sendable, Equatable {
        /// It is not there, or went away: its appearance will be told.
        case missing
        /// It is there and cannot be had.
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

    /// When `timePassed` is to be called.
    public var deadline: MonotonicInstant? {
        if case .refused(_, let retryAt) = state { return retryAt }
        return nil
    }

    public mutating func opened() { state = .open }

    /// The device could not be opened, or was lost.
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

    /// The device's path has appeared.
    ///
    /// - Returns: Whether to open it.
    public func appeared() -> Bool {
        switch state {
        case .missing, .refused: return true
        case .idle, .open: return false
        }
    }

    /// - Returns: Whether to try again now.
    public func timePassed(to instant: MonotonicInstant) -> Bool {
        guard let deadline else { return false }
        return deadline <= instant
    }
}
