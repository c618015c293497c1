import ClientProtocol
import Emulation
import Parts
import Power
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Delivery
@testable import Engine

private let looker = ClientID(rawValue: 2)

@Suite("Engine and passive watches")
struct PassiveWatchTests {
    private static let passively = ClientRequest.Kind.watchLocations(
        LocationSettings(accuracy: .best, pausesAutomatically: false), WatchOptions(isPassive: true), label: "")

    /// Two hours of a board with a client that wants 100 m, and the energy spent.
    ///
    /// - Parameter isLookedAt: Whether a second client watches passively all the while, and asks for all that a page shows.
    private func run(speed: Double, isLookedAt: Bool) throws -> (report: EnergyReport, starts: Int) {
        var harness = ManagedHarness(speed: speed)
        harness.run(until: 20)
        harness.connect()
        harness.watch(100)
        if isLookedAt {
            harness.connect(looker)
            harness.give(ClientRequest(Self.passively, session: 1), from: looker)
            harness.ask(.watchPassively(satellites: true, minimumInterval: 2), of: looker)
        }
        for minute in 1...120 {
            harness.run(until: 20 + 60 * Double(minute))
            guard isLookedAt else { continue }
            harness.ask(.status, of: looker)
            harness.ask(.energy, of: looker)
            harness.ask(.energyHistory(.day), of: looker)
        }
        let report = harness.engine.power.view.energyReport(at: harness.now)
        let starts = harness.switches.count { $0.role == .powerEnable && $0.level }
        return (try #require(report), starts)
    }

    @Test(arguments: [0.0, 1.5])
    func `PAGE-05: whether a page looks or not, the receiver spends the same energy to the nanojoule`(
        speed: Double
    ) throws {
        let (alone, looked) = (try run(speed: speed, isLookedAt: false), try run(speed: speed, isLookedAt: true))
        #expect(alone.report.sinceBoot.receiver > 0)
        #expect(alone.report.sinceBoot.receiver == looked.report.sinceBoot.receiver)
        for state in EnergyLedger.State.allCases {
            #expect(alone.report.sinceBoot.receiver(state) == looked.report.sinceBoot.receiver(state))
        }
        #expect(alone.report.sinceBoot.sensors == looked.report.sinceBoot.sensors)
        #expect(alone.starts == looked.starts)
        #expect(!looked.report.sinceBoot.clients.contains { $0.id == looker.rawValue }, "it caused nothing")
    }

    @Test func `a passive watch alone never switches the receiver on, and never wakes the daemon`() {
        var harness = ManagedHarness()
        harness.run(until: 20)
        let switches = harness.switches
        harness.connect(looker)
        harness.give(ClientRequest(Self.passively, session: 1), from: looker)
        harness.ask(.watchPassively(satellites: true), of: looker)
        #expect(harness.wake == nil)
        let inputs = harness.inputCount
        harness.run(until: 86_400)
        #expect(harness.switches == switches && harness.inputCount == inputs)
        #expect(harness.engine.demand == Demand.none)
    }

    @Test func `a passive watch gets the fixes that another client causes, and no failure while the receiver rests`() {
        var harness = ManagedHarness()
        harness.connect(looker)
        harness.ask(Self.passively, of: looker)
        harness.run(until: 600)
        #expect(!harness.lines.contains { $0.contains("\"location\"") || $0.contains("\"failed\"") })
        harness.connect()
        harness.ask(.locate(timeoutSeconds: 60))
        harness.run(until: 700)
        let locations = harness.lines.count { $0.contains("\"event\":\"location\"") }
        #expect(locations >= 2, "the answer of the one that asked, and the looker's")
        harness.run(until: 5000)
        #expect(!harness.lines.contains { $0.contains("\"failed\"") })
    }

    @Test func `the interval of a passive watch lets nothing come sooner`() {
        var harness = connected()
        harness.give(.clientConnected(looker, .local))
        harness.watch(LocationSettings(accuracy: .best))
        harness.ask(
            .watchLocations(
                LocationSettings(accuracy: .best, minimumInterval: 5, pausesAutomatically: false),
                WatchOptions(isPassive: true), label: ""), of: looker)
        #expect(harness.sent(to: 2).contains("\"event\":\"location\""), "what is known comes at once")
        var times: [Int] = []
        for second in 4...24 {
            harness.give(epoch: second)
            if harness.sent(to: 2).contains("\"event\":\"location\"") { times.append(second) }
        }
        #expect(times == [8, 13, 18, 23])
    }

    @Test func `a passive watch of epochs with an interval waits for a sky view, but not for ever`() {
        var watch = EpochWatch(hasSatellites: true, isPassive: true, minimumInterval: 2)
        func taken(skyAt skies: Set<Int>) -> [Int] {
            (0...12).filter { second in
                let instant = MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000)
                return watch.takes(hasSky: skies.contains(second), at: instant)
            }
        }
        #expect(taken(skyAt: [0, 5, 10]) == [0, 4, 8, 10])
        watch = EpochWatch(hasSatellites: true, isPassive: true, minimumInterval: 2)
        #expect(taken(skyAt: Set(0...12)) == [0, 2, 4, 6, 8, 10, 12])
        watch = EpochWatch(hasSatellites: false, isPassive: true)
        #expect(taken(skyAt: []) == Array(0...12))
    }

    @Test func `a change leaves a passive watch passive, another watch does not, and nothing is deferred`() {
        var harness = ManagedHarness()
        harness.run(until: 20)
        harness.connect(looker)
        harness.ask(Self.passively, of: looker)
        harness.ask(.change(LocationSettings(accuracy: .best), WatchOptions()), of: looker)
        #expect(harness.engine.demand == Demand.none)
        harness.ask(.defer(Deferral(distance: nil, timeout: 60), onlyInBackground: false), of: looker)
        let last = harness.lines.last ?? ""
        #expect(last.contains("\"deferredFinished\"") && last.contains("\"errorCode\":12"))
        #expect(harness.wake == nil)
        harness.ask(.watchLocations(LocationSettings(accuracy: .best), label: ""), of: looker)
        #expect(harness.engine.demand.keepsOn)
        harness.ask(Self.passively, of: looker)
        #expect(harness.engine.demand == Demand.none)
    }
}

@Suite("Engine and what it tells of the receiver's rest")
struct RestPlanTests {
    private func plan(_ status: String) -> String {
        guard let range = status.firstRange(of: "\"plan\":") else { return "" }
        return String(status[range.upperBound...].prefix { $0 != "}" })
    }

    @Test func `PAGE-07: a receiver that rests by plan says until when and why, and one that runs says nothing`() throws
    {
        var harness = ManagedHarness()
        harness.connect()
        #expect(plan(harness.status()) == "", "it is being identified")
        harness.run(until: 20)
        #expect(plan(harness.status()) == "{\"why\":\"noDemand\"")
        harness.watch(100)
        harness.run(until: 1800)
        while harness.seconds < 4000, harness.receiver.powerState.name != "sleep" {
            harness.run(until: harness.seconds + 0.5)
        }
        harness.run(until: harness.seconds + 3)
        let resting = plan(harness.status())
        #expect(resting.hasPrefix("{\"why\":\"accuracyHolds\",\"seconds\":"))
        let time = resting.firstRange(of: "\"restingUntil\":\"").map { resting[$0.upperBound...].prefix(24) }
        let until = try #require(time.flatMap { UTCInstant(iso8601: String($0)) })
        // The receiver's time is the trajectory's: 1 790 000 000 s at the start.
        let wake = harness.wake ?? 0
        #expect(abs(Double(until.nanoseconds) * 1e-9 - (1_790_000_000 + wake)) < 2)
        harness.run(until: (harness.wake ?? 0) + 0.1)
        #expect(plan(harness.status()) == "")
    }

    @Test func `a rest that clients asked for by their interval says so`() {
        var harness = ManagedHarness(speed: 2)
        harness.connect()
        harness.ask(
            .watchLocations(
                LocationSettings(accuracy: .metres(10), minimumInterval: 600, pausesAutomatically: false), label: ""))
        harness.run(until: 300)
        #expect(plan(harness.status()).hasPrefix("{\"why\":\"interval\",\"seconds\":"))
    }

    @Test func `a rest after searches that found nothing says so`() {
        var harness = ManagedHarness(mask: MaskIntervals(intervals: [0..<9e9]))
        harness.connect()
        harness.watch(100)
        while harness.seconds < 2000, !harness.status().contains("\"backingOff\":true") {
            harness.run(until: harness.seconds + 10)
        }
        #expect(plan(harness.status()).hasPrefix("{\"why\":\"searchesFail\",\"seconds\":"))
    }

    @Test func `a client that may not see movement is told no plan`() {
        var status = DaemonStatus()
        status.plan = RestPlan(why: .interval, seconds: 60, until: nil)
        #expect(status.withoutMovement.plan == nil)
    }
}
