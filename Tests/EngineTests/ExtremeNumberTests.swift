import ClientProtocol
import Engine
import NMEA0183
import Parts
import SextantUnits
import Testing

@testable import Access

/// Requests and sentences with numbers at the ends of their ranges and beyond, the same in every run of a seed.
private struct Extremes {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func next() -> UInt64 { random.next() }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next() % UInt64(elements.count))] }

    private static let numbers = [
        "0", "-0.0", "1", "-1", "0.1", "1e-308", "4.9e-324", "63", "64", "255", "256", "90", "-90", "90.0000001", "180",
        "-180", "360", "86400", "100000", "1e9", "-1e9", "9e9", "-9e9", "31536000", "40000000", "4294967295",
        "4294967296", "9007199254740993", "9.2e18", "9.3e18", "-9.3e18", "1.9e19", "1e38", "1e308", "-1e308",
        "1.7976931348623157e308",
    ]
    private static let values = numbers + ["true", "false", "null", "\"\"", "\"a\"", "\"best\"", "[]", "{}"]
    private static let requests = [
        "acknowledge", "authorize", "authorizeFullAccuracy", "change", "changeHeading", "clients", "compassStatus",
        "defer", "energy", "extendWake", "flush", "history", "holdSession", "locate", "locateOnce", "monitorRegion",
        "monitorSignificantChange", "monitorVisits", "privacy", "regionState", "registrations", "release",
        "releaseSession", "setCompassCalibration", "state", "status", "undefer", "unwatch", "visits", "watch",
        "watchCompass", "watchHeading",
    ]
    private static let members: [[String]] = [
        ["from", "to", "limit"], ["from", "to", "before", "limit"], ["timeoutSeconds", "accuracy"],
        ["latitude", "longitude", "radius", "identifier", "dwell", "cushion"],
        ["accuracy", "distanceFilter", "session"],
        ["distance", "timeout", "session"], ["filter", "session", "accuracy"], ["number", "session"], ["seconds"],
        ["accuracy", "minimumInterval", "distanceFilter"], ["enabled"], ["client", "limit"],
    ]

    /// A line with a request that may be a valid one, and with members that may be its own.
    mutating func request() -> String {
        var text = "{\"request\":\"\(pick(Extremes.requests))\""
        for member in pick(Extremes.members) where next() % 4 != 0 {
            let value = member == "identifier" ? "\"r\"" : pick(next() % 8 == 0 ? Extremes.values : Extremes.numbers)
            text += ",\"\(member)\":\(value)"
        }
        return text + "}"
    }

    /// A line with a circle that is valid, whose numbers are at the ends of their ranges.
    mutating func region() -> String {
        let (latitude, longitude) = (pick(["90", "-90", "47.3", "0"]), pick(["180", "-180", "8.5", "0"]))
        return "{\"request\":\"monitorRegion\",\"identifier\":\"\(pick(["a", "b", "c"]))\",\"latitude\":\(latitude),"
            + "\"longitude\":\(longitude),\"radius\":\(pick(["0", "1e-300", "1", "40000000"])),"
            + "\"dwell\":\(pick(["1", "31536000", "1.5"])),\"cushion\":\(pick(["0", "40000000"]))}"
    }

    /// The sentences of one epoch, with fields that a receiver may fill with anything.
    mutating func epoch() -> [UInt8] {
        let time = "\(pick(["000000", "235960", "120000", "120001", "240000"])).\(pick(["00", "999999999", "5"]))"
        let latitude = pick(["4722.61335", "9000.0", "0000.0", "9959.9999999999"])
        let longitude = pick(["00832.50181", "18000.0", "00000.0"])
        let huge = ["0.0", "1.0", "99999999999", "999999999999999999", "-999999999999999999", "0.0000000000000001"]
        let date = pick(["201126", "311299", "010180", "000000", "311261"])
        var bytes: [UInt8] = []
        NMEAEncoder.append(
            "GNRMC,\(time),A,\(latitude),N,\(longitude),E,\(pick(huge)),\(pick(["0.0", "360.0", "1e9"])),\(date),,,A",
            to: &bytes)
        NMEAEncoder.append(
            "GNGGA,\(time),\(latitude),N,\(longitude),E,1,\(pick(["12", "99", "999"])),\(pick(huge)),\(pick(huge)),M,"
                + "\(pick(huge)),M,,", to: &bytes)
        NMEAEncoder.append("GNGST,\(time),,,,,\(pick(huge)),\(pick(huge)),\(pick(huge))", to: &bytes)
        return bytes
    }

    /// Nanoseconds to go on by, from none to a century.
    mutating func step() -> Int64 {
        pick([0, 1, 100_000_000, 1_000_000_000, 60_000_000_000, 86_400_000_000_000, 3_156_000_000_000_000_000 / 64])
    }
}

@Suite("Extreme numbers in requests and sentences")
struct ExtremeNumberTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `no number in a request, sentence or time step crashes the daemon`(seed: UInt64) {
        var extremes = Extremes(seed: seed)
        var harness = Harness()
        harness.give(.clientConnected(ClientID(rawValue: 1), .local, PeerIdentity(userID: 0)))
        for round in 0..<1024 {
            let line = round % 8 == 0 ? extremes.region() : extremes.request()
            harness.give(.clientLine(ClientID(rawValue: 1), .local, Array(line.utf8)))
            if round % 4 == 0 { harness.give(.bytes(extremes.epoch())) }
            if round % 16 == 0 { harness.give(.timePassed) }
            if round % 512 == 0 { harness.give(.motion(round % 1024 == 0)) }
            if round % 8 == 0 { harness.now = harness.now.advanced(byNanoseconds: extremes.step()) }
        }
        harness.give(ClientRequest(.ping), from: ClientID(rawValue: 1))
        #expect(harness.sent(to: 1) == "{\"event\":\"pong\"}\n")
    }
}
