import GPSDProtocol
import Sessions
import Testing

@testable import Engine

/// What the gpsd port tells of the receiver to clients that may not see locations.
@Suite("The gpsd port's device")
struct GPSDPrivacyTests {
    /// The answer to `?DEVICES;` after some epochs.
    private func devices(under admission: Admission) -> String {
        var harness = Harness()
        harness.give(.admission(admission))
        let client = ClientID(rawValue: 3)
        harness.give(.clientConnected(client, .gpsd))
        harness.warmUp()
        harness.give(gpsd: .success(.devices), from: client)
        return harness.sent(to: 3)
    }

    @Test func `the time between epochs is told to clients with full accuracy alone`() {
        #expect(devices(under: .everyone).contains("\"cycle\":1.00"))
        let hidden = devices(under: .nobody)
        #expect(hidden.contains("/dev/gnss") && !hidden.contains("cycle"))
    }
}
