public import Units

/// Where the receiver truly is, for benches that carry it about.
extension EmulatedReceiver {
    /// Where it is at an instant of the bench.
    public func truth(at instant: MonotonicInstant) -> TruePoint { trajectory.position(at: unixSeconds(at: instant)) }

    /// Carries it along a way from an instant on: from where it is then, in the way's own directions and at its pace.
    ///
    /// - Parameter way: Its first time stands for the instant, its first place for where the receiver is.
    public mutating func carry(along way: Trajectory, from instant: MonotonicInstant) {
        let (here, now) = (truth(at: instant), unixSeconds(at: instant))
        let first = way.points[0]
        // The clock of the bench counts from the first point, which therefore stays.
        var points = trajectory.points.filter { $0.time < now }
        for point in way.points {
            var shifted = point
            shifted.time += now - first.time
            shifted.latitude += here.latitude - first.latitude
            shifted.longitude += here.longitude - first.longitude
            shifted.altitude += here.altitude - first.altitude
            points.append(shifted)
        }
        trajectory = Trajectory(points: points)
    }
}
