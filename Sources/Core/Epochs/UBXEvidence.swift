internal import GNSS
internal import SextantUnits
internal import UBX

/// The evidence from an epoch's UBX messages, gathered until the epoch closes.
struct UBXEvidence {
    /// How far the source of each value is trusted, as a rank; a source of a higher rank replaces the value.
    ///
    /// For position and velocity the ranks begin at 4, because those of NMEA sentences end at 3.
    var positionRank = 0
    var velocityRank = 0
    var typeRank = 0
    var timeRank = 0
    /// The navigation solution's instant, not yet corrected for week rollover, and whether the receiver says that it is
    /// valid.
    var time: (instant: UTCInstant, isValidated: Bool)?

    var hasSolution: Bool { typeRank > 0 }

    static let centimetre = 0.01
    static let millimetre = 0.001

    /// A dilution of precision, from UBX's hundredths; nil where it is 0 or at least 90, which means unknown.
    static func dilution(_ hundredths: UInt16) -> Double? {
        (1..<9000).contains(hundredths) ? Double(hundredths) / 100 : nil
    }
}

extension UBXEvidence {
    /// - Parameter utc: The message's UTC instant, which the caller has already computed.
    mutating func add(_ pvt: NavPVT, utc: UTCInstant?, to fix: inout Fix) {
        let quality = UBXEvidence.quality(pvt.carrierSolution, isDifferential: pvt.isDifferential)
        judge(pvt.fixType, isOK: pvt.isFixOK, quality: quality, rank: 3, in: &fix)
        if let utc { stamp(utc, isValidated: pvt.isDateValid && pvt.isTimeValid, rank: 3) }
        if pvt.isTimeValid { fix.timeAccuracy = Double(pvt.timeAccuracyNanoseconds) * 1e-9 }
        if pvt.isTimeFullyResolved, let utc, fix.leapSeconds == nil {
            fix.leapSeconds = UBXEvidence.leapSeconds(timeOfWeek: pvt.timeOfWeekMilliseconds, utc: utc)
        }
        fix.satellitesUsed = pvt.satellitesUsed
        if fix.dilution.position == nil { fix.dilution.position = UBXEvidence.dilution(pvt.positionDOPE2) }
        if pvt.isVehicleHeadingValid, let heading = pvt.vehicleHeadingE5 { fix.heading = degrees(e5: heading) }
        if pvt.isMagneticDeclinationValid, let declination = pvt.magneticDeclinationE2 {
            fix.magneticVariation = Double(declination) / 100
        }
        if !pvt.isPositionInvalid, claimPosition(rank: 6) { place(pvt, in: &fix) }
        if claimVelocity(rank: 6) {
            fix.velocity = VelocityNED(
                north: Double(pvt.velocityNorthMillimetresPerSecond) * UBXEvidence.millimetre,
                east: Double(pvt.velocityEastMillimetresPerSecond) * UBXEvidence.millimetre,
                down: Double(pvt.velocityDownMillimetresPerSecond) * UBXEvidence.millimetre)
            fix.speed = speed(pvt.groundSpeedMillimetresPerSecond)
            fix.courseOverGround = degrees(e5: pvt.courseOverGroundE5)
            fix.speedAccuracy = Double(pvt.speedAccuracyMillimetresPerSecond) * UBXEvidence.millimetre
            fix.courseAccuracy = Double(pvt.courseAccuracyE5) * 1e-5
        }
    }

    /// The speed in metres per second; nil for a negative number, which cannot be a speed.
    private func speed(_ millimetresPerSecond: Int32) -> Double? {
        millimetresPerSecond < 0 ? nil : Double(millimetresPerSecond) * UBXEvidence.millimetre
    }

    mutating func add(_ pvt: HnrPVT, to fix: inout Fix) {
        judge(pvt.fixType, isOK: pvt.isFixOK, quality: pvt.isDifferential ? .differential : nil, rank: 2, in: &fix)
        if let utc = pvt.utc { stamp(utc, isValidated: pvt.isDateValid && pvt.isTimeValid, rank: 2) }
        if claimPosition(rank: 5) { place(pvt, in: &fix) }
        if claimVelocity(rank: 5) {
            fix.speed = speed(pvt.groundSpeedMillimetresPerSecond)
            fix.courseOverGround = degrees(e5: pvt.courseOverGroundE5)
            fix.speedAccuracy = Double(pvt.speedAccuracyMillimetresPerSecond) * UBXEvidence.millimetre
            fix.courseAccuracy = Double(pvt.courseAccuracyE5) * 1e-5
        }
        if pvt.isVehicleHeadingValid { fix.heading = degrees(e5: pvt.vehicleHeadingE5) }
    }

    mutating func add(_ solution: NavSOL, to fix: inout Fix) {
        judge(
            solution.fixType, isOK: solution.isFixOK, quality: solution.isDifferential ? .differential : nil, rank: 2,
            in: &fix)
        let time = GNSSTime(
            week: Int32(solution.week),
            timeOfWeek: Int64(solution.timeOfWeekMilliseconds) * 1_000_000
                + Int64(solution.timeOfWeekFractionNanoseconds))
        stamp(time, isValidated: solution.isWeekNumberValid && solution.isTimeOfWeekValid, rank: 1, in: &fix)
        if fix.satellitesUsed == nil { fix.satellitesUsed = solution.satellitesUsed }
        if fix.dilution.position == nil { fix.dilution.position = UBXEvidence.dilution(solution.positionDOPE2) }
        fix.ecefPosition = vector(solution.xCentimetres, solution.yCentimetres, solution.zCentimetres)
        fix.ecefVelocity = vector(
            solution.velocityXCentimetresPerSecond, solution.velocityYCentimetresPerSecond,
            solution.velocityZCentimetresPerSecond)
        fix.ecefPositionAccuracy = Double(solution.positionAccuracyCentimetres) * UBXEvidence.centimetre
        fix.ecefVelocityAccuracy = Double(solution.speedAccuracyCentimetresPerSecond) * UBXEvidence.centimetre
    }

    mutating func add(_ status: NavSTATUS, to fix: inout Fix) {
        let carrier = status.isCarrierSolutionValid ? status.carrierSolution : nil
        let quality = UBXEvidence.quality(carrier, isDifferential: status.isDifferential)
        judge(status.fixType, isOK: status.isFixOK, quality: quality, rank: 1, in: &fix)
    }

    mutating func add(_ position: NavPOSLLH, to fix: inout Fix) {
        if claimPosition(rank: 4) { place(position, in: &fix) }
    }

    mutating func add(_ position: NavHPPOSLLH, to fix: inout Fix) {
        guard !position.isPositionInvalid, claimPosition(rank: 7) else { return }
        fix.latitude = Double(position.latitudeE9) / 1e9
        fix.longitude = Double(position.longitudeE9) / 1e9
        fix.heightAboveEllipsoid = Double(position.heightAboveEllipsoidTenthMillimetres) / 1e4
        fix.altitudeAboveMeanSeaLevel = Double(position.altitudeAboveMeanSeaLevelTenthMillimetres) / 1e4
        fix.horizontalAccuracy = Double(position.horizontalAccuracyTenthMillimetres) / 1e4
        fix.verticalAccuracy = Double(position.verticalAccuracyTenthMillimetres) / 1e4
    }

    mutating func add(_ velocity: NavVELNED, to fix: inout Fix) {
        guard claimVelocity(rank: 4) else { return }
        fix.velocity = VelocityNED(
            north: Double(velocity.velocityNorthCentimetresPerSecond) * UBXEvidence.centimetre,
            east: Double(velocity.velocityEastCentimetresPerSecond) * UBXEvidence.centimetre,
            down: Double(velocity.velocityDownCentimetresPerSecond) * UBXEvidence.centimetre)
        fix.speed = Double(velocity.groundSpeedCentimetresPerSecond) * UBXEvidence.centimetre
        fix.courseOverGround = degrees(e5: velocity.courseOverGroundE5)
        fix.speedAccuracy = Double(velocity.speedAccuracyCentimetresPerSecond) * UBXEvidence.centimetre
        fix.courseAccuracy = Double(velocity.courseAccuracyE5) * 1e-5
    }

    func add(_ position: NavPOSECEF, to fix: inout Fix) {
        fix.ecefPosition = vector(position.xCentimetres, position.yCentimetres, position.zCentimetres)
        fix.ecefPositionAccuracy = Double(position.positionAccuracyCentimetres) * UBXEvidence.centimetre
    }

    func add(_ velocity: NavVELECEF, to fix: inout Fix) {
        fix.ecefVelocity = vector(
            velocity.velocityXCentimetresPerSecond, velocity.velocityYCentimetresPerSecond,
            velocity.velocityZCentimetresPerSecond)
        fix.ecefVelocityAccuracy = Double(velocity.speedAccuracyCentimetresPerSecond) * UBXEvidence.centimetre
    }

    func add(_ dilution: NavDOP, to fix: inout Fix) {
        fix.dilution.geometric = UBXEvidence.dilution(dilution.geometricE2)
        fix.dilution.position = UBXEvidence.dilution(dilution.positionE2)
        fix.dilution.time = UBXEvidence.dilution(dilution.timeE2)
        fix.dilution.vertical = UBXEvidence.dilution(dilution.verticalE2)
        fix.dilution.horizontal = UBXEvidence.dilution(dilution.horizontalE2)
        fix.dilution.northing = UBXEvidence.dilution(dilution.northingE2)
        fix.dilution.easting = UBXEvidence.dilution(dilution.eastingE2)
    }

    mutating func add(_ time: NavTIMEUTC) {
        guard let utc = time.utc else { return }
        stamp(utc, isValidated: time.isUTCValid, rank: 2)
    }

    mutating func add(_ time: NavTIMEGPS, to fix: inout Fix) {
        if time.areLeapSecondsValid { fix.leapSeconds = Int16(time.leapSeconds) }
        let gps = GNSSTime(
            week: Int32(time.week),
            timeOfWeek: Int64(time.timeOfWeekMilliseconds) * 1_000_000 + Int64(time.timeOfWeekFractionNanoseconds))
        stamp(gps, isValidated: time.isWeekValid && time.isTimeOfWeekValid, rank: 1, in: &fix)
    }
}

extension UBXEvidence {
    private mutating func judge(
        _ type: FixType, isOK: Bool, quality: FixQuality?, rank: Int, in fix: inout Fix
    ) {
        guard rank > typeRank else { return }
        typeRank = rank
        // `gnssFixOK` is false for a position that exceeds the receiver's own accuracy limits; such a position counts
        // as no fix.
        fix.type = isOK ? type : .noFix
        fix.quality = UBXEvidence.quality(fix.type, quality)
    }

    private static func quality(_ type: FixType, _ quality: FixQuality?) -> FixQuality {
        switch type {
        case .noFix: .invalid
        case .deadReckoningOnly: .deadReckoning
        case .timeOnly: .surveyedTime
        case .twoD, .threeD, .gnssPlusDeadReckoning: quality ?? .autonomous
        }
    }

    private static func quality(_ carrier: CarrierSolution?, isDifferential: Bool) -> FixQuality? {
        switch carrier {
        case .fixed: .rtkFixed
        case .float: .rtkFloat
        case .some(.none), nil: isDifferential ? .differential : nil
        }
    }

    private mutating func claimPosition(rank: Int) -> Bool {
        guard rank > positionRank else { return false }
        positionRank = rank
        return true
    }

    private mutating func claimVelocity(rank: Int) -> Bool {
        guard rank > velocityRank else { return false }
        velocityRank = rank
        return true
    }

    private mutating func stamp(_ instant: UTCInstant, isValidated: Bool, rank: Int) {
        guard rank > timeRank || isValidated && time?.isValidated == false else { return }
        timeRank = rank
        time = (instant, isValidated)
    }

    private mutating func stamp(_ gps: GNSSTime, isValidated: Bool, rank: Int, in fix: inout Fix) {
        // A receiver that does not know the time can send any week number; impossible ones are ignored.
        guard GNSSTime.weeks.contains(gps.week) else { return }
        if fix.gnssTime == nil { fix.gnssTime = gps }
        let leapSeconds = fix.leapSeconds.map { Int($0) } ?? LeapSeconds.gpsMinusUTC(at: gps)
        stamp(gps.utc(leapSeconds: leapSeconds), isValidated: isValidated, rank: rank)
    }

    /// GPS time of week minus UTC's time of day, in whole seconds; nil where it cannot be a count of leap seconds.
    private static func leapSeconds(timeOfWeek milliseconds: UInt32, utc: UTCInstant) -> Int16? {
        let difference = Int64(milliseconds) * 1_000_000 - utc.timeOfDay
        let day = UTCInstant.nanosecondsPerDay
        let seconds = ((difference % day + day) % day + 500_000_000) / 1_000_000_000
        return (0...40).contains(seconds) ? Int16(seconds) : nil
    }

    private func place(_ position: some PositionMessage, in fix: inout Fix) {
        fix.latitude = Double(position.latitudeE7) / 1e7
        fix.longitude = Double(position.longitudeE7) / 1e7
        let ellipsoid = position.heightAboveEllipsoidMillimetres
        let seaLevel = position.altitudeAboveMeanSeaLevelMillimetres
        fix.heightAboveEllipsoid = Double(ellipsoid) * UBXEvidence.millimetre
        fix.altitudeAboveMeanSeaLevel = Double(seaLevel) * UBXEvidence.millimetre
        fix.geoidSeparation = Double(Int64(ellipsoid) - Int64(seaLevel)) * UBXEvidence.millimetre
        fix.horizontalAccuracy = Double(position.horizontalAccuracyMillimetres) * UBXEvidence.millimetre
        fix.verticalAccuracy = Double(position.verticalAccuracyMillimetres) * UBXEvidence.millimetre
    }

    /// An Earth-fixed vector in metres, or metres per second, from its components in hundredths of that unit.
    private func vector(_ x: Int32, _ y: Int32, _ z: Int32) -> ECEFVector {
        ECEFVector(
            x: Double(x) * UBXEvidence.centimetre, y: Double(y) * UBXEvidence.centimetre,
            z: Double(z) * UBXEvidence.centimetre)
    }

    /// A direction in degrees, at least 0 and below 360; nil where the receiver gives more than a full turn.
    private func degrees(e5 value: Int32) -> Double? {
        guard (-36_000_000...36_000_000).contains(value) else { return nil }
        return Angle.turn(Double(value) / 1e5)
    }
}

extension UBXEvidence {
    /// Computes position and velocity from an Earth-fixed solution where no other message gave them, as with receivers
    /// before u-blox 6; removes the position where there is no fix.
    func conclude(_ fix: inout Fix) {
        if timeRank > 2 { fix.gnssTime = nil }
        guard fix.type != .noFix else {
            fix.withdrawPosition()
            return
        }
        guard positionRank == 0 || velocityRank == 0, let position = fix.ecefPosition,
            let place = WGS84.geodetic(x: position.x, y: position.y, z: position.z)
        else { return }
        if positionRank == 0, fix.latitude == nil {
            fix.latitude = place.latitude
            fix.longitude = place.longitude
            fix.heightAboveEllipsoid = place.height
        }
        guard velocityRank == 0, fix.speed == nil, let velocity = fix.ecefVelocity else { return }
        fix.speedAccuracy = fix.speedAccuracy ?? fix.ecefVelocityAccuracy
        let local = place.northEastDown(x: velocity.x, y: velocity.y, z: velocity.z)
        fix.velocity = VelocityNED(north: local.north, east: local.east, down: local.down)
        fix.speed = (local.north * local.north + local.east * local.east).squareRoot()
        fix.courseOverGround = Angle.turn(
            Trigonometry.arctangent(y: local.east, x: local.north) * Trigonometry.degreesPerRadian)
    }
}

/// A message with a position and its accuracy: NAV-PVT, HNR-PVT and NAV-POSLLH.
private protocol PositionMessage {
    var latitudeE7: Int32 { get }
    var longitudeE7: Int32 { get }
    var heightAboveEllipsoidMillimetres: Int32 { get }
    var altitudeAboveMeanSeaLevelMillimetres: Int32 { get }
    var horizontalAccuracyMillimetres: UInt32 { get }
    var verticalAccuracyMillimetres: UInt32 { get }
}

extension NavPVT: PositionMessage {}
extension HnrPVT: PositionMessage {}
extension NavPOSLLH: PositionMessage {}
