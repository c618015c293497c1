import ClientProtocol
import Engine
import Monitors
import Parts
import SextantJSON
import SextantUnits
import Testing

@testable import Access

private let client = ClientID(rawValue: 1)
private let page = ClientID(rawValue: 9)

@Suite("Engine and the regions that operators see")
struct OperatorRegionsTests {
    private func served() -> Harness {
        var harness = connected()
        harness.give(.clientConnected(page, .local, PeerIdentity(userID: 0)))
        return harness
    }

    private static func circle(_ name: String, radius: Double = 200) -> ClientRequest.Kind {
        .monitoring(
            .region(
                RegionRequest(
                    identifier: name, .circle(latitude: 47.376889, longitude: 8.541697, radius: radius), dwell: 20)))
    }

    private func lines(_ harness: borrowing Harness, _ id: ClientID = page) -> [String] {
        harness.sent(to: id.rawValue).split(separator: "\n").map(String.init)
    }

    @Test func `an operator sees every client's regions with their shape and state, and then each change`() throws {
        var harness = served()
        harness.ask(Self.circle("yard"))
        harness.ask(.operator(.regions(isEnabled: true, offset: 0)), id: "r", of: page)
        #expect(
            lines(harness) == [
                """
                {"event":"region","id":"r","client":"everyone","identifier":"yard","latitude":47.376889000,\
                "longitude":8.541697000,"radius":200.000,"notifyOnEntry":true,"notifyOnExit":true,"dwell":20.000,\
                "active":true,"state":"unknown"}
                """,
                #"{"event":"regions","id":"r","enabled":true,"count":1,"total":1}"#,
            ])
        harness.ask(Self.circle("dock", radius: 50))
        #expect(
            lines(harness).first?.hasPrefix(#"{"event":"regionChanged","change":"added","client":"everyone""#) == true)
        #expect(lines(harness).first?.contains(#""radius":50.000"#) == true)
        var changes: [String] = []
        for second in 4..<60 {
            harness.give(epoch: second)
            changes += lines(harness)
        }
        let yard = changes.filter { $0.contains(#""identifier":"yard""#) }
        #expect(yard.count == 2, "it was found to be inside, and stayed there")
        #expect(
            yard.first?.contains(#""change":"state""#) == true && yard.first?.contains(#""state":"inside""#) == true)
        #expect(yard.last?.contains(#""change":"dwell""#) == true)
        #expect(!changes.contains { $0.contains("radius") }, "the shape was told before")
        harness.ask(.monitoring(.endRegion(identifier: "yard", monitor: nil)))
        #expect(
            lines(harness) == [
                #"{"event":"regionChanged","change":"removed","client":"everyone","identifier":"yard"}"#
            ])
    }

    @Test func `changes are told no longer to who ended that or left`() {
        var harness = served()
        harness.ask(.operator(.regions(isEnabled: true, offset: 0)), of: page)
        harness.ask(.operator(.regions(isEnabled: false, offset: 0)), of: page)
        #expect(lines(harness) == [#"{"event":"regions","enabled":false}"#])
        harness.ask(Self.circle("yard"))
        #expect(lines(harness) == [])
        harness.ask(.operator(.regions(isEnabled: true, offset: 0)), of: page)
        harness.give(.clientGone(page))
        harness.ask(Self.circle("dock"))
        #expect(lines(harness) == [])
    }

    @Test func `a list that does not fit one answer comes in parts, each region once`() throws {
        var harness = served()
        let ring = (0..<400).map { index in
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(index) / 400 * 2 * .pi)
            return RegionPolygon.Position(latitude: 47 + 0.1 * sine, longitude: 8 + 0.1 * cosine)
        }
        let polygon = try RegionPolygon(parts: [[ring]])
        for index in 0..<40 {
            harness.ask(.monitoring(.region(RegionRequest(identifier: "\(100 + index)", .polygon(polygon)))))
        }
        var (offset, found, answers): (Int, [String], Int) = (0, [], 0)
        var hasMore = true
        while hasMore, answers < 10 {
            harness.ask(.operator(.regions(isEnabled: true, offset: offset)), of: page)
            let answer = lines(harness)
            #expect(harness.sent(to: 9).utf8.count <= 262_144 + 1024)
            let end = try #require(answer.last)
            #expect(end.contains("\"count\":\(answer.count - 1),\"total\":40"))
            hasMore = end.contains("\"more\":true")
            for line in answer.dropLast() {
                let name = line.firstRange(of: #""identifier":""#).map { line[$0.upperBound...].prefix(3) }
                found.append(String(name ?? ""))
            }
            offset += answer.count - 1
            answers += 1
        }
        #expect(answers > 1)
        #expect(found == (0..<40).map { "\(100 + $0)" })
    }
}
