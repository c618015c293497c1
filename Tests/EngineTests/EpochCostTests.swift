import AllocationCounter
import ClientProtocol
import GPSDProtocol
import Parts
import Power
import SextantUnits
import Testing

@testable import Access
@testable import Engine

@Suite("What epochs and departures cost")
struct EpochCostTests {
    @Test func `an epoch that is told to a location watch, an epoch watch and a gpsd client allocates nothing`() {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .metres(5)))
        harness.give(.clientConnected(two, .local, PeerIdentity(userID: 1001)))
        harness.ask(.watch(satellites: true), of: two)
        let port = ClientID(rawValue: 7)
        harness.give(.clientConnected(port, .gpsd))
        var policy = GPSDPolicy()
        (policy.enable, policy.json) = (true, true)
        harness.give(gpsd: .success(.watch(policy)), from: port)
        let epochs = (4..<300).map { Harness.epoch(secondsAfterNoon: $0) }
        var fewest = UInt.max
        // Other tests run beside this one and allocate; in a few epochs of many they do not.
        for (place, epoch) in epochs.enumerated() {
            let before = allocation_count()
            harness.give(bytes: epoch, at: Double(place + 4))
            fewest = min(fewest, allocation_count() - before)
            #expect(harness.sends == 3)
        }
        #expect(fewest == 0)
    }

    @Test func `a stranger who leaves costs as much beside a hundred clients as beside one`() {
        #expect(allocationsOfDeparture(beside: 100) == allocationsOfDeparture(beside: 1))
    }

    /// The fewest allocations that the departure of one of many strangers takes.
    private func allocationsOfDeparture(beside count: UInt32) -> UInt {
        let strangers: [UInt32] = Array(1000..<1040)
        var harness = Harness()
        let manifests = (1...count).map { ClientManifest(name: "client\($0)", selector: ClientSelector(user: $0)) }
        harness.give(.admission(Admission(manifests: ClientManifests(manifests), policy: OperatorPolicy())))
        for user in Array(1...count) + strangers {
            harness.give(.clientConnected(ClientID(rawValue: user), .local, PeerIdentity(userID: user)))
        }
        var fewest = UInt.max
        for stranger in strangers {
            let before = allocation_count()
            harness.give(.clientGone(ClientID(rawValue: stranger)))
            fewest = min(fewest, allocation_count() - before)
        }
        return fewest
    }
}
