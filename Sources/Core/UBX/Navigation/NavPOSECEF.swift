/// NAV-POSECEF (01 01): position in the Earth-centred, Earth-fixed frame of WGS 84.
///
/// 20 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-POSECEF; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavPOSECEF: FixedUBXMessage, NavigationSolutionMessage, Hashable {
    public static let messageID = UBXMessageID.navPOSECEF
    static let byteCount = 20

    /// GPS time of week of the navigation epoch, in milliseconds.
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

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&timeOfWeekMilliseconds)
        payload.field(&xCentimetres)
        payload.field(&yCentimetres)
        payload.field(&zCentimetres)
        payload.field(&positionAccuracyCentimetres)
    }
}
