import Fusion
import Monitors
import SextantUnits
import Simulation

/// A monitor and the ground about it: metres east and north of a place.
struct Ground {
    var monitor = RegionMonitor()
    var frame: LocalFrame
    private(set) var events: [RegionEvent] = []

    init(latitude: Double = 47, longitude: Double = 8) {
        frame = LocalFrame(latitude: latitude, longitude: longitude)
    }

    var kinds: [RegionEvent.Kind] { events.map(\.kind) }

    /// A circle so many metres east and north of the place.
    func circle(_ radius: Double, east: Double = 0, north: Double = 0) -> RegionShape {
        let centre = frame.coordinate(of: LocalPoint(east: east, north: north))
        return .circle(latitude: centre.latitude, longitude: centre.longitude, radius: radius)
    }

    /// Corners in metres.
    func polygon(_ rings: [(east: Double, north: Double)]...) throws -> RegionShape {
        .polygon(try RegionPolygon(rings.map { ring in ring.map { position(east: $0.east, north: $0.north) } }))
    }

    func position(east: Double, north: Double) -> RegionPolygon.Position {
        let place = frame.coordinate(of: LocalPoint(east: east, north: north))
        return RegionPolygon.Position(latitude: place.latitude, longitude: place.longitude)
    }

    func location(
        east: Double, north: Double = 0, at seconds: Double, accuracy: Double = 5,
        support: FusedLocation.Support = .measured
    ) -> FusedLocation {
        let place = frame.coordinate(of: LocalPoint(east: east, north: north))
        return FusedLocation(
            instant: at(seconds), latitude: place.latitude, longitude: place.longitude,
            covariance: HorizontalCovariance(accuracy: accuracy), support: support)
    }

    mutating func follow(
        east: Double, north: Double = 0, at seconds: Double, accuracy: Double = 5,
        support: FusedLocation.Support = .measured
    ) {
        let location = location(east: east, north: north, at: seconds, accuracy: accuracy, support: support)
        monitor.found(location, into: &events)
    }

    /// Stands still, at a fix a second.
    mutating func stand(east: Double, north: Double = 0, from start: Double, seconds: Int, accuracy: Double = 5) {
        for second in 0..<seconds {
            follow(east: east, north: north, at: start + Double(second), accuracy: accuracy)
        }
    }

    /// Goes from one place to another along the east, at a fix every so often.
    ///
    /// - Returns: When it arrived.
    @discardableResult
    mutating func go(
        from start: Double, to end: Double, north: Double = 0, speed: Double, since: Double, every interval: Double = 1,
        accuracy: Double = 5
    ) -> Double {
        let duration = abs(end - start) / speed
        for second in stride(from: 0, through: duration, by: interval) {
            let east = start + (end > start ? 1 : -1) * speed * second
            follow(east: east, north: north, at: since + second, accuracy: accuracy)
        }
        return since + duration
    }

    mutating func advance(to seconds: Double) { monitor.advance(to: at(seconds), into: &events) }

    mutating func forget() { events.removeAll() }
}

extension MonotonicInstant {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}
