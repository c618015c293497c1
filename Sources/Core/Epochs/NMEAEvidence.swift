internal import GNSS
internal import NMEA0183
internal import SextantUnits

/// The statements of an epoch's sentences about its fix, weighed against each other when the epoch closes.
struct NMEAEvidence {
    /// Whether any sentence said that there is no fix (`isVoid`) or that there is a fix (`isValid`); both can be true.
    var isVoid = false
    var isValid = false
    var quality: GGA.Quality?
    var mode: ModeIndicator?
    var activeMode: GSA.Mode?
    var detailed: PUBX00.Status?
    var reportedSatellites: Int?
    /// The horizontal dilution of the epoch's first GGA or GNS that has one.
    var reportedDilution: Double?
    /// How far the sentence that gave the position is trusted, as a rank; a position of a higher rank replaces it.
    var positionRank = 0
    var velocityRank = 0
    /// Whether the epoch's position came from UBX messages and is kept, because sentences give fewer digits;
    /// `hasUBXVelocity` tells this of the velocity.
    var hasUBXPosition = false
    var hasUBXVelocity = false
    /// Whether a sentence gave a height that receivers send only with three-dimensional fixes.
    private var statesHeight = false
    /// Whether the date was known when the epoch began.
    ///
    /// While the date is unknown, the position of RMC outranks that of GGA, because RMC has a date and a status. Once
    /// the date is known, GGA outranks RMC, because GGA gives more digits.
    var knowsDate = true

    /// Whether any sentence has stated a fix status: that there is a fix, or that there is none.
    var hasFixStatus: Bool { isVoid || isValid }

    static let knot = 1852.0 / 3600
}

extension NMEAEvidence {
    /// Adds a sentence that has a time to the epoch's fix; sentences without a time come by way of `UntimedSentences`.
    mutating func add(_ message: NMEAMessage, to epoch: inout Epoch) {
        switch message {
        case .gga(let gga): add(gga, to: &epoch.fix)
        case .gns(let gns): add(gns, to: &epoch.fix)
        case .rmc(let rmc): add(rmc, to: &epoch.fix)
        case .gll(let gll): add(gll, to: &epoch.fix)
        case .gst(let gst): add(gst, to: &epoch.fix, errors: &epoch.errors)
        case .gbs(let gbs): epoch.axisErrors = NMEAEvidence.errors(of: gbs) ?? epoch.axisErrors
        case .pubx00(let pubx): add(pubx, to: &epoch.fix)
        case .psti030(let psti): add(psti, to: &epoch.fix)
        case .pgrmf(let garmin): add(garmin, to: &epoch.fix)
        case .psrfepe(let errors): NMEAEvidence.add(errors, to: &epoch.fix)
        case .ashtechPosition(let ashtech): add(ashtech, to: &epoch.fix)
        case .gsa, .gsv, .vtg, .attitude, .pgrme, .pgrmz: break
        case .zda, .txt, .dtm, .acknowledgement, .other: break
        }
    }

    private mutating func judge(_ isGood: Bool?) {
        guard let isGood else { return }
        if isGood { isValid = true } else { isVoid = true }
    }

    private mutating func place(_ latitude: Double?, _ longitude: Double?, rank: Int, in fix: inout Fix) {
        guard let latitude, let longitude, rank > positionRank, !hasUBXPosition else { return }
        positionRank = rank
        fix.latitude = latitude
        fix.longitude = longitude
    }

    private mutating func move(_ speed: Double?, _ course: Double?, rank: Int, in fix: inout Fix) {
        // A negative number is no speed.
        let speed = speed.flatMap { $0 < 0 ? nil : $0 }
        guard !hasUBXVelocity else { return }
        if let speed, rank > velocityRank || fix.speed == nil { fix.speed = speed }
        if let course, rank > velocityRank || fix.courseOverGround == nil { fix.courseOverGround = course }
        if speed != nil { velocityRank = max(velocityRank, rank) }
    }

    mutating func add(_ gga: GGA, to fix: inout Fix) {
        judge(gga.quality.map { $0 != .invalid })
        quality = NMEAEvidence.better(quality, gga.quality)
        place(gga.latitude, gga.longitude, rank: knowsDate ? 3 : 1, in: &fix)
        if !hasUBXPosition {
            if let altitude = gga.altitudeAboveMeanSeaLevel { fix.altitudeAboveMeanSeaLevel = altitude }
            if let separation = gga.geoidSeparation { fix.geoidSeparation = separation }
        }
        report(gga.horizontalDilution, to: &fix)
        reportedSatellites = max(reportedSatellites ?? 0, gga.satellitesUsed ?? 0)
        if let age = gga.differentialAge { fix.differentialAge = age }
        if let station = gga.differentialStation { fix.differentialStation = UInt16(exactly: station) }
    }

    private static func better(_ old: GGA.Quality?, _ new: GGA.Quality?) -> GGA.Quality? {
        guard let old, old != .invalid else { return new }
        return old
    }

    private mutating func add(_ gns: GNS, to fix: inout Fix) {
        judge(gns.mode.map { $0 != .notValid })
        add(gns.mode)
        place(gns.latitude, gns.longitude, rank: 3, in: &fix)
        if fix.altitudeAboveMeanSeaLevel == nil { fix.altitudeAboveMeanSeaLevel = gns.altitudeAboveMeanSeaLevel }
        if fix.geoidSeparation == nil { fix.geoidSeparation = gns.geoidSeparation }
        report(gns.horizontalDilution, to: &fix)
        reportedSatellites = max(reportedSatellites ?? 0, gns.satellitesUsed ?? 0)
        if let age = gns.differentialAge { fix.differentialAge = age }
        if let station = gns.differentialStation { fix.differentialStation = UInt16(exactly: station) }
    }

    mutating func add(_ rmc: RMC, to fix: inout Fix) {
        judge(rmc.isValid)
        if rmc.mode == .notValid { isVoid = true }
        add(rmc.mode)
        place(rmc.latitude, rmc.longitude, rank: 2, in: &fix)
        move(rmc.speedKnots.map { $0 * NMEAEvidence.knot }, rmc.courseOverGround, rank: 2, in: &fix)
        if let variation = rmc.magneticVariation { fix.magneticVariation = variation }
    }

    mutating func add(_ gll: GLL, to fix: inout Fix) {
        judge(gll.isValid)
        if gll.mode == .notValid { isVoid = true }
        add(gll.mode)
        place(gll.latitude, gll.longitude, rank: 1, in: &fix)
    }

    mutating func add(_ vtg: VTG, to fix: inout Fix) {
        guard vtg.mode != .notValid else { return }
        let speed = vtg.speedKnots.map { $0 * NMEAEvidence.knot } ?? vtg.speedKilometresPerHour.map { $0 / 3.6 }
        move(speed, vtg.courseOverGround, rank: 1, in: &fix)
    }

    /// Adds what GSA sentences said.
    mutating func add(
        _ mode: GSA.Mode?, position: Double?, horizontal: Double?, vertical: Double?, to fix: inout Fix
    ) {
        if let mode, mode.rawValue > (activeMode?.rawValue ?? 0) { activeMode = mode }
        if let position { fix.dilution.position = position }
        if let horizontal, !isForeign(horizontal) { fix.dilution.horizontal = horizontal }
        if let vertical { fix.dilution.vertical = vertical }
    }

    /// Whether a GSA's horizontal dilution differs from the GGA's by more than rounding explains.
    ///
    /// A GGA has a time and a GSA has none, so only the GGA's dilution is certain to be the epoch's.
    private func isForeign(_ horizontal: Double) -> Bool {
        reportedDilution.map { abs($0 - horizontal) > NMEAEvidence.dilutionRounding } ?? false
    }

    private mutating func report(_ dilution: Double?, to fix: inout Fix) {
        guard reportedDilution == nil, let dilution else { return }
        reportedDilution = dilution
        if let active = fix.dilution.horizontal, !isForeign(active) { return }
        fix.dilution.horizontal = dilution
    }

    static let dilutionRounding = 0.051

    private mutating func add(_ gst: GST, to fix: inout Fix, errors: inout ErrorStatistics?) {
        let statistics = gst.statistics
        guard statistics != ErrorStatistics() else { return }
        errors = statistics
        if let latitude = statistics.latitude, let longitude = statistics.longitude, latitude > 0 || longitude > 0 {
            // The radius that holds 68 % of the errors, where they are equal in all directions, is 1.51 times the
            // standard deviation along one axis.
            fix.horizontalAccuracy = 1.51 * ((latitude * latitude + longitude * longitude) / 2).squareRoot()
        }
        if let altitude = statistics.altitude, altitude > 0 { fix.verticalAccuracy = altitude }
    }

    private mutating func add(_ pubx: PUBX00, to fix: inout Fix) {
        detailed = pubx.status
        judge(pubx.status.map { $0 != .noFix })
        place(pubx.latitude, pubx.longitude, rank: 3, in: &fix)
        fix.heightAboveEllipsoid = pubx.heightAboveEllipsoid ?? fix.heightAboveEllipsoid
        fix.horizontalAccuracy = pubx.horizontalAccuracy ?? fix.horizontalAccuracy
        fix.verticalAccuracy = pubx.verticalAccuracy ?? fix.verticalAccuracy
        move(pubx.speedKilometresPerHour.map { $0 / 3.6 }, pubx.courseOverGround, rank: 1, in: &fix)
        if fix.dilution.horizontal == nil { fix.dilution.horizontal = pubx.horizontalDilution }
        if fix.dilution.vertical == nil { fix.dilution.vertical = pubx.verticalDilution }
        fix.dilution.time = pubx.timeDilution ?? fix.dilution.time
        reportedSatellites = max(reportedSatellites ?? 0, pubx.satellitesUsed ?? 0)
    }

    private mutating func add(_ psti: PSTI030, to fix: inout Fix) {
        let isValid = psti.isValid.map { $0 && psti.mode != .notValid }
        judge(isValid)
        guard isValid == true else { return }
        add(psti.mode)
        place(psti.latitude, psti.longitude, rank: 3, in: &fix)
        raise(psti.altitudeAboveMeanSeaLevel, in: &fix)
        guard let north = psti.northVelocity, let east = psti.eastVelocity, let up = psti.upVelocity,
            !hasUBXVelocity
        else { return }
        fix.velocity = VelocityNED(north: north, east: east, down: 0 - up)
        if fix.speed == nil { fix.speed = (north * north + east * east).squareRoot() }
        if fix.courseOverGround == nil, north != 0 || east != 0 {
            fix.courseOverGround = Angle.turn(
                Trigonometry.arctangent(y: east, x: north) * Trigonometry.degreesPerRadian)
        }
    }

    /// Takes the altitude of a sentence that holds a complete fix, where no other sentence gave an altitude.
    private mutating func raise(_ altitude: Double?, in fix: inout Fix) {
        guard let altitude else { return }
        statesHeight = true
        if fix.altitudeAboveMeanSeaLevel == nil { fix.altitudeAboveMeanSeaLevel = altitude }
    }

    private mutating func add(_ garmin: PGRMF, to fix: inout Fix) {
        judge(garmin.mode.map { $0 != .noFix })
        if activeMode == nil { activeMode = garmin.mode }
        place(garmin.latitude, garmin.longitude, rank: 1, in: &fix)
        move(garmin.speedKilometresPerHour.map { $0 / 3.6 }, garmin.courseOverGround, rank: 1, in: &fix)
        if fix.dilution.position == nil { fix.dilution.position = garmin.positionDilution }
        fix.dilution.time = garmin.timeDilution ?? fix.dilution.time
        if let seconds = garmin.leapSeconds, (0...40).contains(seconds) { fix.leapSeconds = Int16(seconds) }
    }

    private mutating func add(_ ashtech: AshtechPosition, to fix: inout Fix) {
        judge(ashtech.kind != nil)
        guard let kind = ashtech.kind else { return }
        quality = NMEAEvidence.better(quality, NMEAEvidence.quality(ofAshtech: kind))
        place(ashtech.latitude, ashtech.longitude, rank: 2, in: &fix)
        if let height = ashtech.heightAboveEllipsoid, !hasUBXPosition {
            statesHeight = true
            fix.heightAboveEllipsoid = height
        }
        move(ashtech.speedKnots.map { $0 * NMEAEvidence.knot }, ashtech.courseOverGround, rank: 1, in: &fix)
        if fix.dilution.position == nil { fix.dilution.position = ashtech.positionDilution }
        if fix.dilution.horizontal == nil { fix.dilution.horizontal = ashtech.horizontalDilution }
        if fix.dilution.vertical == nil { fix.dilution.vertical = ashtech.verticalDilution }
        fix.dilution.time = ashtech.timeDilution ?? fix.dilution.time
        reportedSatellites = max(reportedSatellites ?? 0, ashtech.satellitesUsed ?? 0)
    }

    private static func quality(ofAshtech kind: Int) -> GGA.Quality {
        switch kind {
        case 0: .autonomous
        case 2, 12, 22: .rtkFloat
        case 3, 13, 23: .rtkFixed
        case 5: .estimated
        default: .differential
        }
    }

    /// Adds the altitude and the fix mode of Garmin's PGRMZ.
    mutating func add(_ garmin: PGRMZ, to fix: inout Fix) {
        if let mode = garmin.mode, activeMode == nil { activeMode = mode }
        if fix.altitudeAboveMeanSeaLevel == nil { fix.altitudeAboveMeanSeaLevel = garmin.altitudeAboveMeanSeaLevel }
    }

    private static func add(_ errors: PSRFEPE, to fix: inout Fix) {
        guard errors.isValid == true else { return }
        fix.horizontalAccuracy = errors.horizontalError ?? fix.horizontalAccuracy
        fix.verticalAccuracy = errors.verticalError ?? fix.verticalAccuracy
        fix.speedAccuracy = errors.speedError ?? fix.speedAccuracy
        fix.courseAccuracy = errors.courseError ?? fix.courseAccuracy
    }

    private static func errors(of gbs: GBS) -> AxisErrors? {
        guard let latitude = gbs.latitudeError, let longitude = gbs.longitudeError, latitude > 0 || longitude > 0
        else { return nil }
        var errors = AxisErrors()
        (errors.northing, errors.easting, errors.vertical) = (latitude, longitude, gbs.altitudeError)
        return errors
    }

    /// Garmin's estimates, widened from 50 % to the 95 % that gpsd's clients expect: 2.45 σ instead of 1.18 σ, with the
    /// horizontal error split over two axes.
    static func errors(of garmin: PGRME) -> AxisErrors {
        let widening = 2.45 / 1.18
        var errors = AxisErrors()
        errors.easting = garmin.horizontalError.map { $0 * widening / 2.0.squareRoot() }
        errors.northing = errors.easting
        errors.vertical = garmin.verticalError.map { $0 * widening }
        errors.spherical = garmin.sphericalError.map { $0 * widening }
        return errors
    }

    /// Keeps the first mode indicator other than "autonomous", because sentences of one epoch can follow different
    /// versions of the standard, and the older ones name fewer modes.
    private mutating func add(_ indicator: ModeIndicator?) {
        guard let indicator, mode == nil || mode == .autonomous else { return }
        mode = indicator
    }
}

extension NMEAEvidence {
    /// Concludes the fix from all sentences: one sentence that says "void" outweighs those that gave a position.
    ///
    /// - Parameters:
    ///   - fix: The epoch's fix, whose position is taken away where it cannot be trusted.
    ///   - latched: The last known fix type, 2D or 3D, for epochs that do not state it (a receiver can send GSA only
    ///     every fifth second).
    func conclude(_ fix: inout Fix, latched: inout FixType?) {
        guard hasFixStatus else { return }
        guard !isVoid, isValid, fix.latitude != nil else {
            fix.type = .noFix
            fix.quality = .invalid
            fix.withdrawPosition()
            if isVoid { latched = nil }
            return
        }
        fix.quality = concludedQuality
        fix.type = concludedType(of: fix, latched: latched)
        if fix.type == .twoD || fix.type == .threeD { latched = fix.type }
        if let above = fix.altitudeAboveMeanSeaLevel, let separation = fix.geoidSeparation,
            fix.heightAboveEllipsoid == nil
        {
            fix.heightAboveEllipsoid = above + separation
        }
    }

    private func concludedType(of fix: Fix, latched: FixType?) -> FixType {
        let hasAltitude = fix.altitudeAboveMeanSeaLevel != nil || statesHeight
        if quality == .estimated || mode == .estimated || detailed == .deadReckoning { return .deadReckoningOnly }
        switch detailed {
        case .combined: return .gnssPlusDeadReckoning
        case .timeOnly: return .timeOnly
        case .noFix, .deadReckoning, .twoD, .threeD, .differentialTwoD, .differentialThreeD, nil: break
        }
        switch activeMode {
        case .threeD: return .threeD
        case .twoD:
            // Qualcomm's modems report every fix as two-dimensional, even those whose height they measured.
            let measuresHeight = hasAltitude && fix.dilution.vertical != nil && fix.satellitesUsed ?? 0 >= 4
            return measuresHeight ? .threeD : .twoD
        case .noFix, nil: break
        }
        if hasAltitude, statesHeight || (reportedSatellites ?? 0) >= 4 { return .threeD }
        return latched ?? .twoD
    }

    private var concludedQuality: FixQuality {
        switch (quality, mode) {
        case (.rtkFixed, _), (_, .rtkFixed): .rtkFixed
        case (.rtkFloat, _), (_, .rtkFloat): .rtkFloat
        case (.precise, _), (_, .precise): .precise
        case (.estimated, _), (_, .estimated): .deadReckoning
        case (.manual, _), (_, .manual): .manualInput
        case (.simulator, _), (_, .simulator): .simulated
        case (.differential, _), (_, .differential): .differential
        case (.autonomous, _), (_, .autonomous): .autonomous
        case (.invalid, _), (nil, _): .unknown
        }
    }
}
