import Boards
import Configuration
import Receivers
import SextantJSON
import Testing

@Suite("Board file: start times")
struct BoardStartTimesTests {
    private func times(_ text: String) throws -> StartTimes {
        let board = """
            {
                receiver: { model: "neo-m8n", device: "/dev/serial0", supplyVolts: 3, draw: "typical"\(text) },
                backup: "battery", host: "zero-2w",
            }
            """
        return try readFile(board) { try BoardFile.board(at: $0).receiver.startTimes }
    }

    @Test func `start times that are not given are the receiver model's`() throws {
        let usual = ReceiverModel.neoM8N.startTimes
        #expect(try times("") == usual)
        #expect(try times(", startSeconds: {}") == usual)
        var measured = usual
        measured.boot = 0.4
        measured.hot.median = 2.5
        #expect(try times(", startSeconds: { boot: 0.4, hot: 2.5 }") == measured)
    }

    @Test func `every key's value is read`() throws {
        let given = """
            , startSeconds: {
                boot: 0.7, hot: 3.1, hotNineInTen: 6.689, warm: 25, warmNineInTen: 32.304, cold: 28, coldNineInTen: 28,
                ephemerisFades: 5400, ephemerisGone: 16200,
            }
            """
        let times = try times(given)
        #expect(times.boot == 0.7 && times.ephemerisFades == 5400 && times.ephemerisGone == 16_200)
        #expect(times.hot.median == 3.1 && abs(times.hot.spread - 0.6) < 1e-4)
        #expect(times.warm.median == 25 && abs(times.warm.spread - 0.2) < 1e-4)
        // Starts that are all alike are not a promise.
        #expect(times.cold == StartTimes.Search(median: 28, spread: 0.02))
    }

    @Test(arguments: [
        ("boot: -1", "startSeconds.boot: -1 must be seconds from 0 to 60"),
        ("hot: '3 s'", "startSeconds.hot: \"3 s\" must be seconds from 0.1 to 600"),
        ("coldNineInTen: 20", "startSeconds.coldNineInTen: 20 must be cold or more, which is 30"),
        (
            "ephemerisFades: 15000",
            "startSeconds.ephemerisGone: 14400 must be over ephemerisFades, which is 15000"
        ),
        ("hot: 40", "startSeconds.hot: 40 must be at most warm, which is 27"),
        (
            "warn: 1",
            "startSeconds.warn: unknown key; the keys here are boot, hot, hotNineInTen, warm, warmNineInTen, cold, "
                + "coldNineInTen, ephemerisFades, ephemerisGone"
        ),
    ])
    func `an error names the key, the value and what was expected`(text: String, message: String) {
        #expect(throws: ConfigurationError(description: "FILE: receiver.\(message)")) {
            try times(", startSeconds: { \(text) }")
        }
    }
}
