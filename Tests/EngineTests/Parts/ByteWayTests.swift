import ClientProtocol
import GNSS
import Parts
import PartsTestSupport
import Power
import SextantUnits
import Testing

@testable import Engine

/// The way of a byte from the UART to a client, station by station; the Engine's README names the rooms and files.
@Suite("A byte's way")
struct ByteWayTests {
    @Test func `a line is sent only when the burst's last byte has come`() throws {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .best))
        let burst = Harness.epoch(4)
        let half = burst.count / 2
        let epochs = status(&harness).number("epochs")
        // Reception: half a burst is bytes of a message that is not whole, or sentences of an epoch that is open.
        harness.give(bytes: Array(burst[..<half]), at: 4)
        #expect(harness.outputs.lines(to: 1).isEmpty)
        #expect(status(&harness).number("epochs") == epochs)
        // Epochs, Positioning, ReceiverPower, Delivery: its end closes the epoch, and the fix is a line.
        harness.give(bytes: Array(burst[half...]), at: 4.1)
        let lines = harness.outputs.lines(to: 1)
        #expect(lines.count == 1 && lines[0].hasPrefix("{\"event\":\"location\""))
        let fix = try #require(harness.engine.positioning.whereabouts.last?.fix)
        #expect(lines[0].contains("\"horizontalAccuracy\":") && fix.hasPosition)
        #expect(status(&harness).number("epochs") == epochs + 1)
    }

    private func status(_ harness: inout Harness) -> DaemonStatusLine {
        harness.give(ClientRequest(.status), from: one)
        return DaemonStatusLine(harness.outputs.lines(to: 1).last ?? "")
    }
}

/// A line of `status`, as far as it is asked for.
private struct DaemonStatusLine {
    let text: String

    init(_ text: String) { self.text = text }

    func number(_ key: String) -> Int {
        guard let start = text.firstRange(of: "\"\(key)\":") else { return -1 }
        return Int(text[start.upperBound...].prefix { $0.isNumber }) ?? -1
    }
}
