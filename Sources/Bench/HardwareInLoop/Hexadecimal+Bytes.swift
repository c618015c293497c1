internal import SextantUnits

extension Hexadecimal {
    /// - Returns: One byte for every two hexadecimal digits of the text; other characters and a last single digit are
    ///   ignored.
    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
