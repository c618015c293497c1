/// NAV-HPPOSLLH (01 14): geodetic position to 0.1 mm, WGS 84; the precise parts are added to the coarse ones.
///
/// 36 bytes. Source: F9 HPG 1.32 interface description (UBX-22008968), NAV-HPPOSLLH, message version 0; the same in
/// UBX-13003221 for high precision receivers.
public struct NavHPPOSLLH: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navHPPOSLLH
    static let byteCount = 36

    /// The message version, 0.
    public var version: UInt8 = 0
    /// The bit field `flags` (X1).
    public var flags: UInt8 = 0
    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Longitude: degrees east times 1e7.
    public var longitudeE7: Int32 = 0
    /// Latitude: degrees north times 1e7.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    /// The precise part of the longitude: degrees times 1e9, ±99.
    public var longitudePartE9: Int8 = 0
    /// The precise part of the latitude: degrees times 1e9, ±99.
    public var latitudePartE9: Int8 = 0
    /// The precise part of the height above the ellipsoid, in tenths of a millimetre, ±9.
    public var heightPartTenthMillimetres: Int8 = 0
    /// The precise part of the altitude above mean sea level, in tenths of a millimetre, ±9.
    public var altitudePartTenthMillimetres: Int8 = 0
    public var horizontalAccuracyTenthMillimetres: UInt32 = 0
    public var verticalAccuracyTenthMillimetres: UInt32 = 0

    public init() {}

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        version = payload[0]
        flags = payload[3]
        timeOfWeekMilliseconds = payload.uint32(at: 4)
        longitudeE7 = payload.int32(at: 8)
        latitudeE7 = payload.int32(at: 12)
        heightAboveEllipsoidMillimetres = payload.int32(at: 16)
        altitudeAboveMeanSeaLevelMillimetres = payload.int32(at: 20)
        longitudePartE9 = payload.int8(at: 24)
        latitudePartE9 = payload.int8(at: 25)
        heightPartTenthMillimetres = payload.int8(at: 26)
        altitudePartTenthMillimetres = payload.int8(at: 27)
        horizontalAccuracyTenthMillimetres = payload.uint32(at: 28)
        verticalAccuracyTenthMillimetres = payload.uint32(at: 32)
        try require(.version, version, in: 0...0)
        if isPositionInvalid { return }
        try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
        try require(.lonHp, longitudePartE9, in: -99...99)
        try require(.latHp, latitudePartE9, in: -99...99)
        try require(.heightHp, heightPartTenthMillimetres, in: -9...9)
        try require(.hMSLHp, altitudePartTenthMillimetres, in: -9...9)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(version)
        bytes.append(reserved: 2)
        bytes.append(flags)
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: longitudeE7)
        bytes.append(littleEndian: latitudeE7)
        bytes.append(littleEndian: heightAboveEllipsoidMillimetres)
        bytes.append(littleEndian: altitudeAboveMeanSeaLevelMillimetres)
        bytes.append(littleEndian: longitudePartE9)
        bytes.append(littleEndian: latitudePartE9)
        bytes.append(littleEndian: heightPartTenthMillimetres)
        bytes.append(littleEndian: altitudePartTenthMillimetres)
        bytes.append(littleEndian: horizontalAccuracyTenthMillimetres)
        bytes.append(littleEndian: verticalAccuracyTenthMillimetres)
    }
}

extension NavHPPOSLLH {
    /// Whether longitude, latitude, height and altitude are invalid.
    public var isPositionInvalid: Bool { flags[bit: 0] }

    /// Longitude: degrees east times 1e9, coarse and precise parts together.
    public var longitudeE9: Int64 { Int64(longitudeE7) * 100 + Int64(longitudePartE9) }
    /// Latitude: degrees north times 1e9, coarse and precise parts together.
    public var latitudeE9: Int64 { Int64(latitudeE7) * 100 + Int64(latitudePartE9) }
    /// The height above the ellipsoid, coarse and precise parts together.
    public var heightAboveEllipsoidTenthMillimetres: Int64 {
        Int64(heightAboveEllipsoidMillimetres) * 10 + Int64(heightPartTenthMillimetres)
    }
    /// The altitude above mean sea level, coarse and precise parts together.
    public var altitudeAboveMeanSeaLevelTenthMillimetres: Int64 {
        Int64(altitudeAboveMeanSeaLevelMillimetres) * 10 + Int64(altitudePartTenthMillimetres)
    }
}
