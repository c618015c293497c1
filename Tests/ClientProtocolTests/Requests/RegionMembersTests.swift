import ClientProtocol
import Monitors
import Testing

/// The shapes of regions in requests.
@Suite("Decoder of regions")
struct RegionMembersTests {
    private func region(_ members: String) throws -> RegionRequest? {
        let line = Array("{\"request\":\"monitorRegion\",\"identifier\":\"a\",\(members)}".utf8)
        guard case .monitoring(.region(let region)) = try ClientRequestDecoder.decode(line).get().kind else {
            return nil
        }
        return region
    }

    private func problem(_ members: String) -> ClientRequestError? {
        do {
            _ = try region(members)
            return nil
        } catch {
            return (error as? RefusedRequest)?.problem
        }
    }

    private static let square = "[[8,47],[8.5,47],[8.5,47.5],[8,47.5],[8,47]]"
    private static let corners = [(47.0, 8.0), (47, 8.5), (47.5, 8.5), (47.5, 8)].map {
        RegionPolygon.Position(latitude: $0, longitude: $1)
    }

    @Test func `a polygon has GeoJSON coordinates, with optional heights and closing position`() throws {
        let shape = RegionShape.polygon(try RegionPolygon([Self.corners]))
        #expect(try region("\"polygon\":[\(Self.square)]")?.shape == shape)
        let high = Self.square.replacing(",47],", with: ",47,408.5],")
        #expect(try region("\"polygon\":[\(high)]")?.shape == shape)
    }

    @Test func `a MultiPolygon has its parts, and a polygon its holes`() throws {
        let hole = "[[8.1,47.1],[8.1,47.2],[8.2,47.2],[8.1,47.1]]"
        let other = "[[9,47],[9.5,47],[9.5,47.5],[9,47]]"
        let request = try #require(try region("\"multiPolygon\":[[\(Self.square),\(hole)],[\(other)]]"))
        guard case .polygon(let polygon) = request.shape else {
            Issue.record("it is no polygon")
            return
        }
        #expect(polygon.parts.map(\.count) == [2, 1])
        #expect(polygon.parts[0][0] == Self.corners)
    }

    @Test func `a dwell time is read in seconds`() throws {
        let circle = "\"latitude\":47,\"longitude\":8,\"radius\":100"
        #expect(try region(circle)?.dwell == nil)
        #expect(try region(circle + ",\"dwell\":60.5")?.dwell == 60.5)
        for seconds in ["0", "31536001", "-1"] {
            #expect(
                problem(circle + ",\"dwell\":\(seconds)")
                    == .badValue(key: "dwell", expected: "seconds from 1 to 31536000"))
        }
    }

    @Test(arguments: [
        "\"polygon\":1", "\"polygon\":[1]", "\"polygon\":[[1]]", "\"polygon\":[[[8]]]", "\"polygon\":[[[8,47,1,2]]]",
        "\"polygon\":[[[\"8\",47]]]", "\"polygon\":[[{}]]", "\"multiPolygon\":{}", "\"multiPolygon\":[1]",
        "\"multiPolygon\":[[[[8,\"47\"]]]]",
    ])
    func `coordinates that do not have GeoJSON's structure are refused by key`(members: String) {
        let isMulti = members.contains("multi")
        #expect(
            problem(members)
                == .badValue(
                    key: isMulti ? "multiPolygon" : "polygon",
                    expected: "a \(isMulti ? "MultiPolygon" : "Polygon")'s coordinates as in GeoJSON"))
    }

    @Test(arguments: [
        ("[]", "no rings"), ("[[[8,47],[9,47],[8,47]]]", "fewer than 3"), ("[[[8,47],[9,47],[10,47]]]", "one line"),
        ("[[[8,47],[9,48],[9,47],[8,48],[8,47]]]", "crosses"), ("[[[8,97],[9,47],[9,48]]]", "latitude 97"),
    ])
    func `coordinates that enclose no valid area are refused with the reason and place`(rings: String, words: String) {
        guard case .badValue("polygon", let expected)? = problem("\"polygon\":\(rings)") else {
            Issue.record("\(String(describing: problem("\"polygon\":\(rings)")))")
            return
        }
        #expect(expected.hasPrefix("a polygon that can be one (") && expected.contains(words), "\(expected)")
    }

    @Test func `a region has one shape, without members of another shape`() {
        let polygon = "\"polygon\":[\(Self.square)]"
        #expect(problem(polygon + ",\"radius\":5") == .unknownKey("radius"))
        #expect(problem(polygon + ",\"multiPolygon\":[]") == .unknownKey("multiPolygon"))
    }

    @Test func `a request line has at most 65536 bytes, which holds 2000 corners`() {
        #expect(ClientRequest.maximumLineBytes == 65_536)
        #expect(ClientRequestError.tooLong.message.contains("65536"))
    }

    @Test(arguments: [
        (#""visits""#, VisitRequest.list(limit: 256)), (#""visits","limit":0"#, .list(limit: 0)),
        (#""visits","before":7,"limit":9"#, .list(before: 7, limit: 9)), (#""eraseVisits""#, .erase),
    ])
    func `visits can be listed from the newest on or before one, and erased`(
        members: String, request: VisitRequest
    ) throws {
        let decoded = try ClientRequestDecoder.decode(Array("{\"request\":\(members)}".utf8)).get()
        #expect(decoded.kind == .operator(.visits(request)))
        #expect(throws: RefusedRequest.self) {
            try ClientRequestDecoder.decode(Array("{\"request\":\"visits\",\"limit\":257}".utf8)).get()
        }
    }

    @Test(arguments: [("", false), (#","newest":false"#, false), (#","newest":true"#, true)])
    func `the track can be read from its oldest or its newest point`(member: String, newest: Bool) throws {
        let decoded = try ClientRequestDecoder.decode(Array("{\"request\":\"history\"\(member)}".utf8)).get()
        guard case .operator(.track(.read(_, _, let limit, let isNewest))) = decoded.kind else {
            Issue.record("no request for the track: \(decoded.kind)")
            return
        }
        #expect(limit == 256 && isNewest == newest)
    }
}
