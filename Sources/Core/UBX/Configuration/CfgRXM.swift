/// CFG-RXM (06 11): switches power save mode on or off, on receivers before u-blox 10.
///
/// 2 bytes. Source: u-blox 8 / M8 receiver description (UBX-13003221), CFG-RXM; the value 8 of the reserved byte is
/// from the u-blox 6 document.
public struct CfgRXM: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgRXM
    static let byteCount = 2

    /// The reserved byte: 8, which u-blox 6 requires and later receivers ignore.
    public var reserved: UInt8 = 8
    /// The mode: 0 continuous, 1 power save, 4 continuous or, on u-blox 6, eco.
    public var lowPowerMode: UInt8 = 0

    public init() {}

    public init(reserved: UInt8, lowPowerMode: UInt8) {
        self.reserved = reserved
        self.lowPowerMode = lowPowerMode
    }

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&reserved)
        payload.field(&lowPowerMode)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.lpMode, lowPowerMode, in: 0...4)
    }
}
