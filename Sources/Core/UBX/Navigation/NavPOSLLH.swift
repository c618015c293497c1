/// NAV-POSLLH (01 02): geodetic position, WGS 84.
///
/// 28 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-POSLLH; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavPOSLLH: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navPOSLLH
    static let byteCount = 28

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Longitude: degrees east times 1e7.
    public var longitudeE7: Int32 = 0
    /// Latitude: degrees north times 1e7.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    public var horizontalAccuracyMillimetres: UInt32 = 0
    public var verticalAccuracyMillimetres: UInt32 = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        longitudeE7 = payload.int32(at: 4)
        latitudeE7 = payload.int32(at: 8)
        heightAboveEllipsoidMillimetres = payload.int32(at: 12)
        altitudeAboveMeanSeaLevelMillimetres = payload.int32(at: 16)
        horizontalAccuracyMillimetres = payload.uint32(at: 20)
        verticalAccuracyMillimetres = payload.uint32(at: 24)
        try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: longitudeE7)
        bytes.append(littleEndian: latitudeE7)
        bytes.append(littleEndian: heightAboveEllipsoidMillimetres)
        bytes.append(littleEndian: altitudeAboveMeanSeaLevelMillimetres)
        bytes.append(littleEndian: horizontalAccuracyMillimetres)
        bytes.append(littleEndian: verticalAccuracyMillimetres)
    }
}
