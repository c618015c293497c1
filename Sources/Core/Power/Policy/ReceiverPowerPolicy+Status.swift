internal import Units

/// Why the motion sensor's word is not relied on.
public enum MotionSensorFault: Sendable, Equatable {
    /// It told nothing of movements that fixes showed.
    case deaf
    /// It tells of movement all the time, while fixes show rest.
    case restless
}

/// Why a fix that a client needs does not come.
public enum OutageReason: Sendable, Equatable {
    /// Searches find nothing.
    case noSky
    /// The receiver does not answer, or its line is gone.
    case receiverUnreachable
}

/// What the policy makes of its inputs, for the status.
extension ReceiverPowerPolicy {
    /// Why the board is treated as one without a motion sensor; nil where the sensor is relied on, or there is none.
    public var motionSensorFault: MotionSensorFault? {
        guard settings.hasMotionSensor else { return nil }
        if movement.trust.isDeaf { return .deaf }
        return movement.trust.isRestless ? .restless : nil
    }

    /// Why a fix that is needed now has not come yet; nil where none is needed, or there is one.
    ///
    /// Every search is such a time, so only one that lasts is an outage.
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
