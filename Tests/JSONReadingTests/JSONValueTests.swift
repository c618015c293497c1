import Foundation
import JSONReading
import Testing

private func value(_ text: String, json5: Bool = false) throws(JSONParseError) -> JSONValue {
    try JSONValue(parsing: Array(text.utf8), allowsJSON5: json5)
}

private func detail(_ text: String, json5: Bool = false) -> String? {
    do throws(JSONParseError) {
        _ = try value(text, json5: json5)
        return nil
    } catch {
        return error.detail
    }
}

/// The same texts in every run.
private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

@Suite("JSON")
struct JSONTests {
    @Test func `every kind of value`() throws {
        let text = " {\"a\": [1, -2.5e3, true, false, null, \"x\"], \"b\": {}, \"\": []}\n"
        #expect(
            try value(text)
                == .object([
                    "a": .array([.number(1), .number(-2500), .bool(true), .bool(false), .null, .string("x")]),
                    "b": .object([:]), "": .array([]),
                ]))
    }

    @Test(arguments: [
        ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{c}\n\r\t"), ("\"\\u00e9\\ud83d\\uDE00é😀\"", "é😀é😀"),
        ("\"\"", ""),
    ])
    func `texts with escapes`(text: String, expected: String) throws {
        #expect(try value(text) == .string(expected))
    }

    @Test(arguments: [
        ("0", 0.0), ("-0", 0), ("1.5", 1.5), ("1E2", 100), ("1e-2", 0.01),
        ("123456789012345680", 123_456_789_012_345_680),
        ("0.1e+1", 1),
    ])
    func `numbers`(text: String, expected: Double) throws {
        #expect(try value(text) == .number(expected))
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "[,1]",
        "[1 2]",
        "{a:1}", "{'a':1}", "'a'", "// c\n1", "/* c */1", "01", "1.", ".5", "+1", "-", "1e", "1e+", "0x10", "1e999",
        "NaN",
        "Infinity", "-Infinity", "tru", "nul", "True", "1 2", "{}}", "\"a", "\"\n\"", "\"\u{1}\"", "\"\\x41\"",
        "\"\\a\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\u{b}1", "{\"a\":1,\"a\":2}", "\"\\", "\"\\u",
    ])
    func `what is none is refused in a line that names the place`(text: String) {
        let detail = detail(text)
        #expect(detail?.hasPrefix("line ") == true)
        #expect(detail?.contains("\n") == false)
    }

    @Test func `bytes that are no UTF-8`() {
        #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0x22, 0xC0, 0x80, 0x22]) }
    }

    @Test func `depth has a bound, far from the stack's`() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        _ = try value(nested(256))
        #expect(detail(nested(257))?.contains("at most 256 values") == true)
        #expect(detail(String(repeating: "{\"a\":", count: 100_000)) != nil)
    }

    /// Foundation's decoder, which has no part in common with this one, as the judge of texts made at random.
    @Test func `is what Foundation reads, and nothing else, in damaged texts`() throws {
        let seeds = [
            "{\"request\":\"watch\",\"accuracy\":100.5,\"list\":[1,2,[true,null]],\"t\":\"a\\u00e9\\n\"}",
            "[{\"a\":-1.25e-3},\"\\ud83d\\ude00\",0,{},[]]",
        ]
        let pieces = Array("{}[]:,\"\\u0d18e+-.tfn aA/ \n".utf8)
        var random = Chance(state: 7)
        for _ in 0..<20_000 {
            var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = pieces[Int.random(in: 0..<pieces.count, using: &random)]
                case 1: bytes.remove(at: index)
                default: bytes.insert(pieces[Int.random(in: 0..<pieces.count, using: &random)], at: index)
                }
            }
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            let ours = try? JSONValue(parsing: bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            if ours == nil, theirs != nil {
                // A key that is there twice, and a comma before a closing bracket, are faults here alone.
                let reasons = ["is there already", "a value expected", "a key expected"]
                #expect(reasons.contains { detail(text)?.contains($0) == true }, "\(text)")
            } else {
                #expect((ours == nil) == (theirs == nil), "\(text)")
            }
        }
    }
}

@Suite("JSON5")
struct JSON5Tests {
    @Test func `what JSON5 adds`() throws {
        let text = """
            // a comment
            {
                bare: 1, $b_2: +2, 'single': 'it\\'s "x"', "joined": "a\\
            b", /* another
                one */ hex: [0x1F, .5, 5., -.5e1, -0x10], last: [Infinity, -Infinity,],
                é: "\\x41\\v\\0\\q",
            }
            """
        #expect(
            try value(text, json5: true)
                == .object([
                    "bare": .number(1), "$b_2": .number(2), "single": .string("it's \"x\""), "joined": .string("ab"),
                    "hex": .array([.number(31), .number(0.5), .number(5), .number(-5), .number(-16)]),
                    "last": .array([.number(.infinity), .number(-.infinity)]),
                    "é": .string("A\u{b}\u{0}q"),
                ]))
        guard case .number(let nothing) = try value("NaN", json5: true) else {
            Issue.record("NaN is a number of JSON5")
            return
        }
        #expect(nothing.isNaN)
    }

    @Test(arguments: [
        ("", "line 1, column 1: a value expected, but the text ends"),
        ("hello", "line 1, column 1: a value expected; a text stands in quotes"),
        ("{\n  device: /dev/serial0\n}", "line 2, column 11: a value expected"),
        ("{ a: 1 b: 2 }", "line 1, column 8: a comma or } expected"),
        ("{ a 1 }", "line 1, column 5: a colon after the key expected"),
        ("[1 2]", "line 1, column 4: a comma or ] expected"),
        ("{ a: 'x }", "line 1, column 6: a text that is not closed"),
        ("/* x", "line 1, column 1: a comment that is not closed"),
        ("{} {}", "line 1, column 4: nothing more expected"),
        ("{ a: 1.2.3 }", "line 1, column 6: a value expected; 1.2.3 is no number"),
        ("{ a: 1,\n  a: 2 }", "line 2, column 3: another key expected; \"a\" is there already"),
        ("[,]", "line 1, column 2: a value or ] expected"), ("{ 1a: 2 }", "line 1, column 3: a key or } expected"),
        ("'\\1'", "line 1, column 2: an escape expected; there is none such"),
    ])
    func `a fault is named with its place`(text: String, expected: String) {
        #expect(detail(text, json5: true) == expected)
    }
}
