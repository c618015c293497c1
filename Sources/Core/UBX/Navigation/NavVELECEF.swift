/// NAV-VELECEF (01 11): velocity in the Earth-centred, Earth-fixed frame.
///
/// 20 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-VELECEF; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavVELECEF: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navVELECEF
    static let byteCount = 20

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var velocityXCentimetresPerSecond: Int32 = 0
    public var velocityYCentimetresPerSecond: Int32 = 0
    public var velocityZCentimetresPerSecond: Int32 = 0
    public var speedAccuracyCentimetresPerSecond: UInt32 = 0

    public init() {}

    public init(
        timeOfWeekMilliseconds: UInt32,
        velocityXCentimetresPerSecond: Int32,
        velocityYCentimetresPerSecond: Int32,
        velocityZCentimetresPerSecond: Int32,
        speedAccuracyCentimetresPerSecond: UInt32
    ) {
        self.timeOfWeekMilliseconds = timeOfWeekMilliseconds
        self.velocityXCentimetresPerSecond = velocityXCentimetresPerSecond
        self.velocityYCentimetresPerSecond = velocityYCentimetresPerSecond
        self.velocityZCentimetresPerSecond = velocityZCentimetresPerSecond
        self.speedAccuracyCentimetresPerSecond = speedAccuracyCentimetresPerSecond
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        velocityXCentimetresPerSecond = payload.int32(at: 4)
        velocityYCentimetresPerSecond = payload.int32(at: 8)
        velocityZCentimetresPerSecond = payload.int32(at: 12)
        speedAccuracyCentimetresPerSecond = payload.uint32(at: 16)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: velocityXCentimetresPerSecond)
        bytes.append(littleEndian: velocityYCentimetresPerSecond)
        bytes.append(littleEndian: velocityZCentimetresPerSecond)
        bytes.append(littleEndian: speedAccuracyCentimetresPerSecond)
    }
}
