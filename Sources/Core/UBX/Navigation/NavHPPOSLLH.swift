/// NAV-HPPOSLLH (01 14): geodetic position to 0.1 mm, WGS 84; the precise parts are added to the coarse ones.
///
/// 36 bytes. Source: F9 HPG 1.32 interface description (UBX-22008968), NAV-HPPOSLLH, message version 0; the same in
/// UBX-13003221 for high precision receivers.
public struct NavHPPOSLLH: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navHPPOSLLH
    static let byteCount = 36

    /// The message version, 0.
    public var version: UInt8 = 0
    /// The bit field `flags` (X1).
    public var flags: UInt8 = 0
    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Longitude, positive to the east, in units of 1e-7 degrees.
    public var longitudeE7: Int32 = 0
    /// Latitude, positive to the north, in units of 1e-7 degrees.
    public var latitudeE7: Int32 = 0
    public var heightAboveEllipsoidMillimetres: Int32 = 0
    public var altitudeAboveMeanSeaLevelMillimetres: Int32 = 0
    /// The precise part of the longitude, in units of 1e-9 degrees, -99 to 99.
    public var longitudePartE9: Int8 = 0
    /// The precise part of the latitude, in units of 1e-9 degrees, -99 to 99.
    public var latitudePartE9: Int8 = 0
    /// The precise part of the height above the ellipsoid, in tenths of a millimetre, ±9.
    public var heightPartTenthMillimetres: Int8 = 0
    /// The precise part of the altitude above mean sea level, in tenths of a millimetre, ±9.
    public var altitudePartTenthMillimetres: Int8 = 0
    public var horizontalAccuracyTenthMillimetres: UInt32 = 0
    public var verticalAccuracyTenthMillimetres: UInt32 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&version)
        payload.reserved(2)
        payload.field(&flags)
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&longitudeE7)
        payload.field(&latitudeE7)
        payload.field(&heightAboveEllipsoidMillimetres)
        payload.field(&altitudeAboveMeanSeaLevelMillimetres)
        payload.field(&longitudePartE9)
        payload.field(&latitudePartE9)
        payload.field(&heightPartTenthMillimetres)
        payload.field(&altitudePartTenthMillimetres)
        payload.field(&horizontalAccuracyTenthMillimetres)
        payload.field(&verticalAccuracyTenthMillimetres)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.version, version, in: 0...0)
        if isPositionInvalid { return }
        try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
        try require(.lonHp, longitudePartE9, in: -99...99)
        try require(.latHp, latitudePartE9, in: -99...99)
        try require(.heightHp, heightPartTenthMillimetres, in: -9...9)
        try require(.hMSLHp, altitudePartTenthMillimetres, in: -9...9)
    }
}

extension NavHPPOSLLH {
    /// Whether longitude, latitude, height and altitude are invalid.
    public var isPositionInvalid: Bool { flags[bit: 0] }

    /// Longitude, positive to the east, in units of 1e-9 degrees, coarse and precise parts together.
    public var longitudeE9: Int64 { Int64(longitudeE7) * 100 + Int64(longitudePartE9) }
    /// Latitude, positive to the north, in units of 1e-9 degrees, coarse and precise parts together.
    public var latitudeE9: Int64 { Int64(latitudeE7) * 100 + Int64(latitudePartE9) }
    /// The height above the ellipsoid in tenths of a millimetre, coarse and precise parts together.
    public var heightAboveEllipsoidTenthMillimetres: Int64 {
        Int64(heightAboveEllipsoidMillimetres) * 10 + Int64(heightPartTenthMillimetres)
    }
    /// The altitude above mean sea level in tenths of a millimetre, coarse and precise parts together.
    public var altitudeAboveMeanSeaLevelTenthMillimetres: Int64 {
        Int64(altitudeAboveMeanSeaLevelMillimetres) * 10 + Int64(altitudePartTenthMillimetres)
    }
}
