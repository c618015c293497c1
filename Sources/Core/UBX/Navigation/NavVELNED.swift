/// NAV-VELNED (01 12): velocity in the local north, east, down frame.
///
/// 36 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-VELNED; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavVELNED: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navVELNED
    static let byteCount = 36

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var velocityNorthCentimetresPerSecond: Int32 = 0
    public var velocityEastCentimetresPerSecond: Int32 = 0
    public var velocityDownCentimetresPerSecond: Int32 = 0
    /// The speed in three dimensions, in centimetres per second.
    public var speedCentimetresPerSecond: UInt32 = 0
    /// The horizontal speed, over ground, in centimetres per second.
    public var groundSpeedCentimetresPerSecond: UInt32 = 0
    /// Course over ground from true north, in units of 1e-5 degrees.
    public var courseOverGroundE5: Int32 = 0
    public var speedAccuracyCentimetresPerSecond: UInt32 = 0
    /// The accuracy of the course, in units of 1e-5 degrees; u-blox states no percentile.
    public var courseAccuracyE5: UInt32 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&velocityNorthCentimetresPerSecond)
        payload.field(&velocityEastCentimetresPerSecond)
        payload.field(&velocityDownCentimetresPerSecond)
        payload.field(&speedCentimetresPerSecond)
        payload.field(&groundSpeedCentimetresPerSecond)
        payload.field(&courseOverGroundE5)
        payload.field(&speedAccuracyCentimetresPerSecond)
        payload.field(&courseAccuracyE5)
    }
}
