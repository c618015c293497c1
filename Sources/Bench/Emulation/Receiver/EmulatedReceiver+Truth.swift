public import SextantUnits

/// Where the receiver truly is, for benches that carry it about.
extension EmulatedReceiver {
    /// Where the receiver truly is at an instant of the bench.
    public func truth(at instant: MonotonicInstant) -> TruePoint { trajectory.position(at: unixSeconds(at: instant)) }

    /// Moves the receiver along a way from an instant on, starting where it is then.
    ///
    /// - Parameter way: The way; its first time is moved to the instant, and its first place to where the receiver is.
    public mutating func carry(along way: Trajectory, from instant: MonotonicInstant) {
        let (here, now) = (truth(at: instant), unixSeconds(at: instant))
        let first = way.points[0]
        // The bench's clock counts from the trajectory's first point, which therefore stays.
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
