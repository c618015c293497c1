public import SextantUnits

/// The state of the receiver's power save mode, with NAV-PVT's numbers, which differ from NAV-STATUS's.
public enum PowerSaveState: UInt8, Sendable {
    case notActive = 0
    /// Power save mode is on, and the receiver has not begun its first acquisition yet.
    case enabled = 1
    case acquisition = 2
    case tracking = 3
    case powerOptimizedTracking = 4
    case inactive = 5
}

/// How the solution uses the carrier phase.
public enum CarrierSolution: UInt8, Sendable {
    case none = 0
    case float = 1
    case fixed = 2
}

extension NavPVT {
    public var isDateValid: Bool {
        get { validityFlags[bit: 0] }
        set { validityFlags[bit: 0] = newValue }
    }

    public var isTimeValid: Bool {
        get { validityFlags[bit: 1] }
        set { validityFlags[bit: 1] = newValue }
    }

    /// Whether the full date and time of day are resolved, with no uncertainty of whole seconds.
    public var isTimeFullyResolved: Bool {
        get { validityFlags[bit: 2] }
        set { validityFlags[bit: 2] = newValue }
    }

    public var isMagneticDeclinationValid: Bool {
        get { validityFlags[bit: 3] }
        set { validityFlags[bit: 3] = newValue }
    }

    /// Whether the solution is within the receiver's accuracy and DOP masks.
    public var isFixOK: Bool {
        get { fixFlags[bit: 0] }
        set { fixFlags[bit: 0] = newValue }
    }

    public var isDifferential: Bool {
        get { fixFlags[bit: 1] }
        set { fixFlags[bit: 1] = newValue }
    }

    /// The state of power save mode; nil where the receiver sends a reserved number.
    public var powerSaveState: PowerSaveState? { PowerSaveState(rawValue: fixFlags[bits: 2, count: 3]) }

    /// The power save state, read from a payload without decoding its other fields.
    ///
    /// Nil where the payload is not as long as a NAV-PVT payload, or the receiver sends a reserved number.
    public static func powerSaveState(in payload: borrowing Span<UInt8>) -> PowerSaveState? {
        guard payload.count == byteCount || payload.count == shortByteCount else { return nil }
        return PowerSaveState(rawValue: payload[21][bits: 2, count: 3])
    }

    public var isVehicleHeadingValid: Bool {
        get { fixFlags[bit: 5] }
        set { fixFlags[bit: 5] = newValue }
    }

    /// How the solution uses the carrier phase; nil where the receiver sends a reserved number.
    public var carrierSolution: CarrierSolution? { CarrierSolution(rawValue: fixFlags[bits: 6, count: 2]) }

    /// Whether longitude, latitude, height and altitude are invalid.
    public var isPositionInvalid: Bool {
        get { correctionFlags[bit: 0] }
        set { correctionFlags[bit: 0] = newValue }
    }

    public mutating func setPowerSaveState(_ state: PowerSaveState) {
        fixFlags[bits: 2, count: 3] = state.rawValue
    }

    /// The instant of the date and time, even if not marked valid; nil where no such instant exists.
    public var utc: UTCInstant? {
        CalendarTime.instant(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }
}
