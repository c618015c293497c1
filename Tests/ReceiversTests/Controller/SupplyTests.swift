import Receivers
import SextantUnits
import Testing
import UBX

@Suite("Receiver controller: supply")
struct SupplyTests {
    private static let switched: Set<LineRole> = [.powerEnable]

    @Test func `the wired lines decide which kinds of sleep there are`() {
        func kinds(_ lines: Set<LineRole>, backup: Bool) -> Set<SleepKind> {
            ReceiverController(.plain(.generic, lines: lines, backup: backup)).sleepKinds
        }
        #expect(kinds([], backup: true) == [])
        #expect(kinds([.powerEnable], backup: true) == [.hardware])
        #expect(kinds([.powerEnable], backup: false) == [.cut])
        #expect(kinds([.powerEnable, .backupSupply], backup: false) == [.hardware, .cut])
        #expect(ReceiverController(.plain(.maxM10S)).sleepKinds == [.software, .cyclic])
    }

    @Test func `the transmitter is held low before the supply goes off and released after it is on`() throws {
        var bench = Bench.awake(.plain(lines: [.powerEnable, .wake], backup: true))
        bench.forget()
        bench.sleep(.hardware, for: 600)
        #expect(bench.acts == [.hold(true), .line(.wake, false), .line(.powerEnable, false)])
        #expect(bench.reports == [.asleep(.hardware)])
        #expect(bench.controller.state == .asleep(.hardware))
        bench.run(for: 600)
        #expect(bench.writes.isEmpty)
        bench.forget()
        bench.wake()
        bench.run(for: 10)
        #expect(bench.acts.prefix(3) == [.line(.powerEnable, true), .hold(false), .line(.wake, true)])
        let supplied = try #require(bench.time(of: .line(.powerEnable, true)))
        let released = try #require(bench.time(of: .hold(false)))
        #expect(released - supplied > 0.049)
        #expect(bench.reports == [.ready])
    }

    @Test func `hardware sleep works without an answer and without an open port`() {
        var bench = Bench(.plain(lines: Self.switched, backup: true))
        bench.wake()
        bench.sleep(.hardware)
        #expect(bench.controller.state == .asleep(.hardware))
        #expect(bench.acts.suffix(2) == [.hold(true), .line(.powerEnable, false)])
    }

    @Test func `a supply line without effect is detected`() {
        var bench = Bench.awake(.plain(lines: Self.switched, backup: true))
        bench.forget()
        bench.sleep(.hardware)
        for _ in 1...4 {
            bench.run(for: 5)
            bench.send(NavEOE(timeOfWeekMilliseconds: 0).frame, after: 0)
            bench.run(for: 1)
        }
        bench.run(for: 20)
        #expect(bench.reports.filter { $0 == .woke(byItself: true) }.count == 4)
        #expect(bench.reports.contains(.sleepUnavailable(.hardware)))
        #expect(!bench.controller.sleepKinds.contains(.hardware))
        #expect(bench.controller.state == .ready)
    }

    @Test func `bytes from an unpowered receiver's floating pin are ignored`() {
        var bench = Bench.awake(.plain(lines: Self.switched, backup: true))
        bench.sleep(.hardware)
        bench.forget()
        for _ in 1...20 {
            bench.run(for: 5)
            bench.send([0x00, 0xFF], after: 0)
        }
        #expect(bench.events.isEmpty)
    }

    @Test func `lines that are wired later are used`() {
        var bench = Bench.awake(.plain())
        bench.controller.hardwareChanged(lines: [.powerEnable, .backupSupply])
        #expect(bench.controller.sleepKinds == [.software, .cyclic, .hardware, .cut])
    }

    @Test func `a port lost while the receiver sleeps changes nothing`() {
        var bench = Bench.awake(.plain())
        bench.sleep(.software, for: 1000)
        bench.run(for: 10)
        bench.unplug()
        bench.open(baud: 9600)
        bench.run(for: 10)
        #expect(bench.controller.state == .asleep(.software))
        bench.forget()
        bench.wake()
        bench.run(for: 10)
        #expect(bench.reports == [.ready])
    }

    @Test func `a sleep interrupted by the port's loss is completed when the port is back`() {
        var bench = Bench.awake(.plain())
        bench.receiver.obeysSleep = false
        bench.sleep(.software, for: 1000)
        bench.run(for: 1)
        bench.unplug()
        bench.run(for: 10)
        bench.receiver.obeysSleep = true
        bench.open(baud: 9600)
        bench.run(for: 10)
        #expect(bench.controller.state == .asleep(.software))
    }
}

@Suite("Receiver controller: database")
struct DatabaseTests {
    private static let cuttable = ReceiverControllerConfiguration.plain(lines: [.powerEnable])

    private static func memoryless() -> StandIn {
        var receiver = StandIn()
        receiver.hasBackup = false
        return receiver
    }

    @Test func `the database is dumped with reports off and counted before the supply goes off`() throws {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.forget()
        bench.sleep(.cut)
        #expect(bench.controller.state == .savingDatabase)
        bench.run(for: 10)
        #expect(bench.receiver.commands == [.cfgVALSET, .mgaDBD])
        // Layers: RAM alone.
        #expect(bench.writes[0][7] == 0x01)
        #expect(bench.writes[1] == [0xB5, 0x62, 0x13, 0x80, 0, 0, 0x93, 0xCC])
        #expect(bench.reports == [.databaseSaved(messages: 3), .asleep(.cut)])
        let saved = try #require(bench.time(of: .report(.databaseSaved(messages: 3))))
        let off = try #require(bench.time(of: .line(.powerEnable, false)))
        #expect(off >= saved)
    }

    @Test func `time, position and database are restored in this order, 10 ms plus line time apart`() throws {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.sleep(.cut)
        bench.run(for: 1000)
        bench.forget()
        let utc = UTCInstant(nanoseconds: 1_780_000_000_000_000_000)
        bench.wake(
            ReceiverAid(
                time: .init(utc: utc, accuracySeconds: 1),
                position: .init(latitude: 52.5, longitude: -13.25, altitude: 40, accuracyMetres: 100)))
        let began = bench.now
        bench.run(for: 20)
        #expect(bench.controller.state == .ready)
        #expect(bench.reports == [.databaseRestored(messages: 3), .ready])
        #expect(bench.receiver.database == (0..<3).map { Array(StandIn.entry($0)[6..<76]) })
        let aid = bench.events.filter { event in
            if case .write(let bytes) = event.event { return bytes[2] == 0x13 }
            return false
        }
        #expect(aid.count == 5)
        // At 9600 baud: 32, 28 and 78 bytes.
        let gaps = zip(aid.dropFirst(), aid).map { $0.time - $1.time }
        for (gap, byteCount) in zip(gaps, [32, 28, 78, 78]) {
            #expect(abs(gap - (0.01 + Double(byteCount * 10) / 9600)) < 0.001)
        }
        guard case .write(let first) = aid[0].event, case .write(let second) = aid[1].event else {
            Issue.record("no bytes: \(aid[0].event), \(aid[1].event)")
            return
        }
        let time = try MgaINITimeUTC(payload: first.span.extracting(6..<30))
        let told = try #require(time.utc)
        let elapsed = Double(told.nanoseconds - utc.nanoseconds) / 1e9
        #expect(abs(elapsed - (aid[0].time - began + 320.0 / 9600)) < 0.001)
        #expect(time.accuracySeconds == 1)
        #expect(time.accuracyNanoseconds > 30_000_000)
        let place = try MgaINIPosLLH(payload: second.span.extracting(6..<26))
        #expect((place.latitudeE7, place.longitudeE7) == (525_000_000, -132_500_000))
        #expect((place.heightAboveEllipsoidCentimetres, place.accuracyCentimetres) == (4000, 10_000))
    }

    @Test func `the rate is raised before the database is restored, to save time`() throws {
        var configuration = Self.cuttable
        configuration.baud = 115_200
        var bench = Bench.awake(configuration, Self.memoryless())
        bench.receiver.databaseCount = 300
        bench.sleep(.cut)
        bench.run(for: 100)
        bench.forget()
        let began = bench.now
        bench.wake()
        bench.run(for: 60)
        #expect(bench.receiver.database.count == 300)
        #expect(bench.receiver.baud == 115_200)
        let ready = try #require(bench.time(of: .report(.ready)))
        // 300 of 78 bytes take 2.0 s on the line and 3.0 s between them.
        #expect(ready - began < 7)
    }

    @Test func `a time without a usable accuracy is not sent, because wrong time is worse than none`() {
        for accuracy in [nil, .infinity, .nan, -1, 1e9] as [Double?] {
            var bench = Bench.awake(Self.cuttable, Self.memoryless())
            bench.sleep(.cut)
            bench.run(for: 100)
            bench.forget()
            bench.wake(
                ReceiverAid(
                    time: accuracy.map { .init(utc: UTCInstant(nanoseconds: 0), accuracySeconds: $0) }, position: nil))
            bench.run(for: 20)
            #expect(!bench.receiver.commands.contains(.mgaINI))
            #expect(bench.receiver.database.count == 3)
        }
    }

    @Test func `a position without height is sent with a low accuracy`() throws {
        var bench = Bench.awake(.plain())
        bench.sleep(.software, for: 100)
        bench.run(for: 20)
        bench.forget()
        bench.wake(
            ReceiverAid(
                time: nil, position: .init(latitude: 1, longitude: 2, altitude: nil, accuracyMetres: 10)))
        bench.run(for: 20)
        let write = try #require(bench.writes.first { $0.count == 28 && $0[2] == 0x13 })
        #expect(try MgaINIPosLLH(payload: write.span.extracting(6..<26)).accuracyCentimetres == 200_000)
    }

    /// A position, as the host hands it over.
    private static let place = ReceiverAid(
        time: nil, position: .init(latitude: 1, longitude: 2, altitude: 40, accuracyMetres: 10))

    @Test(arguments: [false, true])
    func `a position handed to a receiver that tracks already is not sent after a later loss`(isCyclic: Bool) {
        var bench = Bench.awake(.plain())
        if isCyclic {
            bench.sleep(.cyclic)
            bench.run(for: 20)
            #expect(bench.controller.state == .asleep(.cyclic))
        }
        bench.wake(Self.place)
        bench.run(for: 100)
        #expect(bench.controller.state == .ready)
        bench.forget()
        bench.unplug()
        bench.open(baud: bench.receiver.baud)
        bench.run(for: 60)
        #expect(bench.reports == [.ready])
        #expect(!bench.receiver.commands.contains(.mgaINI))
    }

    @Test(arguments: [(10.0, true), (3600.0, false)])
    func `a position that waited long for its receiver is not sent`(seconds: Double, isSent: Bool) {
        var bench = Bench.awake(.plain())
        bench.unplug()
        bench.forget()
        bench.wake(Self.place)
        bench.run(for: seconds)
        bench.open(baud: bench.receiver.baud)
        bench.run(for: 60)
        #expect(bench.reports == [.ready])
        #expect(bench.receiver.commands.contains(.mgaINI) == isSent)
    }

    @Test func `a dump with a missing message is dropped, and the supply still goes off`() {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.forget()
        bench.receiver.databaseClaimed = 4
        bench.sleep(.cut)
        bench.run(for: 10)
        #expect(bench.reports == [.databaseLost(.incomplete(expected: 4, received: 3)), .asleep(.cut)])
        bench.wake()
        bench.run(for: 20)
        #expect(bench.receiver.database.isEmpty)
        #expect(bench.controller.state == .ready)
    }

    @Test func `a receiver that falls silent during a dump is still cut off safely`() {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.forget()
        bench.receiver.databaseSent = 2
        bench.sleep(.cut)
        bench.run(for: 10)
        #expect(bench.reports == [.databaseLost(.silence), .asleep(.cut)])
        #expect(bench.acts.suffix(2) == [.hold(true), .line(.powerEnable, false)])
    }

    @Test func `a port lost during a dump drops the dump, and the supply still goes off`() {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.forget()
        bench.receiver.databaseSent = 2
        bench.sleep(.cut)
        bench.run(for: 0.5)
        bench.unplug()
        #expect(bench.reports == [.databaseLost(.portLost), .asleep(.cut)])
        #expect(bench.acts.last == .line(.powerEnable, false))
    }

    @Test func `a database past 64 KiB is not kept`() {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.forget()
        bench.receiver.databaseCount = 1000
        bench.sleep(.cut)
        bench.run(for: 60)
        #expect(bench.reports == [.databaseLost(.tooLarge), .asleep(.cut)])
    }

    @Test func `a wake during a dump drops the dump and configures the receiver again`() {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.forget()
        bench.receiver.databaseSent = 2
        bench.sleep(.cut)
        bench.run(for: 0.5)
        bench.wake()
        bench.run(for: 10)
        #expect(bench.reports == [.databaseLost(.interrupted), .ready])
        #expect(bench.receiver.reports)
        #expect(!bench.acts.contains(.line(.powerEnable, false)))
    }

    @Test func `an incomplete dump is never restored, after any kind of sleep`() {
        for kind in [SleepKind.cut, .hardware, .software] {
            var bench = Bench.awake(.plain(lines: [.powerEnable, .backupSupply]), Self.memoryless())
            bench.forget()
            bench.receiver.databaseSent = 2
            bench.sleep(.cut)
            bench.run(for: 0.5)
            bench.sleep(kind)
            bench.run(for: 10)
            #expect(
                bench.reports == [
                    .databaseLost(kind == .hardware ? .interrupted : .silence),
                    .asleep(kind == .hardware ? .hardware : .cut),
                ])
            bench.wake()
            bench.run(for: 30)
            #expect(bench.receiver.database.isEmpty)
            #expect(bench.controller.state == .ready)
        }
    }

    @Test func `the database is not restored to another receiver or firmware`() {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.sleep(.cut)
        bench.run(for: 100)
        bench.forget()
        bench.receiver.version.extensions[0] = "FWVER=SPG 5.20"
        bench.wake()
        bench.run(for: 20)
        #expect(bench.reports == [.databaseLost(.foreign), .identified, .ready])
        #expect(bench.receiver.database.isEmpty)
    }

    @Test func `after hardware sleep the receiver has its own database, and nothing is restored`() {
        var bench = Bench.awake(.plain(lines: [.powerEnable, .backupSupply], backup: true))
        bench.sleep(.cut)
        bench.run(for: 100)
        #expect(bench.acts.suffix(2) == [.line(.powerEnable, false), .line(.backupSupply, false)])
        bench.wake()
        bench.run(for: 20)
        #expect(bench.receiver.database.count == 3)
        bench.forget()
        bench.sleep(.hardware)
        bench.run(for: 100)
        bench.wake()
        bench.run(for: 20)
        #expect(bench.receiver.database.count == 3)
        #expect(bench.reports == [.asleep(.hardware), .ready])
    }

    @Test func `refused database entries are skipped, such as QZSS entries on SPG 5.10`() {
        var bench = Bench.awake(Self.cuttable, Self.memoryless())
        bench.sleep(.cut)
        bench.run(for: 100)
        bench.forget()
        bench.wake()
        for tenth in 0..<30 {
            bench.send(
                MgaACK(type: 0, version: 0, infoCode: 4, acknowledgedID: 0x80, payloadStart: 0).frame,
                after: Double(tenth) / 10)
        }
        bench.run(for: 20)
        #expect(bench.reports == [.databaseRestored(messages: 3), .ready])
    }

    @Test func `when a NEO-M8N's dump fails, GNSS is stopped and its flash keeps the database`() {
        var receiver = Self.memoryless()
        receiver.version = .m8N
        var bench = Bench.awake(Self.cuttable, receiver)
        bench.forget()
        bench.receiver.databaseSent = 0
        bench.sleep(.cut)
        bench.run(for: 10)
        #expect(bench.receiver.commands.suffix(3) == [.mgaDBD, .cfgRST, .updSOS])
        #expect(bench.writes.suffix(2).first?.dropLast(2) == [0xB5, 0x62, 0x06, 0x04, 4, 0, 0, 0, 0x08, 0][...])
        #expect(bench.reports == [.databaseLost(.silence), .databaseSaved(messages: 0), .asleep(.cut)])
        bench.forget()
        // The first two tries to delete it go unheard.
        bench.receiver.clearsIgnored = 2
        bench.wake()
        bench.run(for: 20)
        #expect(bench.reports == [.databaseRestored(messages: 0), .ready])
        let sos = bench.writes.filter { $0[2] == 0x09 && $0[3] == 0x14 }
        #expect(sos.map(\.count) == [8, 12, 12, 12])
        #expect(bench.receiver.clearsIgnored == -1)
        bench.sleep(.software, for: 60)
        bench.run(for: 60)
        bench.forget()
        bench.wake()
        bench.run(for: 10)
        #expect(!bench.receiver.commands.contains(.updSOS))
    }

    @Test func `a receiver without assistance messages is cut off without a dump`() {
        var bench = Bench.awake(.plain(.l76K, lines: [.powerEnable]), StandIn(language: .casic))
        bench.forget()
        bench.sleep(.cut)
        #expect(bench.reports == [.asleep(.cut)])
        #expect(bench.acts == [.hold(true), .line(.powerEnable, false)])
    }
}
