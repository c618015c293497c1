/// The secret that opens the page, and the sessions that it grants.
///
/// A session is a token that the process can check without having kept it: the page's process ends a minute after its
/// last viewer, and the viewers' sessions outlive it. It ends after 12 h of the clock that runs since boot, and with the
/// boot; the wall clock, which a receiver may set by decades, has no part in it.
public struct PageSecret: Sendable {
    /// Seconds that a session holds.
    public static let sessionSeconds: Int64 = 12 * 3600
    /// Hexadecimal digits of a secret: 128 bits.
    public static let digits = 32

    private let secret: [UInt8]
    private let boot: String

    /// - Parameters:
    ///   - text: The secret file's text: 32 hexadecimal digits, and space around them.
    ///   - boot: The kernel's name for this boot.
    /// - Returns: nil where the text is no secret.
    public init?(text: String, boot: String) {
        let digits = Array(text.utf8).filter { $0 > UInt8(ascii: " ") }
        guard digits.count == PageSecret.digits, digits.allSatisfy(PageSecret.isDigit) else { return nil }
        secret = digits.map { $0 | 0x20 }
        self.boot = boot
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Whether a viewer knows the secret.
    public func matches(_ offered: String) -> Bool {
        PageSecret.areEqual(Array(offered.utf8), secret)
    }

    /// A new session's token.
    ///
    /// - Parameter seconds: The seconds since boot.
    public func token(at seconds: Int64) -> String {
        "\(seconds).\(PageSecret.hexadecimal(authentication(of: seconds)))"
    }

    /// Whether a token is of this secret and this boot, and not too old.
    public func accepts(_ token: String, at seconds: Int64) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count < 20, let issued = Int64(parts[0]) else { return false }
        let expected = PageSecret.hexadecimal(authentication(of: issued))
        guard PageSecret.areEqual(Array(parts[1].utf8), Array(expected.utf8)) else { return false }
        return issued <= seconds && seconds - issued < PageSecret.sessionSeconds
    }

    private func authentication(of seconds: Int64) -> [UInt8] {
        SHA256.authentication(of: Array("sextant page \(boot) \(seconds)".utf8), key: secret)
    }

    /// Compares in a time that depends on the lengths alone, so that the answer's delay tells nothing of the secret.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// Two lower-case digits for each byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
