/// The 128-bit UUID that identifies the owner or the application of beacons.
public struct BeaconUUID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes of the UUID; `low` has the last eight.
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ bytes: borrowing Span<UInt8>, at offset: Int) {
        high = bytes.bigEndian(UInt64.self, at: offset)
        low = bytes.bigEndian(UInt64.self, at: offset + 8)
    }

    /// - Parameter text: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12 with a hyphen between the groups.
    /// - Returns: Nil if the text has another form.
    public init?(_ text: some StringProtocol) {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map({ $0.count }) == [8, 4, 4, 4, 12] else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for digit in groups.joined() {
            guard let value = BeaconUUID.value(ofDigit: digit) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | value
        }
        (self.high, self.low) = (high, low)
    }

    private static func value(ofDigit digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The UUID as text: groups of 8, 4, 4, 4 and 12 hexadecimal digits, in capitals, as Foundation's UUID writes them.
    public var description: String {
        var text = ""
        for index in 0..<32 {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            let half = index < 16 ? high : low
            text += String(half >> (60 - 4 * (index % 16)) & 0xF, radix: 16, uppercase: true)
        }
        return text
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
    }
}
