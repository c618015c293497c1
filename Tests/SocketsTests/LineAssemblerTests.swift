import SextantSockets
import Testing

@Suite("LineAssembler")
struct LineAssemblerTests {
    static let json = "{\"a\":1}\n\n{\"b\":2}\r\n{}\n"
    static let jsonLines = ["{\"a\":1}", "{\"b\":2}", "{}"]

    /// The lines that come of a text cut into pieces of one size.
    private func lines(
        of text: String, separators: LineSeparators = .newline, limit: Int = 16, pieces: Int
    ) -> [String] {
        var assembler = LineAssembler(separators: separators, limit: limit)
        var result: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
            assembler.push(piece.span) { event, line in
                let text = String(decoding: line.indices.map { line[$0] }, as: UTF8.self)
                result.append(event == .line ? text : "<too long>")
            }
        }
        return result
    }

    @Test(arguments: 1...json.utf8.count)
    func `pieces of any size give the same lines`(pieces: Int) {
        #expect(lines(of: Self.json, pieces: pieces) == Self.jsonLines)
    }

    @Test(arguments: 1...40)
    func `gpsd requests end with a semicolon or a newline`(pieces: Int) {
        let text = "?VERSION;?WATCH={\"x\":1};\r\n?POLL;\n?DEV"
        let expected = ["?VERSION", "?WATCH={\"x\":1}", "?POLL"]
        #expect(lines(of: text, separators: [.newline, .semicolon], pieces: pieces) == expected)
    }

    @Test(arguments: 1...60)
    func `an overlong line is reported once and costs only itself`(pieces: Int) {
        let text = "a\n" + String(repeating: "x", count: 50) + "\nb\n"
        #expect(lines(of: text, pieces: pieces) == ["a", "<too long>", "b"])
    }

    @Test(arguments: 1...20)
    func `a line of exactly the limit is accepted, its carriage return not counted`(pieces: Int) {
        let line = String(repeating: "x", count: 16)
        #expect(lines(of: line + "\n", pieces: pieces) == [line])
        #expect(lines(of: line + "\r\n", pieces: pieces) == [line])
        #expect(lines(of: line + "x\n", pieces: pieces) == ["<too long>"])
        #expect(lines(of: line + "x\r\n", pieces: pieces) == ["<too long>"])
    }

    @Test func `an overlong line is reported before its end arrives`() {
        #expect(lines(of: String(repeating: "x", count: 1000), pieces: 7) == ["<too long>"])
    }

    @Test func `a semicolon is text where only newlines separate lines`() {
        #expect(lines(of: "a;b\n", pieces: 9) == ["a;b"])
    }
}
