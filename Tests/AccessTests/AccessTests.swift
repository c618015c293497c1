import ClientProtocol
import ClientVocabulary
import Parts
import PartsTestSupport
import SextantUnits
import Testing

@testable import Access

@Suite("Access")
struct AccessTests {
    private static let id = ClientID(rawValue: 5)
    private static let admission: Admission = {
        var tracker = ClientManifest(name: "tracker", selector: ClientSelector(user: 1000))
        tracker.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
        return Admission(manifests: ClientManifests([tracker]), policy: OperatorPolicy())
    }()

    private func access(_ turn: inout Turn) -> Access {
        var access = Access(userID: 7)
        _ = access.admit(Self.admission, &turn)
        return access
    }

    @Test func `a process without a manifest gets no locations and is no operator`() {
        var turn = Turn(at: start)
        var access = access(&turn)
        #expect(access.connected(Self.id, .local, [PeerIdentity(userID: 1001)], &turn) == nil)
        #expect(access.view.grant(of: Self.id)?.grant == LocationGrant.none)
        let isOperator = access.view.isOperator(Self.id)
        #expect(!isOperator)
        let isRefused = access.refuses(Self.id, request: nil, hasCompass: false, &turn)
        #expect(isRefused && turn.lines(to: 5).last?.contains("\"code\":\"noManifest\"") == true)
    }

    @Test func `the daemon's user is an operator, and an operator's decision takes effect at once`() {
        var turn = Turn(at: start)
        var access = access(&turn)
        let operatorID = ClientID(rawValue: 6)
        _ = access.connected(operatorID, .local, [PeerIdentity(userID: 7)], &turn)
        _ = access.connected(Self.id, .local, [PeerIdentity(userID: 1000)], &turn)
        #expect(access.view.isOperator(operatorID) && !access.view.isOperator(Self.id))
        #expect(access.view.grant(of: Self.id)?.grant == LocationGrant.none)
        access.answer("tracker", .always, reducesAccuracy: nil, mayBeWoken: nil, &turn)
        #expect(turn.news == [.changed("tracker")] && turn.changes.contains(.access))
        #expect(access.view.grant(of: Self.id)?.grant == .full)
        turn.begin(at: start)
        access.tell(.changes, &turn)
        #expect(turn.lines(to: 5).first?.contains("\"status\":\"authorizedAlways\"") == true)
    }

    @Test(arguments: [true, false])
    func `whether a client may be woken is news, so that its waiting events are looked at again`(mayBeWoken: Bool) {
        var turn = Turn(at: start)
        var access = access(&turn)
        _ = access.connected(Self.id, .local, [PeerIdentity(userID: 1000)], &turn)
        turn.news = []
        access.answer("tracker", nil, reducesAccuracy: nil, mayBeWoken: mayBeWoken, &turn)
        #expect(turn.news == [.changed("tracker")] && turn.changes.contains(.access))
    }

    @Test func `a client whose manifest was removed is absent until an operator forgets it`() {
        var turn = Turn(at: start)
        var access = access(&turn)
        _ = access.admit(.nobody, &turn)
        _ = access.admit(.nobody, &turn)
        #expect(access.state.admission["tracker"]?.isAbsent == true)
        #expect(access.state.access(of: "tracker").status == .restricted)
        #expect(access.connected(Self.id, .local, [PeerIdentity(userID: 1000)], &turn) == nil)
        access.forget("tracker", .absence(isDecided: true), &turn)
        #expect(access.state.admission["tracker"] == nil)
    }

    @Test func `rows of a client with an unreadable manifest are kept for later`() {
        var turn = Turn(at: start)
        var unreadable = Admission.nobody
        unreadable.unreadable = ["tracker"]
        var later = Access(userID: 7)
        _ = later.admit(unreadable, &turn)
        let row = DurableRow(table: .events, client: "tracker", name: "1", value: [])
        #expect(later.restore(row, &turn) == .waits)
        let given = later.admit(Self.admission, &turn)
        #expect(given == [row])
        let again = later.admit(Self.admission, &turn)
        #expect(again == [])
    }
}
