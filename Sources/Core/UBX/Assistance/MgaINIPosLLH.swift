/// MGA-INI-POS_LLH (13 40, type 0x01): tells the receiver its position, WGS 84.
///
/// 20 bytes. A wrong position delays the fix longer than a missing one would. Source: u-blox 8 / M8 receiver
/// description (UBX-13003221), MGA-INI-POS_LLH; the same in UBX-21035062 and UBX-22008968.
public struct MgaINIPosLLH: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.mgaINI
    static let byteCount = 20

    /// The message type, 0x01.
    public private(set) var type: UInt8 = 0x01
    /// The message version, 0.
    public private(set) var version: UInt8 = 0
    /// Latitude, positive to the north, in units of 1e-7 degrees.
    public var latitudeE7: Int32 = 0
    /// Longitude, positive to the east, in units of 1e-7 degrees.
    public var longitudeE7: Int32 = 0
    public var heightAboveEllipsoidCentimetres: Int32 = 0
    /// The position's standard deviation in centimetres.
    public var accuracyCentimetres: UInt32 = 0

    public init() {}

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&type)
        payload.field(&version)
        payload.reserved(2)
        payload.field(&latitudeE7)
        payload.field(&longitudeE7)
        payload.field(&heightAboveEllipsoidCentimetres)
        payload.field(&accuracyCentimetres)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.type, type, in: Self.type...Self.type)
        try require(.version, version, in: 0...0)
        try requirePosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    }
}

extension MgaINIPosLLH {
    static let type: UInt8 = 0x01

    public init(
        latitudeE7: Int32, longitudeE7: Int32, heightAboveEllipsoidCentimetres: Int32, accuracyCentimetres: UInt32
    ) {
        self.init()
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
        self.heightAboveEllipsoidCentimetres = heightAboveEllipsoidCentimetres
        self.accuracyCentimetres = accuracyCentimetres
    }
}
