public import Fusion
public import Monitors
public import SextantUnits

/// A picture of a track: raw fixes, filtered locations with their accuracy, regions with crossings, and visits.
///
/// The result is an SVG document of 1200 by 900 points on a plain grid, north up, that needs no other file. The number
/// of points in the document is limited, however long the track is.
public struct TrackPicture: Sendable {
    /// A region that can be drawn.
    public struct Region: Sendable {
        public var name: String
        public var shape: RegionShape

        public init(name: String, shape: RegionShape) {
            self.name = name
            self.shape = shape
        }
    }

    /// A visited place: the position, and the number and total length of the stays there.
    struct Place {
        var latitude: Double
        var longitude: Double
        var accuracy: Double
        var visitCount = 0
        /// The total length of the completed stays, in nanoseconds.
        var stayed: Int64 = 0
    }

    struct Crossing {
        var latitude: Double
        var longitude: Double
        var isEntry: Bool
    }

    var fixes = ThinnedTrack(limit: 6000)
    var locations = ThinnedTrack(limit: 4000)
    private(set) var places: [UInt64: Place] = [:]
    private(set) var crossings: [Crossing] = []
    /// The indices of the regions that were entered or left.
    private(set) var touched: Set<Int32> = []
    private static let maximumCrossings = 2000
    private static let maximumPlaces = 500

    public init() {}

    /// Adds a raw fix; a fix with an impossible latitude or longitude is left out.
    public mutating func add(_ fix: FilterFix, at instant: MonotonicInstant) {
        guard abs(fix.latitude) <= 90, abs(fix.longitude) <= 180 else { return }
        fixes.append(
            ThinnedTrack.Point(
                latitude: fix.latitude, longitude: fix.longitude, nanoseconds: instant.nanoseconds))
    }

    /// Adds an event that was derived from the fixes.
    public mutating func add(_ event: TrackEvent) {
        switch event {
        case .location(let location):
            locations.append(
                ThinnedTrack.Point(
                    latitude: location.latitude, longitude: location.longitude,
                    accuracy: location.horizontalAccuracy, nanoseconds: location.instant.nanoseconds))
        case .region(let event): add(event)
        case .visit(let event): add(event)
        case .significantChange: break
        }
    }

    private mutating func add(_ event: RegionEvent) {
        guard event.kind == .entered || event.kind == .exited, crossings.count < TrackPicture.maximumCrossings else {
            return
        }
        touched.insert(event.slot.index)
        crossings.append(
            Crossing(latitude: event.latitude, longitude: event.longitude, isEntry: event.kind == .entered))
    }

    private mutating func add(_ event: VisitEvent) {
        guard places.count < TrackPicture.maximumPlaces || places[event.place] != nil else { return }
        var place =
            places[event.place]
            ?? Place(latitude: event.latitude, longitude: event.longitude, accuracy: event.horizontalAccuracy)
        (place.latitude, place.longitude) = (event.latitude, event.longitude)
        place.accuracy = event.horizontalAccuracy
        if event.kind == .arrival { place.visitCount += 1 }
        if let departure = event.departure { place.stayed &+= departure.nanoseconds(since: event.since) }
        places[event.place] = place
    }

    /// The SVG document.
    ///
    /// - Parameter regions: The regions, in the order of their indices in the region monitor.
    public func svg(title: String, regions: [Region]) -> String {
        TrackDrawing(of: self, title: title, regions: regions).svg
    }
}
