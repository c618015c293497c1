public import SextantUnits

/// The receiver's true position and its movement, for tests that move the receiver.
extension EmulatedReceiver {
    /// The receiver's true position at an instant of the bench's clock.
    public func truth(at instant: MonotonicInstant) -> TruePoint { trajectory.position(at: unixSeconds(at: instant)) }

    /// From an instant on, moves the receiver along a trajectory that starts at the receiver's position at that
    /// instant.
    ///
    /// - Parameter way: The trajectory, which is shifted in time and place: its first time becomes the instant, and its
    ///   first place the receiver's position.
    public mutating func carry(along way: Trajectory, from instant: MonotonicInstant) {
        let (here, now) = (truth(at: instant), unixSeconds(at: instant))
        let first = way.points[0]
        // UTC is computed from the time of the trajectory's first point, so that point must stay.
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
