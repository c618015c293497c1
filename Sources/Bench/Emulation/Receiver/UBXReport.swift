import GNSS
import UBX

/// Writes one navigation solution as those UBX messages that are due with it.
struct UBXReport {
    let solution: SyntheticSolution
    let settings: ReceiverSettings
    /// The solution's running number; a message with rate n is due with every nth solution.
    let count: Int
    let powerSave: PowerSaveState

    func appendSolution(to bytes: inout [UInt8]) {
        if isDue(settings.place) { place.encoded(into: &bytes) }
        if isDue(settings.solution) { oldSolution.encoded(into: &bytes) }
        if isDue(settings.position) {
            var message = UBXBurst.positionVelocityTime(solution)
            message.setPowerSaveState(powerSave)
            message.encoded(into: &bytes)
        }
        if isDue(settings.velocity) { velocity.encoded(into: &bytes) }
        if isDue(settings.satellites) { UBXBurst.appendSatellites(solution, to: &bytes) }
        if isDue(settings.dilution) { UBXBurst.appendDilution(solution, to: &bytes) }
        if isDue(settings.timeUTC) { timeUTC.encoded(into: &bytes) }
    }

    private func isDue(_ rate: Int) -> Bool { rate > 0 && count % rate == 0 }

    private var timeUTC: NavTIMEUTC {
        let full = UBXBurst.positionVelocityTime(solution)
        var message = NavTIMEUTC()
        message.timeOfWeekMilliseconds = full.timeOfWeekMilliseconds
        message.timeAccuracyNanoseconds = full.timeAccuracyNanoseconds
        message.nanosecond = full.nanosecond
        message.year = full.year
        message.month = full.month
        message.day = full.day
        message.hour = full.hour
        message.minute = full.minute
        message.second = full.second
        message.validityFlags = solution.isDateKnown ? 0x37 : 0
        return message
    }

    private var place: NavPOSLLH {
        let full = UBXBurst.positionVelocityTime(solution)
        var message = NavPOSLLH()
        message.timeOfWeekMilliseconds = full.timeOfWeekMilliseconds
        message.longitudeE7 = full.longitudeE7
        message.latitudeE7 = full.latitudeE7
        message.heightAboveEllipsoidMillimetres = full.heightAboveEllipsoidMillimetres
        message.altitudeAboveMeanSeaLevelMillimetres = full.altitudeAboveMeanSeaLevelMillimetres
        message.horizontalAccuracyMillimetres = full.horizontalAccuracyMillimetres
        message.verticalAccuracyMillimetres = full.verticalAccuracyMillimetres
        return message
    }

    private var velocity: NavVELNED {
        let full = UBXBurst.positionVelocityTime(solution)
        var message = NavVELNED()
        message.timeOfWeekMilliseconds = full.timeOfWeekMilliseconds
        message.velocityNorthCentimetresPerSecond = full.velocityNorthMillimetresPerSecond / 10
        message.velocityEastCentimetresPerSecond = full.velocityEastMillimetresPerSecond / 10
        message.velocityDownCentimetresPerSecond = full.velocityDownMillimetresPerSecond / 10
        message.groundSpeedCentimetresPerSecond = UInt32(clamping: full.groundSpeedMillimetresPerSecond / 10)
        message.speedCentimetresPerSecond = message.groundSpeedCentimetresPerSecond
        message.courseOverGroundE5 = full.courseOverGroundE5
        message.speedAccuracyCentimetresPerSecond = full.speedAccuracyMillimetresPerSecond / 10
        message.courseAccuracyE5 = full.courseAccuracyE5
        return message
    }

    /// NAV-SOL, the solution message of u-blox 6: position and velocity in the Earth-fixed frame.
    private var oldSolution: NavSOL {
        let full = UBXBurst.positionVelocityTime(solution)
        var message = NavSOL()
        message.timeOfWeekMilliseconds = full.timeOfWeekMilliseconds
        message.week = solution.isDateKnown ? Int16(clamping: solution.time.gpsWeek) : 0
        message.fixType = full.fixType
        message.flags = (full.isFixOK ? 0x01 : 0) | (solution.isDateKnown ? 0x0C : 0)
        message.positionAccuracyCentimetres = full.horizontalAccuracyMillimetres / 10
        message.speedAccuracyCentimetresPerSecond = full.speedAccuracyMillimetresPerSecond / 10
        message.positionDOPE2 = full.positionDOPE2
        message.satellitesUsed = full.satellitesUsed
        guard let position = solution.position else { return message }
        let frame = EarthFixedFrame(
            latitude: position.latitude, longitude: position.longitude,
            height: position.altitudeAboveMeanSeaLevel + position.geoidSeparation)
        let velocity = frame.earthFixed(position.velocity)
        message.xCentimetres = Int32(frame.origin.x * 100)
        message.yCentimetres = Int32(frame.origin.y * 100)
        message.zCentimetres = Int32(frame.origin.z * 100)
        message.velocityXCentimetresPerSecond = Int32(velocity.x * 100)
        message.velocityYCentimetresPerSecond = Int32(velocity.y * 100)
        message.velocityZCentimetresPerSecond = Int32(velocity.z * 100)
        return message
    }
}
