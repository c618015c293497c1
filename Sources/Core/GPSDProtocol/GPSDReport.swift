public import GNSS
public import SextantJSON
internal import SextantUnits

/// Writes epochs as gpsd 3.27 reports them: TPV, SKY, GST and ATT objects.
///
/// Values that gpsd derives itself are derived as in gpsd (error estimates from dilution, climb from two heights), but
/// never replace what the receiver reports: `climb` is the receiver's own vertical velocity where it gives one, and
/// `eps` its own speed accuracy. Where the receiver does not give them, `magvar` comes from WMM2025, `geoidSep` from
/// EGM96, and `altHAE` from the altitude above mean sea level and `geoidSep`. Names and units: gpsd_json(5).
public struct GPSDReport: Sendable {
    private var derived = DerivedErrors()
    private var clock = GPSDClock()
    private var models = PlaceModels()
    /// Whether any epoch so far has stated a fix status: that there is a fix, or that there is none.
    private var knowsFixStatus = false
    /// The fix of the newest epoch from which values were derived.
    private var lastFix: Fix?

    public init() {}

    /// Appends the epoch's objects, each as a line that ends in CR and LF.
    ///
    /// - Parameters:
    ///   - device: The device's path, or nil to leave the member out.
    public mutating func append(_ epoch: Epoch, device: String?, to text: inout TextBuffer) {
        text.reserve(2048 + epoch.satellites.count * 160)
        take(epoch)
        if epoch.hasSky || epoch.fix.dilution != DilutionOfPrecision() {
            appendSky(epoch, device: device, to: &text)
        }
        // An epoch between two solutions (HNR-PVT between NAV messages) does not say whether there is a fix, so it gets
        // no TPV; nor does an epoch from a compass.
        if epoch.fix.hasFixStatus || !knowsFixStatus && (epoch.attitude == nil || epoch.fix.time != nil) {
            appendFix(epoch.fix, device: device, to: &text)
        }
        if epoch.errors != nil { appendErrors(epoch, device: device, to: &text) }
        if let attitude = epoch.attitude { append(attitude, device: device, to: &text) }
    }

    /// Derives values from an epoch and the epochs before it, and keeps its time.
    private mutating func take(_ epoch: Epoch) {
        derived.found(epoch, geometry: epoch.hasSky ? SkyGeometry.dilution(of: epoch.satellites) : nil)
        clock.found(epoch)
        models.found(epoch.fix)
        knowsFixStatus = knowsFixStatus || epoch.fix.hasFixStatus
        lastFix = epoch.fix
    }

    /// Appends one TPV object without a line end.
    public func appendObject(_ fix: Fix, device: String?, to text: inout TextBuffer) {
        text.append("{\"class\":\"TPV\"," as StaticString)
        text.member("\"device\":", device)
        text.member("\"status\":", GPSDReport.status(of: fix))
        text.member("\"mode\":", GPSDReport.mode(of: fix))
        text.member("\"time\":", clock.time)
        text.member("\"leapseconds\":", fix.leapSeconds.map { Int($0) })
        if clock.time != nil { text.member("\"ept\":", 0.005, decimals: 3) }
        if fix.hasPosition { appendPosition(fix, to: &text) }
        text.endObject()
    }

    /// Appends one TPV object without a line end; its values come from this fix alone, and none are derived from other
    /// epochs.
    public static func appendObject(ofFixAlone fix: Fix, device: String?, to text: inout TextBuffer) {
        var epoch = Epoch()
        epoch.fix = fix
        var report = GPSDReport()
        report.take(epoch)
        report.appendObject(fix, device: device, to: &text)
    }

    /// Appends one SKY object without a line end.
    public func appendSkyObject(_ epoch: Epoch, device: String?, to text: inout TextBuffer) {
        beginSky(device, to: &text)
        append(epoch.skyDilution ?? epoch.fix.dilution, orElse: derived.dilution, to: &text)
        if epoch.hasSky {
            appendSatellites(epoch.satellites, to: &text)
        } else {
            text.member("\"uSat\":", epoch.fix.satellitesUsed.map { Int($0) })
        }
        text.endObject()
    }
}

extension GPSDReport {
    /// Appends the answer to `?POLL;` without a line end: the `TPV` and `SKY` objects of `epoch`, or empty lists if it
    /// is nil.
    public func appendPoll(_ epoch: Epoch?, isActive: Bool, device: String?, to text: inout TextBuffer) {
        text.append("{\"class\":\"POLL\"," as StaticString)
        if let epoch, epoch.fix.isTimeValidated { text.member("\"time\":", epoch.fix.time) }
        // If the epoch was sent to no client, the values that gpsd derives from it are not computed yet.
        var report = self
        if let epoch, epoch.fix != lastFix { report.take(epoch) }
        text.member("\"active\":", isActive ? 1 : 0)
        text.beginArray("\"tpv\":")
        if let epoch { report.appendObject(epoch.fix, device: device, to: &text) }
        text.endArray()
        text.beginArray("\"gst\":")
        text.endArray()
        text.beginArray("\"sky\":")
        if let epoch { report.appendSkyObject(epoch, device: device, to: &text) }
        text.endArray()
        text.endObject()
    }

    private func appendFix(_ fix: Fix, device: String?, to text: inout TextBuffer) {
        appendObject(fix, device: device, to: &text)
        text.append("\r\n" as StaticString)
    }

    /// Writes the sky view as one SKY object, or as two if the receiver sends its dilutions after the satellites.
    ///
    /// If there are two, the first has the satellites, with the dilutions that came before them or were computed from
    /// their geometry; the second has the receiver's own dilutions.
    private func appendSky(_ epoch: Epoch, device: String?, to text: inout TextBuffer) {
        appendSkyObject(epoch, device: device, to: &text)
        text.append("\r\n" as StaticString)
        guard epoch.hasSky, epoch.skyDilution != nil, epoch.fix.dilution != DilutionOfPrecision() else { return }
        beginSky(device, to: &text)
        append(epoch.fix.dilution, orElse: derived.dilution, to: &text)
        text.endObject()
        text.append("\r\n" as StaticString)
    }

    private func beginSky(_ device: String?, to text: inout TextBuffer) {
        text.append("{\"class\":\"SKY\"," as StaticString)
        text.member("\"device\":", device)
        text.member("\"time\":", clock.time)
    }

    private func append(
        _ dilution: DilutionOfPrecision, orElse other: DilutionOfPrecision, to text: inout TextBuffer
    ) {
        text.member("\"gdop\":", dilution.geometric ?? other.geometric, decimals: 2)
        text.member("\"hdop\":", dilution.horizontal ?? other.horizontal, decimals: 2)
        text.member("\"pdop\":", dilution.position ?? other.position, decimals: 2)
        text.member("\"tdop\":", dilution.time ?? other.time, decimals: 2)
        text.member("\"xdop\":", dilution.easting ?? other.easting, decimals: 2)
        text.member("\"ydop\":", dilution.northing ?? other.northing, decimals: 2)
        text.member("\"vdop\":", dilution.vertical ?? other.vertical, decimals: 2)
    }

    private func appendErrors(_ epoch: Epoch, device: String?, to text: inout TextBuffer) {
        guard let errors = epoch.errors else { return }
        text.append("{\"class\":\"GST\"," as StaticString)
        text.member("\"device\":", device)
        text.member("\"time\":", clock.time)
        text.member("\"rms\":", errors.rangeRMS, decimals: 3)
        text.member("\"major\":", errors.semiMajor, decimals: 3)
        text.member("\"minor\":", errors.semiMinor, decimals: 3)
        text.member("\"orient\":", errors.orientation, decimals: 3)
        text.member("\"lat\":", errors.latitude, decimals: 3)
        text.member("\"lon\":", errors.longitude, decimals: 3)
        text.member("\"alt\":", errors.altitude, decimals: 3)
        text.endObject()
        text.append("\r\n" as StaticString)
    }

    private func append(_ attitude: Attitude, device: String?, to text: inout TextBuffer) {
        text.append("{\"class\":\"ATT\"," as StaticString)
        text.member("\"device\":", device)
        text.member("\"time\":", clock.time)
        text.member("\"heading\":", attitude.heading, decimals: 2)
        text.member("\"mheading\":", attitude.magneticHeading, decimals: 2)
        text.member("\"pitch\":", attitude.pitch, decimals: 2)
        text.member("\"roll\":", attitude.roll, decimals: 2)
        text.member("\"rot\":", attitude.rateOfTurn, decimals: 2)
        text.member("\"dip\":", attitude.dip, decimals: 2)
        text.member("\"temp\":", attitude.temperature, decimals: 1)
        text.member("\"depth\":", attitude.depth, decimals: 2)
        text.endObject()
        text.append("\r\n" as StaticString)
    }

    private func appendPosition(_ fix: Fix, to text: inout TextBuffer) {
        let hasHeight = fix.type.hasHeight
        text.member("\"lat\":", fix.latitude, decimals: 9)
        text.member("\"lon\":", fix.longitude, decimals: 9)
        let separation = fix.geoidSeparation ?? models.geoidSeparation
        text.member("\"altHAE\":", height(of: fix, separation), decimals: 4)
        text.member("\"altMSL\":", fix.altitudeAboveMeanSeaLevel, decimals: 4)
        text.member("\"alt\":", fix.altitudeAboveMeanSeaLevel ?? fix.heightAboveEllipsoid, decimals: 4)
        text.member("\"epx\":", derived.epx, decimals: 3)
        text.member("\"epy\":", derived.epy, decimals: 3)
        if hasHeight { text.member("\"epv\":", derived.epv, decimals: 3) }
        text.member("\"track\":", fix.courseOverGround, decimals: 4)
        let variation = fix.magneticVariation ?? models.declination
        if let course = fix.courseOverGround, let variation {
            text.member("\"magtrack\":", Angle.turn(course - variation), decimals: 4)
        }
        text.member("\"magvar\":", variation, decimals: 1)
        text.member("\"speed\":", fix.speed ?? derived.speed, decimals: 3)
        if hasHeight { text.member("\"climb\":", derived.climb, decimals: 3) }
        text.member("\"eps\":", derived.eps, decimals: 2)
        if hasHeight { text.member("\"epc\":", derived.epc, decimals: 2) }
        text.member("\"epd\":", fix.courseAccuracy ?? derived.epd, decimals: 4)
        appendVectors(fix, to: &text)
        text.member("\"geoidSep\":", separation, decimals: 3)
        text.member("\"eph\":", derived.eph, decimals: 3)
        text.member("\"sep\":", derived.sep, decimals: 3)
        text.member("\"dgpsAge\":", fix.differentialAge, decimals: 1)
        text.member("\"dgpsSta\":", fix.differentialStation.map { Int($0) })
    }

    /// The height above the ellipsoid, computed from the geoid where the receiver gives only the altitude above mean
    /// sea level.
    private func height(of fix: Fix, _ separation: Double?) -> Double? {
        if let height = fix.heightAboveEllipsoid { return height }
        guard let altitude = fix.altitudeAboveMeanSeaLevel, let separation else { return nil }
        return altitude + separation
    }

    private func appendVectors(_ fix: Fix, to text: inout TextBuffer) {
        if let position = fix.ecefPosition {
            text.member("\"ecefx\":", position.x, decimals: 4)
            text.member("\"ecefy\":", position.y, decimals: 4)
            text.member("\"ecefz\":", position.z, decimals: 4)
        }
        if let velocity = fix.ecefVelocity {
            text.member("\"ecefvx\":", velocity.x, decimals: 2)
            text.member("\"ecefvy\":", velocity.y, decimals: 2)
            text.member("\"ecefvz\":", velocity.z, decimals: 2)
        }
        text.member("\"ecefpAcc\":", fix.ecefPositionAccuracy, decimals: 4)
        text.member("\"ecefvAcc\":", fix.ecefVelocityAccuracy, decimals: 2)
        if let velocity = fix.velocity {
            text.member("\"velN\":", velocity.north, decimals: 3)
            text.member("\"velE\":", velocity.east, decimals: 3)
            text.member("\"velD\":", velocity.down, decimals: 3)
        }
    }

    private func appendSatellites(_ satellites: [Satellite], to text: inout TextBuffer) {
        var used = 0
        // The numbers of satellites seen and used count the list's entries; a satellite on two signals has two entries.
        for satellite in satellites where satellite.isUsed { used += 1 }
        text.member("\"nSat\":", satellites.count)
        text.member("\"uSat\":", used)
        text.beginArray("\"satellites\":")
        for satellite in satellites {
            text.append("{\"PRN\":" as StaticString)
            text.append(number: GPSDSatelliteNumber.prn(of: satellite.id))
            text.append(",\"gnssid\":" as StaticString)
            text.append(number: Int(satellite.id.constellation.rawValue))
            text.append(",\"svid\":" as StaticString)
            text.append(number: Int(satellite.id.number))
            text.append(0x2C)
            if let signal = satellite.signal, signal > 0 { text.member("\"sigid\":", Int(signal)) }
            text.member("\"freqid\":", satellite.frequencySlot.map { Int($0) })
            appendWhole("\"az\":", satellite.azimuth.map { Int($0) }, to: &text)
            appendWhole("\"el\":", satellite.elevation.map { Int($0) }, to: &text)
            if let residual = satellite.pseudorangeResidualDecimetres {
                text.append("\"prRes\":" as StaticString)
                appendTenths(Int(residual), to: &text)
            }
            text.member("\"qual\":", satellite.quality.map { Int($0) })
            appendWhole("\"ss\":", satellite.carrierToNoise.map { Int($0) }, to: &text)
            text.member("\"used\":", satellite.isUsed)
            if satellite.health != .unknown { text.member("\"health\":", Int(satellite.health.rawValue)) }
            text.endElement()
        }
        text.endArray()
    }

    /// Writes a whole number followed by `.0`, as gpsd does.
    @inline(__always)
    private func appendWhole(_ key: StaticString, _ value: Int?, to text: inout TextBuffer) {
        guard let value else { return }
        text.append(key)
        text.append(number: value)
        text.append(".0," as StaticString)
    }

    /// Writes a count of tenths as a number with one decimal.
    @inline(__always)
    private func appendTenths(_ tenths: Int, to text: inout TextBuffer) {
        if tenths < 0 { text.append(0x2D) }
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        text.append(number: Int(whole))
        text.append(0x2E)
        text.append(0x30 &+ UInt8(truncatingIfNeeded: rest))
        text.append(0x2C)
    }

    /// The fix's mode, numbered as in gpsd: 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
    private static func mode(of fix: Fix) -> Int {
        guard fix.hasFixStatus else { return 0 }
        guard fix.hasPosition else { return 1 }
        return fix.type.hasHeight ? 3 : 2
    }

    /// The fix's status, numbered as in gpsd; nil for the numbers 0 and 1, which gpsd never sends.
    private static func status(of fix: Fix) -> Int? {
        switch fix.quality {
        case .autonomous: fix.type == .gnssPlusDeadReckoning ? 6 : nil
        case .unknown, .invalid: nil
        case .differential: 2
        case .rtkFixed: 3
        case .rtkFloat: 4
        case .deadReckoning: 5
        case .surveyedTime, .manualInput: 7
        case .simulated: 8
        case .precise: 9
        }
    }
}
