import GNSS
import NMEA0183
import Units

/// One epoch in NMEA 0183, in the order and with the talkers of a u-blox M8: RMC, VTG, GGA, GSA, GSV, GLL.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), sections 31.2.5 to 31.2.20; satellite numbers by 31.1.4.
struct NMEABurst {
    /// A system with its talker and its numbers of NMEA 4.11: the system in GSA, the signal in GSV.
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

    /// Which sentences are due, in their order.
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
        if sentences.contains(.minimum) { add(recommendedMinimum, to: &bytes) }
        if sentences.contains(.courseAndSpeed) { add(courseAndSpeed, to: &bytes) }
        if sentences.contains(.fixData) { add(fixData, to: &bytes) }
        if sentences.contains(.active) { for system in Self.systems { add(active(system), to: &bytes) } }
        if solution.reportsSky, sentences.contains(.inView) {
            for system in Self.systems { for body in inView(system) { add(body, to: &bytes) } }
        }
        if sentences.contains(.geographicPosition) { add(geographicPosition, to: &bytes) }
    }

    private func add(_ body: SentenceBody, to bytes: inout [UInt8]) {
        NMEAEncoder.append(body.bytes.span, to: &bytes)
    }

    private var recommendedMinimum: SentenceBody {
        var body = SentenceBody("GNRMC")
        addTime(&body)
        body.field(solution.position == nil ? "V" : "A")
        addCoordinates(&body)
        body.field(solution.position.map { $0.speed / Self.metresPerSecondPerKnot }, decimals: 3)
        body.field(movingCourse, decimals: 2)
        addDate(&body)
        body.emptyFields(2)
        body.field(mode)
        if hasSystemIdentifiers { body.field("V") }
        return body
    }

    private var courseAndSpeed: SentenceBody {
        var body = SentenceBody("GNVTG")
        guard let position = solution.position else {
            body.emptyFields(8)
            body.field("N")
            return body
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
        return body
    }

    private var fixData: SentenceBody {
        var body = SentenceBody("GNGGA")
        addTime(&body)
        addCoordinates(&body)
        body.field(solution.position == nil ? "0" : "1")
        body.field(min(solution.usedCount, Self.usedPerSentence), width: 2)
        body.field(reported(solution.sky.dilution.horizontal), decimals: 2)
        guard let position = solution.position else {
            body.emptyFields(6)
            return body
        }
        body.field(position.altitudeAboveMeanSeaLevel, decimals: 1)
        body.field("M")
        body.field(position.geoidSeparation, decimals: 1)
        body.field("M")
        body.emptyFields(2)
        return body
    }

    private func active(_ system: System) -> SentenceBody {
        var body = SentenceBody("GNGSA")
        body.field("A")
        body.field(mode3D)
        let used = solution.sky.satellites.filter { $0.isUsed && system.members.contains($0.id.constellation) }
        for satellite in used.prefix(Self.usedPerSentence) { body.field(number(of: satellite.id), width: 2) }
        body.emptyFields(max(Self.usedPerSentence - used.count, 0))
        body.field(reported(solution.sky.dilution.position), decimals: 2)
        body.field(reported(solution.sky.dilution.horizontal), decimals: 2)
        body.field(reported(solution.sky.dilution.vertical), decimals: 2)
        if hasSystemIdentifiers { body.field("\(system.number)") }
        return body
    }

    private func inView(_ system: System) -> [SentenceBody] {
        let satellites = solution.sky.satellites.filter { system.members.contains($0.id.constellation) }
        let count = max((satellites.count + Self.viewPerSentence - 1) / Self.viewPerSentence, 1)
        return (0..<count).map { index in
            var body = SentenceBody(system.talker + "GSV")
            body.field("\(count)")
            body.field("\(index + 1)")
            body.field(satellites.count, width: 2)
            for satellite in satellites.dropFirst(index * Self.viewPerSentence).prefix(Self.viewPerSentence) {
                addView(of: satellite, to: &body)
            }
            if hasSystemIdentifiers { body.field(satellites.isEmpty ? "0" : system.signal) }
            return body
        }
    }

    private func addView(of satellite: Satellite, to body: inout SentenceBody) {
        body.field(number(of: satellite.id), width: 2)
        body.field(satellite.elevation.map(Int.init), width: 2)
        body.field(satellite.azimuth.map(Int.init), width: 3)
        body.field(satellite.carrierToNoise.map(Int.init), width: 2)
    }

    private var geographicPosition: SentenceBody {
        var body = SentenceBody("GNGLL")
        addCoordinates(&body)
        addTime(&body)
        body.field(solution.position == nil ? "V" : "A")
        body.field(mode)
        return body
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
        // 359.996 must not be printed as 360.00.
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

    /// SBAS 33 to 64, GLONASS 65 to 96; Galileo and BeiDou 301 and 401 up where GSA cannot name the system.
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
