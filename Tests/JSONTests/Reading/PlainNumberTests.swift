import SextantJSON
import Testing

@Suite("Numbers of long texts")
struct PlainNumberTests {
    private func number(_ text: String, json5: Bool = false) throws -> Double? {
        let value = try JSONValue(parsing: Array(text.utf8), allowsJSON5: json5)
        return if case .number(let number) = value { number } else { nil }
    }

    @Test func `a number is that of the standard library to the last bit, whatever its length`() throws {
        var texts = ["0", "-0", "-0.0", "1e0", "1E+5", "2.5e-3", "1e22", "4.9e-324", "1.7976931348623157e308"]
        texts += ["9007199254740993", "123456789012345", "0.123456789012345", "12345678901234567890123"]
        var state: UInt64 = 1
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let digits = "\(state)"
            texts.append("\(state % 180).\(digits.prefix(Int(state >> 40 % 19) + 1))")
        }
        for text in texts {
            let (read, known) = (try number(text), Double(text))
            #expect(read?.bitPattern == known?.bitPattern, "\(text)")
        }
    }

    @Test(arguments: ["01", "-", "1.", ".5", "1e", "1e+", "+1", "1x", "0x1F", "1e999", "--1", "-01", "1.5.2"])
    func `JSON has no such number`(text: String) { #expect(throws: (any Error).self) { try number(text) } }

    private static let ofJSON5: [(String, Double)] = [
        ("+1", 1), (".5", 0.5), ("1.", 1), ("0x1F", 31), ("-Infinity", -.infinity),
    ]

    @Test(arguments: ofJSON5)
    func `JSON5 has it`(text: String, expected: Double) throws { #expect(try number(text, json5: true) == expected) }
}
