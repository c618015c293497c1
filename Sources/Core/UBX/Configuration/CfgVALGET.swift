/// CFG-VALGET (06 8B): reads items of the receiver's configuration database.
///
/// A header of 4 bytes, then the items, which are not copied: `item(at:in:)` reads one from the payload. A query has
/// keys instead of items. u-blox 9 and later.
/// Source: M10 SPG interface description (UBX-21035062), CFG-VALGET, message versions 0 (query) and 1 (answer); the
/// same in UBX-22008968.
public struct CfgVALGET: Sendable, Hashable {
    public static let messageID = UBXMessageID.cfgVALGET
    static let headerByteCount = 4

    /// The memory that the items are read from.
    public enum Layer: UInt8, Sendable {
        case ram = 0
        case batteryBackedRAM = 1
        case flash = 2
        case factoryDefault = 7
    }

    public var layer: Layer
    /// How many of the items that match the query's keys are skipped before the answer's first item.
    public var position: UInt16
    /// How many items the payload holds.
    public var count: Int

    /// Reads the receiver's answer.
    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        guard payload.count >= Self.headerByteCount else {
            throw .wrongLength(expected: Self.headerByteCount, actual: payload.count)
        }
        try require(.version, payload[0], in: 1...1)
        guard let layer = Layer(rawValue: payload[1]) else {
            throw .outOfRange(field: .layer, value: Int64(payload[1]))
        }
        self.layer = layer
        position = payload.uint16(at: 2)
        count = try ConfigurationItems.count(in: payload, from: Self.headerByteCount)
    }

    /// One item of the payload that this header was read from.
    public func item(at index: Int, in payload: borrowing Span<UInt8>) -> UBXConfigurationItem {
        precondition(index >= 0 && index < count, "no such item")
        return ConfigurationItems.item(at: index, in: payload, from: Self.headerByteCount)
    }

    /// The value of `key` in the payload that this header was read from, or nil where the payload lacks the key.
    public func value(of key: UBXConfigurationKey, in payload: borrowing Span<UInt8>) -> UInt64? {
        for index in 0..<count {
            let item = item(at: index, in: payload)
            if item.key == key { return item.value }
        }
        return nil
    }

    /// Appends a frame that asks for the items of up to 64 keys.
    public static func appendPoll(
        layer: Layer, position: UInt16, keys: borrowing Span<UBXConfigurationKey>, into bytes: inout [UInt8]
    ) {
        precondition(keys.count <= ConfigurationItems.maximumCount, "a message holds at most 64 keys")
        var payload: [UInt8] = [0, layer.rawValue]
        payload.append(littleEndian: position)
        for index in keys.indices { payload.append(littleEndian: keys[index].rawValue) }
        UBXEncoder.append(messageID, payload: payload.span, into: &bytes)
    }

    /// Appends a frame with an answer in the form that a receiver sends.
    public static func encode(
        layer: Layer, position: UInt16, items: borrowing Span<UBXConfigurationItem>, into bytes: inout [UInt8]
    ) {
        var payload: [UInt8] = [1, layer.rawValue]
        payload.append(littleEndian: position)
        ConfigurationItems.append(items, to: &payload)
        UBXEncoder.append(messageID, payload: payload.span, into: &bytes)
    }
}
