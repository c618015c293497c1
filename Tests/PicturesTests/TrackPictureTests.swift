import Fusion
import Monitors
import Pictures
import SextantUnits
import Testing

@Suite("Track picture")
struct TrackPictureTests {
    private func location(_ latitude: Double, _ longitude: Double, at seconds: Int64) -> TrackEvent {
        .location(
            FusedLocation(
                instant: MonotonicInstant(nanoseconds: seconds * 1_000_000_000), latitude: latitude,
                longitude: longitude, covariance: HorizontalCovariance(accuracy: 5)))
    }

    private func count(_ needle: String, in text: String) -> Int { text.components(of: needle) }

    @Test func `a track of any length makes a picture of bounded size`() {
        var picture = TrackPicture()
        for second in 0..<200_000 {
            let (latitude, longitude) = (47 + Double(second % 5000) * 1e-4, 8 + Double(second) * 1e-6)
            let instant = MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000)
            picture.add(FilterFix(latitude: latitude, longitude: longitude), at: instant)
            picture.add(location(latitude, longitude, at: Int64(second)))
        }
        let svg = picture.svg(title: "long", regions: [])
        #expect(svg.contains("200000 fixes, 200000 locations, over 2 days 7 h"))
        #expect(svg.utf8.count < 1_500_000 && count("<circle", in: svg) <= 10_100)
    }

    @Test func `shows the scale, the centre, regions, crossings and visits`() throws {
        var picture = TrackPicture()
        var track = TrackFollower()
        let shape = try RegionShape(latitude: 47.0015, longitude: 8, radius: 60)
        _ = track.path.regions.add(MonitoredRegion(shape))
        var events: [TrackEvent] = []
        for second in 0..<150 {
            let fix = FilterFix(latitude: 47 + Double(second) * 1.2e-5, longitude: 8, horizontalAccuracy: 3)
            track.found(fix, at: MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000), into: &events)
        }
        for event in events { picture.add(event) }
        for kind in [VisitEvent.Kind.arrival, .departure] {
            picture.add(
                .visit(
                    VisitEvent(
                        kind: kind, visit: 1, place: 4, arrival: .zero, since: .zero,
                        departure: kind == .departure ? MonotonicInstant(nanoseconds: 3_900_000_000_000) : nil,
                        confirmed: .zero, latitude: 47.0005, longitude: 8, horizontalAccuracy: 20, confidence: 0.9)))
        }
        let svg = picture.svg(
            title: "a <b> & c", regions: [TrackPicture.Region(name: "yard \"1\"", shape: shape)])
        for words in [
            "a &lt;b&gt; &amp; c", "yard &quot;1&quot;", "place 4, 1 h 5 min",
            "150 locations, over 2 min, 1 crossing, 1 visit",
            "50 m<", "° N  8.00000° E, north up",
        ] {
            #expect(svg.contains(words), "\(words)")
        }
    }

    @Test func `a track across the antimeridian is not drawn around the Earth`() {
        var picture = TrackPicture()
        for step in 0..<100 {
            let longitude = LocalFrame.wrapped(179.99 + Double(step) * 2e-4)
            picture.add(location(0, longitude, at: Int64(step)))
        }
        let svg = picture.svg(title: "", regions: [])
        #expect(svg.contains("200 m<") && svg.contains("E, north up") || svg.contains("W, north up"))
        #expect(svg.contains(" km<") == false)
    }

    @Test func `an empty track gives an empty picture`() {
        let svg = TrackPicture().svg(title: "nothing", regions: [])
        #expect(svg.contains("0 fixes, 0 locations") && svg.hasSuffix("</svg>\n"))
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of needle: String) -> Int {
        split(separator: needle, omittingEmptySubsequences: false).count - 1
    }
}
