public import GNSS

extension Fix {
    /// The solution that clients get: the receiver's fix, with the estimator's values in place of the receiver's.
    ///
    /// The time, the fix type and all values that the estimator does not compute stay the receiver's. The Earth-fixed
    /// position and velocity are removed, because they would contradict the estimate; so is the course where the
    /// estimate has none. Where the receiver gives neither speed nor velocity, the result has neither.
    public func fused(_ location: FusedLocation) -> Fix {
        var fix = self
        fix.latitude = location.latitude
        fix.longitude = location.longitude
        fix.horizontalAccuracy = location.horizontalAccuracy
        fix.ellipse = location.covariance.ellipse
        if let altitude = location.altitude, let before = altitudeAboveMeanSeaLevel {
            fix.altitudeAboveMeanSeaLevel = altitude
            fix.heightAboveEllipsoid = heightAboveEllipsoid.map { $0 + altitude - before }
            fix.verticalAccuracy = location.verticalAccuracy ?? verticalAccuracy
        }
        let saysMotion = speed != nil || self.velocity != nil
        if let velocity = location.velocity, saysMotion {
            fix.speed = velocity.speed
            fix.speedAccuracy = velocity.deviation
            fix.velocity = VelocityNED(north: velocity.north, east: velocity.east, down: self.velocity?.down ?? 0)
        }
        let course = location.heading.flatMap { saysMotion && $0.source == .course ? $0 : nil }
        fix.courseOverGround = course?.degrees
        fix.courseAccuracy = course?.accuracy
        fix.ecefPosition = nil
        fix.ecefPositionAccuracy = nil
        fix.ecefVelocity = nil
        fix.ecefVelocityAccuracy = nil
        return fix
    }
}
