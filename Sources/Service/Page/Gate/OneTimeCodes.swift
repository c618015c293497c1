internal import SextantUnits

/// Codes that each open one session, so that an address on a command line or in a QR code holds no lasting secret.
struct OneTimeCodes {
    /// Seconds for which a code is valid.
    static let seconds: Int64 = 600
    /// The largest number of valid codes; if one more is made, it replaces the oldest.
    static let most = 16

    private var codes: [(text: String, end: Int64)] = []

    /// Makes a new code: 128 random bits in hexadecimal digits.
    ///
    /// - Parameter seconds: The seconds since boot.
    mutating func issue(at seconds: Int64) -> String {
        let text = Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        codes.append((text, seconds + OneTimeCodes.seconds))
        if codes.count > OneTimeCodes.most { codes.removeFirst() }
        return text
    }

    /// Returns whether a code was issued and is still valid; a code that was used is not valid any more.
    mutating func take(_ offered: String, at seconds: Int64) -> Bool {
        codes.removeAll { $0.end <= seconds }
        let bytes = Array(offered.utf8)
        guard let index = codes.firstIndex(where: { PageSecret.areEqual(Array($0.text.utf8), bytes) }) else {
            return false
        }
        codes.remove(at: index)
        return true
    }

    /// Seconds until all issued codes have expired; 0 if no code is valid.
    func remaining(at seconds: Int64) -> Int64 { max(0, (codes.map(\.end).max() ?? 0) - seconds) }
}
