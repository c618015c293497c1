internal import SextantUnits

extension Hexadecimal {
    /// - Returns: The whole bytes of the text; characters that are not hexadecimal digits are ignored.
    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
