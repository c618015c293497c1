/// MON-RF (0A 38): noise, gain, antenna and interference of each RF path, 4 bytes of header and 24 per block.
///
/// The blocks stay in the lent payload; `block(at:in:)` reads one. Protocol version 27 and later.
/// Source: M10 SPG interface description (UBX-21035062), MON-RF, message version 0; the same in UBX-22008968.
public struct MonRF: Sendable, Hashable {
    public static let messageID = UBXMessageID.monRF
    static let headerByteCount = 4
    static let blockByteCount = 24

    /// One RF path.
    public struct Block: Sendable, Hashable {
        public var id: UInt8
        public var jammingState: JammingState
        /// Unknown where the receiver sends a reserved number.
        public var antennaStatus: AntennaStatus
        /// Unknown where the receiver sends a reserved number.
        public var antennaPower: AntennaPower
        /// Noise as the GNSS core measures it, without unit.
        public var noisePerMillisecond: UInt16
        /// Gain control counts, 0 to 8191.
        public var gainControlCount: UInt16
        /// Continuous wave interference, 0 none to 255 strong.
        public var jammingIndicator: UInt8
        /// Imbalance of the in-phase part, -128 to 127.
        public var offsetI: Int8
        /// Magnitude of the in-phase part, 0 to 255.
        public var magnitudeI: UInt8
        /// Imbalance of the quadrature part, -128 to 127.
        public var offsetQ: Int8
        /// Magnitude of the quadrature part, 0 to 255.
        public var magnitudeQ: UInt8
    }

    /// How many blocks the payload holds.
    public var count: Int

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try requireGroup(payload, header: Self.headerByteCount, countAt: 1, item: Self.blockByteCount)
        try require(.version, payload[0], in: 0...0)
        count = Int(payload[1])
    }

    /// One block of the payload that this header was read from.
    public func block(at index: Int, in payload: borrowing Span<UInt8>) -> Block {
        precondition(index >= 0 && index < count, "no such block")
        let offset = Self.headerByteCount + index * Self.blockByteCount
        return Block(
            id: payload[offset],
            jammingState: JammingState(rawValue: payload[offset + 1] & 0x3) ?? .unknown,
            antennaStatus: AntennaStatus(rawValue: payload[offset + 2]) ?? .unknown,
            antennaPower: AntennaPower(rawValue: payload[offset + 3]) ?? .unknown,
            noisePerMillisecond: payload.uint16(at: offset + 12),
            gainControlCount: payload.uint16(at: offset + 14),
            jammingIndicator: payload[offset + 16],
            offsetI: payload.int8(at: offset + 17), magnitudeI: payload[offset + 18],
            offsetQ: payload.int8(at: offset + 19), magnitudeQ: payload[offset + 20])
    }
}
