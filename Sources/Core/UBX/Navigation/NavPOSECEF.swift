/// NAV-POSECEF (01 01): position in the Earth-centred, Earth-fixed frame of WGS 84.
///
/// 20 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-POSECEF; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavPOSECEF: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.navPOSECEF
    static let byteCount = 20

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32 = 0
    public var xCentimetres: Int32 = 0
    public var yCentimetres: Int32 = 0
    public var zCentimetres: Int32 = 0
    public var positionAccuracyCentimetres: UInt32 = 0

    public init() {}

    public init(
        timeOfWeekMilliseconds: UInt32,
        xCentimetres: Int32,
        yCentimetres: Int32,
        zCentimetres: Int32,
        positionAccuracyCentimetres: UInt32
    ) {
        self.timeOfWeekMilliseconds = timeOfWeekMilliseconds
        self.xCentimetres = xCentimetres
        self.yCentimetres = yCentimetres
        self.zCentimetres = zCentimetres
        self.positionAccuracyCentimetres = positionAccuracyCentimetres
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(payload, byteCount: Self.byteCount)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        xCentimetres = payload.int32(at: 4)
        yCentimetres = payload.int32(at: 8)
        zCentimetres = payload.int32(at: 12)
        positionAccuracyCentimetres = payload.uint32(at: 16)
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: timeOfWeekMilliseconds)
        bytes.append(littleEndian: xCentimetres)
        bytes.append(littleEndian: yCentimetres)
        bytes.append(littleEndian: zCentimetres)
        bytes.append(littleEndian: positionAccuracyCentimetres)
    }
}
