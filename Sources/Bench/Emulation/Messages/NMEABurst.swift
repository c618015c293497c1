import GNSS
import NMEA0183
import SextantUnits

/// The NMEA 0183 sentences of one epoch, in the order and with the talkers of a u-blox M8: RMC, VTG, GGA, GSA, GSV,
/// GLL.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), sections 31.2.5 to 31.2.20; satellite numbers by 31.1.4.
struct NMEABurst {
    /// A satellite system in NMEA 4.11: its talker, its system identifier in GSA (`number`) and its signal identifier
    /// in GSV (`signal`).
    private struct System {
        var talker: String
        var number: Int
        var signal: String
        var members: [Constellation]
    }

    private static let systems = [
        System(talker: "GP", number: 1, signal: "1", members: [.gps, .sbas]),
        System(talker: "GL", number: 2, signal: "1", members: [.glonass]),
        System(talker: "GA", number: 3, signal: "7", members: [.galileo]),
        System(talker: "GB", number: 4, signal: "1", members: [.beidou]),
    ]

    private static let metresPerSecondPerKnot = 1852.0 / 3600
    private static let usedPerSentence = 12
    private static let viewPerSentence = 4
    private static let unknownDilution = 99.99

    let solution: SyntheticSolution
    let hasSystemIdentifiers: Bool
    var sentences = Sentences.all
    /// The satellite systems that the receiver is set to use; for other systems no GSA and GSV sentences are sent.
    var constellations = SyntheticSky.allConstellations

    /// The types of sentence that are due in this epoch, in the order in which they are sent.
    struct Sentences: OptionSet, Sendable {
        var rawValue: UInt8
        static let minimum = Sentences(rawValue: 1)
        static let courseAndSpeed = Sentences(rawValue: 2)
        static let fixData = Sentences(rawValue: 4)
        static let active = Sentences(rawValue: 8)
        static let inView = Sentences(rawValue: 16)
        static let geographicPosition = Sentences(rawValue: 32)
        static let all = Sentences(rawValue: 63)
    }

    private var mode: String { solution.position == nil ? "N" : "A" }

    func append(to bytes: inout [UInt8]) {
        var body = SentenceBody()
        if sentences.contains(.minimum) { writeRecommendedMinimum(&body, &bytes) }
        if sentences.contains(.courseAndSpeed) { writeCourseAndSpeed(&body, &bytes) }
        if sentences.contains(.fixData) { writeFixData(&body, &bytes) }
        for system in Self.systems where sentences.contains(.active) && isReceived(system) {
            writeActive(system, &body, &bytes)
        }
        for system in Self.systems
        where solution.reportsSky && sentences.contains(.inView) && isReceived(system) {
            writeInView(system, &body, &bytes)
        }
        if sentences.contains(.geographicPosition) { writeGeographicPosition(&body, &bytes) }
    }

    private func isReceived(_ system: System) -> Bool { constellations.contains { system.members.contains($0) } }

    private func add(_ body: SentenceBody, to bytes: inout [UInt8]) {
        NMEAEncoder.append(body.bytes.span, to: &bytes)
    }

    private func writeRecommendedMinimum(_ body: inout SentenceBody, _ bytes: inout [UInt8]) {
        body.begin("GNRMC")
        addTime(&body)
        body.field(solution.position == nil ? "V" : "A")
        addCoordinates(&body)
        body.field(solution.position.map { $0.speed / Self.metresPerSecondPerKnot }, decimals: 3)
        body.field(movingCourse, decimals: 2)
        addDate(&body)
        body.emptyFields(2)
        body.field(mode)
        if hasSystemIdentifiers { body.field("V") }
        add(body, to: &bytes)
    }

    private func writeCourseAndSpeed(_ body: inout SentenceBody, _ bytes: inout [UInt8]) {
        body.begin("GNVTG")
        guard let position = solution.position else {
            body.emptyFields(8)
            body.field("N")
            return add(body, to: &bytes)
        }
        body.field(movingCourse, decimals: 2)
        body.field("T")
        body.field()
        body.field("M")
        body.field(position.speed / Self.metresPerSecondPerKnot, decimals: 3)
        body.field("N")
        body.field(position.speed * 3.6, decimals: 3)
        body.field("K")
        body.field(mode)
        add(body, to: &bytes)
    }

    private func writeFixData(_ body: inout SentenceBody, _ bytes: inout [UInt8]) {
        body.begin("GNGGA")
        addTime(&body)
        addCoordinates(&body)
        body.field(solution.position == nil ? "0" : "1")
        body.field(min(solution.usedCount, Self.usedPerSentence), width: 2)
        body.field(reported(solution.sky.dilution.horizontal), decimals: 2)
        guard let position = solution.position else {
            body.emptyFields(6)
            return add(body, to: &bytes)
        }
        body.field(position.altitudeAboveMeanSeaLevel, decimals: 1)
        body.field("M")
        body.field(position.geoidSeparation, decimals: 1)
        body.field("M")
        body.emptyFields(2)
        add(body, to: &bytes)
    }

    private func writeActive(_ system: System, _ body: inout SentenceBody, _ bytes: inout [UInt8]) {
        body.begin("GNGSA")
        body.field("A")
        body.field(mode3D)
        var count = 0
        for satellite in solution.sky.satellites
        where satellite.isUsed && count < Self.usedPerSentence && system.members.contains(satellite.id.constellation) {
            body.field(number(of: satellite.id), width: 2)
            count += 1
        }
        body.emptyFields(Self.usedPerSentence - count)
        body.field(reported(solution.sky.dilution.position), decimals: 2)
        body.field(reported(solution.sky.dilution.horizontal), decimals: 2)
        body.field(reported(solution.sky.dilution.vertical), decimals: 2)
        if hasSystemIdentifiers { body.field(system.number, width: 1) }
        add(body, to: &bytes)
    }

    private func writeInView(_ system: System, _ body: inout SentenceBody, _ bytes: inout [UInt8]) {
        let all = solution.sky.satellites
        let inView = all.count { system.members.contains($0.id.constellation) }
        let count = max((inView + Self.viewPerSentence - 1) / Self.viewPerSentence, 1)
        var next = 0
        for index in 0..<count {
            body.begin(system.talker, "GSV")
            body.field(count, width: 1)
            body.field(index + 1, width: 1)
            body.field(inView, width: 2)
            var written = 0
            while next < all.count, written < Self.viewPerSentence {
                if system.members.contains(all[next].id.constellation) {
                    addView(of: all[next], to: &body)
                    written += 1
                }
                next += 1
            }
            if hasSystemIdentifiers { body.field(inView == 0 ? "0" : system.signal) }
            add(body, to: &bytes)
        }
    }

    private func addView(of satellite: Satellite, to body: inout SentenceBody) {
        body.field(number(of: satellite.id), width: 2)
        body.field(satellite.elevation.map(Int.init), width: 2)
        body.field(satellite.azimuth.map(Int.init), width: 3)
        body.field(satellite.carrierToNoise.map(Int.init), width: 2)
    }

    private func writeGeographicPosition(_ body: inout SentenceBody, _ bytes: inout [UInt8]) {
        body.begin("GNGLL")
        addCoordinates(&body)
        addTime(&body)
        body.field(solution.position == nil ? "V" : "A")
        body.field(mode)
        add(body, to: &bytes)
    }

    private var mode3D: String {
        switch solution.fixType {
        case .noFix, .timeOnly: "1"
        case .twoD, .deadReckoningOnly: "2"
        case .threeD, .gnssPlusDeadReckoning: "3"
        }
    }

    private var movingCourse: Double? {
        guard let position = solution.position, position.isMoving else { return nil }
        // A course such as 359.996° would be rounded to 360.00, which is out of range, so it becomes 0.
        let rounded = (position.courseOverGround * 100).rounded() / 100
        return rounded >= 360 ? 0 : rounded
    }

    private func reported(_ dilution: Double?) -> Double {
        min(dilution ?? Self.unknownDilution, Self.unknownDilution)
    }

    private func addTime(_ body: inout SentenceBody) {
        guard solution.isTimeKnown else { return body.field() }
        body.time(ofDay: solution.time.timeOfDay)
    }

    private func addDate(_ body: inout SentenceBody) {
        guard solution.isDateKnown else { return body.field() }
        let date = solution.time.date
        body.field(Int(date.day) * 10_000 + Int(date.month) * 100 + Int(date.year % 100), width: 6)
    }

    private func addCoordinates(_ body: inout SentenceBody) {
        guard let position = solution.position else { return body.emptyFields(4) }
        body.coordinate(position.latitude, degreeWidth: 2, positive: "N", negative: "S")
        body.coordinate(position.longitude, degreeWidth: 3, positive: "E", negative: "W")
    }

    /// The number of a satellite in NMEA sentences: 33 to 64 for SBAS, 65 to 96 for GLONASS.
    ///
    /// Numbers of Galileo begin at 301 and those of BeiDou at 401 if GSA has no system identifier.
    private func number(of id: SatelliteID) -> Int {
        switch id.constellation {
        case .sbas: Int(id.number) - 87
        case .glonass: Int(id.number) + 64
        case .galileo: Int(id.number) + (hasSystemIdentifiers ? 0 : 300)
        case .beidou: Int(id.number) + (hasSystemIdentifiers ? 0 : 400)
        case .gps, .imes, .qzss, .navic: Int(id.number)
        }
    }
}
