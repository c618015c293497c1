/// The antenna supervisor's finding, as MON-HW and MON-RF number it.
public enum AntennaStatus: UInt8, Sendable {
    case initialising = 0
    case unknown = 1
    case ok = 2
    case short = 3
    case open = 4
}

/// Whether the antenna is powered, as MON-HW and MON-RF number it.
public enum AntennaPower: UInt8, Sendable {
    case off = 0
    case on = 1
    case unknown = 2
}

/// The interference monitor's finding, as MON-HW and MON-RF number it.
public enum JammingState: UInt8, Sendable {
    /// Or the monitor is off.
    case unknown = 0
    case ok = 1
    /// Interference is seen, and there is a fix.
    case warning = 2
    /// Interference is seen, and there is no fix.
    case critical = 3
}
