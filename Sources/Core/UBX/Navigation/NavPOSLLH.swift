/// NAV-POSLLH (01 02): geodetic position, WGS 84.
///
/// 28 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-POSLLH; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavPOSLLH: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navPOSLLH
    static let byteCount = 28

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Longitude, positive to the east, in units of 1e-7 degrees.
    public var longitudeE7: Int32 = 0
    /// Latitude, positive to the north, in units of 1e-7 degrees.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    public var horizontalAccuracyMillimetres: UInt32 = 0
    public var verticalAccuracyMillimetres: UInt32 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&longitudeE7)
        payload.field(&latitudeE7)
        payload.field(&heightAboveEllipsoidMillimetres)
        payload.field(&altitudeAboveMeanSeaLevelMillimetres)
        payload.field(&horizontalAccuracyMillimetres)
        payload.field(&verticalAccuracyMillimetres)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    }
}
