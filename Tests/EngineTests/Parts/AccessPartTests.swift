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
        access.admit(Self.admission, at: start, into: &outputs)
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

    @Test func `a client whose manifest was removed is absent until an operator forgets it`() {
        var outputs = Outputs()
        var access = access(&outputs)
        access.admit(.nobody, at: start, into: &outputs)
        access.admit(.nobody, at: start, into: &outputs)
        #expect(access.admission["tracker"]?.isAbsent == true)
        #expect(access.access(of: "tracker").status.description == "restricted")
        #expect(access.connected(Self.id, PeerIdentity(userID: 1000), at: start, into: &outputs) == nil)
        access.forgetAbsent("tracker", isDecided: true, at: start, into: &outputs)
        #expect(access.admission["tracker"] == nil)
    }

    @Test func `rows of a client with an unreadable manifest are kept for later`() {
        var outputs = Outputs()
        var unreadable = Admission.nobody
        unreadable.unreadable = ["tracker"]
        var later = Access(userID: 7)
        later.admit(unreadable, at: start, into: &outputs)
        let row = DurableRow(table: .events, client: "tracker", name: "1", value: [])
        #expect(!later.admits(row, at: start, into: &outputs))
        #expect(later.takeParked() == [row] && later.takeParked().isEmpty)
    }
}
