internal import SextantUnits

/// The secret that opens the page, and the sessions that it grants.
///
/// A session is a token that the process can check without storing it: the page's process ends a minute after its last
/// viewer has gone, and the sessions outlive it. A session ends after 12 h of the boot clock, or when the board
/// reboots. The wall clock is not used, because a receiver can change it by decades.
public struct PageSecret: Sendable {
    /// Seconds for which a session is valid.
    public static let sessionSeconds: Int64 = 12 * 3600
    /// The number of hexadecimal digits of a secret: 32 digits are 128 bits.
    public static let digits = 32

    private let secret: [UInt8]
    private let boot: String

    /// - Parameters:
    ///   - text: The secret file's text: 32 hexadecimal digits, and possibly whitespace.
    ///   - boot: The kernel's identifier of this boot.
    /// - Returns: nil if the text is no such secret.
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

    /// Whether a text is the secret.
    public func matches(_ offered: String) -> Bool {
        PageSecret.areEqual(Array(offered.utf8), secret)
    }

    /// Makes a new session's token.
    ///
    /// - Parameter seconds: The seconds since boot.
    public func token(at seconds: Int64) -> String {
        "\(seconds).\(Hexadecimal.text(authentication(of: seconds)))"
    }

    /// Whether a session's token was made with this secret in this boot, and has not expired.
    public func accepts(_ token: String, at seconds: Int64) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count < 20, let issued = Int64(parts[0]) else { return false }
        let expected = Hexadecimal.text(authentication(of: issued))
        guard PageSecret.areEqual(Array(parts[1].utf8), Array(expected.utf8)) else { return false }
        return issued <= seconds && seconds - issued < PageSecret.sessionSeconds
    }

    private func authentication(of seconds: Int64) -> [UInt8] {
        SHA256.authentication(of: Array("sextant page \(boot) \(seconds)".utf8), key: secret)
    }

    /// Compares two texts in a time that depends only on their lengths, so that the delay of the answer reveals nothing
    /// of the secret.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
