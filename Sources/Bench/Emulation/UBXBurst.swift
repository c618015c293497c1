import GNSS
import UBX
import Units

/// One epoch in UBX: NAV-PVT, NAV-SAT, NAV-DOP, and at its end NAV-EOE.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), sections 32.17.14 (PVT), 32.17.21 (SAT), 32.17.4 (DOP)
/// and 32.17.6 (EOE), which also says that EOE follows the NMEA output.
enum UBXBurst {
    static func appendSolution(_ solution: SyntheticSolution, to bytes: inout [UInt8]) {
        UBXEncoder.append(.navPVT, payload: positionVelocityTime(solution).span, into: &bytes)
        if solution.reportsSky { UBXEncoder.append(.navSAT, payload: satellites(solution).span, into: &bytes) }
        UBXEncoder.append(.navDOP, payload: dilution(solution).span, into: &bytes)
    }

    static func appendEndOfEpoch(_ solution: SyntheticSolution, to bytes: inout [UInt8]) {
        var payload: [UInt8] = []
        payload.appendLittleEndian(solution.timeOfWeek)
        UBXEncoder.append(.navEOE, payload: payload.span, into: &bytes)
    }

    private static func positionVelocityTime(_ solution: SyntheticSolution) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(92)
        payload.appendLittleEndian(solution.timeOfWeek)
        appendTime(solution, to: &payload)
        payload.append(solution.fixType.rawValue)
        payload.append(solution.position == nil ? 0x00 : 0x01)
        payload.append(solution.isDateKnown ? 0xE0 : 0x20)
        payload.append(UInt8(clamping: solution.usedCount))
        if let position = solution.position {
            appendPosition(position, to: &payload)
        } else {
            appendNoPosition(to: &payload)
        }
        payload.appendLittleEndian(hundredths(solution.sky.dilution.position))
        payload.append(contentsOf: [UInt8](repeating: 0, count: 6))
        payload.appendLittleEndian(scaled(solution.position?.courseOverGround ?? 0, by: 1e5))
        payload.append(contentsOf: [UInt8](repeating: 0, count: 4))
        return payload
    }

    /// Year to nano; before the date is known, the firmware's own beginning of time without the valid bits.
    private static func appendTime(_ solution: SyntheticSolution, to payload: inout [UInt8]) {
        let firmware = UTCInstant(nanoseconds: 1_445_126_400_000_000_000)
        let unknown = firmware.advanced(byNanoseconds: Int64(solution.timeOfWeek) * 1_000_000)
        let date = (solution.isDateKnown ? solution.time : unknown).date
        let timeOfDay = (solution.isTimeKnown ? solution.time : unknown).timeOfDay
        let seconds = timeOfDay / 1_000_000_000
        payload.appendLittleEndian(UInt16(date.year))
        payload.append(contentsOf: [date.month, date.day])
        payload.append(contentsOf: [UInt8(seconds / 3600), UInt8(seconds / 60 % 60), UInt8(seconds % 60)])
        payload.append((solution.isDateKnown ? 0x05 : 0x00) | (solution.isTimeKnown ? 0x02 : 0x00))
        payload.appendLittleEndian(timeAccuracy(solution))
        payload.appendLittleEndian(Int32(timeOfDay % 1_000_000_000 + solution.clockError))
    }

    /// Nanoseconds.
    private static func timeAccuracy(_ solution: SyntheticSolution) -> UInt32 {
        guard solution.isTimeKnown else { return .max }
        return solution.position == nil ? 1_000_000_000 : 300
    }

    private static func appendPosition(_ position: SyntheticSolution.Position, to payload: inout [UInt8]) {
        payload.appendLittleEndian(scaled(position.longitude, by: 1e7))
        payload.appendLittleEndian(scaled(position.latitude, by: 1e7))
        payload.appendLittleEndian(scaled(position.altitudeAboveMeanSeaLevel + position.geoidSeparation, by: 1000))
        payload.appendLittleEndian(scaled(position.altitudeAboveMeanSeaLevel, by: 1000))
        payload.appendLittleEndian(scaled(position.horizontalAccuracy, by: 1000))
        payload.appendLittleEndian(scaled(position.verticalAccuracy, by: 1000))
        payload.appendLittleEndian(scaled(position.velocity.north, by: 1000))
        payload.appendLittleEndian(scaled(position.velocity.east, by: 1000))
        payload.appendLittleEndian(scaled(position.velocity.down, by: 1000))
        payload.appendLittleEndian(scaled(position.speed, by: 1000))
        payload.appendLittleEndian(scaled(position.courseOverGround, by: 1e5))
        payload.appendLittleEndian(scaled(position.speedAccuracy, by: 1000))
        payload.appendLittleEndian(scaled(position.courseAccuracy, by: 1e5))
    }

    /// Longitude to course accuracy as an M8 sends them without a fix.
    private static func appendNoPosition(to payload: inout [UInt8]) {
        for value in [Int32(0), 0, 0, -17_000] { payload.appendLittleEndian(value) }
        for _ in 0..<2 { payload.appendLittleEndian(UInt32.max) }
        for value in [Int32(0), 0, 0, 0, 0, 20_000, 18_000_000] { payload.appendLittleEndian(value) }
    }

    private static func satellites(_ solution: SyntheticSolution) -> [UInt8] {
        let satellites = solution.sky.satellites
        var payload: [UInt8] = []
        payload.appendLittleEndian(solution.timeOfWeek)
        payload.append(contentsOf: [1, UInt8(clamping: satellites.count), 0, 0])
        for satellite in satellites {
            payload.append(contentsOf: [satellite.id.constellation.rawValue, satellite.id.number])
            payload.append(satellite.carrierToNoise ?? 0)
            payload.append(UInt8(bitPattern: Int8(clamping: satellite.elevation ?? -91)))
            payload.appendLittleEndian(satellite.azimuth ?? 0)
            payload.appendLittleEndian(satellite.pseudorangeResidualDecimetres ?? 0)
            payload.appendLittleEndian(flags(of: satellite))
        }
        return payload
    }

    /// Quality in bits 2:0, used in 3, health in 5:4, smoothed in 7, orbit source in 10:8, ephemeris in 11, almanac in 12.
    private static func flags(of satellite: Satellite) -> UInt32 {
        let hasEphemeris = satellite.hasEphemeris == true
        let quality = UInt32(satellite.quality ?? 0)
        let orbit: UInt32 = hasEphemeris ? 0x0900 : 0x0200
        return quality | (satellite.isUsed ? 0x08 : 0) | UInt32(satellite.health.rawValue) << 4 | orbit | 0x1000
    }

    private static func dilution(_ solution: SyntheticSolution) -> [UInt8] {
        let dilution = solution.sky.dilution
        var payload: [UInt8] = []
        payload.appendLittleEndian(solution.timeOfWeek)
        for value in [
            dilution.geometric, dilution.position, dilution.time, dilution.vertical, dilution.horizontal,
            dilution.northing, dilution.easting,
        ] {
            payload.appendLittleEndian(hundredths(value))
        }
        return payload
    }

    /// 99.99 where it is unknown.
    private static func hundredths(_ dilution: Double?) -> UInt16 {
        UInt16(min(((dilution ?? 99.99) * 100).rounded(), 9999))
    }

    private static func scaled(_ value: Double, by factor: Double) -> Int32 {
        Int32(min(max((value * factor).rounded(), -2_147_483_648), 2_147_483_647))
    }
}

extension [UInt8] {
    fileprivate mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
