/// A key of the configuration database of u-blox 9 and later.
///
/// Bits 30:28 give the size of the value: code 1 is one bit, stored in one byte; codes 2, 3, 4 and 5 are 1, 2, 4 and 8
/// bytes. Source: M10 SPG interface description (UBX-21035062), "Configuration interface", and its list of
/// configuration items.
public struct UBXConfigurationKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The value's size on the wire in bytes; nil where the key's size code is invalid.
    public var valueByteCount: Int? {
        switch (rawValue >> 28) & 0x7 {
        case 1, 2: 1
        case 3: 2
        case 4: 4
        case 5: 8
        default: nil
        }
    }
}

/// The keys that Sextant uses; the CFG-PM periods are in seconds, but the periods of CFG-PM2 are in milliseconds.
extension UBXConfigurationKey {
    public static let powerOperateMode = UBXConfigurationKey(0x20D0_0001)
    public static let powerUpdatePeriodSeconds = UBXConfigurationKey(0x40D0_0002)
    public static let powerAcquisitionPeriodSeconds = UBXConfigurationKey(0x40D0_0003)
    public static let powerOnTimeSeconds = UBXConfigurationKey(0x30D0_0005)
    public static let powerMaximumAcquisitionSeconds = UBXConfigurationKey(0x20D0_0007)
    public static let powerDoNotEnterOff = UBXConfigurationKey(0x10D0_0008)
    public static let powerUpdateEphemeris = UBXConfigurationKey(0x10D0_000A)
    public static let powerExtintWake = UBXConfigurationKey(0x10D0_000C)
    public static let powerExtintBackup = UBXConfigurationKey(0x10D0_000D)

    public static let fixMode = UBXConfigurationKey(0x2011_0011)
    public static let dynamicModel = UBXConfigurationKey(0x2011_0021)
    public static let acknowledgeAiding = UBXConfigurationKey(0x1011_0025)
    public static let positionAccuracyMaskMetres = UBXConfigurationKey(0x3011_00B3)
    public static let autonomousAssistance = UBXConfigurationKey(0x1023_0001)

    public static let measurementPeriodMilliseconds = UBXConfigurationKey(0x3021_0001)
    public static let navigationRatio = UBXConfigurationKey(0x3021_0002)
    public static let timeReference = UBXConfigurationKey(0x2021_0003)

    public static let uart1Baud = UBXConfigurationKey(0x4052_0001)
    public static let uart1InputUBX = UBXConfigurationKey(0x1073_0001)
    public static let uart1InputNMEA = UBXConfigurationKey(0x1073_0002)
    public static let uart1OutputUBX = UBXConfigurationKey(0x1074_0001)
    public static let uart1OutputNMEA = UBXConfigurationKey(0x1074_0002)

    public static let uart1NavPVT = UBXConfigurationKey(0x2091_0007)
    public static let uart1NavSAT = UBXConfigurationKey(0x2091_0016)
    public static let uart1NavSTATUS = UBXConfigurationKey(0x2091_001B)
    public static let uart1NavDOP = UBXConfigurationKey(0x2091_0039)
    public static let uart1NavTIMEUTC = UBXConfigurationKey(0x2091_005C)
    public static let uart1NavEOE = UBXConfigurationKey(0x2091_0160)
    public static let uart1MonRXR = UBXConfigurationKey(0x2091_0188)

    /// For an item of UART1, the corresponding item of the receiver's USB port; nil for the baud rate, which USB lacks.
    ///
    /// Each message has one rate per port, in consecutive keys: UART1's is the second and USB's the fourth. Each port
    /// has a group of its own for its protocols. Source: F9 HPG interface description (UBX-22008968), CFG-MSGOUT,
    /// CFG-USBINPROT and CFG-USBOUTPROT.
    public var atUSB: UBXConfigurationKey? {
        switch UInt8(truncatingIfNeeded: rawValue >> 16) {
        case 0x91: UBXConfigurationKey(rawValue + 2)
        case 0x73, 0x74: UBXConfigurationKey(rawValue + 0x0004_0000)
        default: nil
        }
    }
}

/// A configuration key with its value.
public struct UBXConfigurationItem: Sendable, Hashable {
    public var key: UBXConfigurationKey
    /// The value, in as many low bytes as the key's size states; a negative value is in two's complement.
    public var value: UInt64

    public init(key: UBXConfigurationKey, value: UInt64) {
        self.key = key
        self.value = value
    }
}

/// Key and value pairs one after the other, as CFG-VALSET and CFG-VALGET carry them.
enum ConfigurationItems {
    static let maximumCount = 64

    /// The number of items in `payload` from `start` on; throws where a key has an invalid size or an item is cut off.
    static func count(in payload: borrowing Span<UInt8>, from start: Int) throws(UBXPayloadError) -> Int {
        var offset = start
        var count = 0
        while offset < payload.count {
            guard payload.count >= offset + 4 else {
                throw .wrongLength(expected: offset + 4, actual: payload.count)
            }
            let key = UBXConfigurationKey(rawValue: payload.uint32(at: offset))
            guard let size = key.valueByteCount else {
                throw .outOfRange(field: .key, value: Int64(key.rawValue))
            }
            offset += 4 + size
            guard payload.count >= offset else { throw .wrongLength(expected: offset, actual: payload.count) }
            count += 1
        }
        return count
    }

    /// The item at `index` of a payload that `count(in:from:)` has checked.
    static func item(at index: Int, in payload: borrowing Span<UInt8>, from start: Int) -> UBXConfigurationItem {
        var offset = start
        for _ in 0..<index {
            offset += 4 + (UBXConfigurationKey(rawValue: payload.uint32(at: offset)).valueByteCount ?? 0)
        }
        let key = UBXConfigurationKey(rawValue: payload.uint32(at: offset))
        var value: UInt64 = 0
        for byte in 0..<(key.valueByteCount ?? 0) {
            value |= UInt64(payload[offset + 4 + byte]) << (8 * UInt64(byte))
        }
        return UBXConfigurationItem(key: key, value: value)
    }

    static func append(_ items: borrowing Span<UBXConfigurationItem>, to bytes: inout [UInt8]) {
        precondition(items.count <= maximumCount, "a message holds at most 64 items")
        for index in items.indices {
            bytes.append(littleEndian: items[index].key.rawValue)
            for byte in 0..<(items[index].key.valueByteCount ?? 0) {
                bytes.append(UInt8(truncatingIfNeeded: items[index].value >> (8 * UInt64(byte))))
            }
        }
    }
}
