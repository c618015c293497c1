import ClientVocabulary
import SextantSockets
import SextantUnits
import Testing

@testable import DaemonClient

@Suite("Line from the daemon")
struct DaemonLineTests {
    private func line(_ text: String) throws -> DaemonLine { try #require(DaemonLine(Array(text.utf8))) }

    @Test func `members are read by their types`() throws {
        let line = try line(
            #"{"event":"location","session":2,"latitude":47.5,"simulated":true,"time":"2026-11-20T12:00:00.250Z","#
                + #""capabilities":["heading",7],"location":{"speed":1},"answers":[{"id":"a"},3]}"#)
        #expect(line.event == .location)
        #expect(line.integer(.session) == 2)
        #expect(line.number(.latitude) == 47.5)
        #expect(line.flag(.simulated) == true)
        #expect(line.instant(.time) == UTCInstant(iso8601: "2026-11-20T12:00:00.25"))
        #expect(line.texts(.capabilities) == ["heading"])
        #expect(line.object(.location)?.number(.speed) == 1)
        #expect(line.objects(.answers).map { $0.text(.id) } == ["a"])
    }

    @Test func `a member that is absent or of another type is nil`() throws {
        let line = try line(#"{"event":7,"session":2.5,"latitude":"north","time":"noon","number":1e300}"#)
        #expect(line.event == nil)
        #expect(line.integer(.session) == nil)
        #expect(line.integer(.number) == nil)
        #expect(line.number(.latitude) == nil)
        #expect(line.instant(.time) == nil)
        #expect(line.flag(.simulated) == nil)
    }

    @Test func `an event of a newer daemon is unknown, and its members can be read`() throws {
        let line = try line(#"{"event":"teleported","to":"Mars"}"#)
        #expect(line.event == nil)
        #expect(line.text(.to) == "Mars")
    }

    @Test(arguments: ["", "7", "[]", "{", #"{"event":"pong"} x"#])
    func `what is no object is no line`(_ text: String) {
        #expect(DaemonLine(Array(text.utf8))?.bytes == nil)
    }

    @Test func `the longest line from the daemon is read, and a longer one is skipped up to the next line`() {
        var lines = LineAssembler(separators: .newline, limit: DaemonLink.longestLine)
        var heard: [Int] = []
        func push(_ bytes: [UInt8]) {
            lines.push(bytes.span) { event, line in heard.append(event == .line ? line.count : -1) }
        }
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        push(long)
        push([UInt8(ascii: "\n")])
        for _ in 0..<3 { push(long) }
        push(Array("\nnext\n".utf8))
        #expect(heard == [100_000, -1, 4])
    }
}
