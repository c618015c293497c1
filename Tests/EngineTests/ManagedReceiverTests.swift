import ClientProtocol
import Emulation
import Engine
import Parts
import Power
import Receivers
import SextantUnits
import Testing

@Suite("Engine and a receiver that it switches on and off")
struct ManagedReceiverTests {
    @Test func `the receiver is switched on to be identified, and off within 10 s without clients`() throws {
        var harness = ManagedHarness()
        #expect(harness.switches == [.init(seconds: 0, role: .powerEnable, level: true)])
        harness.run(until: 20)
        let last = harness.switches.last
        let off = try #require(last)
        #expect(off.role == .powerEnable && !off.level && off.seconds < 10)
        #expect(harness.receiver.powerState == .sleep(.hardware))
    }

    @Test func `without clients the daemon is not woken again`() {
        var harness = ManagedHarness()
        harness.run(until: 20)
        #expect(harness.wake == nil)
        let inputs = harness.inputCount
        harness.run(until: 86_400)
        #expect(harness.inputCount == inputs)
    }

    @Test func `at rest a client of 100 m gets a fix, and the receiver is off until the next is due`() throws {
        var harness = ManagedHarness()
        harness.connect()
        harness.watch(100)
        // A rest that nothing watches is looked at less and less often.
        harness.run(until: 1800)
        while harness.seconds < 2200, harness.receiver.powerState.name != "sleep" {
            harness.run(until: harness.seconds + 0.5)
        }
        harness.run(until: harness.seconds + 3)
        let locations = harness.takeLocations()
        #expect(locations >= 1)
        #expect(harness.receiver.powerState.name == "sleep")
        let inputs = harness.inputCount
        let wake = harness.wake
        let next = try #require(wake)
        harness.run(until: next - 0.001)
        #expect(harness.inputCount == inputs, "nothing wakes the daemon before the planned start")
        harness.run(until: next)
        #expect(harness.receiver.powerState.name != "sleep")
    }

    @Test func `when the last client dies the receiver is switched off`() {
        var harness = ManagedHarness(speed: 10)
        harness.connect()
        harness.ask(.watch(satellites: false))
        harness.run(until: 200)
        #expect(harness.receiver.powerState.name == "track")
        harness.give(.clientGone(ManagedHarness.client))
        harness.run(until: 205)
        #expect(harness.receiver.powerState == .sleep(.hardware) && harness.wake == nil)
    }

    @Test func `a request for one position searches until it has it, then the receiver goes off`() {
        var harness = ManagedHarness()
        harness.run(until: 20)
        harness.connect()
        harness.ask(.locate(timeoutSeconds: 60))
        harness.run(until: 100)
        let locations = harness.takeLocations()
        #expect(locations == 1)
        #expect(harness.receiver.powerState == .sleep(.hardware))
    }

    @Test(arguments: [ReceiverModel.neo6M, .neoM8N, .neoM9N, .zedF9P])
    func `a receiver on its own USB speaks only UBX, stays on, and gives the next fix at once`(
        model: ReceiverModel
    ) {
        var harness = ManagedHarness(
            model, lines: [], options: ManagedHarness.options(isPoweredAtStart: true, isAtUSB: true))
        harness.connect()
        harness.watch(100)
        harness.run(until: 120)
        let first = harness.takeLocations()
        #expect(first >= 1)
        let sentences = harness.sentences()
        harness.give(.clientGone(ManagedHarness.client))
        harness.run(until: 600)
        #expect(harness.receiver.powerState == .track)
        harness.connect()
        harness.ask(.locate(timeoutSeconds: 60))
        harness.run(until: 602)
        let second = harness.takeLocations()
        #expect(second == 1)
        #expect(sentences != nil && harness.sentences() == sentences)
        let hadTrouble = harness.logged.contains {
            if case .receiverTrouble = $0 { true } else { false }
        }
        #expect(!hadTrouble)
    }

    @Test func `status gives the receiver's state, the demand and the growing uncertainty`() {
        var harness = ManagedHarness(speed: 10)
        harness.connect()
        harness.watch(1000)
        harness.run(until: 100)
        let early = harness.status()
        #expect(early.contains("\"state\":\"resting\"") && early.contains("\"power\":{\"state\":\"hardwareSleep\""))
        #expect(early.contains("\"accuracy\":1000.0") && early.contains("\"restKinds\":["))
        harness.run(until: harness.seconds + 20)
        let late = harness.status()
        #expect(uncertainty(late) > uncertainty(early) + 50, "\(early)\n\(late)")
    }

    private func uncertainty(_ status: String) -> Double {
        guard let range = status.firstRange(of: "\"uncertainty\":") else { return .nan }
        return Double(status[range.upperBound...].prefix { $0.isNumber || $0 == "." }) ?? .nan
    }

    @Test func `the learned state is stored and used after a restart, and a damaged one is reported`() throws {
        var harness = ManagedHarness(speed: 5)
        harness.connect()
        harness.watch(250)
        harness.run(until: 4000)
        let learned = harness.learned
        #expect(learned.count < 10, "a card does not last for ever")
        let kept = try #require(learned.last)
        let believed = ManagedHarness(learned: kept)
        #expect(!believed.logged.contains { if case .receiverTrouble = $0 { true } else { false } })
        var damaged = kept
        damaged[20] ^= 1
        var begun = ManagedHarness(learned: damaged)
        #expect(begun.logged.contains(.receiverTrouble(LearnedStateError.damaged.description)))
        begun.connect()
        #expect(begun.status().contains("\"kind\":\"learnedStateLost\""))
    }

    @Test(arguments: [(10.0, 13.0...20.0), (30, 40...55)])
    func `the deadline for a position follows the configured start times`(
        cold: Double, seconds: ClosedRange<Double>
    ) throws {
        var times = ReceiverModel.neoM8N.startTimes
        times.cold.median = cold
        var harness = ManagedHarness(startTimes: times)
        harness.connect()
        harness.ask(.locateOnce(.best))
        let deadline = try #require(harness.engine.demand.deadline)
        #expect(seconds.contains(Double(deadline.nanoseconds) / 1e9))
    }

    @Test func `a request for 3 km takes what is known from a sleeping receiver, and one for 10 m wakes it`() {
        var harness = ManagedHarness()
        harness.connect()
        harness.watch(100)
        harness.run(until: 120)
        harness.ask(.unwatch)
        harness.run(until: 300)
        let resting = harness.switches
        harness.ask(.locateOnce(.metres(3000)))
        let answer = harness.lines.last ?? ""
        #expect(answer.contains("\"event\":\"location\"") && harness.engine.demand.accuracy == nil)
        harness.run(until: 400)
        #expect(harness.switches == resting, "the receiver sleeps on")
        harness.ask(.locateOnce(.metres(10)))
        #expect(harness.lines.last == answer && harness.engine.demand.accuracy != nil)
        harness.run(until: 460)
        #expect(harness.switches.count > resting.count && harness.lines.last != answer)
    }

    @Test func `a request for 3 km waits for a fix once the board may have gone farther than that`() {
        var harness = ManagedHarness(speed: 30)
        harness.connect()
        harness.watch(100)
        harness.run(until: 600)
        harness.ask(.unwatch)
        harness.run(until: 1800)
        let told = harness.lines.count
        harness.ask(.locateOnce(.metres(3000)))
        #expect(harness.lines.count == told && harness.engine.demand.accuracy != nil)
    }

    @Test func `energy is reported by client and cause`() throws {
        var harness = ManagedHarness()
        harness.connect()
        harness.watch(100)
        harness.run(until: 3600)
        harness.ask(.energy)
        let lines = harness.lines
        let report = try #require(lines.last)
        #expect(report.contains("\"event\":\"energy\"") && report.contains("\"byCause\":{\"accuracyRequest\":"))
        #expect(report.contains("\"coldStart\":") && report.contains("\"idleSleep\":"))
    }
}

@Suite("Engine and a receiver that misbehaves")
struct MisbehavingReceiverTests {
    @Test func `a line that cannot be opened is reported, and the receiver works without it`() {
        var options = ManagedHarness.options(isPoweredAtStart: true)
        options.backup = .supply
        var harness = ManagedHarness(
            lines: [], problem: "powerEnable: GPIO17 is held by \"other\"; stop it or name another line",
            options: options)
        harness.connect()
        harness.watch(100)
        harness.run(until: 300)
        let locations = harness.takeLocations()
        #expect(locations >= 1)
        let said = harness.status()
        #expect(said.contains("\"linesProblem\":\"powerEnable: GPIO17 is held by"))
        #expect(
            harness.receiver.powerState != .sleep(.hardware), "it cannot be, without the line; its own sleep is used")
    }

    @Test func `a missing receiver is asked ever more rarely, and logged once`() {
        var harness = ManagedHarness(lines: [])
        harness.connect()
        harness.watch(100)
        harness.run(until: 3600)
        let said = harness.status()
        #expect(said.contains("\"kind\":\"unresponsive\""))
        #expect(harness.logged.count { "\($0)".contains("answers at no rate") } == 1)
        let inputs = harness.inputCount
        harness.run(until: 7200)
        #expect(harness.inputCount - inputs < 400, "every 10 minutes, a dozen rates at a time")
    }

    @Test func `a mute receiver is switched off without clients, and tried again for the next client`() {
        var harness = ManagedHarness()
        harness.isPortOpen = false
        harness.run(until: 120)
        let isOn = harness.switches.last?.level
        #expect(isOn == false && harness.wake == nil)
        harness.connect()
        harness.isPortOpen = true
        harness.watch(100)
        harness.run(until: 240)
        let locations = harness.takeLocations()
        #expect(locations >= 1)
    }

    @Test func `a receiver with garbage answers is used as one that does not answer`() {
        var harness = ManagedHarness(options: ManagedHarness.options(faults: .answersGarbage))
        harness.connect()
        harness.watch(100)
        harness.run(until: 600)
        let locations = harness.takeLocations()
        #expect(locations >= 1)
        let said = harness.status()
        #expect(said.contains("\"receiver\":\"NMEA receiver\"") && said.contains("\"kind\":\"noAnswer\""))
    }

    @Test func `a receiver that refuses every setting still gives locations and is still switched`() {
        var harness = ManagedHarness(options: ManagedHarness.options(faults: .refusesAll))
        harness.connect()
        harness.watch(100)
        harness.run(until: 300)
        let locations = harness.takeLocations()
        #expect(locations >= 1)
        #expect(harness.receiver.powerState == .sleep(.hardware))
        let said = harness.status()
        #expect(said.contains("\"kind\":\"refusedConfiguration\""))
    }

    @Test func `each setting that is refused at every start is logged once`() {
        var harness = ManagedHarness(speed: 5, options: ManagedHarness.options(faults: .refusesAll))
        harness.connect()
        harness.watch(100)
        harness.run(until: 900)
        let starts = harness.switches.count { $0.level }
        let told = harness.logged.map { "\($0)" }.filter { $0.contains("refused or did not answer") }
        #expect(starts > 5 && told.count > 2 && Set(told).count == told.count, "\(starts) starts: \(told)")
    }

    @Test func `a receiver that does not sleep when told to stays on, and status says so`() {
        var harness = ManagedHarness(
            lines: [], options: ManagedHarness.options(isPoweredAtStart: true, faults: .ignoresSleep))
        harness.connect()
        harness.watch(100)
        harness.run(until: 900)
        let locations = harness.takeLocations()
        #expect(locations >= 1)
        let status = harness.status()
        #expect(status.contains("\"kind\":\"sleepUnavailable\""))
        #expect(!status.contains("\"nextStart\""), "what does not sleep is not woken")
    }

    @Test func `a receiver that wakes by itself is put back to sleep, and status reports it`() {
        var options = ManagedHarness.options(isPoweredAtStart: true)
        options.wakesBySelfAfter = 200
        var harness = ManagedHarness(lines: [], options: options)
        harness.run(until: 2000)
        harness.connect()
        let said = harness.status()
        #expect(said.contains("\"kind\":\"wokeByItself\""))
    }

    @Test func `a dead backup battery is detected from cold starts, and locations still come`() {
        var options = ManagedHarness.options()
        options.backupDies = MonotonicInstant(nanoseconds: 1_000_000_000_000)
        // One that draws too much in its own sleep to be left in it.
        var draw = ReceiverModel.neoM8N.powerDraw
        draw.softwareSleep = 50
        var harness = ManagedHarness(draw: draw, speed: 8, options: options)
        harness.connect()
        harness.watch(1000)
        harness.run(until: 1100)
        _ = harness.takeLocations()
        harness.run(until: 4600)
        let locations = harness.takeLocations()
        let said = harness.status()
        #expect(locations > 15 && said.contains("\"backup\":\"failed\""))
    }

    @Test func `under a roof a search ends soon, is reported, and is repeated ever more rarely`() throws {
        let mask = try MaskIntervals.read(Array("start,end\n1790000300,1790090000\n".utf8))
        var harness = ManagedHarness(speed: 5, mask: mask)
        harness.connect()
        harness.watch(100)
        harness.run(until: 300)
        harness.run(until: 4 * 3600)
        let said = harness.status()
        #expect(said.contains("\"backingOff\":true") && said.contains("the next search is in 3600 s"))
        #expect(
            said.contains("\"count\":8,") || said.contains("\"count\":9,"), "after 1, 2, 5, 10, 20, 30 and 60 minutes")
    }

    @Test func `the problem of a failed search is over with the next position`() throws {
        let mask = try MaskIntervals.read(Array("start,end\n1790000300,1790001500\n".utf8))
        var harness = ManagedHarness(speed: 5, mask: mask)
        harness.connect()
        harness.watch(100)
        harness.run(until: 1400)
        let meanwhile = harness.status()
        #expect(meanwhile.contains("\"kind\":\"noFix\"") && !meanwhile.contains("\"over\":true"))
        _ = harness.takeLocations()
        harness.run(until: 4000)
        let locations = harness.takeLocations()
        #expect(locations > 10)
        let said = harness.status()
        #expect(said.contains("\"kind\":\"noFix\"") && said.contains("\"over\":true"))
    }

    @Test func `a device that goes away and comes back is used again`() {
        var harness = ManagedHarness(speed: 10)
        harness.connect()
        harness.watch(100)
        harness.run(until: 100)
        let before = harness.takeLocations()
        #expect(before >= 1)
        harness.isPortOpen = false
        harness.give(.deviceFailed(.missing, detail: "/dev/gnss: the device went away"))
        harness.run(until: 300)
        let meanwhile = harness.takeLocations()
        #expect(meanwhile == 0)
        harness.give(.deviceAppeared)
        harness.run(until: 500)
        let afterwards = harness.takeLocations()
        #expect(afterwards >= 1)
    }

    @Test func `a host clock that is wrong by decades changes nothing`() {
        var counts: [Int] = []
        for time in [nil, UTCInstant(nanoseconds: 0), UTCInstant(nanoseconds: 3_400_000_000_000_000_000)] {
            var harness = ManagedHarness(speed: 10)
            harness.connect()
            harness.watch(250)
            harness.run(until: 100)
            harness.give(.deviceFailed(.missing, detail: "gone"))
            harness.give(.deviceOpened(.uart, time: time))
            harness.run(until: 1000)
            counts.append(harness.takeLocations())
        }
        #expect(counts[0] > 3 && counts[1] == counts[0] && counts[2] == counts[0])
    }

    @Test func `orbits whose saving is interrupted are reported as lost`() {
        var options = ManagedHarness.options()
        options.backup = .none
        // One that draws too much in its own sleep to be left in it.
        var draw = ReceiverModel.neoM8N.powerDraw
        draw.softwareSleep = 50
        var harness = ManagedHarness(hasPersistentBackup: false, draw: draw, options: options)
        harness.connect()
        harness.watch(10_000)
        // The first fix comes, orbits are saved; the device is lost in the middle.
        var isSaving = false
        while harness.seconds < 300, !isSaving {
            harness.run(until: harness.seconds + 0.05)
            isSaving = harness.status().contains("\"state\":\"savingOrbits\"")
        }
        #expect(isSaving)
        harness.isPortOpen = false
        harness.give(.deviceFailed(.missing, detail: "/dev/gnss: the device went away"))
        #expect(harness.receiver.powerState == .off)
        let said = harness.status()
        #expect(said.contains("\"kind\":\"databaseLost\""))
    }
}
