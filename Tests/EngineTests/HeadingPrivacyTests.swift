import ClientProtocol
import ClientVocabulary
import Engine
import Magnetism
import Parts
import Power
import SextantUnits
import Testing

@testable import Access

/// True north tells where the board is, and comes to nobody who may not know.
@Suite("Engine, true north and authorization")
struct HeadingPrivacyTests {
    /// A client with a manifest that watches locations and every heading, at minutes of latitude beyond 85 degrees, where
    /// the declination changes by some hundredths of a degree in a kilometre.
    private func served(
        _ answer: OperatorAnswer, reducesAccuracy isReduced: Bool = false, atMinutes minutes: Double = 3
    ) -> CompassHarness {
        var bench = CompassHarness()
        var manifest = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        manifest.purposes = PurposeStrings(whenInUse: "shows it", always: "follows it")
        bench.give(.admission(Admission(manifests: ClientManifests([manifest]), policy: OperatorPolicy())))
        let identity = PeerIdentity(userID: 1000, unit: "tracker.service")
        bench.give(.clientConnected(ClientID(rawValue: 1), .local, identity))
        decide(answer, reducesAccuracy: isReduced, &bench)
        for second in 0...4 { bench.give(epoch: second, latitude: Self.latitude(minutes)) }
        bench.ask(.watchHeading(HeadingSettings(filter: nil)))
        bench.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""))
        return bench
    }

    private func decide(
        _ answer: OperatorAnswer?, reducesAccuracy isReduced: Bool? = nil, _ bench: inout CompassHarness
    ) {
        let request = OperatorRequest.answer(client: "tracker", answer, reducesAccuracy: isReduced, mayBeWoken: nil)
        bench.ask(.operator(request), of: 9)
    }

    private static func latitude(_ minutes: Double) -> String {
        let hundredths = Int((minutes * 100).rounded())
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        return "85\(whole < 10 ? "0" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)000"
    }

    private static let longitude = 8.0 + 32.50181 / 60

    /// Two places as far apart as they can be in a cell; minutes of latitude beyond 85 degrees.
    private static var ends: (Double, Double)? {
        func cell(_ minutes: Double) -> Double {
            ReducedAccuracy.coarse(latitude: 85 + minutes / 60, longitude: longitude).latitude
        }
        let places = (0...100).map { Double($0) / 10 }
        guard let first = places.first(where: { cell($0) != cell(0) }),
            let last = places.last(where: { cell($0) == cell(first) })
        else { return nil }
        return (first, last)
    }

    /// By how much the last heading differs from magnetic north; degrees, nil where it does not tell.
    private func told(_ bench: inout CompassHarness) -> Double? {
        _ = bench.take()
        bench.run(seconds: 1)
        guard let line = bench.take("heading").last, let north = number("trueHeading", in: line),
            let magnetic = number("magneticHeading", in: line), north >= 0, magnetic >= 0
        else { return nil }
        return north - magnetic - 360 * ((north - magnetic) / 360).rounded()
    }

    private func declination(_ latitude: Double, _ longitude: Double) -> Double? {
        let date = CivilDate(iso8601: "2026-11-20") ?? CivilDate(daysSince1970: 0)
        return WorldMagneticModel.field(
            latitude: latitude, longitude: longitude, altitude: 0, at: UTCInstant(date: date, timeOfDay: 0))?
            .declination
    }

    @Test func `under reduced accuracy true north is the same everywhere in a cell`() throws {
        let (south, north) = try #require(Self.ends)
        var turns: [Double] = []
        for minutes in [south, north] {
            var bench = served(.allow, reducesAccuracy: true, atMinutes: minutes)
            let turn = told(&bench)
            turns.append(try #require(turn))
        }
        #expect(abs(turns[0] - turns[1]) < 0.021, "but for the rounding: \(turns)")
        let cell = ReducedAccuracy.coarse(latitude: 85 + south / 60, longitude: Self.longitude)
        let expected = try #require(declination(cell.latitude, cell.longitude))
        #expect(abs(turns[0] - expected) < 0.021, "\(turns) for \(expected)")
    }

    @Test func `under full accuracy true north is that of the exact place`() throws {
        let (south, north) = try #require(Self.ends)
        var turns: [Double] = []
        for minutes in [south, north] {
            var bench = served(.allow, atMinutes: minutes)
            let turn = told(&bench)
            turns.append(try #require(turn))
            let expected = try #require(declination(85 + minutes / 60, Self.longitude))
            #expect(turn.map { abs($0 - expected) < 0.021 } == true, "\(turns) for \(expected)")
        }
        #expect(abs(turns[0] - turns[1]) > 0.04, "\(turns)")
    }

    @Test func `a denied client gets only magnetic headings`() {
        var bench = served(.deny)
        _ = bench.take()
        bench.run(seconds: 1)
        let told = bench.take("heading")
        #expect(!told.isEmpty && told.allSatisfy { number("trueHeading", in: $0) == -1 })
        #expect(told.allSatisfy { number("magneticHeading", in: $0).map { $0 >= 0 } == true })
    }

    @Test(arguments: [false, true])
    func `true north ends when authorization is withdrawn and returns with it`(isReduced: Bool) {
        var bench = served(.allow, reducesAccuracy: isReduced)
        let before = told(&bench)
        decide(.deny, &bench)
        let meanwhile = told(&bench)
        decide(.allow, &bench)
        let after = told(&bench)
        #expect(before != nil && meanwhile == nil && after != nil)
    }

    @Test func `true north becomes that of the cell when the accuracy is reduced`() throws {
        let (south, _) = try #require(Self.ends)
        var bench = served(.allow, atMinutes: south)
        let before = told(&bench)
        decide(nil, reducesAccuracy: true, &bench)
        let after = told(&bench)
        let cell = ReducedAccuracy.coarse(latitude: 85 + south / 60, longitude: Self.longitude)
        let expected = try #require(declination(cell.latitude, cell.longitude))
        #expect(before.map { abs($0 - expected) > 0.021 } == true)
        #expect(after.map { abs($0 - expected) < 0.021 } == true)
    }
}
