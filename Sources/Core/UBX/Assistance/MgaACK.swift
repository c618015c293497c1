/// MGA-ACK-DATA0 (13 60): whether the receiver used an assistance message.
///
/// 8 bytes. The receiver sends it only while acknowledgement of assistance is switched on. Source: u-blox 8 / M8
/// receiver description (UBX-13003221), MGA-ACK-DATA0; the same in UBX-21035062 and UBX-22008968.
public struct MgaACK: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.mgaACK
    static let byteCount = 8

    /// Whether the receiver used the assistance message: 0 no, 1 yes.
    public var type: UInt8 = 0
    /// The message version, 0.
    public var version: UInt8 = 0
    /// The code for why the message was accepted or refused; see `reason`.
    public var infoCode: UInt8 = 0
    /// The id, within class MGA, of the assistance message.
    public var acknowledgedID: UInt8 = 0
    /// The first 4 payload bytes of the assistance message; after a database dump, the number of entries sent.
    public var payloadStart: UInt32 = 0

    public init() {}

    public init(type: UInt8, version: UInt8, infoCode: UInt8, acknowledgedID: UInt8, payloadStart: UInt32) {
        self.type = type
        self.version = version
        self.infoCode = infoCode
        self.acknowledgedID = acknowledgedID
        self.payloadStart = payloadStart
    }

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&type)
        payload.field(&version)
        payload.field(&infoCode)
        payload.field(&acknowledgedID)
        payload.field(&payloadStart)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.type, type, in: 0...1)
        try require(.version, version, in: 0...0)
    }
}

extension MgaACK {
    /// Why an assistance message was accepted or refused.
    public enum Reason: UInt8, Sendable {
        case accepted = 0
        /// The receiver does not know the time, which it needs to use the data.
        case timeUnknown = 1
        case versionNotSupported = 2
        case wrongSize = 3
        case notStored = 4
        case notReady = 5
        case typeUnknown = 6
    }

    public var isAccepted: Bool { type == 1 }

    /// The meaning of `infoCode`; nil for an unknown code.
    public var reason: Reason? { Reason(rawValue: infoCode) }
}
