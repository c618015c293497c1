import Configuration
import Monitors
import Testing

@Suite("Region file")
struct RegionFileTests {
    private func read(_ text: String) throws -> [RegionFeature] { try RegionFile.read(Array(text.utf8)) }

    private func problem(_ text: String) -> String {
        do {
            return "read: \(try read(text))"
        } catch {
            return "\(error)"
        }
    }

    private static let square = "[[[8,47],[8.01,47],[8.01,47.01],[8,47.01],[8,47]]]"
    private static let file = """
        \u{FEFF}{ "name": "all", "features": [
          {"properties": {"radius": 120.5, "id": 7, "dwell": 300, "colour": {"deep": [1, null, "x\\u00fc"]}},
           "type": "Feature", "geometry": {"coordinates": [8.5, 47.25, 430], "type": "Point"}},
          {"type": "Feature", "id": "the \\"yard\\" \\ud83d\\ude00", "properties": {"notifyOnExit": false, "dwell": null},
           "geometry": {"type": "Polygon", "coordinates": \(square)}},
          {"type": "Feature", "properties": null,
           "geometry": {"type": "MultiPolygon", "coordinates": [\(square), [[[9,47],[9.01,47],[9.01,47.01]]]]}}
        ], "type": "FeatureCollection" }
        """

    @Test func `circles, polygons and MultiPolygons are read, with members in any order`() throws {
        let features = try read(Self.file)
        #expect(features.map(\.id) == ["7", "the \"yard\" 😀", "3"])
        #expect(features.map(\.dwell) == [300, nil, nil])
        #expect(features.map(\.notifyOnEntry) == [true, true, true])
        #expect(features.map(\.notifyOnExit) == [true, false, true])
        #expect(features[0].shape == .circle(latitude: 47.25, longitude: 8.5, radius: 120.5))
        let ring: [RegionPolygon.Position] = [(47, 8), (47, 8.01), (47.01, 8.01), (47.01, 8)].map {
            RegionPolygon.Position(latitude: $0.0, longitude: $0.1)
        }
        #expect(features[1].shape == .polygon(try RegionPolygon([ring])))
    }

    @Test func `a single feature or a bare geometry is one region`() throws {
        let geometry = "{\"type\":\"Polygon\",\"coordinates\":\(Self.square)}"
        #expect(try read(geometry).map(\.id) == ["1"])
        #expect(try read("{\"type\":\"Feature\",\"id\":12,\"geometry\":\(geometry)}").map(\.id) == ["12"])
    }

    @Test func `a file truncated anywhere is refused with the line`() {
        let bytes = Array(Self.file.utf8)
        for end in stride(from: 0, to: bytes.count, by: 7) {
            let error = #expect(throws: RegionFileError.self) { try RegionFile.read(Array(bytes[..<end])) }
            #expect(error?.line != nil)
        }
    }

    @Test func `a file with any damaged byte is read or refused with a message`() {
        let bytes = Array(Self.file.utf8)
        for index in bytes.indices {
            // Each byte is damaged in four ways of these, and its neighbours in others.
            let damages: [UInt8] = [0x00, 0x22, 0x2C, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x65, 0x39, 0xFF]
            for turn in 0..<4 {
                let damage = damages[(4 * index + turn) % damages.count]
                var damaged = bytes
                damaged[index] = damage
                do {
                    #expect(try !RegionFile.read(damaged).isEmpty)
                } catch {
                    #expect("\(error)".count > 10)
                }
            }
        }
    }

    private static func feature(_ geometry: String, _ properties: String = "{}") -> String {
        "{\"type\":\"FeatureCollection\",\"features\":[\n"
            + "{\"type\":\"Feature\",\"id\":\"a\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":\(square)}},\n"
            + "{\"type\":\"Feature\",\"id\":\"b\",\"properties\":\(properties),\"geometry\":\(geometry)}\n]}"
    }

    @Test(
        arguments: [
            ("", "line 1: the text ends too early; is the file cut off?"),
            ("[1]", "line 1: an object is expected here"),
            (
                "{}",
                "line 1, feature 1: its type is not said; give a FeatureCollection, a Feature, or a Polygon"
            ),
            ("{\"type\":\"FeatureCollection\",\"features\":[]}", "there is no region in it; add a feature for each"),
            (
                "{\"type\":\"FeatureCollection\",\"features\":{}}",
                "line 1: features: an array is expected here"
            ),
            ("{\"type\":\"Feature\"} x", "line 1: unexpected text after the end of the value"),
            (
                feature("null"),
                "line 3, feature 2 (\"b\"): it has no geometry; give it a Polygon, a MultiPolygon, or a Point"
            ),
            (
                feature("{\"type\":\"Point\",\"coordinates\":[8,47]}"),
                "line 3, feature 2 (\"b\"): a Point is a region with the property radius, in metres; add it"
            ),
            (
                feature("{\"type\":\"Point\",\"coordinates\":[8]}"),
                "line 3, feature 2 (\"b\"): a position is [longitude, latitude], and this has 1"
            ),
            (
                feature("{\"type\":\"Point\",\"coordinates\":[8,47]}", "{\"radius\":\"5\"}"),
                "line 3, feature 2 (\"b\"): radius: a number is expected here"
            ),
            (
                feature("{\"type\":\"Point\",\"coordinates\":[8,47]}", "{\"radius\":5,\"dwell\":-1}"),
                "line 3, feature 2 (\"b\"): dwell is -1.0; give seconds, from 0 to 31536000"
            ),
            (
                feature("{\"type\":\"LineString\",\"coordinates\":[[8,47],[9,47]]}"),
                "line 3, feature 2 (\"b\"): its geometry is a LineString; a region is a Polygon, a MultiPolygon, or a Point"
                    + " with a radius"
            ),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[\(feature("null").split(separator: "\n")[1])"
                    + "{\"type\":\"Feature\",\"id\":\"a\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":\(square)}}]}",
                "line 1, feature 2 (\"a\"): its id is that of feature 1 too; give each its own"
            ),
        ])
    func `each error names the line, the feature and the remedy`(text: String, expected: String) {
        #expect(problem(text) == expected)
    }

    @Test(
        arguments: [
            ("[[[8,47],[8.01,47]]]", "fewer than 3 different positions"),
            ("[[[8,47],[8.01,47.01],[8.01,47],[8,47.02]]]", "crosses another edge"),
            ("[[[0,80],[120,80],[-120,80],[0,80]]]", "pole"),
            ("[[[8,97],[8.01,47],[8,47.01]]]", "latitude 97.0 is out of range"),
        ])
    func `an invalid polygon is refused with the reason`(coordinates: String, reason: String) {
        let text = problem(Self.feature("{\"type\":\"Polygon\",\"coordinates\":\(coordinates)}"))
        #expect(text.hasPrefix("line 3, feature 2 (\"b\"): ") && text.contains(reason), "\(text)")
    }

    @Test func `endlessly nested values are refused`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(problem("{\"x\":\(deep)").contains("values are nested deeper than 256 levels"))
    }
}
