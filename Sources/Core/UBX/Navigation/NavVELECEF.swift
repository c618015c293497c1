/// NAV-VELECEF (01 11): velocity in the Earth-centred, Earth-fixed frame.
///
/// 20 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-VELECEF; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavVELECEF: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navVELECEF
    static let byteCount = 20

    /// GPS time of week of the navigation epoch, in milliseconds.
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

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&velocityXCentimetresPerSecond)
        payload.field(&velocityYCentimetresPerSecond)
        payload.field(&velocityZCentimetresPerSecond)
        payload.field(&speedAccuracyCentimetresPerSecond)
    }
}
