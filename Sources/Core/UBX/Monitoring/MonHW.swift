/// MON-HW (0A 09): noise, gain, antenna and interference.
///
/// 60 bytes; 68 on u-blox 6, which has 8 more pins. The pin words are left out. MON-RF replaces it from protocol
/// version 27 on.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), MON-HW; for 68 bytes the u-blox 6 receiver description.
public struct MonHW: Sendable, Hashable {
    public static let messageID = UBXMessageID.monHW
    static let byteCount = 60
    static let longByteCount = 68

    /// Noise as the GPS core measures it, without unit.
    public var noisePerMillisecond: UInt16
    /// Gain control counts, 0 to 8191.
    public var gainControlCount: UInt16
    public var antennaStatus: AntennaStatus
    public var antennaPower: AntennaPower
    /// `flags`, X1.
    public var flags: UInt8
    /// Continuous wave interference, 0 none to 255 strong.
    public var jammingIndicator: UInt8

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count == Self.byteCount || payload.count == Self.longByteCount else {
            throw .wrongLength(expected: Self.byteCount, actual: payload.count)
        }
        try require(.aStatus, payload[20], in: 0...4)
        try require(.aPower, payload[21], in: 0...2)
        noisePerMillisecond = payload.uint16(at: 16)
        gainControlCount = payload.uint16(at: 18)
        antennaStatus = AntennaStatus(rawValue: payload[20]) ?? .unknown
        antennaPower = AntennaPower(rawValue: payload[21]) ?? .unknown
        flags = payload[22]
        jammingIndicator = payload[payload.count == Self.byteCount ? 45 : 53]
    }

    public var isRTCCalibrated: Bool { flags[bit: 0] }
    public var isSafeBoot: Bool { flags[bit: 1] }
    public var jammingState: JammingState { JammingState(rawValue: flags[bits: 2, count: 2]) ?? .unknown }
}
