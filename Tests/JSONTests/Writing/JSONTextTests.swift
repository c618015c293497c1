import Foundation
import SextantJSON
import SextantUnits
import Testing

/// What `body` writes.
func written(capacity: Int = 4096, _ body: (inout TextBuffer) -> Void) -> String {
    var text = TextBuffer(capacity: capacity)
    body(&text)
    return text.string
}

@Suite("JSON text")
struct JSONTextTests {
    @Test(
        arguments: [
            (0, 0, "0"), (0, 3, "0.000"), (-0.0, 2, "0.00"), (1, 1, "1.0"), (-1.25, 2, "-1.25"), (0.5, 0, "1"),
            (-0.5, 0, "-1"),
            (1.5, 0, "2"), (2.5, 0, "3"), (0.05, 1, "0.1"), (0.049, 1, "0.0"), (-0.049, 1, "0.0"),
            (99.995, 2, "100.00"),
            (9.9999, 3, "10.000"), (47.285239500000000, 9, "47.285239500"), (-179.999999999, 9, "-179.999999999"),
            (123_456_789.125, 3, "123456789.125"), (1e-12, 12, "0.000000000001"), (1e17, 0, "100000000000000000"),
            (8.9e18, 0, "8900000000000000000"),
        ] as [(Double, Int, String)])
    func `a number is written with the given decimals, rounded half away from zero`(
        value: Double, decimals: Int, expected: String
    ) {
        #expect(written { $0.append(value, decimals: decimals) } == expected)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e19, -1e19, .greatestFiniteMagnitude])
    func `a value that is not finite or nil is left out with its key`(value: Double) {
        let text = written { text in
            text.beginObject()
            text.member("\"a\":", 1)
            text.member("\"b\":", value, decimals: 3)
            text.member("\"c\":", nil as Double?, decimals: 3)
            text.endObject()
        }
        #expect(text == #"{"a":1}"#)
        var isWritten = true
        let alone = written { isWritten = $0.append(value, decimals: 0) }
        #expect(alone == "" && !isWritten)
    }

    @Test func `a random number reads back as it was written`() throws {
        var state: UInt64 = 7
        for _ in 0..<1000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(Int64(bitPattern: state) >> Int64(state % 40)) * 1e-10
            for decimals in 0...9 {
                let read = try #require(Double(written { $0.append(value, decimals: decimals) }))
                #expect(abs(read - value) <= 0.500_000_1 * pow(10, Double(-decimals)) + abs(value) * 1e-15)
            }
        }
    }

    @Test(arguments: [
        (Int64.min, 0, "-9223372036854775808"), (.max, 0, "9223372036854775807"), (.max, 12, "9223372.036854775807"),
        (5, 1, "0.5"), (-5, 3, "-0.005"), (0, 1, "0.0"), (-120, 1, "-12.0"),
    ])
    func `an integer is written divided by a power of ten`(units: Int64, decimals: Int, expected: String) {
        #expect(written { $0.append(units, decimals: decimals) } == expected)
    }

    @Test func `strings are escaped as RFC 8259 requires`() throws {
        let hard = (0...0x7F).map { String(UnicodeScalar(UInt8($0))) }.joined() + "\u{e9}\u{20ac}\u{1f6f0}"
        let text = written { $0.string(hard) }
        #expect(text.hasPrefix(#""\u0000\u0001"#) && text.contains(#"\t\n\u000b\u000c\r\u000e"#))
        #expect(text.contains(##" !\"#$"##) && text.contains(#"[\\]"#))
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        #expect(read as? String == hard)
    }

    @Test func `objects and arrays have no extra commas`() {
        let text = written { text in
            text.beginObject()
            text.member("\"n\":", nil as Int?)
            text.beginObject("\"empty\":")
            text.endElement()
            text.beginArray("\"none\":")
            text.endArray()
            text.beginArray("\"two\":")
            for value in 1...2 {
                text.beginObject()
                text.member("\"v\":", value)
                text.endElement()
            }
            text.endArray()
            text.member("\"yes\":", true)
            text.member("\"no\":", false)
            text.member("\"word\":", literal: "w")
            text.member("\"text\":", "t")
            text.member("\"time\":", UTCInstant(nanoseconds: 0))
            text.endObject()
        }
        #expect(
            text == #"{"empty":{},"none":[],"two":[{"v":1},{"v":2}],"yes":true,"no":false,"word":"w","text":"t","#
                + #""time":"1970-01-01T00:00:00.000Z"}"#)
    }

    @Test(
        arguments: [
            (1_789_905_600_000_000_000, "2026-09-20T12:00:00.000Z"),
            (1_789_948_799_999_500_000, "2026-09-21T00:00:00.000Z"),
            (1_789_948_799_999_499_999, "2026-09-20T23:59:59.999Z"), (-1_000_000, "1969-12-31T23:59:59.999Z"),
            (9_214_646_400_000_000_000, "2262-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func `an instant is written as ISO 8601 with milliseconds`(nanoseconds: Int64, expected: String) {
        #expect(written { $0.append(UTCInstant(nanoseconds: nanoseconds)) } == expected)
    }

    @Test(arguments: [1, 2, 3, 16, 4096])
    func `the buffer grows as needed and keeps its content`(capacity: Int) {
        let text = written(capacity: capacity) { text in
            for value in 0..<1000 {
                text.append(number: value)
                text.append(0x20)
                text.append("word " as StaticString)
                text.append(Double(value), decimals: 2)
                text.append(value, width: 5)
            }
        }
        let expected = (0..<1000).map {
            "\($0) word \($0).00" + String(repeating: "0", count: 5 - "\($0)".count) + "\($0)"
        }
        #expect(text == expected.joined())
    }

    @Test func `the buffer can be truncated and emptied`() {
        var text = TextBuffer()
        text.append("abcdef" as StaticString)
        text.truncate(to: 3)
        #expect(text.count == 3)
        text.withBytes(1..<3) { bytes in #expect(bytes.count == 2 && bytes[0] == 0x62) }
        text.removeAll()
        #expect(text.count == 0)
    }
}
