import Emulation
import Foundation
import NMEA0183
import Parts
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine

/// The next time at which the boards pass into another cell.
struct Crossing {
    /// The minute after whose fix they cross the border.
    let minute: Int
    /// 1 to the north, -1 to the south.
    let direction: Int

    init(minute: Int, direction: Int) { (self.minute, self.direction) = (minute, direction) }

    init(after minute: Int, _ chance: inout SplitMix64) {
        self.init(
            minute: minute + Int.random(in: 30...300, using: &chance), direction: Bool.random(using: &chance) ? 1 : -1)
    }
}

/// A board that passes from cell to cell along a meridian, with an Engine, an operator, a client with full accuracy that
/// watches a beacon, and the one with reduced accuracy, which has a connection of each protocol.
struct AdversaryBench: ~Copyable {
    private static let (client, gpsd) = (ClientID(rawValue: 1), ClientID(rawValue: 2))
    private static let (witness, root) = (ClientID(rawValue: 3), ClientID(rawValue: 9))
    /// Degrees between the southern and the northern border of a cell, and metres.
    private static let (height, length) = (0.045, 5003.8)
    /// Metres in a minute at 15 m/s, and half of it, which is left to a border before and after it is crossed.
    private static let (stride, margin) = (900.0, 450.0)

    private let roams: Bool
    private var harness = Harness()
    private var radio = EmulatedRadio()
    private var beacon = 0
    private var rows: [String: DurableRow] = [:]
    private var chance: SplitMix64
    /// The southern border of the cell; degrees.
    private var border = 47.025
    /// Metres from there.
    private var offset = 2500.0
    /// Metres from there to which the board drives, to stay there or to turn back.
    private var goal = 2500.0
    private(set) var metresMoved = 0.0
    /// The times that the witness was told that the beacon came or went.
    private(set) var heardCount = 0
    private var wasMoving: Bool?
    private var told: [String] = []

    init(roams: Bool) throws {
        self.roams = roams
        chance = SplitMix64(seed: roams ? 1 : 2)
        beacon = radio.place(EmulatedBeacon(advertisement: try BeaconHarness.advertisement(), interval: 1, level: nil))
        start()
    }

    /// Ends the Engine and makes another of what it stored, as a restart of the daemon does.
    mutating func restart() throws {
        give(.stopping)
        let now = harness.now
        harness = Harness()
        harness.now = now
        start()
    }

    private mutating func start() {
        let manifests = ClientManifests(["tracker", "witness"].map(Self.manifest))
        give(.admission(Admission(manifests: manifests, policy: OperatorPolicy())))
        for row in rows.values.sorted(by: { $0.name < $1.name }) { give(.storeFound(row)) }
        give(.storeRead)
        give(.radioOpened)
        give(.clientConnected(Self.root, .local, PeerIdentity(userID: 0)))
        if rows.isEmpty {
            ask(#"{"request":"answer","client":"tracker","answer":"always","accuracy":"reduced"}"#, of: Self.root)
            ask(#"{"request":"answer","client":"witness","answer":"always"}"#, of: Self.root)
        }
        give(.clientConnected(Self.witness, .local, PeerIdentity(userID: 1000, unit: "witness.service")))
        ask(
            "{\"request\":\"monitorRegion\",\"identifier\":\"gate\",\"uuid\":\"\(BeaconHarness.uuid)\"}",
            of: Self.witness)
        let identity = PeerIdentity(userID: 1000, unit: "tracker.service")
        give(.clientConnected(Self.client, .local, identity))
        give(.clientConnected(Self.gpsd, .gpsd, identity))
        ask(#"{"request":"watch","session":1,"accuracy":"best"}"#)
        ask(#"{"request":"monitorVisits","enabled":true}"#)
    }

    private static func manifest(of name: String) -> ClientManifest {
        var manifest = ClientManifest(name: name, selector: ClientSelector(unit: "\(name).service"))
        manifest.purposes = PurposeStrings(whenInUse: "w", always: "a", temporary: ["t": "t"])
        (manifest.backgroundMode, manifest.maximumRegions) = (true, 20)
        return manifest
    }

    /// Lives through one minute: the requests, then a move and its fix.
    ///
    /// - Returns: The lines that the client was sent, each after the instant at which it was.
    mutating func live(_ minute: Int, _ crossing: Crossing, _ requests: [String]) -> [String] {
        told.removeAll()
        let start = Int64(minute) * 60_000_000_000
        for (place, request) in requests.enumerated() {
            pass(to: start + Int64(place + 1) * 1_000_000)
            ask(request, of: request.hasPrefix("?") ? Self.gpsd : Self.client)
        }
        pass(to: start + 59_000_000_000)
        fix(minute, crossing)
        return told
    }

    private mutating func ask(_ request: String, of client: ClientID = client) {
        give(.clientLine(client, client == Self.gpsd ? .gpsd : .local, Array(request.utf8)))
    }

    /// Lets time pass up to an instant, with every deadline that the Engine asked for and every event of the radio.
    private mutating func pass(to instant: Int64) {
        let end = MonotonicInstant(nanoseconds: instant)
        while true {
            var events: [[UInt8]] = []
            radio.advance(to: harness.now) { events.append($0) }
            for event in events { give(.radioEvent(event)) }
            if let wake = harness.wake, wake <= harness.now.nanoseconds { give(.timePassed) }
            let next = min(radio.nextEvent ?? end, harness.wake.map(MonotonicInstant.init(nanoseconds:)) ?? end, end)
            if harness.now >= end, radio.nextEvent.map({ $0 > end }) ?? true { return }
            harness.now = max(harness.now, next)
        }
    }

    private mutating func give(_ input: Input) {
        harness.give(input)
        carryOut()
    }

    /// Does what the Engine wants done: what is stored is kept, and what is sent is heard.
    private mutating func carryOut() {
        for (place, client) in [Self.client, Self.gpsd].enumerated() {
            for line in harness.sent(to: client.rawValue).split(separator: "\n") {
                told.append("\(harness.now.nanoseconds) \(place) \(line)")
            }
        }
        heardCount += harness.sent(to: Self.witness.rawValue).split(separator: "\n").count {
            $0.hasPrefix(Self.crossed)
        }
        var commands: [[UInt8]] = []
        for action in harness.outputs.actions {
            switch action {
            case .store(.put(let row)): rows["\(row.table)/\(row.client)/\(row.name)"] = row
            case .store(.remove(let table, let client, let name)): rows["\(table)/\(client)/\(name)"] = nil
            case .radio(let range):
                commands.append(harness.outputs.text.bytes(range))
            default: break
            }
        }
        for command in commands { radio.take(command) }
    }

    private static let crossed = #"{"event":"regionEvent""#

    // MARK: The way

    private mutating func fix(_ minute: Int, _ crossing: Crossing) {
        let moved = move(minute, crossing)
        metresMoved += abs(moved)
        let isMoving = abs(moved) > 1
        if isMoving != wasMoving { give(.motion(isMoving)) }
        wasMoving = isMoving
        radio.setLevel(roams && offset < 2000 ? -60 : nil, ofBeacon: beacon)
        let knots = Double(Int(abs(moved) / 60 / 0.514444 * 10)) / 10
        harness.give(
            bytes: Self.epoch(
                minute, latitude: border + offset / Self.length * Self.height,
                motion: "\(knots),\(moved < 0 ? "180.0" : "0.0")"), at: Double(minute) * 60 + 59.1)
        carryOut()
    }

    /// Moves for a minute.
    ///
    /// - Returns: The metres to the north.
    private mutating func move(_ minute: Int, _ crossing: Crossing) -> Double {
        if minute == crossing.minute + 1 { return cross(crossing.direction) }
        let exit = crossing.direction > 0 ? Self.length - Self.margin : Self.margin
        let mustLeave = abs(exit - offset) >= Double(crossing.minute - minute) * Self.stride
        if !mustLeave, abs(goal - offset) < 1, roams || chance.next() % 60 == 0 {
            goal = chance.next(in: Self.margin...(Self.length - Self.margin))
        }
        let way = (mustLeave ? exit : goal) - offset
        let step = min(max(way, -Self.stride), Self.stride)
        offset += step
        return step
    }

    private mutating func cross(_ direction: Int) -> Double {
        border += Double(direction) * Self.height
        offset = direction > 0 ? Self.margin : Self.length - Self.margin
        goal = chance.next(in: Self.margin...(Self.length - Self.margin))
        return Double(direction) * 2 * Self.margin
    }

    private static func epoch(_ minute: Int, latitude: Double, motion: String) -> [UInt8] {
        let time = "\(two(minute / 60 % 24))\(two(minute % 60))59.00"
        let date = CivilDate(daysSince1970: Int32(20_777 + minute / 1440))
        let day = "\(two(Int(date.day)))\(two(Int(date.month)))\(two(Int(date.year) % 100))"
        let degrees = Int(latitude)
        let minutes = String(format: "%08.5f", (latitude - Double(degrees)) * 60)
        var bytes: [UInt8] = []
        NMEAEncoder.append("GNRMC,\(time),A,\(degrees)\(minutes),N,00832.50181,E,\(motion),\(day),,,A", to: &bytes)
        NMEAEncoder.append(
            "GNGGA,\(time),\(degrees)\(minutes),N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &bytes)
        return bytes
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
