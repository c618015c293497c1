public import GNSS

/// NAV-SOL (01 06): the solution in the Earth-centred, Earth-fixed frame, from u-blox 5 to 8.
///
/// 52 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-SOL.
public struct NavSOL: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navSOL
    static let byteCount = 52

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Nanoseconds to add to the rounded time of week, ±500 000.
    public var timeOfWeekFractionNanoseconds: Int32 = 0
    /// GPS week.
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
    /// PDOP times 100.
    public var positionDOPE2: UInt16 = 0
    public var satellitesUsed: UInt8 = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        try require(.gpsFix, payload[10], in: 0...5)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        timeOfWeekFractionNanoseconds = payload.int32(at: 4)
        week = payload.int16(at: 8)
        fixType = FixType(rawValue: payload[10]) ?? .noFix
        flags = payload[11]
        xCentimetres = payload.int32(at: 12)
        yCentimetres = payload.int32(at: 16)
        zCentimetres = payload.int32(at: 20)
        positionAccuracyCentimetres = payload.uint32(at: 24)
        velocityXCentimetresPerSecond = payload.int32(at: 28)
        velocityYCentimetresPerSecond = payload.int32(at: 32)
        velocityZCentimetresPerSecond = payload.int32(at: 36)
        speedAccuracyCentimetresPerSecond = payload.uint32(at: 40)
        positionDOPE2 = payload.uint16(at: 44)
        satellitesUsed = payload[47]
        if isTimeOfWeekValid { try require(.fTOW, timeOfWeekFractionNanoseconds, in: -500_000...500_000) }
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: timeOfWeekFractionNanoseconds)
        bytes.append(littleEndian: week)
        bytes.append(fixType.rawValue)
        bytes.append(flags)
        bytes.append(littleEndian: xCentimetres)
        bytes.append(littleEndian: yCentimetres)
        bytes.append(littleEndian: zCentimetres)
        bytes.append(littleEndian: positionAccuracyCentimetres)
        bytes.append(littleEndian: velocityXCentimetresPerSecond)
        bytes.append(littleEndian: velocityYCentimetresPerSecond)
        bytes.append(littleEndian: velocityZCentimetresPerSecond)
        bytes.append(littleEndian: speedAccuracyCentimetresPerSecond)
        bytes.append(littleEndian: positionDOPE2)
        bytes.append(reserved: 1)
        bytes.append(satellitesUsed)
        bytes.append(reserved: 4)
    }
}

extension NavSOL {
    public var isFixOK: Bool { flags[bit: 0] }
    public var isDifferential: Bool { flags[bit: 1] }
    public var isWeekNumberValid: Bool { flags[bit: 2] }
    public var isTimeOfWeekValid: Bool { flags[bit: 3] }
}
