/// Codes that each open one session, so that an address on a command line or in a picture holds no secret.
struct OneTimeCodes {
    /// Seconds that a code holds.
    static let seconds: Int64 = 600
    /// Codes at once; one more ends the oldest.
    static let most = 16

    private var codes: [(text: String, end: Int64)] = []

    /// A new code, 128 random bits in hexadecimal digits.
    ///
    /// - Parameter seconds: The seconds since boot.
    mutating func issue(at seconds: Int64) -> String {
        let text = PageSecret.hexadecimal((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        codes.append((text, seconds + OneTimeCodes.seconds))
        if codes.count > OneTimeCodes.most { codes.removeFirst() }
        return text
    }

    /// Whether a code was issued and not yet used; it is used then.
    mutating func take(_ offered: String, at seconds: Int64) -> Bool {
        codes.removeAll { $0.end <= seconds }
        let bytes = Array(offered.utf8)
        guard let index = codes.firstIndex(where: { PageSecret.areEqual(Array($0.text.utf8), bytes) }) else {
            return false
        }
        codes.remove(at: index)
        return true
    }

    /// Seconds until every issued code is too old; 0 where none is left that could be used.
    func remaining(at seconds: Int64) -> Int64 { max(0, (codes.map(\.end).max() ?? 0) - seconds) }
}
