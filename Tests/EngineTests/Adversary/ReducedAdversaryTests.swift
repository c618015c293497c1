import ClientProtocol
import Emulation
import Foundation
import NMEA0183
import Receivers
import Sessions
import Testing
import Units

@testable import Engine

/// A client with reduced accuracy asks for whatever the protocol knows, while the board moves.
///
/// Two boards pass through the same cells at the same times. Within a cell one rests, and the other does not. What the
/// client is sent, and when, must be the same to the byte: then it holds nothing but the cells and their times.
@Suite("A client with reduced accuracy that wants to know more")
struct ReducedAdversaryTests {
    /// Days of movement; a whole year takes minutes, and so is only run by hand.
    private static let days = Int(ProcessInfo.processInfo.environment["SEXTANT_ADVERSARY_DAYS"] ?? "") ?? 4
    private static let requestCount = 10_000

    @Test func `learns the cells and when they change, and nothing of the way within a cell`() throws {
        var resting = AdversaryBench(roams: false)
        var roaming = AdversaryBench(roams: true)
        var chance = SplitMix64(seed: 20_261_124)
        var next = Crossing(minute: 60, direction: 1)
        var heard = Heard()
        let minutes = Self.days * 1440
        for minute in 0..<minutes {
            if minute > next.minute { next = Crossing(after: minute, &chance) }
            let count = Int(Double(Self.requestCount) / Double(minutes) + chance.nextUnit())
            let asked = (0..<count).map { _ in AdversaryRequests.random(&chance) }
            let told = (resting.live(minute, next, asked), roaming.live(minute, next, asked))
            try #require(told.0 == told.1, "minute \(minute)")
            heard.note(told.0)
        }
        #expect(resting.metresMoved * 1.5 < roaming.metresMoved, "the boards move differently")
        #expect(heard.kinds["location", default: 0] > Self.days * 90, "\(heard.kinds)")
        #expect(heard.kinds["visit", default: 0] > 8 && heard.kinds["regionEvent"] == nil, "\(heard.kinds)")
        #expect(heard.latitudes.count > 3, "\(heard.latitudes)")
    }
}

/// What the client was told, counted.
private struct Heard {
    var kinds: [String: Int] = [:]
    var latitudes: Set<String> = []

    mutating func note(_ lines: [String]) {
        for line in lines {
            if let start = line.firstRange(of: "\"event\":\"") {
                kinds[String(line[start.upperBound...].prefix { $0 != "\"" }), default: 0] += 1
            }
            if let start = line.firstRange(of: "\"latitude\":") {
                latitudes.insert(String(line[start.upperBound...].prefix { $0 != "," }))
            }
        }
    }
}

/// The next time at which the boards pass into another cell.
private struct Crossing {
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

/// A board that passes from cell to cell along a meridian, with an Engine and the client.
private struct AdversaryBench: ~Copyable {
    private static let client = ClientID(rawValue: 1)
    /// Degrees between the southern and the northern border of a cell, and metres.
    private static let (height, length) = (0.045, 5003.8)
    /// Metres in a minute at 15 m/s, and half of it, which is left to a border before and after it is crossed.
    private static let (stride, margin) = (900.0, 450.0)

    private let roams: Bool
    private var harness = Harness()
    private var chance: SplitMix64
    /// The southern border of the cell; degrees.
    private var border = 47.025
    /// Metres from there.
    private var offset = 2500.0
    /// Metres from there to which the board drives, to stay there or to turn back.
    private var goal = 2500.0
    private(set) var metresMoved = 0.0
    private var wasMoving: Bool?

    init(roams: Bool) {
        self.roams = roams
        chance = SplitMix64(seed: roams ? 1 : 2)
        var manifest = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        manifest.purposes = PurposeStrings(whenInUse: "w", always: "a", temporary: ["t": "t"])
        (manifest.backgroundMode, manifest.maximumRegions) = (true, 20)
        harness.give(.admission(Admission(manifests: ClientManifests([manifest]), policy: OperatorPolicy())))
        harness.give(.clientConnected(ClientID(rawValue: 9), .local, PeerIdentity(userID: 0)))
        let allow = OperatorRequest.answer(client: "tracker", .always, reducesAccuracy: true, mayBeWoken: nil)
        harness.give(ClientRequest(.operator(allow)), from: ClientID(rawValue: 9))
        harness.give(.clientConnected(Self.client, .local, PeerIdentity(userID: 1000, unit: "tracker.service")))
        ask(#"{"request":"watch","session":1,"accuracy":"best"}"#)
        ask(#"{"request":"monitorVisits","enabled":true}"#)
    }

    /// Lives through one minute: the requests, then a move and its fix.
    ///
    /// - Returns: The lines that the client was sent, each after the instant at which it was.
    mutating func live(_ minute: Int, _ crossing: Crossing, _ requests: [String]) -> [String] {
        var told: [String] = []
        let start = Int64(minute) * 60_000_000_000
        for (place, request) in requests.enumerated() {
            pass(to: start + Int64(place + 1) * 1_000_000, &told)
            ask(request)
            hear(&told)
        }
        pass(to: start + 59_000_000_000, &told)
        fix(minute, crossing)
        hear(&told)
        return told
    }

    private mutating func ask(_ request: String) {
        harness.give(.clientLine(Self.client, .local, Array(request.utf8)))
    }

    /// Lets time pass up to an instant, with every deadline that the Engine asked for.
    private mutating func pass(to instant: Int64, _ told: inout [String]) {
        while let wake = harness.wake, wake <= instant {
            harness.give(.timePassed, at: Double(max(wake, harness.now.nanoseconds)) * 1e-9)
            hear(&told)
            if let again = harness.wake, again <= harness.now.nanoseconds { break }
        }
        harness.now = MonotonicInstant(nanoseconds: instant)
    }

    private mutating func hear(_ told: inout [String]) {
        for line in harness.sent(to: 1).split(separator: "\n") { told.append("\(harness.now.nanoseconds) \(line)") }
    }

    // MARK: The way

    private mutating func fix(_ minute: Int, _ crossing: Crossing) {
        let moved = move(minute, crossing)
        metresMoved += abs(moved)
        let isMoving = abs(moved) > 1
        if isMoving != wasMoving { harness.give(.motion(isMoving)) }
        wasMoving = isMoving
        let knots = Double(Int(abs(moved) / 60 / 0.514444 * 10)) / 10
        harness.give(
            bytes: Self.epoch(
                minute, latitude: border + offset / Self.length * Self.height,
                motion: "\(knots),\(moved < 0 ? "180.0" : "0.0")"), at: Double(minute) * 60 + 59.1)
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

/// Everything that a client may ask, with numbers drawn at random.
private enum AdversaryRequests {
    static func random(_ chance: inout SplitMix64) -> String {
        let session = Int.random(in: 1...4, using: &chance)
        let latitude = 47.0 + chance.nextUnit() * 0.2
        let circle =
            "\"latitude\":\(latitude),\"longitude\":8.5417,\"radius\":\(Int.random(in: 10...3000, using: &chance))"
        let name = "r\(Int.random(in: 0...9, using: &chance))"
        let monitor = Bool.random(using: &chance) ? ",\"monitor\":\"m\"" : ""
        let accuracy =
            ["\"best\"", "\"bestForNavigation\"", "1", "100", "3000", "\"reduced\""].randomElement(using: &chance)
            ?? "1"
        let isOn = Bool.random(using: &chance)
        let all = [
            #""watch","session":\#(session),"accuracy":\#(accuracy),"distanceFilter":1,"activityType":"fitness""#,
            #""change","session":\#(session),"accuracy":\#(accuracy)"#, #""watch","satellites":true"#,
            #""watch","session":\#(session),"accuracy":\#(accuracy),"live":true"#, #""unwatch","session":\#(session)"#,
            #""locateOnce","session":\#(session),"accuracy":\#(accuracy)"#, #""locate","timeout":30,"accuracy":5"#,
            #""defer","session":\#(session),"distance":100"#, #""undefer","session":\#(session)"#, #""flush""#,
            #""release","session":\#(session)"#, #""state","state":"\#(isOn ? "foreground" : "background")""#,
            #""authorize","authorization":"always""#,
            #""holdSession","number":1,"kind":"service","authorization":"always""#,
            #""releaseSession","number":1"#, #""monitorSignificantChange","enabled":\#(isOn)"#,
            #""monitorVisits","enabled":\#(isOn)"#, #""monitorVisits","enabled":true"#,
            #""monitorRegion","identifier":"\#(name)",\#(circle)\#(monitor)"#,
            #""unmonitorRegion","identifier":"\#(name)"\#(monitor)"#,
            #""regionState","identifier":"\#(name)",\#(circle)"#,
            #""regionState","identifier":"\#(name)""#, #""registrations""#, #""status""#, #""energy""#, #""ping""#,
            #""acknowledge","number":\#(Int.random(in: 1...2000, using: &chance))"#, #""extendWake","seconds":20"#,
            #""track""#, #""visits""#, #""clients""#, #""watchHeading","session":\#(session)"#,
            #""watch","session":1,"accuracy":"best""#,
        ]
        return "{\"request\":\(all.randomElement(using: &chance) ?? "")}"
    }
}
