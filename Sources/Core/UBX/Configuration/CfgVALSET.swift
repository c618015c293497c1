/// CFG-VALSET (06 8A): sets up to 64 items of the configuration database, as one message that is not part of a
/// transaction.
///
/// A header of 4 bytes, then the items, which are not copied: `item(at:in:)` reads one from the payload. u-blox 9 and
/// later.
/// Source: M10 SPG interface description (UBX-21035062), CFG-VALSET, message version 0; the same in UBX-22008968.
public struct CfgVALSET: Sendable, Hashable {
    public static let messageID = UBXMessageID.cfgVALSET
    static let headerByteCount = 4

    /// The memories in which the items are stored.
    public struct Layers: OptionSet, Sendable, Hashable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let ram = Layers(rawValue: 0x01)
        public static let batteryBackedRAM = Layers(rawValue: 0x02)
        /// Flash memory, which M10 receivers lack.
        public static let flash = Layers(rawValue: 0x04)
    }

    public var layers: Layers
    /// How many items the payload holds.
    public var count: Int

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count >= Self.headerByteCount else {
            throw .wrongLength(expected: Self.headerByteCount, actual: payload.count)
        }
        try require(.version, payload[0], in: 0...1)
        try require(.layers, payload[1], in: 0...7)
        layers = Layers(rawValue: payload[1])
        count = try ConfigurationItems.count(in: payload, from: Self.headerByteCount)
    }

    /// One item of the payload that this header was read from.
    public func item(at index: Int, in payload: borrowing Span<UInt8>) -> UBXConfigurationItem {
        precondition(index >= 0 && index < count, "no such item")
        return ConfigurationItems.item(at: index, in: payload, from: Self.headerByteCount)
    }

    /// Appends a whole frame; `items` holds at most 64.
    public static func encode(
        layers: Layers, items: borrowing Span<UBXConfigurationItem>, into bytes: inout [UInt8]
    ) {
        var payload: [UInt8] = [0, layers.rawValue, 0, 0]
        ConfigurationItems.append(items, to: &payload)
        UBXEncoder.append(messageID, payload: payload.span, into: &bytes)
    }
}
