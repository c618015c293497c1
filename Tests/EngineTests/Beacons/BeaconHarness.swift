import Beacons
import ClientProtocol
import ClientVocabulary
import Emulation
import Monitors
import Parts
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine

/// An Engine with an emulated Bluetooth controller and clients with manifests, in virtual time.
struct BeaconHarness: ~Copyable {
    let engine: Engine
    var radio: EmulatedRadio
    private var outputs = Turn()
    private(set) var now = MonotonicInstant(nanoseconds: 0)
    private var wake: MonotonicInstant?
    /// Every line that was sent, with its client and its second.
    private(set) var lines: [(client: ClientID, seconds: Double, text: String)] = []
    /// The rows as the store holds them.
    private(set) var rows: [String: DurableRow] = [:]
    /// The units that were asked for.
    private(set) var wakes: [String] = []
    private(set) var recording: [UInt8] = FlightFormat.head
    private(set) var inputCount = 0
    private(set) var rowCount = 0

    static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    static let tracker = ClientID(rawValue: 1)
    static let root = ClientID(rawValue: 9)

    /// - Parameters:
    ///   - rows: What an earlier daemon stored.
    ///   - radio: The controller, as that daemon left it; nil where there is no management socket.
    init(
        rows: [DurableRow] = [], radio: EmulatedRadio? = EmulatedRadio(), isAuthorized: Bool = true,
        maximumRegions: Int = 1000, formats: Set<Beacon.Format> = [.iBeacon, .altBeacon], rangingDuty: Double? = nil
    ) throws {
        let date = try #require(CivilDate(iso8601: "2026-11-20"))
        var configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: nil, lastBaud: nil, now: UTCInstant(date: date, timeOfDay: 0))
        configuration.radio.formats = formats
        configuration.radio.rangingDuty = rangingDuty
        engine = Engine(configuration)
        self.radio = radio ?? EmulatedRadio()
        give(.started(configuration))
        give(.admission(BeaconHarness.admission(maximumRegions: maximumRegions)))
        for row in rows { give(.storeFound(row)) }
        give(.storeRead)
        if radio != nil { give(.radioOpened) }
        connect(BeaconHarness.root, PeerIdentity(userID: 0))
        if isAuthorized {
            ask(
                .operator(.answer(client: "tracker", .always, reducesAccuracy: nil, mayBeWoken: nil)),
                of: BeaconHarness.root)
        }
    }

    static func admission(maximumRegions: Int = 1000, wakeUnit: String? = "tracker.service") -> Admission {
        var manifest = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        manifest.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
        manifest.wakeUnit = wakeUnit
        manifest.maximumRegions = maximumRegions
        return Admission(manifests: ClientManifests([manifest]), policy: OperatorPolicy())
    }

    mutating func connect(_ id: ClientID = tracker, _ identity: PeerIdentity? = nil) {
        give(.clientConnected(id, .local, identity ?? PeerIdentity(userID: 1000, unit: "tracker.service")))
    }

    mutating func give(_ input: Input) {
        engine.handle(input, at: now, into: &outputs)
        inputCount += 1
        FlightFormat.append(input, at: now, digest: OutputDigest(of: outputs).value, to: &recording)
        carryOut()
    }

    mutating func ask(_ kind: ClientRequest.Kind, session: UInt8 = 0, of client: ClientID = tracker) {
        engine.handle(.success(ClientRequest(kind, session: session)), of: client, at: now, into: &outputs)
        carryOut()
    }

    /// A line as a client sends it.
    mutating func ask(line: String, of client: ClientID = tracker) {
        give(.clientLine(client, .local, Array(line.utf8)))
    }

    private mutating func carryOut() {
        wake = outputs.wake
        var commands: [[UInt8]] = []
        for action in outputs.actions {
            switch action {
            case .send(let client, let range):
                lines.append((client, Double(now.nanoseconds) * 1e-9, String(decoding: bytes(range), as: UTF8.self)))
            case .radio(let range): commands.append(bytes(range))
            case .store(.put(let row)):
                rows["\(row.table)/\(row.client)/\(row.name)"] = row
                rowCount += 1
            case .store(.remove(let table, let client, let name)): rows["\(table)/\(client)/\(name)"] = nil
            case .wake(_, let unit, _): wakes.append(unit)
            default: break
            }
        }
        for command in commands { radio.take(command) }
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        outputs.text.bytes(range)
    }

    /// Lets seconds pass.
    mutating func run(seconds: Double) {
        let end = now.advanced(byNanoseconds: Int64(seconds * 1e9))
        while true {
            var events: [[UInt8]] = []
            radio.advance(to: now) { events.append($0) }
            for event in events { give(.radioEvent(event)) }
            if let wake, wake <= now { give(.timePassed) }
            let next = [radio.nextEvent, wake, end].compactMap(\.self).min() ?? end
            if now >= end, next >= end, radio.nextEvent.map({ $0 > end }) ?? true { return }
            now = max(now, min(next, end))
        }
    }

    // MARK: Beacons

    /// Places a beacon of the UUID.
    ///
    /// - Parameter interval: Seconds between its advertisements.
    mutating func place(
        major: UInt16 = 1, minor: UInt16 = 2, level: Double? = -60, interval: Double = 0.1, address: UInt8 = 1
    ) throws -> Int {
        radio.place(
            EmulatedBeacon(
                advertisement: try BeaconHarness.advertisement(major: major, minor: minor),
                address: [address, 0, 0, 0, 0, 0xC0], interval: interval, level: level))
    }

    static func advertisement(major: UInt16 = 1, minor: UInt16 = 2) throws -> [UInt8] {
        let identity = BeaconIdentity(uuid: try #require(BeaconUUID(uuid)), major: major, minor: minor)
        return [2, 1, 6] + identity.advertisement(measuredPower: -59)
    }

    static func constraint(major: UInt16? = nil, minor: UInt16? = nil) throws -> BeaconConstraint {
        let uuid = try #require(BeaconUUID(uuid))
        return try #require(BeaconConstraint(uuid: uuid, major: major, minor: minor))
    }

    mutating func monitor(
        _ identifier: String = "stable", major: UInt16? = nil, monitor: String? = nil,
        _ change: (inout RegionRequest) -> Void = { _ in }
    ) throws {
        var region = RegionRequest(identifier: identifier, .beacons(try BeaconHarness.constraint(major: major)))
        region.monitor = monitor
        change(&region)
        ask(.monitoring(.region(region)))
    }

    // MARK: What came of it

    /// The lines of an event that a client was sent since the last call of `forget`.
    func lines(_ event: String, to client: ClientID = tracker) -> [String] {
        lines.filter { $0.client == client && $0.text.hasPrefix("{\"event\":\"\(event)\"") }.map(\.text)
    }

    func seconds(of event: String) -> [Double] {
        lines.filter { $0.text.hasPrefix("{\"event\":\"\(event)\"") }.map(\.seconds)
    }

    /// The transitions of the region events, each with its state.
    var transitions: [String] {
        lines("regionEvent").map { line in
            "\(BeaconHarness.member("transition", line) ?? "") \(BeaconHarness.member("state", line) ?? "")"
        }
    }

    mutating func forget() { lines.removeAll() }

    /// A member's text or number in a line.
    static func member(_ key: String, _ line: String) -> String? {
        guard case .object(let members)? = try? JSONValue(parsing: Array(line.utf8)) else { return nil }
        switch members[key] {
        case .string(let text): return text
        case .number(let number): return "\(number)"
        default: return nil
        }
    }
}
