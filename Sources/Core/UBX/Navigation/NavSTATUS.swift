public import GNSS

/// NAV-STATUS (01 03): the quality of the solution, and the time to first fix.
///
/// 16 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-STATUS; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavSTATUS: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navSTATUS
    static let byteCount = 16

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var fixType = FixType.noFix
    /// The bit field `flags` (X1).
    public var flags: UInt8 = 0
    /// The bit field `fixStat` (X1).
    public var fixStatusFlags: UInt8 = 0
    /// The bit field `flags2` (X1).
    public var furtherFlags: UInt8 = 0
    public var timeToFirstFixMilliseconds: UInt32 = 0
    /// Milliseconds since the receiver's start-up or reset.
    public var timeSinceStartMilliseconds: UInt32 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&fixType, or: .noFix)
        payload.field(&flags)
        payload.field(&fixStatusFlags)
        payload.field(&furtherFlags)
        payload.field(&timeToFirstFixMilliseconds)
        payload.field(&timeSinceStartMilliseconds)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.gpsFix, payload[4], in: 0...5)
    }
}

extension NavSTATUS {
    /// The state of the receiver's power save mode, with NAV-STATUS's numbers, which differ from NAV-PVT's.
    public enum PowerSaveState: UInt8, Sendable {
        /// The receiver acquires satellites, or power save mode is off.
        case acquisition = 0
        case tracking = 1
        case powerOptimizedTracking = 2
        case inactive = 3
    }

    public var isFixOK: Bool { flags[bit: 0] }
    public var isDifferential: Bool { flags[bit: 1] }
    public var isWeekNumberValid: Bool { flags[bit: 2] }
    public var isTimeOfWeekValid: Bool { flags[bit: 3] }
    public var isCarrierSolutionValid: Bool { fixStatusFlags[bit: 1] }

    public var powerSaveState: PowerSaveState {
        PowerSaveState(rawValue: furtherFlags[bits: 0, count: 2]) ?? .acquisition
    }

    /// How the solution uses the carrier phase; nil where the receiver sends a reserved number.
    public var carrierSolution: CarrierSolution? { CarrierSolution(rawValue: furtherFlags[bits: 6, count: 2]) }
}
