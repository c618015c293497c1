import ClientVocabulary
import Parts
import PartsTestSupport
import SextantUnits
import Testing

@testable import Access

/// Numbers that look like chance and are the same in every run.
private struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func roll(_ sides: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % sides
    }
}

@Suite("Authorization: whatever happens")
struct AuthorizationFlightTests {
    private static let clients = ["other", "tracker", "nobody"]

    private func event(_ dice: inout Dice) -> AuthorizationEvent {
        let id = ClientID(rawValue: UInt32(dice.roll(4)))
        let client = Self.clients[dice.roll(3)]
        switch dice.roll(18) {
        case 0: return .connected(id, client: client)
        case 1: return .gone(id)
        case 2, 3: return .state(id, isForeground: dice.roll(2) == 0)
        case 4: return .usesBackground(id, dice.roll(2) == 0)
        case 5, 6: return .requested(id, session: Int64(dice.roll(3)), dice.roll(2) == 0 ? .always : .whenInUse)
        case 7: return .requestedFullAccuracy(id, id: nil, purposeKey: dice.roll(4) == 0 ? "no" : "track")
        case 8: return .withdrawn(id, session: dice.roll(2) == 0 ? nil : Int64(dice.roll(3)))
        case 9, 10: return .answered(client: client, OperatorAnswer.allCases[dice.roll(8)])
        case 11: return .setAccuracy(client: client, dice.roll(3) == 0 ? .full : .reduced)
        case 12: return .eventDue(client: client)
        case 13: return .servicesEnabled(dice.roll(4) != 0)
        case 14: return .agents(count: dice.roll(3))
        case 16: return .started(id, session: Int64(dice.roll(3)))
        case 15:
            let manifests = AuthorizationScene.manifests()
            return .manifests(dice.roll(4) == 0 ? ClientManifests([manifests[dice.roll(2)]]) : manifests)
        default:
            let authorization = OperatorPolicy.Authorization.allCases[dice.roll(4)]
            let rule = OperatorPolicy.Rule(
                authorization: dice.roll(3) == 0 ? authorization : nil, accuracy: dice.roll(4) == 0 ? .reduced : nil,
                isFinal: dice.roll(3) == 0)
            return .policy(OperatorPolicy(rules: ["tracker": rule]))
        }
    }

    /// What an onlooker knows from the effects alone.
    private struct Onlooker {
        var prompts: [String: Prompt] = [:]
        var records: [String: AuthorizationRecord] = [:]
        var rights: [String: ClientRights] = [:]
        var uses: [String: Bool] = [:]
        /// Who has an event that waits; and the requests for full accuracy that do.
        var due: Set<String> = []
        var requests: [ClientID: Int] = [:]

        mutating func see(_ event: AuthorizationEvent, _ effects: [AuthorizationEffect], _ book: AuthorizationBook) {
            if case .eventDue(let client) = event { due.insert(client) }
            if case .requestedFullAccuracy(let id, _, _) = event { requests[id, default: 0] += 1 }
            if case .gone(let id) = event { requests[id] = nil }
            for effect in effects { see(effect, book) }
            // A manifest that comes again is of a client that nobody was told of.
            rights = rights.filter { known in book.descriptions.contains { $0.client == known.key } }
        }

        private mutating func see(_ effect: AuthorizationEffect, _ book: AuthorizationBook) {
            switch effect {
            case .keep(let client, let record): records[client] = record
            case .changed(let client): rights[client] = book.rights(of: client)
            case .useChanged(let client, let isInUse): uses[client] = isInUse
            case .fullAccuracyAnswered(let id, _, let code):
                #expect(code == nil || code == .promptDeclined)
                requests[id, default: 0] -= 1
                #expect(requests[id, default: 0] >= 0, "a request is answered once")
            case .provisionalSettled(let client, let mayDeliver):
                #expect(!mayDeliver || book.rights(of: client).status == .authorizedAlways)
                let wasDue = due.remove(client)
                #expect(wasDue != nil, "an event is settled once")
            case .promptWithdrawn(let client):
                let old = prompts.removeValue(forKey: client)
                #expect(old != nil)
            case .promptRaised(let prompt):
                #expect(prompts[prompt.client] == nil)
                prompts[prompt.client] = prompt
            case .enableServices: #expect(!book.servicesEnabled)
            case .note: break
            }
        }
    }

    @Test(arguments: UInt64(1)...20)
    func `the effects describe every change, and the same events give the same effects`(seed: UInt64) {
        var dice = Dice(seed)
        var book = AuthorizationBook()
        var again = AuthorizationBook()
        var onlooker = Onlooker()
        var now = MonotonicInstant.zero
        for step in 0..<2000 {
            now = now.advanced(byNanoseconds: Int64(dice.roll(3000)) * 1_000_000)
            let event = step == 0 ? .manifests(AuthorizationScene.manifests()) : event(&dice)
            var effects: [AuthorizationEffect] = []
            book.handle(event, at: now, into: &effects)
            var repeated: [AuthorizationEffect] = []
            again.handle(event, at: now, into: &repeated)
            #expect(effects == repeated && book == again)
            onlooker.see(event, effects, book)
            check(book, onlooker, now)
        }
    }

    private func check(_ book: AuthorizationBook, _ onlooker: Onlooker, _ now: MonotonicInstant) {
        #expect(book.prompts == onlooker.prompts.values.sorted { $0.client < $1.client })
        #expect(book.deadline ?? at(1e9) > now)
        for description in book.descriptions {
            let (client, rights) = (description.client, description.rights)
            #expect(onlooker.records[client] ?? AuthorizationRecord() == description.record)
            if let told = onlooker.rights[client] {
                #expect(told.status == rights.status && told.accuracy == rights.accuracy)
            }
            #expect(rights.status != .restricted || rights.waiting == nil)
            #expect(book.servicesEnabled || rights.status == .denied && (rights.waiting ?? .services) == .services)
            #expect(onlooker.uses[client] ?? false == rights.isInUse)
            #expect(rights.isInUse || !description.record.isOnce)
            #expect(rights.waiting != nil || onlooker.prompts[client] == nil)
            // A question that waits and is not shown is shown after the pause.
            #expect(rights.waiting == nil || onlooker.prompts[client] != nil || book.deadline != nil)
        }
    }
}
