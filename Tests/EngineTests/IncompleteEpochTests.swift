import ClientProtocol
import Engine
import NMEA0183
import Parts
import Power
import Testing

@testable import Access

/// A receiver that is read from the middle of an epoch: its first position has no time.
struct IncompleteEpochTests {
    /// What client 1 is sent for a request, when an epoch begins with its last sentence and whole epochs follow.
    private func answers(to request: ClientRequest.Kind) -> [Substring] {
        var harness = Harness()
        harness.give(.clientConnected(one, .local, PeerIdentity(userID: 1000)))
        harness.ask(request)
        var half: [UInt8] = []
        NMEAEncoder.append("GNGGA,120001.00,4722.61335,N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &half)
        harness.give(bytes: half, at: 1)
        var answers = harness.sent(to: 1)
        for second in 2...8 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            answers += harness.sent(to: 1)
        }
        return answers.split(separator: "\n").filter { $0.contains("\"event\":\"location\"") }
    }

    @Test(arguments: [DesiredAccuracy.metres(100), .reduced])
    func `REQ-01 a request for one position is answered by the first that has a time`(accuracy: DesiredAccuracy) {
        let answers = answers(to: .locateOnce(accuracy))
        #expect(answers.count == 1 && answers.allSatisfy { $0.contains("\"time\":\"2026-11-20T12:00:0") })
    }

    @Test func `RED-02 after an estimate without a time comes one that has it, and not a quarter of an hour later`() {
        let answers = answers(to: .watchLocations(LocationSettings(accuracy: .reduced), label: ""))
        #expect(answers.map { $0.contains("\"time\"") } == [false, true])
    }
}
