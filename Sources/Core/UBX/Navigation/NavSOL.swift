public import GNSS

/// NAV-SOL (01 06): the solution in the Earth-centred, Earth-fixed frame, from u-blox 5 to 8.
///
/// 52 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-SOL.
public struct NavSOL: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navSOL
    static let byteCount = 52

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Nanoseconds to add to the rounded time of week, ±500 000.
    public var timeOfWeekFractionNanoseconds: Int32 = 0
    /// The GPS week number.
    public var week: Int16 = 0
    public var fixType = FixType.noFix
    /// The bit field `flags` (X1).
    public var flags: UInt8 = 0
    public var xCentimetres: Int32 = 0
    public var yCentimetres: Int32 = 0
    public var zCentimetres: Int32 = 0
    public var positionAccuracyCentimetres: UInt32 = 0
    public var velocityXCentimetresPerSecond: Int32 = 0
    public var velocityYCentimetresPerSecond: Int32 = 0
    public var velocityZCentimetresPerSecond: Int32 = 0
    public var speedAccuracyCentimetresPerSecond: UInt32 = 0
    /// The PDOP in units of 0.01.
    public var positionDOPE2: UInt16 = 0
    public var satellitesUsed: UInt8 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&timeOfWeekFractionNanoseconds)
        payload.field(&week)
        payload.field(&fixType, or: .noFix)
        payload.field(&flags)
        payload.field(&xCentimetres)
        payload.field(&yCentimetres)
        payload.field(&zCentimetres)
        payload.field(&positionAccuracyCentimetres)
        payload.field(&velocityXCentimetresPerSecond)
        payload.field(&velocityYCentimetresPerSecond)
        payload.field(&velocityZCentimetresPerSecond)
        payload.field(&speedAccuracyCentimetresPerSecond)
        payload.field(&positionDOPE2)
        payload.reserved(1)
        payload.field(&satellitesUsed)
        payload.reserved(4)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.gpsFix, payload[10], in: 0...5)
        if isTimeOfWeekValid { try require(.fTOW, timeOfWeekFractionNanoseconds, in: -500_000...500_000) }
    }
}

extension NavSOL {
    public var isFixOK: Bool { flags[bit: 0] }
    public var isDifferential: Bool { flags[bit: 1] }
    public var isWeekNumberValid: Bool { flags[bit: 2] }
    public var isTimeOfWeekValid: Bool { flags[bit: 3] }
}
