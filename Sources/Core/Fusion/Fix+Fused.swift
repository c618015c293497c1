public import GNSS

extension Fix {
    /// The solution as it is told: what the estimator knows better in place of the receiver's word.
    ///
    /// Time, kind and what nobody estimates stay the receiver's; what would contradict the estimate goes.
    public func fused(_ location: FusedLocation) -> Fix {
        var fix = self
        fix.latitude = location.latitude
        fix.longitude = location.longitude
        fix.horizontalAccuracy = location.horizontalAccuracy
        if let altitude = location.altitude, let before = altitudeAboveMeanSeaLevel {
            fix.altitudeAboveMeanSeaLevel = altitude
            fix.heightAboveEllipsoid = heightAboveEllipsoid.map { $0 + altitude - before }
            fix.verticalAccuracy = location.verticalAccuracy ?? verticalAccuracy
        }
        if let velocity = location.velocity {
            fix.speed = velocity.speed
            fix.speedAccuracy = velocity.deviation
            fix.velocity = VelocityNED(north: velocity.north, east: velocity.east, down: self.velocity?.down ?? 0)
        }
        fix.courseOverGround = location.heading.flatMap { $0.source == .course ? $0.degrees : nil }
        fix.courseAccuracy = location.heading.flatMap { $0.source == .course ? $0.accuracy : nil }
        fix.ecefPosition = nil
        fix.ecefPositionAccuracy = nil
        fix.ecefVelocity = nil
        fix.ecefVelocityAccuracy = nil
        return fix
    }
}
