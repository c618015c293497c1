public import SextantUnits

/// Why the motion sensor is not relied on.
public enum MotionSensorFault: Sendable, Equatable {
    /// The sensor did not report movements that fixes showed.
    case deaf
    /// The sensor reports movement all the time, while fixes show rest.
    case restless
}

/// Why a fix that a client needs does not come.
public enum OutageReason: Sendable, Equatable {
    /// Searches find nothing.
    case noSky
    /// The receiver does not answer, or its serial port is gone.
    case receiverUnreachable
}

/// Why the policy lets the receiver sleep.
public enum RestReason: String, Sendable {
    /// No client needs a position.
    case noDemand
    /// The last position is still as accurate as the clients need.
    case accuracyHolds
    /// The clients' minimum interval between two reports has not passed yet.
    case interval
    /// Searches found nothing, and the next one comes later.
    case searchesFail
}

/// What the policy concludes from its events, for `sextant status`.
extension ReceiverPowerPolicy {
    /// Why the receiver rests now; nil where it searches, has fixes, or does not answer although a client needs it.
    public func restReason(at now: MonotonicInstant) -> RestReason? {
        switch state {
        case .unreachable: return needsReceiver ? nil : .noDemand
        case .searching, .tracking: return nil
        case .asleep(let sleep):
            guard needsReceiver else { return .noDemand }
            if sleep.isBackingOff { return .searchesFail }
            return isHeldByInterval(sleep, at: now) ? .interval : .accuracyHolds
        }
    }

    /// Why the board is treated as one without a motion sensor; nil where its sensor is relied on, or it has no sensor.
    public var motionSensorFault: MotionSensorFault? {
        guard settings.hasMotionSensor else { return nil }
        if movement.trust.isDeaf { return .deaf }
        return movement.trust.isRestless ? .restless : nil
    }

    /// Why a fix that is needed now has not come yet; nil where no fix is needed, or the receiver has fixes.
    ///
    /// Every search is `noSky` until it finds a fix, so the reason means an outage only if it lasts.
    public var outageReason: OutageReason? {
        guard needsReceiver else { return nil }
        return switch state {
        case .unreachable: .receiverUnreachable
        case .searching: .noSky
        case .asleep(let sleep): sleep.isBackingOff ? .noSky : nil
        case .tracking: nil
        }
    }
}
