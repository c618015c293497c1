/// CFG-RATE (06 08): how often the receiver measures and computes a solution.
///
/// 6 bytes. Not on M10 or later, which use CFG-VALSET. Source: u-blox 8 / M8 receiver description (UBX-13003221),
/// CFG-RATE.
public struct CfgRATE: FixedUBXMessage, Hashable {
    public static let messageID = UBXMessageID.cfgRATE
    static let byteCount = 6

    public var measurementPeriodMilliseconds: UInt16 = 0
    /// Measurements per solution, 1 to 127; always 1 before u-blox 8.
    public var navigationRatio: UInt16 = 0
    /// The time that measurements are aligned to: 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo.
    public var timeReference: UInt16 = 0

    public init() {}

    public init(measurementPeriodMilliseconds: UInt16, navigationRatio: UInt16, timeReference: UInt16) {
        self.measurementPeriodMilliseconds = measurementPeriodMilliseconds
        self.navigationRatio = navigationRatio
        self.timeReference = timeReference
    }

    @inline(__always)
    mutating func code<Payload: UBXPayload & ~Copyable & ~Escapable>(_ payload: inout Payload) {
        payload.field(&measurementPeriodMilliseconds)
        payload.field(&navigationRatio)
        payload.field(&timeReference)
    }

    @inline(__always)
    func check(_ payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try require(.timeRef, timeReference, in: 0...5)
    }
}
