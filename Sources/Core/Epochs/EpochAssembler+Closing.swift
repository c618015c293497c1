internal import GNSS
internal import SextantUnits

/// Closes an epoch, and concludes its fix, its time and its sky view from its messages.
extension EpochAssembler {
    /// Concludes the open epoch, adds it to the closed epochs, and begins a new one.
    ///
    /// - Parameter upToMark: Whether what came after the last sentence with a time belongs to the next epoch.
    mutating func close(upToMark: Bool = false) {
        if !upToMark { moveUntimed() }
        concludeFix(upToMark: upToMark)
        sky.close(into: &open, upToMark: upToMark)
        concludeTime()
        learnLeapSeconds()
        open.lastByte = lastByte
        lastClosed = (current.key, lastByte, false)
        open.moveAndClear(into: &closedStorage[closedCount])
        closedCount += 1
        current = OpenEpoch(knowsDate: dates.isKnown)
    }

    /// Keeps the leap seconds that the receiver gave; without them, takes the leap seconds in force on the date of the
    /// fix.
    ///
    /// A recording can be older than today's leap seconds.
    private mutating func learnLeapSeconds() {
        leapSeconds = open.fix.leapSeconds ?? leapSeconds
        open.fix.leapSeconds = leapSeconds
        if let leapSeconds {
            leapMilliseconds = Int64(leapSeconds) * 1000
        } else if open.fix.gnssTime != nil, let time = open.fix.time {
            leapMilliseconds = Int64(LeapSeconds.gpsMinusUTC(on: time.date)) * 1000
        }
    }

    private mutating func concludeFix(upToMark: Bool) {
        if current.ubx.hasSolution {
            current.ubx.conclude(&open.fix)
        } else {
            open.fix.satellitesUsed = satellitesUsed(upToMark: upToMark)
            current.nmea.conclude(&open.fix, latched: &latchedType)
        }
        if open.isInForeignDatum {
            // Sextant gives all positions in WGS 84, so a position in another datum is dropped.
            open.fix.withdrawPosition()
            open.fix.type = .noFix
        }
        concludeAltitude()
    }

    /// Computes the altitude with the EGM96 geoid where the receiver gives only the height above the ellipsoid.
    private mutating func concludeAltitude() {
        guard open.fix.altitudeAboveMeanSeaLevel == nil, let height = open.fix.heightAboveEllipsoid,
            let latitude = open.fix.latitude, let longitude = open.fix.longitude,
            let undulation = EGM96.undulation(latitude: latitude, longitude: longitude)
        else { return }
        open.fix.altitudeAboveMeanSeaLevel = height - undulation
    }

    /// The number of satellites used: GGA's count or the satellites that GSA names, whichever is larger.
    ///
    /// In many receivers GGA's count stops at 12.
    private func satellitesUsed(upToMark: Bool) -> UInt8? {
        let named = sky.usedCount(upToMark: upToMark) ?? 0
        guard named > 0 || current.nmea.reportedSatellites != nil else { return nil }
        return UInt8(clamping: max(named, current.nmea.reportedSatellites ?? 0))
    }

    private mutating func concludeTime() {
        if let time = current.ubx.time {
            let instant = dates.reference.mended(time.instant)
            open.fix.time = instant
            let isValidated = time.isValidated && !DateKeeper.isPlaceholder(time.instant.date)
            open.fix.isTimeValidated = isValidated
            if isValidated { dates.note(instant) }
            return
        }
        guard let timeOfDay = current.timeOfDay else { return }
        let isPlaceholder = current.date.map(DateKeeper.isPlaceholder) ?? false
        let isGood = current.nmea.isValid && !current.nmea.isVoid && !isPlaceholder
        if let date = current.date, isGood || !dates.isValidated {
            open.fix.time = dates.resolve(timeOfDay, date: date, isValid: isGood || dates.isValidated)
            open.fix.isTimeValidated = isGood
        } else if let known = dates.resolve(timeOfDay) {
            open.fix.time = known.instant
            open.fix.isTimeValidated = known.isValidated && isGood
        }
    }
}
