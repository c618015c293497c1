internal import Monitors
internal import SextantUnits

struct TrackDrawing {
    private let picture: TrackPicture
    private let title: String
    private let regions: [TrackPicture.Region]
    private let map: PictureMap
    private let bounds: PictureMap.Bounds

    private static let frame = PictureMap.Frame(x: 20, y: 70, width: 1160, height: 780)
    private static let maximumRegions = 500
    private static let maximumLabels = 60

    private enum Colour {
        static let fix = "#777777"
        static let location = "#1f5fa8"
        static let accuracy = "#4d94d6"
        static let region = "#2f8f5b"
        static let exit = "#c0392b"
        static let visit = "#94399b"
        static let grid = "#e6e6e6"
    }

    init(of picture: TrackPicture, title: String, regions: [TrackPicture.Region]) {
        self.picture = picture
        self.title = title
        self.regions = regions
        bounds = TrackDrawing.bounds(of: picture, regions)
        map = PictureMap(covering: bounds, in: TrackDrawing.frame)
    }

    var svg: String {
        var svg = SVGText(width: 1200, height: 900)
        let frame = Self.frame
        svg.beginGroup(within: "map", x: frame.x, y: frame.y, width: frame.width, height: frame.height)
        drawGrid(&svg)
        let drawn = drawRegions(&svg)
        drawAccuracy(&svg)
        drawFixes(&svg)
        drawLocations(&svg)
        drawCrossings(&svg)
        var labels = PictureLabels()
        drawVisits(&svg, &labels)
        drawNames(of: drawn, &svg, &labels)
        svg.endGroup()
        drawBorder(&svg)
        drawLegend(&svg)
        drawScale(&svg)
        return svg.ended
    }

    // MARK: What is shown

    /// The area to show: all points, all visited places, and the crossed regions that are not far larger than these.
    private static func bounds(
        of picture: TrackPicture, _ regions: [TrackPicture.Region]
    ) -> PictureMap.Bounds {
        let points = picture.locations.count > 0 ? picture.locations.points : picture.fixes.points
        guard let first = points.first else { return PictureMap.Bounds(latitude: 0, longitude: 0) }
        var bounds = PictureMap.Bounds(latitude: first.latitude, longitude: first.longitude)
        func cover(_ latitude: Double, _ longitude: Double) {
            bounds.cover(latitude: latitude, longitude: near(longitude, first.longitude))
        }
        for point in points { cover(point.latitude, point.longitude) }
        for place in picture.places.values { cover(place.latitude, place.longitude) }
        let (height, width) = (bounds.north - bounds.south, bounds.east - bounds.west)
        for index in picture.touched.sorted() {
            var region = TrackDrawing.bounds(of: regions[Int(index)].shape)
            let turn = near(region.west, first.longitude) - region.west
            (region.west, region.east) = (region.west + turn, region.east + turn)
            let isSmall =
                region.north - region.south < 2 * max(height, 0.002)
                && region.east - region.west < 2 * max(width, 0.002)
            guard isSmall else { continue }
            bounds.cover(latitude: region.south, longitude: region.west)
            bounds.cover(latitude: region.north, longitude: region.east)
        }
        return bounds
    }

    /// A longitude, shifted by whole turns so that it is as near as possible to another longitude.
    private static func near(_ longitude: Double, _ other: Double) -> Double {
        other + LocalFrame.wrapped(longitude - other)
    }

    private static func bounds(of shape: RegionShape) -> PictureMap.Bounds {
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            return PictureMap.bounds(latitude: latitude, longitude: longitude, radius: radius)
        case .polygon(let polygon):
            let positions = polygon.rings.joined()
            guard let first = positions.first else { return PictureMap.Bounds(latitude: 0, longitude: 0) }
            var bounds = PictureMap.Bounds(latitude: first.latitude, longitude: first.longitude)
            for position in positions { bounds.cover(latitude: position.latitude, longitude: position.longitude) }
            return bounds
        }
    }

    // MARK: The map

    private func drawGrid(_ svg: inout SVGText) {
        let step = map.gridStep * map.scale
        let frame = Self.frame
        let (middleX, middleY) = (frame.x + frame.width / 2, frame.y + frame.height / 2)
        for index in -Int(frame.width / 2 / step)...Int(frame.width / 2 / step) {
            let x = middleX + Double(index) * step
            svg.line(x1: x, y1: frame.y, x2: x, y2: frame.y + frame.height, stroke: Colour.grid, width: 1)
        }
        for index in -Int(frame.height / 2 / step)...Int(frame.height / 2 / step) {
            let y = middleY + Double(index) * step
            svg.line(x1: frame.x, y1: y, x2: frame.x + frame.width, y2: y, stroke: Colour.grid, width: 1)
        }
    }

    /// Draws the regions that were crossed and the other regions in sight; returns the indices of all of them.
    private func drawRegions(_ svg: inout SVGText) -> [Int] {
        var drawn = picture.touched.sorted().map { Int($0) }
        for index in regions.indices where drawn.count < Self.maximumRegions {
            guard !picture.touched.contains(Int32(truncatingIfNeeded: index)) else { continue }
            var area = TrackDrawing.bounds(of: regions[index].shape)
            let turn = TrackDrawing.near(area.west, map.longitude) - area.west
            (area.west, area.east) = (area.west + turn, area.east + turn)
            if area.meets(bounds) { drawn.append(index) }
        }
        for index in drawn.prefix(Self.maximumRegions) { draw(regions[index].shape, &svg) }
        return drawn
    }

    private func draw(_ shape: RegionShape, _ svg: inout SVGText) {
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            svg.circle(
                x: map.x(longitude), y: map.y(latitude), radius: radius * map.scale, fill: Colour.region,
                opacity: 0.12, stroke: Colour.region)
        case .polygon(let polygon):
            let commands = polygon.rings.map { ring in
                path(ring.map { (map.x($0.longitude), map.y($0.latitude)) }) + "Z"
            }
            svg.area(commands.joined(), fill: Colour.region, opacity: 0.12, stroke: Colour.region)
        }
    }

    private func drawAccuracy(_ svg: inout SVGText) {
        svg.beginGroup(opacity: 0.22)
        var before: (x: Double, y: Double, radius: Double)?
        for point in picture.locations.points {
            let (x, y) = (map.x(point.longitude), map.y(point.latitude))
            let radius = (point.accuracy ?? 0) * map.scale
            // A circle is left out if it looks like the last one that was not left out: the differences in x, y and
            // radius add up to less than a point.
            if let before, abs(before.x - x) + abs(before.y - y) + abs(before.radius - radius) < 1 { continue }
            before = (x, y, radius)
            guard radius > 0.5 else { continue }
            svg.circle(x: x, y: y, radius: radius, fill: Colour.accuracy)
        }
        svg.endGroup()
    }

    private func drawFixes(_ svg: inout SVGText) {
        svg.beginGroup(opacity: 0.5)
        for point in picture.fixes.points {
            svg.circle(x: map.x(point.longitude), y: map.y(point.latitude), radius: 1.3, fill: Colour.fix)
        }
        svg.endGroup()
    }

    private func drawLocations(_ svg: inout SVGText) {
        var before: (Double, Double)?
        for run in picture.locations.runs {
            let places = run.map { (map.x($0.longitude), map.y($0.latitude)) }
            if let before, let first = places.first {
                svg.path(path([before, first]), stroke: Colour.location, width: 1, dashes: "2 5")
            }
            svg.path(path(places), stroke: Colour.location, width: 1.6)
            before = places.last
        }
    }

    private func path(_ places: [(x: Double, y: Double)]) -> String {
        var commands = ""
        var last: (x: Double, y: Double)?
        for place in places {
            // A difference of half a point of the picture cannot be seen.
            if let last, abs(last.x - place.x) + abs(last.y - place.y) < 0.5 { continue }
            commands += "\(last == nil ? "M" : "L")\(SVGText.number(place.x)) \(SVGText.number(place.y))"
            last = place
        }
        return commands
    }

    private func drawCrossings(_ svg: inout SVGText) {
        for crossing in picture.crossings {
            svg.circle(
                x: map.x(crossing.longitude), y: map.y(crossing.latitude), radius: 4,
                fill: crossing.isEntry ? Colour.region : "#ffffff",
                stroke: crossing.isEntry ? "#ffffff" : Colour.exit)
        }
    }

    private func drawVisits(_ svg: inout SVGText, _ labels: inout PictureLabels) {
        for (number, place) in picture.places.sorted(by: { $0.key < $1.key }) {
            let (x, y) = (map.x(place.longitude), map.y(place.latitude))
            let radius = max(6, place.accuracy * map.scale)
            svg.circle(x: x, y: y, radius: radius, fill: Colour.visit, opacity: 0.18, stroke: Colour.visit)
            guard picture.places.count <= Self.maximumLabels else { continue }
            let isRight = x < Self.frame.x + Self.frame.width - 220
            labels.place(
                TrackDrawing.words(number, place), x: isRight ? x + radius + 5 : x - radius - 5, y: y + 4,
                anchor: isRight ? .start : .end, fill: Colour.visit, on: &svg)
        }
    }

    private static func words(_ number: UInt64, _ place: TrackPicture.Place) -> String {
        let visits = place.visitCount == 1 ? "" : ", \(place.visitCount) visits"
        return "place \(number)\(visits)" + (place.stayed > 0 ? ", \(duration(place.stayed))" : "")
    }

    private func drawNames(of drawn: [Int], _ svg: inout SVGText, _ labels: inout PictureLabels) {
        guard drawn.count <= Self.maximumLabels else { return }
        for index in drawn {
            let area = TrackDrawing.bounds(of: regions[index].shape)
            let name = regions[index].name
            labels.place(
                name.count > 24 ? name.prefix(23) + "…" : name, x: map.x((area.west + area.east) / 2),
                y: max(Self.frame.y + 14, map.y(area.north) - 5), anchor: .middle, fill: Colour.region, on: &svg)
        }
    }
}

// MARK: Around the map

extension TrackDrawing {
    private func drawBorder(_ svg: inout SVGText) {
        let frame = Self.frame
        svg.path(
            "M\(SVGText.number(frame.x)) \(SVGText.number(frame.y))h\(SVGText.number(frame.width))"
                + "v\(SVGText.number(frame.height))h-\(SVGText.number(frame.width))Z", stroke: "#9a9a9a", width: 1)
        svg.text(title, x: frame.x, y: 30, size: 18, weight: "bold")
        svg.text(figures, x: frame.x, y: 54, size: 13)
    }

    /// The counts of fixes, locations, crossings and visits, as text.
    private var figures: String {
        let points = picture.locations.points
        func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
        var parts = [
            count(picture.fixes.count, "fix", "fixes"), count(picture.locations.count, "location", "locations"),
        ]
        if let first = points.first, let last = points.last, last.nanoseconds > first.nanoseconds {
            parts.append("over \(TrackDrawing.duration(last.nanoseconds &- first.nanoseconds))")
        }
        if !picture.crossings.isEmpty { parts.append(count(picture.crossings.count, "crossing", "crossings")) }
        let visits = picture.places.values.reduce(0) { $0 + $1.visitCount }
        if visits > 0 { parts.append(count(visits, "visit", "visits")) }
        return parts.joined(separator: ", ")
    }

    private func drawLegend(_ svg: inout SVGText) {
        var x = Self.frame.x + Self.frame.width
        func entry(_ words: String, _ draw: (Double) -> Void) {
            // A character of size 12 is about 6.2 points wide.
            x -= Double(words.count) * 6.2
            svg.text(words, x: x, y: 54, size: 12)
            draw(x - 14)
            x -= 34
        }
        let y = 50.0
        if !picture.places.isEmpty {
            entry("visit") {
                svg.circle(x: $0, y: y, radius: 6, fill: Colour.visit, opacity: 0.18, stroke: Colour.visit)
            }
        }
        if !regions.isEmpty {
            entry("left") { svg.circle(x: $0, y: y, radius: 4, fill: "#ffffff", stroke: Colour.exit) }
            entry("entered") { svg.circle(x: $0, y: y, radius: 4, fill: Colour.region, stroke: "#ffffff") }
            entry("region") {
                svg.circle(x: $0, y: y, radius: 6, fill: Colour.region, opacity: 0.12, stroke: Colour.region)
            }
        }
        entry("68 % of errors") { svg.circle(x: $0, y: y, radius: 6, fill: Colour.accuracy, opacity: 0.22) }
        entry("location") { svg.line(x1: $0 - 8, y1: y, x2: $0 + 8, y2: y, stroke: Colour.location, width: 1.6) }
        entry("fix") { svg.circle(x: $0 + 6, y: y, radius: 1.3, fill: Colour.fix) }
    }

    private func drawScale(_ svg: inout SVGText) {
        let frame = Self.frame
        let (metres, y) = (map.gridStep, frame.y + frame.height + 24)
        let end = frame.x + metres * map.scale
        svg.line(x1: frame.x, y1: y, x2: end, y2: y, stroke: "#222222", width: 2)
        for x in [frame.x, end] { svg.line(x1: x, y1: y - 5, x2: x, y2: y + 5, stroke: "#222222", width: 2) }
        let words = metres >= 1000 ? "\(SVGText.number(metres / 1000)) km" : "\(SVGText.number(metres)) m"
        svg.text(words, x: end + 10, y: y + 4, size: 13)
        svg.text(
            "middle: \(TrackDrawing.degrees(map.latitude, "N", "S"))  "
                + "\(TrackDrawing.degrees(LocalFrame.wrapped(map.longitude), "E", "W")), north up",
            x: frame.x + frame.width, y: y + 4, size: 13, anchor: "end")
    }

    private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
        let units = Int((abs(value) * 1e5).rounded())
        let fraction = String(units % 100_000)
        return "\(units / 100_000)." + String(repeating: "0", count: 5 - fraction.count) + fraction
            + "° \(value < 0 ? negative : positive)"
    }

    private static func duration(_ nanoseconds: Int64) -> String {
        let minutes = (nanoseconds + 30_000_000_000) / 60_000_000_000
        guard minutes > 0 else { return "\(nanoseconds / 1_000_000_000) s" }
        guard minutes >= 60 else { return "\(minutes) min" }
        guard minutes >= 2880 else { return "\(minutes / 60) h \(minutes % 60) min" }
        return "\(minutes / 1440) days \(minutes % 1440 / 60) h"
    }
}
