/// NAV-VELNED (01 12): velocity in the local north, east, down frame.
///
/// 36 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-VELNED; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavVELNED: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navVELNED
    static let byteCount = 36

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var velocityNorthCentimetresPerSecond: Int32 = 0
    public var velocityEastCentimetresPerSecond: Int32 = 0
    public var velocityDownCentimetresPerSecond: Int32 = 0
    /// The speed in three dimensions.
    public var speedCentimetresPerSecond: UInt32 = 0
    /// The speed over ground, in two dimensions.
    public var groundSpeedCentimetresPerSecond: UInt32 = 0
    /// Course over ground: degrees from true north times 1e5.
    public var courseOverGroundE5: Int32 = 0
    public var speedAccuracyCentimetresPerSecond: UInt32 = 0
    /// The accuracy of the course, in degrees times 1e5.
    public var courseAccuracyE5: UInt32 = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        velocityNorthCentimetresPerSecond = payload.int32(at: 4)
        velocityEastCentimetresPerSecond = payload.int32(at: 8)
        velocityDownCentimetresPerSecond = payload.int32(at: 12)
        speedCentimetresPerSecond = payload.uint32(at: 16)
        groundSpeedCentimetresPerSecond = payload.uint32(at: 20)
        courseOverGroundE5 = payload.int32(at: 24)
        speedAccuracyCentimetresPerSecond = payload.uint32(at: 28)
        courseAccuracyE5 = payload.uint32(at: 32)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: velocityNorthCentimetresPerSecond)
        bytes.append(littleEndian: velocityEastCentimetresPerSecond)
        bytes.append(littleEndian: velocityDownCentimetresPerSecond)
        bytes.append(littleEndian: speedCentimetresPerSecond)
        bytes.append(littleEndian: groundSpeedCentimetresPerSecond)
        bytes.append(littleEndian: courseOverGroundE5)
        bytes.append(littleEndian: speedAccuracyCentimetresPerSecond)
        bytes.append(littleEndian: courseAccuracyE5)
    }
}
