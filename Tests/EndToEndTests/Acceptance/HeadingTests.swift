import BenchControl
import Emulation
import Foundation
import Hardware
import Magnetism
import Receivers
import SextantUnits
import Testing

/// Spec 4, HEAD: headings, by emulated chips on the daemon's I2C bus.
@Suite("Acceptance: headings")
struct AcceptanceHeadingTests {
    private typealias Bench = CoreLocationBench<Emulation.EmulatedReceiver>

    private static let calibration = """
        "request":"setCompassCalibration","reach":"spatial","offset":[0,0,0],"matrix":[[1,0,0],[0,1,0],[0,0,1]],\
        "norm":48.6,"residual":0.3,"levelHeadingError":0.5,"tiltedHeadingError":0.5
        """

    /// A bench whose board has a compass, with a client that has a manager.
    private func start(isCalibrated: Bool = true) async throws -> (Bench, Client, Turntable) {
        let table = Turntable()
        let bench = try await start(on: table.bus)
        if isCalibrated { try await bench.operator().ask(Self.calibration) }
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        _ = tracker.take()
        return (bench, tracker, table)
    }

    private func start(on chips: EmulatedBus) async throws -> Bench {
        try await Bench.start(VirtualBench.receiver(.neoM8N), board: BoardText(hasCompass: true), chips: chips)
    }

    private func headings(_ client: Client, _ member: String = "magneticHeading") -> [Double] {
        client.take().filter { $0.text("callback") == "didUpdateHeading" }.compactMap { $0.number(member) }
    }

    @Test func `HEAD-01: heading is available on a board with a compass, and not when the compass does not answer`()
        async throws
    {
        let (bench, tracker, _) = try await start()
        try await bench.tell(tracker, "show")
        #expect(tracker.take().last?.bool("headingAvailable") == true)
        let empty = try await start(on: EmulatedBus())
        let client = try await empty.client()
        try await empty.tell(client, "show", "manager 1 new", "manager 1 heading start")
        #expect(client.take().first { $0.text("callback") == "shown" }?.bool("headingAvailable") == false)
        try await empty.run(seconds: 60)
        #expect(client.take().isEmpty)
    }

    @Test func `HEAD-02, HEAD-03: the default filter is 1 degree, measured the shorter way across north`() async throws
    {
        let (bench, tracker, table) = try await start()
        table.heading = 359.5
        try await bench.tell(tracker, "manager 1 heading start")
        try await bench.run(seconds: 5)
        #expect(headings(tracker).count == 1)
        table.heading = 0.3
        try await bench.run(seconds: 5)
        #expect(headings(tracker).isEmpty)
        table.heading = 0.9
        try await bench.run(seconds: 5)
        #expect(headings(tracker).count == 1)
    }

    @Test func `HEAD-04: without a filter every sample is reported, and none is taken when no client listens`()
        async throws
    {
        let (bench, tracker, table) = try await start()
        try await bench.tell(tracker, "manager 1 set headingFilter none", "manager 1 heading start")
        try await bench.run(seconds: 4)
        #expect((95...101).contains(headings(tracker).count))
        try await bench.tell(tracker, "manager 1 heading stop")
        table.bus.clearTranscript()
        try await bench.run(seconds: 60)
        #expect(table.bus.transcript.isEmpty)
    }

    @Test func `RUN-05: releasing a manager ends its headings, and with the last one the measurements`() async throws {
        let (bench, tracker, table) = try await start()
        try await bench.tell(tracker, "manager 2 new", "manager 1 heading start", "manager 2 heading start")
        try await bench.run(seconds: 5)
        _ = tracker.take()
        try await bench.tell(tracker, "manager 1 drop")
        table.heading += 10
        try await bench.run(seconds: 5)
        let told = tracker.take().filter { $0.text("callback") == "didUpdateHeading" }
        #expect(!told.isEmpty && told.allSatisfy { $0.number("manager") == 2 })
        try await bench.tell(tracker, "manager 2 drop")
        table.bus.clearTranscript()
        try await bench.run(seconds: 60)
        #expect(table.bus.transcript.isEmpty)
    }

    @Test func `HEAD-05: a true heading is reported only to a manager whose location updates run`() async throws {
        let (bench, tracker, _) = try await start()
        try await bench.tell(
            tracker, "manager 2 new", "manager 1 set headingFilter none", "manager 2 set headingFilter none",
            "manager 1 start", "manager 1 heading start", "manager 2 heading start")
        try await bench.run(seconds: 120)
        #expect(tracker.take().contains { $0.text("callback") == "didUpdateLocations" })
        try await bench.run(seconds: 1)
        let told = tracker.take().filter { $0.text("callback") == "didUpdateHeading" }
        let (mine, others) = (told.filter { $0.number("manager") == 1 }, told.filter { $0.number("manager") == 2 })
        #expect(!mine.isEmpty && !others.isEmpty)
        let (here, time) = (VirtualBench.still, UTCInstant(nanoseconds: Int64(VirtualBench.startTime) * 1_000_000_000))
        let field = WorldMagneticModel.field(
            latitude: here.latitude, longitude: here.longitude, altitude: here.altitude, at: time)
        let declination = try #require(field?.declination)
        for heading in mine {
            let turned = (heading.number("trueHeading") ?? -1) - (heading.number("magneticHeading") ?? -1)
            #expect(abs((turned + 360).truncatingRemainder(dividingBy: 360) - declination) < 0.05)
        }
        #expect(others.allSatisfy { ($0.number("trueHeading") ?? 0) < 0 && ($0.number("magneticHeading") ?? -1) >= 0 })
    }

    @Test func `HEAD-06: the accuracy of an uncalibrated or disturbed compass is negative`() async throws {
        let (raw, first, _) = try await start(isCalibrated: false)
        try await raw.tell(first, "manager 1 heading start")
        try await raw.run(seconds: 2)
        let uncalibrated = headings(first, "headingAccuracy")
        #expect(!uncalibrated.isEmpty && uncalibrated.allSatisfy { $0 < 0 })
        let (bench, tracker, table) = try await start()
        try await bench.tell(tracker, "manager 1 heading start")
        try await bench.run(seconds: 10)
        #expect(headings(tracker, "headingAccuracy").allSatisfy { $0 > 0 })
        table.disturbance = SIMD3(60, 20, 40)
        try await bench.run(seconds: 10)
        #expect(headings(tracker, "headingAccuracy").last.map { $0 < 0 } == true)
    }

    @Test(arguments: [("landscapeLeft", 130), ("landscapeRight", 310), ("portraitUpsideDown", 220), ("faceUp", 40)])
    func `HEAD-07: an orientation rotates later headings, and one without an upper side does not`(
        orientation: String, expected: Double
    ) async throws {
        let (bench, tracker, table) = try await start()
        table.heading = 30
        try await bench.tell(tracker, "manager 1 set headingFilter none", "manager 1 heading start")
        try await bench.run(seconds: 5)
        _ = tracker.take()
        try await bench.tell(tracker, "manager 1 set headingOrientation \(orientation)")
        table.heading = 40
        try await bench.run(seconds: 5)
        #expect(headings(tracker).last.map { abs($0 - expected) < 0.5 } == true)
    }

    @Test func `HEAD-08: the calibration display is shown only if the delegate agrees, until dismissed or calibrated`()
        async throws
    {
        let (bench, tracker, _) = try await start(isCalibrated: false)
        let agent = try await bench.operator()
        try await agent.beAgent()
        try await bench.tell(tracker, "manager 1 heading start")
        try await bench.run(seconds: 2)
        #expect(tracker.takeNames().first == "shouldDisplayHeadingCalibration")
        #expect(try await agent.take().isEmpty)
        try await bench.tell(
            tracker, "manager 1 heading stop", "manager 1 calibration yes", "manager 1 heading start")
        try await bench.run(seconds: 2)
        #expect(try await agent.take().map { $0.bool("enabled") } == [true])
        try await bench.tell(tracker, "manager 1 heading dismiss")
        #expect(try await agent.take().map { $0.bool("enabled") } == [false])
        try await bench.tell(tracker, "manager 1 heading stop", "manager 1 heading start")
        try await bench.run(seconds: 2)
        _ = try await agent.take()
        try await agent.ask(Self.calibration)
        try await bench.run(seconds: 1)
        #expect(try await agent.take().last { $0.text("event") == "calibrationDisplay" }?.bool("enabled") == false)
    }

    @Test func `HEAD-09: starting twice gives one first heading, and stopping and starting gives another`()
        async throws
    {
        let (bench, tracker, _) = try await start()
        try await bench.tell(tracker, "manager 1 heading start", "manager 1 heading start")
        try await bench.run(seconds: 3)
        #expect(headings(tracker).count == 1)
        try await bench.tell(tracker, "manager 1 heading stop", "manager 1 heading start")
        try await bench.run(seconds: 3)
        #expect(headings(tracker).count == 1)
    }

    @Test
    func `a compass that lost power is configured again, and one that stays away is reported as a heading failure`()
        async throws
    {
        let (bench, tracker, table) = try await start()
        try await bench.tell(tracker, "manager 1 heading start")
        try await bench.run(seconds: 2)
        _ = tracker.take()
        for chip in table.bus.chips { chip.powerCycle() }
        table.heading = 90
        try await bench.run(seconds: 5)
        #expect(headings(tracker).last.map { abs($0 - 90) < 0.5 } == true)
        table.bus.fault = .noAcknowledge
        try await bench.run(seconds: 5)
        #expect(tracker.take().map { $0.number("errorCode") } == [3])
    }
}
