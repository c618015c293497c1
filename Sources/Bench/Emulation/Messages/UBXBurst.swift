import GNSS
import SextantUnits
import UBX

/// The UBX messages of one epoch: NAV-PVT, NAV-SAT and NAV-DOP, and NAV-EOE at the end.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), sections 32.17.14 (PVT), 32.17.21 (SAT), 32.17.4 (DOP)
/// and 32.17.6 (EOE), which also says that EOE follows the NMEA output.
enum UBXBurst {
    static func appendSolution(_ solution: SyntheticSolution, to bytes: inout [UInt8]) {
        positionVelocityTime(solution).encoded(into: &bytes)
        if solution.reportsSky { appendSatellites(solution, to: &bytes) }
        appendDilution(solution, to: &bytes)
    }

    static func appendSatellites(_ solution: SyntheticSolution, to bytes: inout [UInt8]) {
        UBXEncoder.append(.navSAT, payload: satellites(solution).span, into: &bytes)
    }

    static func appendDilution(_ solution: SyntheticSolution, to bytes: inout [UInt8]) {
        UBXEncoder.append(.navDOP, payload: dilution(solution).span, into: &bytes)
    }

    static func appendEndOfEpoch(_ solution: SyntheticSolution, to bytes: inout [UInt8]) {
        NavEOE(timeOfWeekMilliseconds: solution.timeOfWeek).encoded(into: &bytes)
    }

    static func positionVelocityTime(_ solution: SyntheticSolution) -> NavPVT {
        var message = NavPVT()
        message.timeOfWeekMilliseconds = solution.timeOfWeek
        setTime(solution, of: &message)
        message.fixType = solution.fixType
        message.isFixOK = solution.position != nil
        message.confirmationFlags = solution.isDateKnown ? 0xE0 : 0x20
        message.satellitesUsed = UInt8(clamping: solution.usedCount)
        if let position = solution.position { setPosition(position, of: &message) } else { setNoPosition(of: &message) }
        message.positionDOPE2 = hundredths(solution.sky.dilution.position)
        message.vehicleHeadingE5 = scaled(solution.position?.courseOverGround ?? 0, by: 1e5)
        return message
    }

    /// Sets the date and time fields of NAV-PVT, from `year` to `nano`.
    ///
    /// If the receiver does not know the date yet, these fields count from the firmware's default date, and the valid
    /// bits are clear.
    private static func setTime(_ solution: SyntheticSolution, of message: inout NavPVT) {
        let firmware = UTCInstant(nanoseconds: 1_445_126_400_000_000_000)
        let unknown = firmware.advanced(byNanoseconds: Int64(solution.timeOfWeek) * 1_000_000)
        let date = (solution.isDateKnown ? solution.time : unknown).date
        let timeOfDay = (solution.isTimeKnown ? solution.time : unknown).timeOfDay
        let seconds = timeOfDay / 1_000_000_000
        message.year = UInt16(date.year)
        message.month = date.month
        message.day = date.day
        message.hour = UInt8(seconds / 3600)
        message.minute = UInt8(seconds / 60 % 60)
        message.second = UInt8(seconds % 60)
        message.validityFlags = (solution.isDateKnown ? 0x05 : 0x00) | (solution.isTimeKnown ? 0x02 : 0x00)
        message.timeAccuracyNanoseconds = timeAccuracy(solution)
        message.nanosecond = Int32(timeOfDay % 1_000_000_000 + solution.clockError)
    }

    /// The time accuracy that the receiver states, in nanoseconds.
    private static func timeAccuracy(_ solution: SyntheticSolution) -> UInt32 {
        guard solution.isTimeKnown else { return .max }
        return solution.position == nil ? 1_000_000_000 : 300
    }

    private static func setPosition(_ position: SyntheticSolution.Position, of message: inout NavPVT) {
        let height = position.altitudeAboveMeanSeaLevel + position.geoidSeparation
        message.longitudeE7 = scaled(position.longitude, by: 1e7)
        message.latitudeE7 = scaled(position.latitude, by: 1e7)
        message.heightAboveEllipsoidMillimetres = scaled(height, by: 1000)
        message.altitudeAboveMeanSeaLevelMillimetres = scaled(position.altitudeAboveMeanSeaLevel, by: 1000)
        message.horizontalAccuracyMillimetres = UInt32(scaled(position.horizontalAccuracy, by: 1000))
        message.verticalAccuracyMillimetres = UInt32(scaled(position.verticalAccuracy, by: 1000))
        message.velocityNorthMillimetresPerSecond = scaled(position.velocity.north, by: 1000)
        message.velocityEastMillimetresPerSecond = scaled(position.velocity.east, by: 1000)
        message.velocityDownMillimetresPerSecond = scaled(position.velocity.down, by: 1000)
        message.groundSpeedMillimetresPerSecond = scaled(position.speed, by: 1000)
        message.courseOverGroundE5 = scaled(position.courseOverGround, by: 1e5)
        message.speedAccuracyMillimetresPerSecond = UInt32(scaled(position.speedAccuracy, by: 1000))
        message.courseAccuracyE5 = UInt32(scaled(position.courseAccuracy, by: 1e5))
    }

    /// Sets the fields of NAV-PVT from longitude to course accuracy to the values that an M8 sends without a fix.
    private static func setNoPosition(of message: inout NavPVT) {
        message.altitudeAboveMeanSeaLevelMillimetres = -17_000
        message.horizontalAccuracyMillimetres = .max
        message.verticalAccuracyMillimetres = .max
        message.speedAccuracyMillimetresPerSecond = 20_000
        message.courseAccuracyE5 = 18_000_000
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

    /// The flags of a satellite in NAV-SAT.
    ///
    /// Bits 2:0 hold the signal quality, bit 3 whether the satellite is used, 5:4 its health, 7 smoothing, 10:8 the
    /// source of its orbit, 11 whether there is an ephemeris and 12 an almanac.
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

    /// A dilution of precision in hundredths, at most 99.99; that value also stands for an unknown dilution.
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
