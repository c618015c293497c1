import Receivers
import Testing
import UBX

/// RXM-PMREQ's payload in a write; nil where it is none.
private func powerRequest(_ bytes: [UInt8]) -> RxmPMREQ? {
    guard bytes.count >= 16, bytes[2] == 0x02, bytes[3] == 0x41 else { return nil }
    return try? RxmPMREQ(payload: bytes.span.extracting(6..<bytes.count - 2))
}

@Suite("Receiver controller: sleep")
struct SleepTests {
    @Test func `u-blox 10 is forced to sleep for a limited time, and either pin wakes it`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.sleep(.software, for: 300)
        #expect(bench.controller.state == .fallingAsleep(.software))
        bench.run(for: 5)
        #expect(bench.controller.state == .asleep(.software))
        #expect(bench.reports == [.asleep(.software)])
        // 302 s; flags backup and force; wake-up sources uartrx and extint0, where 0x20 alone never woke a module.
        let expected: [UInt8] = [
            0xB5, 0x62, 0x02, 0x41, 16, 0, 0, 0, 0, 0, 0xB0, 0x9B, 0x04, 0, 0x06, 0, 0, 0, 0x28, 0, 0, 0,
        ]
        #expect(bench.writes.map { $0.dropLast(2) } == [expected[...]])
    }

    @Test func `u-blox 6 gets the short form of the sleep request`() {
        var receiver = StandIn()
        receiver.version = .neo6M
        var bench = Bench.awake(.plain(.neo6M), receiver)
        bench.forget()
        bench.sleep(.software, for: 10)
        bench.run(for: 5)
        #expect(bench.writes.map { Array($0[4...]).dropLast(2) } == [[8, 0, 0xE0, 0x2E, 0, 0, 0x02, 0, 0, 0][...]])
        #expect(bench.controller.state == .asleep(.software))
    }

    @Test func `a sleep of duration 0 is never requested: one module never came back (public firmware, 4061)`() {
        var bench = Bench.awake(.plain())
        for duration in [nil, 0, 0.001, -5, 1e9, 9.2e9] as [Double?] {
            bench.sleep(.software, for: duration)
            bench.run(for: 5)
            bench.wake()
            bench.run(for: 5)
        }
        let requests = bench.writes.compactMap(powerRequest)
        #expect(requests.count >= 5)
        #expect(requests.allSatisfy { (1000...1_036_800_000).contains($0.durationMilliseconds) })
    }

    @Test func `nothing is written to a sleeping receiver, because any edge would wake it`() {
        var bench = Bench.awake(.plain())
        bench.sleep(.software, for: 3000)
        bench.run(for: 10)
        bench.forget()
        bench.run(for: 2900)
        #expect(bench.writes.isEmpty)
        #expect(bench.controller.deadline == nil)
    }

    @Test func `a sleep without end is requested again before each timed sleep ends`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.sleep(.software)
        bench.run(for: 3 * 7200)
        #expect(bench.controller.state == .asleep(.software))
        #expect(bench.reports == [.asleep(.software)])
        #expect(bench.writes.compactMap(powerRequest).count == 4)
        #expect(bench.receiver.sleepsUntil != nil)
    }

    @Test func `a receiver that its own timer wakes is told to sleep on if it is not needed`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.sleep(.software, for: 100)
        bench.run(for: 200)
        #expect(bench.controller.state == .asleep(.software))
        #expect(bench.reports == [.asleep(.software)])
        #expect(bench.receiver.sleepsUntil != nil)
    }

    @Test func `waking sends bytes, waits half a second and configures all again, as RAM was lost`() throws {
        var bench = Bench.awake(.plain())
        bench.sleep(.software, for: 100)
        bench.run(for: 50)
        bench.forget()
        bench.wake()
        let began = bench.now
        bench.run(for: 10)
        #expect(bench.reports == [.ready])
        #expect(bench.writes.first == [UInt8](repeating: 0xFF, count: 8))
        #expect(bench.receiver.commands == [UBXMessageID](repeating: .cfgVALSET, count: 6))
        let ready = try #require(bench.time(of: .report(.ready)))
        #expect(ready - began < 0.8)
    }

    @Test func `a receiver that does not wake on its receive pin wakes on its timer (public firmware, 2851)`() {
        var bench = Bench.awake(.plain())
        bench.receiver.wakesOnBytes = false
        bench.sleep(.software, for: 100)
        bench.run(for: 100)
        bench.wake()
        bench.run(for: 30)
        #expect(bench.controller.state == .ready)
        #expect(!bench.reports.contains(.unresponsive))
    }

    @Test func `a receiver that only its timer wakes is ready when its timed sleep ends`() throws {
        var bench = Bench.awake(.plain())
        bench.receiver.wakesOnBytes = false
        bench.sleep(.software, for: 500)
        bench.run(for: 100)
        bench.forget()
        let began = bench.now
        bench.wake()
        bench.run(for: 600)
        #expect(bench.reports == [.unresponsive, .recovered, .ready])
        let ready = try #require(bench.time(of: .report(.ready)))
        #expect((400..<410).contains(ready - began))
    }

    @Test func `the EXTINT line goes low before the sleep request and high to wake`() {
        var bench = Bench.awake(.plain(lines: [.wake]))
        bench.receiver.wakesOnBytes = false
        bench.forget()
        bench.sleep(.software, for: 1000)
        bench.run(for: 10)
        #expect(bench.acts.first == .line(.wake, false))
        #expect(bench.acts.count == 2)
        bench.forget()
        bench.wake()
        bench.run(for: 10)
        #expect(bench.acts.first == .line(.wake, true))
        #expect(bench.reports == [.ready])
    }

    @Test func `a receiver that acknowledges sleep but stays awake twice has refused it (SparkFun v3, 70)`() throws {
        var bench = Bench.awake(.plain())
        bench.receiver.obeysSleep = false
        bench.forget()
        bench.sleep(.software, for: 300)
        bench.run(for: 30)
        #expect(bench.writes.compactMap(powerRequest).count == 2)
        #expect(bench.reports == [.sleepRefused(.software), .ready])
        #expect(bench.controller.state == .ready)
        #expect(bench.controller.sleepKinds.contains(.software))
        bench.sleep(.software, for: 300)
        bench.run(for: 30)
        #expect(bench.reports.suffix(3) == [.sleepRefused(.software), .sleepUnavailable(.software), .ready])
        #expect(!bench.controller.sleepKinds.contains(.software))
        bench.forget()
        bench.sleep(.software, for: 300)
        #expect(bench.reports == [.sleepUnavailable(.software)])
        #expect(bench.writes.isEmpty)
    }

    @Test func `a receiver that needs two sleep requests gets them (SparkFun v3, 42)`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.receiver.obeysSleep = false
        bench.sleep(.software, for: 300)
        bench.run(for: 3)
        bench.receiver.obeysSleep = true
        bench.run(for: 10)
        #expect(bench.reports == [.asleep(.software)])
    }

    @Test func `MON-RXR confirms sleep at once`() throws {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.sleep(.software, for: 300)
        let began = bench.now
        bench.send(MonRXR(isAwake: false).frame, after: 0.1)
        bench.run(for: 10)
        let asleep = try #require(bench.time(of: .report(.asleep(.software))))
        #expect(asleep - began < 0.2)
    }

    @Test func `a receiver that wakes by itself is put back to sleep three times, then sleep is given up`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.sleep(.software, for: 3000)
        for _ in 1...3 {
            bench.run(for: 20)
            bench.receiver.sleepsUntil = nil
            bench.run(for: 20)
            #expect(bench.controller.state == .asleep(.software))
        }
        bench.receiver.sleepsUntil = nil
        bench.run(for: 20)
        #expect(
            bench.reports == [
                .asleep(.software), .woke(byItself: true), .asleep(.software), .woke(byItself: true),
                .asleep(.software),
                .woke(byItself: true), .asleep(.software), .woke(byItself: true), .sleepUnavailable(.software), .ready,
            ])
        #expect(bench.controller.state == .ready)
        #expect(!bench.controller.sleepKinds.contains(.software))
    }

    @Test func `a sleep asked for before the receiver is ready follows when it is`() {
        var bench = Bench(.plain(.maxM10S))
        bench.open(baud: 9600)
        bench.wake()
        bench.sleep(.software, for: 300)
        bench.run(until: 20)
        #expect(bench.controller.state == .asleep(.software))
        #expect(bench.reports == [.identified, .ready, .asleep(.software)])
    }

    @Test func `a wake during falling asleep wakes the receiver`() {
        var bench = Bench.awake(.plain())
        bench.sleep(.software, for: 300)
        bench.run(for: 0.5)
        bench.wake()
        bench.run(for: 10)
        #expect(bench.controller.state == .ready)
    }

    @Test func `MediaTek stands by until a byte comes`() {
        var bench = Bench.awake(.plain(.pa1616), StandIn(language: .mediaTek))
        bench.forget()
        bench.sleep(.software)
        bench.run(for: 30_000)
        #expect(bench.writes == [Array("$PMTK161,0*28\r\n".utf8)])
        #expect(bench.reports == [.asleep(.software)])
        bench.forget()
        bench.wake()
        bench.run(for: 5)
        #expect(bench.reports == [.ready])
        #expect(bench.receiver.sentences.first == "PMTK225,0")
    }

    @Test func `Airoha sleeps with GNSS off, and in RTC backup only if a pin can wake it`() {
        var bench = Bench.awake(.plain(.lc76G), StandIn(language: .airoha))
        bench.forget()
        bench.sleep(.software, for: 60)
        bench.run(for: 10)
        #expect(bench.receiver.sentences == ["PAIR003"])
        #expect(bench.reports == [.asleep(.software)])
        bench.wake()
        bench.run(for: 10)
        #expect(bench.receiver.sentences[1] == "PAIR002")
        #expect(bench.controller.state == .ready)

        bench = Bench.awake(.plain(.lc76G, lines: [.wake]), StandIn(language: .airoha))
        bench.forget()
        bench.sleep(.software, for: 60)
        bench.run(for: 10)
        #expect(bench.receiver.sentences == ["PAIR003", "PAIR650,0"])
        #expect(bench.writes == [Array("$PAIR003*39\r\n".utf8), Array("$PAIR650,0*25\r\n".utf8)])
    }

    @Test func `an Airoha whose answers are lost still counts as asleep (Quectel forum, 25292)`() {
        var bench = Bench.awake(.plain(.lc76G), StandIn(language: .airoha))
        bench.forget()
        bench.receiver.answers = false
        bench.sleep(.software, for: 60)
        bench.receiver.reports = false
        bench.run(for: 10)
        #expect(bench.reports == [.asleep(.software)])
        #expect(bench.writes.count == 1)
    }

    @Test func `PCAS12 is given up if the receiver goes on talking after it (public firmware, 11701)`() {
        var bench = Bench.awake(.plain(.l76K), StandIn(language: .casic))
        bench.forget()
        bench.sleep(.software, for: 60)
        bench.run(for: 10)
        #expect(bench.receiver.sentences == ["PCAS12,62"])
        #expect(bench.reports == [.asleep(.software)])

        bench = Bench.awake(.plain(.l76K), StandIn(language: .casic, obeysSleep: false))
        bench.forget()
        bench.sleep(.software, for: 60)
        bench.run(for: 30)
        #expect(bench.reports == [.sleepRefused(.software), .sleepUnavailable(.software), .ready])
        #expect(bench.controller.sleepKinds == [])
    }

    @Test func `a wired standby pin is used after PCAS12 failed`() {
        var bench = Bench.awake(.plain(.l76K, lines: [.wake]), StandIn(language: .casic, obeysSleep: false))
        bench.sleep(.software, for: 60)
        bench.run(for: 30)
        #expect(bench.controller.sleepKinds == [.software])
        bench.forget()
        bench.sleep(.software, for: 60)
        bench.receiver.sleepsUntil = .infinity
        bench.run(for: 30)
        #expect(bench.acts == [.line(.wake, false)])
        #expect(bench.reports == [.asleep(.software)])
        bench.wake()
        bench.run(for: 10)
        #expect(bench.controller.state == .ready)
    }
}

@Suite("Receiver controller: cyclic tracking")
struct CyclicTests {
    @Test func `u-blox 8 gets cyclic periods in milliseconds`() {
        var receiver = StandIn()
        receiver.version = .m8N
        var configuration = ReceiverControllerConfiguration.plain(.neoM8N)
        configuration.cyclicPeriodSeconds = 4
        var bench = Bench.awake(configuration, receiver)
        bench.forget()
        bench.sleep(.cyclic, for: 600)
        bench.run(for: 60)
        #expect(bench.controller.state == .asleep(.cyclic))
        #expect(bench.receiver.commands == [.cfgPM2, .cfgRXM])
        #expect(bench.receiver.lastCyclic[0] == 2)
        #expect(Array(bench.receiver.lastCyclic[8..<12]) == [0xA0, 0x0F, 0, 0])
        #expect(bench.reports == [.asleep(.cyclic)])
        bench.forget()
        bench.wake()
        bench.run(for: 5)
        #expect(bench.writes.map { $0.dropLast(2) } == [[0xB5, 0x62, 0x06, 0x11, 2, 0, 8, 0][...]])
        #expect(bench.reports == [.ready])
    }

    @Test func `u-blox 10 gets cyclic periods in seconds, 1 to 10`() {
        for (asked, given) in [(4, UInt8(4)), (60, 10), (0, 1)] {
            var configuration = ReceiverControllerConfiguration.plain(.maxM10S)
            configuration.cyclicPeriodSeconds = asked
            var bench = Bench.awake(configuration)
            bench.sleep(.cyclic)
            bench.run(for: 5)
            #expect(bench.receiver.lastCyclic.prefix(12) == [0, 3, 0, 0, 0x02, 0, 0xD0, 0x40, given, 0, 0, 0])
            #expect(bench.controller.state == .asleep(.cyclic))
        }
    }

    @Test func `a sleep asked for during cyclic tracking follows it, and waking restores full power`() {
        var bench = Bench.awake(.plain())
        bench.forget()
        bench.sleep(.cyclic)
        bench.sleep(.software, for: 100)
        bench.run(for: 20)
        #expect(bench.reports == [.asleep(.cyclic), .asleep(.software)])
        bench.forget()
        bench.wake()
        bench.run(for: 10)
        #expect(bench.writes.contains { $0.dropLast(2).suffix(5) == [0x01, 0x00, 0xD0, 0x20, 0][...] })
    }

    @Test func `ZED-F9P has no cyclic tracking`() {
        var receiver = StandIn()
        receiver.version = .f9P
        receiver.baud = 38_400
        var bench = Bench.awake(.plain(), receiver)
        #expect(bench.controller.identity?.model == .zedF9P)
        #expect(bench.controller.sleepKinds == [.software])
        bench.sleep(.cyclic)
        #expect(bench.reports.last == .sleepUnavailable(.cyclic))
    }

    @Test func `a receiver that refuses cyclic tracking goes back to full power`() {
        var receiver = StandIn()
        receiver.version = .m8N
        var bench = Bench.awake(.plain(), receiver)
        bench.receiver.refuses = [.cfgPM2]
        bench.forget()
        bench.sleep(.cyclic)
        bench.run(for: 5)
        #expect(
            bench.reports == [
                .configurationRefused("CFG-PM2"), .sleepRefused(.cyclic), .sleepUnavailable(.cyclic), .ready,
            ])
        #expect(bench.receiver.commands == [.cfgPM2, .cfgRXM])
    }
}
