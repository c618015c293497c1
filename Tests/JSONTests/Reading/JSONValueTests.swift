import Foundation
import SextantJSON
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
    @Test func `every kind of value is read`() throws {
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
    func `strings with escapes are read`(text: String, expected: String) throws {
        #expect(try value(text) == .string(expected))
    }

    @Test(arguments: [
        ("0", 0.0), ("-0", 0), ("1.5", 1.5), ("1E2", 100), ("1e-2", 0.01),
        ("123456789012345680", 123_456_789_012_345_680),
        ("0.1e+1", 1),
    ])
    func `numbers are read`(text: String, expected: Double) throws {
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
    func `a text that is not JSON is refused in one line that names the place`(text: String) {
        let detail = detail(text)
        #expect(detail?.hasPrefix("line ") == true)
        #expect(detail?.contains("\n") == false)
    }

    @Test func `invalid UTF-8 is refused`() {
        #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0x22, 0xC0, 0x80, 0x22]) }
    }

    @Test func `the place of an invalid UTF-8 byte is reported`() {
        #expect {
            try JSONValue(parsing: Array("{\n \"é\": ".utf8) + [0xFF, 0x7D])
        } throws: { error in
            (error as? JSONParseError)?.detail == "line 2, column 7: UTF-8 expected; save the file as UTF-8"
        }
    }

    @Test func `the nesting depth is bounded at 256`() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        _ = try value(nested(256))
        #expect(detail(nested(257))?.contains("deeper than 256 levels") == true)
        #expect(detail(String(repeating: "{\"a\":", count: 100_000)) != nil)
    }

    /// Foundation's decoder, which has no part in common with this one, as the judge of texts made at random.
    @Test func `accepts exactly what Foundation's decoder accepts, also in damaged texts`() throws {
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
                let reasons = ["is given twice", "a value expected", "a key expected"]
                #expect(reasons.contains { detail(text)?.contains($0) == true }, "\(text)")
            } else {
                #expect((ours == nil) == (theirs == nil), "\(text)")
            }
        }
    }
}

@Suite("JSON scanner")
struct JSONScannerTests {
    @Test(arguments: [
        "\"\"", "\"plain\"", "\"é😀\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t|\"", "\"a\\u00e9b\"", "\"\\ud83d\\uDE00\"",
        "\"\\u+0e9\"",
        "\"\\u00e\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\x41\"", "\"\\'\"", "\"\u{1}\"", "\"\n\"",
        "\"a",
        "\"\\", "\"\\u",
    ])
    func `the scanner and the value reader read a string alike`(text: String) {
        var scanner = JSONScanner(Array(text.utf8))
        let scanned = try? scanner.string()
        #expect(scanned.map { .string($0) } == (try? value(text)))
        #expect(scanned == nil || scanner.position == text.utf8.count)
    }

    @Test func `an error in a string is reported with its line`() {
        var scanner = JSONScanner(Array("[\n\"a\\ud800\"]".utf8))
        #expect(throws: JSONScanError(line: 2, problem: "both halves of a surrogate pair expected")) {
            try scanner.skip()
        }
    }
}

@Suite("JSON5")
struct JSON5Tests {
    @Test func `JSON5's additions to JSON are read`() throws {
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

    /// Source: The JSON5 Data Interchange Format 1.0.0, sections 5.3, 7 and 8; Unicode's category Zs.
    @Test(arguments: [
        "\t", "\n", "\u{b}", "\u{c}", "\r", " ", "\u{a0}", "\u{1680}", "\u{2000}", "\u{200a}", "\u{2028}", "\u{2029}",
        "\u{202f}", "\u{205f}", "\u{3000}", "\u{feff}",
    ])
    func `white space may stand between any two tokens`(space: String) throws {
        let text = ["", "{", "a", ":", "[", "true", ",", "1", ",", "'x'", "]", ",", "b", ":", "Infinity", "}", ""]
        #expect(
            try value(text.joined(separator: space), json5: true)
                == .object(["a": .array([.bool(true), .number(1), .string("x")]), "b": .number(.infinity)]))
    }

    @Test(arguments: ["\u{180e}", "\u{200b}", "\u{85}", "\u{2060}"])
    func `other invisible characters are not white space`(text: String) {
        #expect(detail("[1\(text)]", json5: true) != nil)
    }

    @Test(arguments: ["\u{a0}", "\u{2028}", "\u{feff}", "\u{3000}"])
    func `JSON accepts only four kinds of white space`(space: String) {
        #expect(detail("[1,\(space)2]") != nil)
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"])
    func `a line comment ends at the line's end`(end: String) throws {
        #expect(try value("[1, // one\(end)2]", json5: true) == .array([.number(1), .number(2)]))
        #expect(try value("1 // one\(end)", json5: true) == .number(1))
    }

    @Test func `a comment may end the text`() throws {
        #expect(try value("1//", json5: true) == .number(1))
        #expect(try value("1/**/", json5: true) == .number(1))
        #expect(detail("1/*/", json5: true) == "line 1, column 2: the comment is not closed; close it with */")
    }

    @Test(arguments: [
        ("$", "$"), ("_", "_"), ("a1", "a1"), ("$b_2", "$b_2"), ("é", "é"), ("ǅungla", "ǅungla"), ("名前", "名前"),
        ("Ⅳ", "Ⅳ"),
        ("e\u{301}", "e\u{301}"), ("a\u{200c}b\u{200d}", "a\u{200c}b\u{200d}"), ("a٣", "a٣"), ("a‿b", "a‿b"),
        ("\\u0061b", "ab"), ("a\\u0062\\u0031", "ab1"), ("\\u0024", "$"), ("null", "null"), ("Infinity", "Infinity"),
        ("𝒳", "𝒳"),
    ])
    func `a bare key is an ECMAScript identifier`(text: String, key: String) throws {
        // Two names that only look alike are two names: what is read is compared scalar by scalar.
        let read = try value("{\(text): 1}", json5: true)
        guard case .object(let members) = read else {
            Issue.record("\(read) is no object")
            return
        }
        #expect(members.keys.map { Array($0.unicodeScalars) } == [Array(key.unicodeScalars)])
    }

    private static let bare = "a key without quotes has only letters, digits, $ and _; put any other key in quotes"

    @Test(arguments: [
        ("1a", "line 1, column 2: a key or } expected; \(bare)"),
        ("-a", "line 1, column 2: a key or } expected; \(bare)"),
        ("+a", "line 1, column 2: a key or } expected; \(bare)"),
        (".a", "line 1, column 2: a key or } expected; \(bare)"),
        ("a-b", "line 1, column 3: a colon after the key expected; \(bare)"),
        ("a+b", "line 1, column 3: a colon after the key expected; \(bare)"),
        ("a.b", "line 1, column 3: a colon after the key expected; \(bare)"),
        ("é🙂", "line 1, column 3: a colon after the key expected; \(bare)"),
        ("🙂", "line 1, column 2: a key or } expected; \(bare)"),
        ("\u{301}a", "line 1, column 2: a key or } expected; \(bare)"),
        ("a\\u0020b", "line 1, column 3: \\u and the four hexadecimal digits of a letter or digit expected; \(bare)"),
        ("\\u0031a", "line 1, column 2: \\u and the four hexadecimal digits of a letter or digit expected; \(bare)"),
        ("\\u12", "line 1, column 2: \\u and the four hexadecimal digits of a letter or digit expected; \(bare)"),
        ("\\x41", "line 1, column 2: \\u and the four hexadecimal digits of a letter or digit expected; \(bare)"),
        (
            "\\ud835\\udcb3",
            "line 1, column 2: \\u and the four hexadecimal digits of a letter or digit expected; \(bare)"
        ),
    ])
    func `an invalid bare key is refused with its place and the remedy`(key: String, expected: String) {
        #expect(detail("{\(key): 1}", json5: true) == expected)
    }

    @Test(arguments: [
        ("0x1F", 31.0), ("0X1f", 31), ("-0xA", -10), ("+0xdecaf", 912_559), ("0x0000000000000000000001", 1),
        ("0x10000000000000001", 0x1p64), ("0xFFFFFFFFFFFFFFFFFFFFFFFF", 0x1p96), ("5.", 5), (".5", 0.5), ("-.5", -0.5),
        ("+5.", 5), ("5.e1", 50), (".5E-1", 0.05), ("0.", 0), ("0e5", 0), ("+Infinity", .infinity),
        ("-Infinity", -.infinity),
    ])
    func `JSON5's forms of numbers are read`(text: String, expected: Double) throws {
        #expect(try value(text, json5: true) == .number(expected))
        #expect(try value("[\(text)\u{a0}]", json5: true) == .array([.number(expected)]))
    }

    @Test(arguments: ["NaN", "+NaN", "-NaN"])
    func `JSON5's NaN is read`(text: String) throws {
        guard case .number(let number) = try value(text, json5: true) else {
            Issue.record("\(text) is a number of JSON5")
            return
        }
        #expect(number.isNaN)
    }

    @Test(arguments: [
        "01", "00", "-01", ".", "-", "+", "+-1", "--1", "- 1", "1e", "1e+", ".e1", "1.2.3", "1_000", "0x", "0x1.8",
        "0x1p3",
        "0xg", "1n", "0o7", "0b1", "infinity", "nan", "1e999", "Infinityx", "٣",
    ])
    func `an invalid number is refused`(text: String) {
        #expect(detail(text, json5: true)?.hasPrefix("line 1, column 1: a value expected; ") == true)
    }

    @Test func `the line ends that JSON5 allows in strings are read`() throws {
        #expect(try value("'a\u{2028}b\u{2029}c\td'", json5: true) == .string("a\u{2028}b\u{2029}c\td"))
        #expect(
            try value("'a\\\u{2028}b\\\u{2029}c\\\r\nd\\\re'", json5: true) == .string("abcde"))
        #expect(try value("'\\é\\😀\\a'", json5: true) == .string("é😀a"))
    }

    @Test(arguments: [
        ("", "line 1, column 1: a value expected, but the text ends"),
        ("hello", "line 1, column 1: a value expected; put a text in quotes"),
        ("{\n  device: /dev/serial0\n}", "line 2, column 11: a value expected; put a text in quotes"),
        ("{ a: 1 b: 2 }", "line 1, column 8: a comma or } expected"),
        ("{ a 1 }", "line 1, column 5: a colon after the key expected"),
        ("[1 2]", "line 1, column 4: a comma or ] expected"),
        ("{ a: 'x }", "line 1, column 6: the text is not closed; close it with ' in its line"),
        ("/* x", "line 1, column 1: the comment is not closed; close it with */"),
        ("{} {}", "line 1, column 4: unexpected text after the end of the value"),
        ("{ a: 1.2.3 }", "line 1, column 6: a value expected; 1.2.3 is not a number"),
        ("{ a: 1,\n  a: 2 }", "line 2, column 3: the key \"a\" is given twice"),
        ("[,]", "line 1, column 2: a value or ] expected"),
        ("'\\1'", "line 1, column 2: unknown escape sequence; write a backslash as \\\\"),
        ("{ a: 1,\r  b: }", "line 2, column 6: a value expected"),
        ("{ a: 1,\r\n\n  b: }", "line 3, column 6: a value expected"),
        ("['é😀', ?]", "line 1, column 8: a value or ] expected; put a text in quotes"),
    ])
    func `an error is reported with its place`(text: String, expected: String) {
        #expect(detail(text, json5: true) == expected)
    }
}
