/// MON-VER (0A 04): the versions of the receiver's software and hardware, and further facts as text.
///
/// 40 bytes and 30 per extension. Source: u-blox 8 / M8 receiver description (UBX-13003221), MON-VER; the same in
/// UBX-21035062 and UBX-22008968.
public struct MonVER: UBXMessage, Hashable {
    public static let messageID = UBXMessageID.monVER
    static let softwareByteCount = 30
    static let hardwareByteCount = 10
    static let extensionByteCount = 30

    public var softwareVersion: String
    public var hardwareVersion: String
    /// Further facts, such as `FWVER=SPG 5.10`, `PROTVER=34.10`, `MOD=MAX-M10S`, `GPS;GLO;GAL;BDS`.
    public var extensions: [String]

    public init(softwareVersion: String, hardwareVersion: String, extensions: [String]) {
        self.softwareVersion = softwareVersion
        self.hardwareVersion = hardwareVersion
        self.extensions = extensions
    }

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        let fixed = Self.softwareByteCount + Self.hardwareByteCount
        guard payload.count >= fixed else { throw .wrongLength(expected: fixed, actual: payload.count) }
        let count = (payload.count - fixed) / Self.extensionByteCount
        try require(payload, byteCount: fixed + count * Self.extensionByteCount)
        softwareVersion = Self.text(payload.extracting(0..<Self.softwareByteCount))
        hardwareVersion = Self.text(payload.extracting(Self.softwareByteCount..<fixed))
        extensions = []
        for index in 0..<count {
            let start = fixed + index * Self.extensionByteCount
            extensions.append(Self.text(payload.extracting(start..<(start + Self.extensionByteCount))))
        }
    }

    public func appendPayload(to bytes: inout [UInt8]) {
        Self.append(softwareVersion, byteCount: Self.softwareByteCount, to: &bytes)
        Self.append(hardwareVersion, byteCount: Self.hardwareByteCount, to: &bytes)
        for text in extensions { Self.append(text, byteCount: Self.extensionByteCount, to: &bytes) }
    }

    /// The value that one of the extension texts gives for `key`, written `KEY=value` or, by older firmware, `KEY
    /// value`.
    public func value(of key: String) -> String? {
        for text in extensions {
            guard text.hasPrefix(key) else { continue }
            let rest = text.dropFirst(key.count)
            guard rest.first == "=" || rest.first == " " else { continue }
            return String(rest.dropFirst())
        }
        return nil
    }

    /// The text up to the first NUL.
    private static func text(_ bytes: borrowing Span<UInt8>) -> String {
        var kept: [UInt8] = []
        for index in bytes.indices {
            guard bytes[index] != 0 else { break }
            kept.append(bytes[index])
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Appends the text in exactly `byteCount` bytes, cut or filled with NUL; the last byte is always NUL.
    private static func append(_ text: String, byteCount: Int, to bytes: inout [UInt8]) {
        let kept = text.utf8.prefix(byteCount - 1)
        bytes.append(contentsOf: kept)
        bytes.append(reserved: byteCount - kept.count)
    }
}
