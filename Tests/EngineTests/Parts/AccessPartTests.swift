import ClientProtocol
import Sessions
import SextantUnits
import Testing

@testable import Engine

@Suite("Access")
struct AccessPartTests {
    private static let id = ClientID(rawValue: 5)
    private static let admission: Admission = {
        var tracker = ClientManifest(name: "tracker", selector: ClientSelector(user: 1000))
        tracker.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
        return Admission(manifests: ClientManifests([tracker]), policy: OperatorPolicy())
    }()

    private func access(_ outputs: inout Outputs) -> Access {
        var access = Access(userID: 7)
        _ = access.admit(Self.admission, at: start, into: &outputs)
        return access
    }

    @Test func `a process without a manifest gets no locations and is no operator`() {
        var outputs = Outputs()
        var access = access(&outputs)
        #expect(access.connected(Self.id, PeerIdentity(userID: 1001), at: start, into: &outputs) == nil)
        #expect(access.grant(of: Self.id)?.grant == LocationGrant.none)
        let isOperator = access.isOperator(Self.id)
        #expect(!isOperator)
        #expect(access.refusal(of: Self.id, hasCompass: false)?.code.description == "noManifest")
    }

    @Test func `the daemon's user is an operator, and an operator's decision takes effect at once`() {
        var outputs = Outputs()
        var access = access(&outputs)
        let operatorID = ClientID(rawValue: 6)
        _ = access.connected(operatorID, PeerIdentity(userID: 7), at: start, into: &outputs)
        _ = access.connected(Self.id, PeerIdentity(userID: 1000), at: start, into: &outputs)
        #expect(access.isOperator(operatorID) && !access.isOperator(Self.id))
        #expect(access.grant(of: Self.id)?.grant == LocationGrant.none)
        access.answer("tracker", .always, reducesAccuracy: nil, mayBeWoken: nil, at: start, into: &outputs)
        #expect(access.takeNews() == [.changed("tracker")] && access.isStale)
        #expect(access.grant(of: Self.id)?.grant == .full)
        outputs.removeAll()
        access.tellChanges(into: &outputs)
        #expect(outputs.lines(to: 5).first?.contains("\"status\":\"authorizedAlways\"") == true)
    }

    @Test(arguments: [true, false])
    func `whether a client may be woken is news, so that its waiting events are looked at again`(mayBeWoken: Bool) {
        var outputs = Outputs()
        var access = access(&outputs)
        _ = access.connected(Self.id, PeerIdentity(userID: 1000), at: start, into: &outputs)
        _ = access.takeNews()
        access.answer("tracker", nil, reducesAccuracy: nil, mayBeWoken: mayBeWoken, at: start, into: &outputs)
        #expect(access.takeNews() == [.changed("tracker")] && access.isStale)
    }

    @Test func `a client whose manifest was removed is listed once for removal`() {
        var outputs = Outputs()
        var access = access(&outputs)
        #expect(access.admit(.nobody, at: start, into: &outputs) == ["tracker"])
        #expect(access.admit(.nobody, at: start, into: &outputs).isEmpty)
    }

    @Test func `rows of a client with an unreadable manifest are kept for later`() {
        var outputs = Outputs()
        var access = access(&outputs)
        var unreadable = Admission.nobody
        unreadable.unreadable = ["tracker"]
        _ = access.admit(unreadable, at: start, into: &outputs)
        let row = DurableRow(table: .events, client: "tracker", name: "1", value: [])
        #expect(!access.admits(row, into: &outputs))
        #expect(access.takeParked() == [row] && access.takeParked().isEmpty)
    }
}
