import ClientProtocol
import ClientVocabulary
import Monitors
import SextantUnits
import Testing

@Suite("Lines of regions and visits")
struct RegionLinesTests {
    private static let time = UTCInstant(nanoseconds: 1_795_176_000_000_000_000)

    private func ring(_ points: [(Double, Double)]) -> [RegionPolygon.Position] {
        points.map { RegionPolygon.Position(latitude: $0.0, longitude: $0.1) }
    }

    @Test func `a polygon's registration has closed GeoJSON coordinates and its dwell time`() throws {
        let polygon = try RegionPolygon([ring([(47, 8), (47, 9), (48, 9)])])
        let region = RegionRequest(identifier: "field", .polygon(polygon), notifyOnExit: false, dwell: 60)
        #expect(
            text { ClientEvent.appendRegistration(region, isInside: true, date: Self.time, to: &$0) } == """
                {"event":"registration","kind":"region","identifier":"field","polygon":[[[8.000000000,47.000000000],\
                [9.000000000,47.000000000],[9.000000000,48.000000000],[8.000000000,47.000000000]]],\
                "notifyOnEntry":true,"notifyOnExit":false,"dwell":60.000,"state":"inside",\
                "date":"2026-11-20T12:00:00.000Z"}

                """)
    }

    @Test func `several polygons are written as a MultiPolygon`() throws {
        let parts = [[ring([(47, 8), (47, 9), (48, 9)])], [ring([(37, 8), (37, 9), (38, 9)])]]
        let region = RegionRequest(identifier: "isles", .polygon(try RegionPolygon(parts: parts)))
        let line = text { ClientEvent.appendRegistration(region, isInside: nil, date: nil, to: &$0) }
        #expect(line.contains(#""multiPolygon":[[[[8.000000000,47.000000000],[9"#), "\(line)")
        #expect(line.contains(#"[8.000000000,47.000000000]]],[[[8.000000000,37.000000000],"#), "\(line)")
        #expect(line.hasSuffix(#"]]]],"notifyOnEntry":true,"notifyOnExit":true,"state":"unknown"}"# + "\n"), "\(line)")
    }

    @Test func `a dwell event has the state inside`() {
        let event = RegionEventObject(
            identifier: "yard", monitor: nil, kind: .dwell, isInside: true, time: Self.time, confirmed: Self.time)
        #expect(
            text { ClientEvent.appendRegionEvent(event, number: 9, to: &$0) } == """
                {"event":"regionEvent","identifier":"yard","number":9,"transition":"dwell","state":"inside",\
                "time":"2026-11-20T12:00:00.000Z","confirmed":"2026-11-20T12:00:00.000Z"}

                """)
    }

    @Test func `an event of a manifest's region has the topic that the manifest names`() {
        let event = RegionEventObject(
            identifier: "quay", monitor: nil, kind: .exit, isInside: false, time: nil, confirmed: nil,
            topic: "harbour/boat")
        let line = text { ClientEvent.appendRegionEvent(event, number: 9, to: &$0) }
        #expect(line.hasSuffix(#""state":"outside","topic":"harbour/boat"}"# + "\n"))
    }

    @Test func `a past visit has its known values, and the end of the list says how many are kept`() {
        let stay = VisitObject(
            arrival: Self.time, departure: nil, latitude: 47, longitude: 8, horizontalAccuracy: 30)
        #expect(
            text {
                ClientEvent.append(PastVisitObject(visit: 5, place: 2, confidence: 0.9, stay: stay), id: "v", to: &$0)
            } == """
                {"event":"pastVisit","id":"v","visit":5,"place":2,"arrival":"2026-11-20T12:00:00.000Z",\
                "latitude":47.000000000,"longitude":8.000000000,"horizontalAccuracy":30.000,"confidence":0.90}

                """)
        #expect(
            text { ClientEvent.appendVisits(count: 1, total: 300, id: nil, to: &$0) }
                == "{\"event\":\"visits\",\"count\":1,\"total\":300}\n")
    }
}
