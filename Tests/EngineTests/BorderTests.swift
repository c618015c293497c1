import ClientProtocol
import ClientVocabulary
import Engine
import Monitors
import Parts
import SextantUnits
import Testing

@testable import Access

/// A board that drives over the border of a region of a manifest, whose client does not run.
private struct Journey: ~Copyable {
    static let root = ClientID(rawValue: 9)
    /// The minutes of latitude, beyond 47 degrees, of the region's centre, and of a place 2 km south of it.
    static let home = 22.61335
    static let away = 21.53335

    var harness = Harness()
    /// What all inputs called for.
    var actions: [Action] = []
    /// The time of day of the start, in seconds after noon.
    private let noon: Int

    /// - Parameter rows: What the store holds at the start.
    init(
        _ manifest: ClientManifest = Self.manifest(), at place: Double = away, isReduced: Bool = false, noon: Int = 0,
        rows: [DurableRow] = []
    ) {
        self.noon = noon
        harness.place = place
        let rule = OperatorPolicy.Rule(
            authorization: .whenInUse, accuracy: isReduced ? .reduced : .full, isFinal: false)
        admit([manifest], rule)
        for row in rows { harness.give(.storeFound(row)) }
        harness.give(.storeRead)
        harness.give(.clientConnected(Self.root, .local, PeerIdentity(userID: 0)))
    }

    static func manifest(radius: Double = 200) -> ClientManifest {
        var manifest = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        manifest.purposes = PurposeStrings(whenInUse: "shows it")
        var region = BorderRegion(
            name: "home", shape: .circle(latitude: 47.376889, longitude: 8.541697, radius: radius))
        region.onEnter = "gate.service"
        region.onExit = "lock.service"
        region.onDwell = "heat.service"
        region.dwell = 120
        manifest.regions = [region]
        return manifest
    }

    mutating func admit(
        _ manifests: [ClientManifest],
        _ rule: OperatorPolicy.Rule = OperatorPolicy.Rule(authorization: .whenInUse, accuracy: .full, isFinal: false)
    ) {
        harness.give(
            .admission(Admission(manifests: ClientManifests(manifests), policy: OperatorPolicy(others: rule))))
        actions += harness.outputs.actions
    }

    mutating func order(_ request: OperatorRequest) {
        harness.give(ClientRequest(.operator(request)), from: Self.root)
        actions += harness.outputs.actions
    }

    /// Drives at 11 m/s with a fix every 10 s, and stops there for half a minute.
    mutating func drive(to minutes: Double) {
        let (start, step) = (harness.place, minutes < harness.place ? -0.06 : 0.06)
        for next in stride(from: start + step, through: minutes + step / 2, by: step) {
            harness.place = next
            fix(motion: step < 0 ? "21.6,180.0" : "21.6,0.0")
        }
        stay(seconds: 30)
    }

    mutating func stay(seconds: Int) { for _ in 0..<seconds / 10 { fix(motion: "0.0,") } }

    private mutating func fix(motion: String) {
        let second = Int(harness.now.nanoseconds / 1_000_000_000) / 10 * 10 + 10
        while let wake = harness.wake, wake < Int64(second) * 1_000_000_000 {
            harness.give(.timePassed, at: Double(wake) * 1e-9)
            actions += harness.outputs.actions
        }
        let minutes = "\((harness.place * 1e5).rounded() / 1e5)"
        harness.give(bytes: Harness.epoch(noon + second, latitude: "47\(minutes)", motion: motion), at: Double(second))
        actions += harness.outputs.actions
    }

    /// The starts since they were last taken.
    mutating func takeStarts() -> [BorderStart] {
        defer { actions = [] }
        return actions.compactMap { if case .startUnit(let start) = $0 { start } else { nil } }
    }

    mutating func takeEvents() -> [TransitionName] { takeStarts().map(\.event) }

    /// The registrations that the store holds at the end.
    var rows: [DurableRow] {
        let last = actions.compactMap { action -> DurableRow? in
            guard case .store(.put(let row)) = action, row.table == .registrations else { return nil }
            return row
        }
        return Array(last.suffix(1))
    }
}

@Suite("Borders of a manifest's regions")
struct BorderTests {
    private func start(_ event: TransitionName, _ unit: String) -> BorderStart {
        BorderStart(client: "tracker", region: "home", event: event, unit: unit)
    }

    @Test func `an entry, a dwell and an exit each start their unit once, while the client is authorized in use`() {
        var journey = Journey()
        journey.stay(seconds: 60)
        #expect(journey.takeStarts() == [])
        journey.drive(to: Journey.home)
        #expect(journey.takeStarts() == [start(.enter, "gate.service")])
        journey.stay(seconds: 300)
        #expect(journey.takeStarts() == [start(.dwell, "heat.service")])
        journey.drive(to: Journey.away)
        #expect(journey.takeStarts() == [start(.exit, "lock.service")])
    }

    @Test func `a board that is inside when the region is first seen has not crossed its border`() {
        var journey = Journey(at: Journey.home)
        journey.stay(seconds: 60)
        #expect(journey.takeEvents() == [])
        journey.drive(to: Journey.away)
        #expect(journey.takeEvents() == [.exit])
    }

    @Test func `neither an action nor its log line says where the board or the region is`() {
        var journey = Journey()
        journey.stay(seconds: 60)
        journey.drive(to: Journey.home)
        let told = journey.actions.filter {
            switch $0 {
            case .startUnit, .expireStart, .log: true
            default: false
            }
        }
        #expect(!told.isEmpty)
        for action in told { #expect(!"\(action)".contains("47.") && !"\(action)".contains("8.5")) }
    }

    @Test(
        arguments: [
            OperatorRequest.answer(client: "tracker", .deny, reducesAccuracy: nil, mayBeWoken: nil),
            .answer(client: "tracker", nil, reducesAccuracy: true, mayBeWoken: nil),
            .answer(client: "tracker", nil, reducesAccuracy: nil, mayBeWoken: false),
            .services(isEnabled: false),
        ])
    func `nothing starts for a client that is denied, reduced or not to be woken, nor with services off`(
        request: OperatorRequest
    ) {
        var journey = Journey()
        journey.stay(seconds: 60)
        journey.order(request)
        journey.drive(to: Journey.home)
        journey.stay(seconds: 300)
        journey.drive(to: Journey.away)
        #expect(journey.takeStarts() == [])
    }

    @Test func `nothing starts at a border where the policy reduces accuracy`() {
        var journey = Journey(isReduced: true)
        journey.stay(seconds: 60)
        journey.drive(to: Journey.home)
        #expect(journey.takeStarts() == [])
    }

    @Test func `a restart inside is no entry, and a departure meanwhile is one exit`() {
        var before = Journey()
        before.stay(seconds: 60)
        before.drive(to: Journey.home)
        let rows = before.rows
        #expect(rows.map(\.name) == ["border/home"])

        var inside = Journey(at: Journey.home, noon: 3600, rows: rows)
        inside.stay(seconds: 60)
        #expect(!inside.takeEvents().contains(.enter))
        inside.drive(to: Journey.away)
        #expect(inside.takeEvents().filter { $0 != .dwell } == [.exit])

        var outside = Journey(noon: 3600, rows: rows)
        outside.stay(seconds: 120)
        #expect(outside.takeEvents().filter { $0 != .dwell } == [.exit])
    }

    @Test func `a changed manifest replaces its regions, and one without regions removes them`() {
        var journey = Journey()
        journey.actions = []
        journey.admit([Journey.manifest(radius: 300)])
        #expect(journey.rows.map(\.name) == ["border/home"])
        journey.actions = []
        journey.admit([Journey.manifest(radius: 300)])
        #expect(journey.rows.isEmpty, "nothing has changed")
        var bare = Journey.manifest()
        bare.regions = []
        journey.admit([bare])
        #expect(journey.actions.contains(.store(.remove(.registrations, client: "tracker", name: "border/home"))))
        journey.actions = []
        journey.stay(seconds: 60)
        journey.drive(to: Journey.home)
        #expect(journey.takeStarts() == [])
    }

    /// A manifest whose region names a topic and no service, and its client, allowed to hear of regions always.
    private func toldJourney(isReduced: Bool = false, isInForce: Bool = true) -> Journey {
        var manifest = Journey.manifest()
        (manifest.purposes, manifest.backgroundMode) = (PurposeStrings(whenInUse: "tells", always: "tells"), true)
        manifest.regions[0] = BorderRegion(name: "home", shape: manifest.regions[0].shape)
        manifest.regions[0].topic = "harbour/boat"
        manifest.regions[0].dwell = 120
        var journey = Journey(manifest)
        journey.admit(
            [manifest],
            OperatorPolicy.Rule(
                authorization: isInForce ? .always : .denied, accuracy: isReduced ? .reduced : .full, isFinal: false))
        return journey
    }

    @Test func `where a region names a topic, its client is told of the events, kept until it takes them`() {
        var journey = toldJourney()
        journey.stay(seconds: 60)
        journey.drive(to: Journey.home)
        journey.stay(seconds: 300)
        journey.drive(to: Journey.away)
        #expect(journey.takeStarts() == [])
        let client = ClientID(rawValue: 1)
        journey.harness.give(.clientConnected(client, .local, PeerIdentity(userID: 1000, unit: "tracker.service")))
        journey.harness.give(ClientRequest(.monitoring(.list)), from: client)
        let told = journey.harness.sent(to: 1).split(separator: "\n").filter { $0.contains("regionEvent") }
        #expect(told.count == 3)
        for (line, transition) in zip(told, ["enter", "dwell", "exit"]) {
            #expect(line.contains(#""identifier":"home""#) && line.contains(#""topic":"harbour/boat""#))
            #expect(line.contains(#""transition":"\#(transition)""#))
        }
    }

    @Test(arguments: [true, false])
    func `a client that is denied or has reduced accuracy is told of no crossing, also later`(isReduced: Bool) {
        var journey = toldJourney(isReduced: isReduced, isInForce: isReduced)
        journey.stay(seconds: 60)
        journey.drive(to: Journey.home)
        let isKept = journey.actions.contains {
            if case .store(.put(let row)) = $0 { row.table == .events } else { false }
        }
        #expect(!isKept)
    }

    @Test func `the regions count towards the client's limit, and are not among those that it monitors`() {
        var manifest = Journey.manifest()
        manifest.maximumRegions = 1
        var journey = Journey(manifest)
        let client = ClientID(rawValue: 1)
        journey.harness.give(.clientConnected(client, .local, PeerIdentity(userID: 1000, unit: "tracker.service")))
        journey.harness.give(ClientRequest(.monitoring(.list)), from: client)
        #expect(journey.harness.sent(to: 1).contains("\"count\":0"))
        #expect(!journey.harness.sent(to: 1).contains("home"))
        let own = RegionRequest(identifier: "own", .circle(latitude: 47, longitude: 8, radius: 200))
        journey.harness.give(ClientRequest(.monitoring(.region(own))), from: client)
        #expect(journey.harness.sent(to: 1).contains("\"errorCode\":5"))
    }

    @Test func `a client's own region of the same name stands beside the manifest's`() {
        var journey = Journey()
        let client = ClientID(rawValue: 1)
        journey.harness.give(.clientConnected(client, .local, PeerIdentity(userID: 1000, unit: "tracker.service")))
        let own = RegionRequest(identifier: "home", .circle(latitude: 47, longitude: 8, radius: 200))
        journey.harness.give(ClientRequest(.monitoring(.region(own))), from: client)
        journey.harness.give(ClientRequest(.monitoring(.endRegion(identifier: "home", monitor: nil))), from: client)
        journey.stay(seconds: 60)
        journey.drive(to: Journey.home)
        #expect(journey.takeEvents() == [.enter])
    }
}
