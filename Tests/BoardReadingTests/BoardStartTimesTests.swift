import BoardReading
import Boards
import Foundation
import JSONReading
import Receivers
import Testing

@Suite("Board file: start times")
struct BoardStartTimesTests {
    private struct Message: Error, Equatable {
        var description: String
    }

    private func times(_ text: String) throws -> StartTimes {
        let folder = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/board.json5"
        let board = """
            {
                receiver: { model: "neo-m8n", device: "/dev/serial0", supplyVolts: 3, draw: "typical"\(text) },
                backup: "battery", host: "zero-2w",
            }
            """
        try Data(board.utf8).write(to: URL(fileURLWithPath: path))
        do {
            return try BoardFile.board(readFrom: path).receiver.startTimes
        } catch {
            throw Message(description: error.description.replacingOccurrences(of: path + ": receiver.", with: ""))
        }
    }

    @Test func `what is not given is the model's`() throws {
        let usual = ReceiverModel.neoM8N.startTimes
        #expect(try times("") == usual)
        #expect(try times(", startSeconds: {}") == usual)
        var measured = usual
        measured.boot = 0.4
        measured.hot.median = 2.5
        #expect(try times(", startSeconds: { boot: 0.4, hot: { median: 2.5 } }") == measured)
    }

    @Test func `every key has its value`() throws {
        let given = """
            , startSeconds: {
                boot: 0.7, hot: { median: 3.1, spread: 0.6 }, warm: { median: 25, spread: 0.2 },
                cold: { median: 28, spread: 0.1 }, ephemerisFades: 5400, ephemerisGone: 16200,
            }
            """
        #expect(
            try times(given)
                == StartTimes(
                    boot: 0.7, hot: .init(median: 3.1, spread: 0.6), warm: .init(median: 25, spread: 0.2),
                    cold: .init(median: 28, spread: 0.1), ephemerisFades: 5400, ephemerisGone: 16_200))
    }

    @Test(arguments: [
        ("boot: -1", "startSeconds.boot: -1 must be seconds from 0 to 60"),
        ("hot: 3", "startSeconds.hot: 3 must be an object"),
        ("hot: { spread: 1 }", "startSeconds.hot.median: missing; give its median in seconds, such as median: 4.0"),
        (
            "cold: { median: 30, spread: 9 }",
            "startSeconds.cold.spread: 9 must be a standard deviation of the logarithm from 0.02 to 2"
        ),
        (
            "ephemerisFades: 15000",
            "startSeconds.ephemerisGone: 14400 must be over ephemerisFades, which is 15000"
        ),
        ("hot: { median: 40 }", "startSeconds.hot.median: 40 must be under warm.median, which is 27"),
        (
            "warn: {}",
            "startSeconds.warn: unknown key; the keys here are boot, hot, warm, cold, ephemerisFades, ephemerisGone"
        ),
    ])
    func `an error names the key, the value and what was expected`(text: String, message: String) {
        #expect(throws: Message(description: message)) { try times(", startSeconds: { \(text) }") }
    }
}
