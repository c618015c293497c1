import BenchControl
import Emulation
import Foundation
import Testing

/// Spec 4, BEAC: beacons that an emulated radio hears, as a client is told of them.
@Suite("Acceptance: beacons")
struct AcceptanceBeaconTests {
    private typealias Bench = CoreLocationBench<SilentDevice>

    private static let uuid = "7D7A4B1C-8E4C-4C57-9B0B-0A4F6F1F0E21"
    private static let waking = "wakeUnit: 'tracker.service', backgroundMode: true,"
    private static let barn = "manager 1 beacon start barn \(uuid)"

    /// A bench with a radio, and a client that has a manager.
    private func start(_ client: BenchClient = BenchClient(members: waking)) async throws -> (Bench, Client) {
        let bench = try await CoreLocationBench.start(clients: [client], hasRadio: true)
        // The radio has answered before anybody is greeted, and told what the board can do.
        try await bench.run(seconds: 1)
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new")
        _ = tracker.take()
        return (bench, tracker)
    }

    /// Places a beacon within reach, which sends every 100 ms, and returns its place.
    private func place(_ bench: Bench, major: UInt8 = 1, level: Double? = -60) -> Int {
        let bytes = Self.uuid.split(separator: "-").joined()
        let uuid = stride(from: 0, to: 32, by: 2).compactMap { offset in
            UInt8(bytes.dropFirst(offset).prefix(2), radix: 16)
        }
        let advertisement = [0x1A, 0xFF, 0x4C, 0, 2, 0x15] + uuid + [0, major, 0, 1, 0xC5]
        return bench.harness.radio?.place(
            EmulatedBeacon(advertisement: advertisement, address: [major, 0, 0, 0, 0, 0xC0], level: level)) ?? -1
    }

    private func count(_ name: String, _ client: Client) -> Int { client.takeNames().count { $0 == name } }

    @Test func `BEAC-01: any beacon of the UUID enters a region, once, and the last that goes leaves it`() async throws
    {
        let (bench, tracker) = try await start()
        try await bench.tell(tracker, Self.barn)
        try await bench.run(seconds: 40)
        #expect(!tracker.takeNames().contains("didEnterRegion"))
        let places = [place(bench, major: 1), place(bench, major: 2)]
        try await bench.run(seconds: 30)
        #expect(tracker.takeNames().sorted() == ["didDetermineState", "didEnterRegion"])
        bench.harness.radio?.setLevel(nil, ofBeacon: places[0])
        try await bench.run(seconds: 60)
        #expect(tracker.takeNames().isEmpty)
        bench.harness.radio?.setLevel(nil, ofBeacon: places[1])
        try await bench.run(seconds: 20)
        #expect(tracker.takeNames().isEmpty)
        try await bench.run(seconds: 20)
        #expect(tracker.takeNames().sorted() == ["didDetermineState", "didExitRegion"])
    }

    @Test func `BEAC-04, BEAC-31: ranging tells once a second, and nothing of a beacon that is gone`() async throws {
        let (bench, tracker) = try await start()
        let place = place(bench)
        try await bench.tell(tracker, "show", "manager 1 range \(Self.uuid)")
        #expect(tracker.take().first?.bool("isRangingAvailable") == true)
        try await bench.run(seconds: 10)
        let heard = tracker.take().filter { $0.text("callback") == "didRange" }
        #expect((9...11).contains(heard.count))
        let beacon = try #require(heard.last?.objects("beacons")?.first)
        #expect(beacon.number("rssi") == -60 && beacon.number("major") == 1)
        #expect((beacon.number("accuracy") ?? -1) > 0 && (beacon.number("proximity") ?? 0) > 0)
        bench.harness.radio?.setLevel(nil, ofBeacon: place)
        try await bench.run(seconds: 4)
        let lost = try #require(tracker.take().last?.objects("beacons")?.first)
        #expect(lost.number("rssi") == 0 && lost.number("accuracy") == -1 && lost.number("proximity") == 0)
        try await bench.run(seconds: 8)
        #expect(tracker.take().last?.objects("beacons")?.isEmpty == true)
        try await bench.tell(tracker, "manager 1 unrange \(Self.uuid)")
        try await bench.run(seconds: 5)
        #expect(tracker.take().isEmpty)
    }

    @Test func `RUN-05: releasing a manager ends its ranging, and with the last one the radio rests`() async throws {
        let (bench, tracker) = try await start()
        _ = place(bench)
        try await bench.tell(
            tracker, "manager 2 new", "manager 1 range \(Self.uuid)", "manager 2 range \(Self.uuid)")
        try await bench.run(seconds: 5)
        _ = tracker.take()
        try await bench.tell(tracker, "manager 1 drop")
        try await bench.run(seconds: 5)
        let told = tracker.take().filter { $0.text("callback") == "didRange" }
        #expect(!told.isEmpty && told.allSatisfy { $0.number("manager") == 2 })
        #expect(bench.harness.radio?.monitors.isEmpty == false)
        try await bench.tell(tracker, "manager 2 drop")
        try await bench.run(seconds: 60)
        #expect(tracker.takeNames().isEmpty)
        #expect(bench.harness.radio?.monitors.isEmpty == true)
    }

    @Test func `BEAC-08: regions of beacons count toward the most regions of the manifest`() async throws {
        let (bench, tracker) = try await start(BenchClient(members: "maximumRegions: 1,"))
        try await bench.tell(tracker, Self.barn, "manager 1 beacon start shed \(Self.uuid) 7")
        let failure = tracker.take().first { $0.text("callback") == "monitoringDidFail" }
        #expect(failure?.number("errorCode") == 5 && failure?.object("region")?.text("identifier") == "shed")
    }

    @Test func `BEAC-16, BEAC-25: a beacon that is there already is a state, not an entry`() async throws {
        let (bench, tracker) = try await start()
        try await bench.tell(tracker, Self.barn, "manager 1 beacon state barn \(Self.uuid)")
        #expect(tracker.take().last { $0.text("callback") == "didDetermineState" }?.number("state") == 0)
        _ = place(bench)
        try await bench.run(seconds: 20)
        let told = tracker.take()
        #expect(told.compactMap { $0.text("callback") } == ["didDetermineState"])
        #expect(told.first?.number("state") == 1)
        try await bench.tell(tracker, "manager 1 beacon state barn \(Self.uuid)")
        #expect(tracker.take().map { $0.number("state") } == [1])
    }

    @Test func `BEAC-26: when the display lights up, the regions that ask for it tell that the board is inside`()
        async throws
    {
        let (bench, tracker) = try await start()
        try await bench.tell(tracker, Self.barn + " display", "manager 1 beacon start shed \(Self.uuid)")
        _ = place(bench)
        try await bench.run(seconds: 20)
        _ = tracker.take()
        try await bench.operator().ask("\"request\":\"display\"")
        try await bench.settle()
        let told = tracker.take()
        #expect(told.map { $0.text("callback") } == ["didDetermineState"])
        #expect(told.first?.object("region")?.text("identifier") == "barn" && told.first?.number("state") == 1)
    }

    @Test func `MON-14, BEAC-27: a UUID alone is refined by the beacon heard first, while there is one`() async throws {
        let (bench, tracker) = try await start()
        try await bench.tell(
            tracker, "service 1 hold always", "monitor 1 open house", "monitor 1 begin",
            "monitor 1 addBeacon post \(Self.uuid)")
        try await bench.run(seconds: 40)
        _ = tracker.take()
        let beacon = place(bench, major: 9)
        try await bench.run(seconds: 20)
        let event = try #require(tracker.take().last { $0.text("callback") == "event" })
        #expect(event.number("state") == 1 && event.bool("hasRefinement") == true)
        #expect(event.number("refinedMajor") == 9)
        bench.harness.radio?.setLevel(nil, ofBeacon: beacon)
        try await bench.run(seconds: 60)
        let left = try #require(tracker.take().last { $0.text("callback") == "event" })
        #expect(left.number("state") == 2 && left.bool("hasRefinement") == false)
    }

    @Test func `BEAC-28: an entry starts the unit of a client that is gone, and is told when it is back`() async throws
    {
        let (bench, tracker) = try await start()
        try await bench.tell(tracker, Self.barn)
        try await bench.run(seconds: 40)
        try await bench.kill(tracker)
        _ = place(bench)
        try await bench.run(seconds: 8)
        #expect(try bench.wakes() == ["tracker"])
        let woken = try await bench.startWoken()
        try await bench.tell(woken, "manager 1 new")
        try await bench.run(seconds: 2)
        #expect(count("didEnterRegion", woken) == 1)
    }

    @Test func `BEAC-29: with reduced accuracy neither events nor beacons are told, and both come back by themselves`()
        async throws
    {
        let (bench, tracker) = try await start(.undecided("tracker", Self.waking))
        let user = try await bench.operator()
        try await user.answer("tracker", "always", "\"accuracy\":\"reduced\"")
        let place = place(bench)
        try await bench.tell(tracker, Self.barn, "manager 1 range \(Self.uuid)")
        try await bench.run(seconds: 20)
        #expect(tracker.takeNames().allSatisfy { !["didRange", "didDetermineState"].contains($0) })
        try await user.answer("tracker", nil, "\"accuracy\":\"full\"")
        try await bench.run(seconds: 20)
        #expect(count("didRange", tracker) > 15)
        bench.harness.radio?.setLevel(nil, ofBeacon: place)
        try await bench.run(seconds: 40)
        #expect(count("didExitRegion", tracker) == 1)
    }

    @Test func `BEAC-38: a client that was frozen for a minute is told the newest second alone`() async throws {
        let (bench, tracker) = try await start()
        _ = place(bench)
        try await bench.tell(tracker, "manager 1 range \(Self.uuid)")
        try await bench.run(seconds: 5)
        _ = tracker.take()
        tracker.suspend()
        try await bench.run(seconds: 60)
        tracker.resume()
        try await bench.settle()
        #expect(count("didRange", tracker) == 1)
    }

    @Test func `BEAC-42: a controller that goes away is told once, and another one is used without a call`()
        async throws
    {
        let (bench, tracker) = try await start()
        _ = place(bench)
        try await bench.tell(tracker, "manager 1 range \(Self.uuid)")
        try await bench.run(seconds: 5)
        _ = tracker.take()
        bench.harness.radio?.unplug()
        try await bench.run(seconds: 20)
        let told = tracker.take().filter { $0.text("callback") == "didFailRanging" }
        #expect(told.map { $0.number("errorCode") } == [17])
        bench.harness.radio?.plug(index: 1)
        try await bench.run(seconds: 10)
        #expect(count("didRange", tracker) > 5)
    }
}
