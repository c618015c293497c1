import ClientProtocol
import Parts
import Power
import SextantUnits
import Testing

@testable import Engine
@testable import HostSleep

@Suite("The host sleeps, and clients know")
struct HostSleepTests {
    private static let wall = UTCInstant(nanoseconds: 1_790_000_000 * 1_000_000_000)
    private static let traits = HostSwitchTraits(
        horizon: 7 * 86_400, backstop: .init(unit: 60, most: 65_535), tellsCause: true, proof: .chip,
        cutTrigger: .command, cutDelay: 30)

    private static func configuration(isAllowed: Bool = true) -> HostSleepConfiguration {
        var settings = HostSleepSettings()
        settings.isAllowed = isAllowed
        var configuration = HostSleepConfiguration(settings, traits: traits, hasMotionWake: true, breakEven: 50)
        configuration.costs = HostSleepCosts(
            HostCosts(
                bootSeconds: 25, bootJoules: 21, stopSeconds: 8, stopMilliwatts: 900, haltedMilliwatts: 155,
                idleMilliwatts: 600), offMilliwatts: 5, areMeasured: false)
        return configuration
    }

    private static let sound: HostInspection = {
        var inspection = HostInspection()
        inspection.isInhibited = false
        inspection.hasSession = false
        inspection.hasSecondMaster = false
        inspection.isPackageManagerBusy = false
        inspection.isStoreSound = true
        inspection.isStayAwakeFileThere = false
        inspection.hasExternalPower = false
        return inspection
    }()

    /// A board that motion woke and that may sleep.
    private func board(
        _ configuration: HostSleepConfiguration? = configuration(), rows: [String: DurableRow] = [:],
        clock: UTCInstant? = wall, cause: WakeCause = .motion
    ) -> ManagedHarness {
        var tried = BootHistory()
        (tried.trials, tried.hasRebooted) = (3, true)
        let boots = DurableRow(table: .settings, client: "", name: "boots", value: tried.encode())
        var board = ManagedHarness(
            hasMotionSensor: true, hostSleep: configuration, rows: rows.isEmpty ? ["boots": boots] : rows)
        board.give(.storeRead)
        board.give(.host(.woke(HostWake(cause, isRead: true), clock: clock, fingerprint: 0)))
        board.connect()
        return board
    }

    /// Lets time pass, and answers the orders as a sound system and switch do.
    private func run(_ board: inout ManagedHarness, until seconds: Double, answered: inout Int) {
        for second in stride(from: board.seconds, through: seconds, by: 10) {
            board.run(until: second)
            while answered < board.hostOrders.count {
                let wall = Self.wall.advanced(byNanoseconds: board.now.nanoseconds)
                switch board.hostOrders[answered] {
                case .inspect:
                    var inspection = Self.sound
                    inspection.wall = wall
                    inspection.switchClock = wall
                    answered += 1
                    board.give(.host(.inspected(inspection)))
                case .arm(let order):
                    answered += 1
                    let reading = SwitchReading(
                        clock: wall, alarm: order.alarm, backstop: order.backstop, byMotion: order.byMotion)
                    board.give(.host(.armed(reading, wall: wall)))
                case .disarm, .powerOff: answered += 1
                }
            }
        }
    }

    private func powerOff(_ orders: [HostOrder]) -> SwitchOrder? {
        for case .powerOff(let order) in orders { return order }
        return nil
    }

    private func events(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix(#"{"event":"host"#) }.map { line in
            String(line.dropFirst(10).prefix { $0 != "\"" })
        }
    }

    @Test func `nobody asks: clients are told, the switch is set, and the note of the sleep is stored`() throws {
        var board = board()
        var answered = 0
        run(&board, until: 200, answered: &answered)
        let order = try #require(powerOff(board.hostOrders))
        #expect(events(board.lines) == ["hostWillSleep"])
        // Six hours from when clients were told, on the second.
        #expect(order.alarm.nanoseconds(since: Self.wall) / 1_000_000_000 == 60 + 30 + 21_600)
        #expect(board.rows["hostAsleep"] != nil)
        #expect(board.unsettled == [])
        // Boots are short, and what was learned in them is not lost.
        #expect(board.learned.count == 1)

        // The next boot knows how long it slept.
        let late = order.alarm.advanced(byNanoseconds: 25_000_000_000)
        var next = self.board(rows: board.rows, clock: late, cause: .alarm)
        next.ask(.status)
        let status = try #require(next.lines.last { $0.contains(#""event":"status""#) })
        #expect(status.contains(#""boot":{"cause":"alarm","told":true,"slept":21625,"late":25},"#), "\(status)")
        #expect(status.contains(#""sleeps":[{"cause":"alarm","told":true,"slept":21625,"late":25}]"#), "\(status)")
        #expect(next.rows["hostAsleep"] == nil)
    }

    @Test func `SLEEP-13: when the power-off is asked for, the receiver already sleeps`() {
        var board = board()
        board.ask(.watch(satellites: false))
        var answered = 0
        run(&board, until: 100, answered: &answered)
        #expect(board.switches.last?.level == true)
        board.give(.clientGone(ManagedHarness.client))
        run(&board, until: 300, answered: &answered)
        #expect(powerOff(board.hostOrders) != nil)
        #expect(board.engine.power.view.isResting)
        #expect(board.switches.last?.level == false)
    }

    @Test func `SLEEP-11: after a wake the receiver gets no time but one that itself has told in this boot`() {
        for clock in [nil, Self.wall, UTCInstant(nanoseconds: 0), Self.wall.advanced(byNanoseconds: 3_600_000_000_000)]
        {
            var board = board(clock: clock, cause: .alarm)
            // The wall clock is the kernel's, which may be late by the whole sleep.
            board.give(.clockTrusted(Self.wall))
            board.watch(10)
            while board.takeLocations() == 0, board.seconds < 300 { board.run(until: board.seconds + 1) }
            #expect(board.seconds < 300)
            let hadNone = !board.wasGivenTime
            #expect(hadNone, "\(clock as Any)")
            // Two locations of ten minutes later are aided by the receiver's own time.
            board.give(.clientGone(ManagedHarness.client))
            board.run(until: board.seconds + 20)
            board.connect()
            board.watch(10)
            board.run(until: board.seconds + 60)
            let hasOne = board.wasGivenTime
            #expect(hasOne)
        }
    }

    @Test func `the energy of a sleep stands beside that of the boot, with what is assumed`() throws {
        var board = board()
        var answered = 0
        run(&board, until: 200, answered: &answered)
        #expect(board.answer(to: .energy, of: ManagedHarness.client).contains(#""host":"#) == false)
        let order = try #require(powerOff(board.hostOrders))
        let late = order.alarm.advanced(byNanoseconds: 25_000_000_000)
        var next = self.board(rows: board.rows, clock: late, cause: .alarm)
        let energy = next.answer(to: .energy, of: ManagedHarness.client)
        #expect(energy.contains(#""boots":1,"#), "\(energy)")
        #expect(energy.contains(#"{"state":"booting","seconds":25.0,"joules":21.000,"assumed":true}"#), "\(energy)")
        let woken = #""wakes":[{"cause":"longest","count":1,"joules":32.850}],"#
        #expect(energy.contains(woken + #""byClient":[{"client":"sextantd","joules":32.850}]"#), "\(energy)")
        // A switch that has lost its time: the sleep counts, its length does not.
        var blind = self.board(rows: board.rows, clock: nil, cause: .alarm)
        #expect(blind.answer(to: .energy, of: ManagedHarness.client).contains(#""untimed":1"#))
    }

    @Test(arguments: [(nil, ["alarm", "tracker"]), ("tracker", ["others", "tracker"]), ("map", ["others"])])
    func `SLEEP-14: a wake for clients' sake is charged to them, and only operators see to whom`(
        label: String?, names: [String]
    ) throws {
        let note = SleepNote(
            from: Self.wall, alarm: Self.wall.advanced(byNanoseconds: 7_200_000_000_000), isTrial: false,
            byMotion: true,
            cause: .heartbeat, clients: ["tracker", "alarm"])
        let row = DurableRow(table: .settings, client: "", name: "hostAsleep", value: note.encode())
        let board = board(rows: ["hostAsleep": row], clock: note.alarm, cause: .alarm)
        let spent = try #require(board.engine.power.view.energyReport(at: board.now)?.sinceBoot)
        let host = board.engine.hostSleeping.view.energy(spent, seenBy: label)
        let clients = try #require(host).clients
        #expect(clients.map(\.name) == names)
        #expect(abs(clients.reduce(0) { $0 + $1.joules } - 32.85) < 1e-9)
    }

    @Test(arguments: [(true, "motion"), (false, "unknown")])
    func `a wake that the switch cannot tell was by motion where the board moves`(moves: Bool, cause: String) throws {
        var first = board()
        var answered = 0
        run(&first, until: 200, answered: &answered)
        #expect(powerOff(first.hostOrders)?.byMotion == true)
        var next = ManagedHarness(hasMotionSensor: true, hostSleep: Self.configuration(), rows: first.rows)
        next.give(.storeRead)
        next.give(.motion(moves))
        next.give(.host(.woke(HostWake(.unknown, isRead: false), clock: Self.wall, fingerprint: 0)))
        next.connect()
        let status = next.status()
        #expect(status.contains(#""boot":{"cause":"\#(cause)","told":false"#), "\(status)")
        #expect(status.contains("maintenance") == !moves)
    }

    @Test func `a note of a sleep is read as it was written, and one of an earlier release without clients`() {
        let note = SleepNote(
            from: Self.wall, alarm: Self.wall.advanced(byNanoseconds: 7_200_000_000_000), isTrial: true, byMotion: true,
            cause: .longest, clients: ["tracker", "alarm"])
        let bytes = note.encode()
        #expect(CRC32.of(bytes.span) == 0x5966_A817, "the stored form has changed")
        let read = SleepNote.decode(bytes.span)
        #expect(read?.encode() == bytes)
        #expect(read?.clients == note.clients)
        let older: [UInt8] = [1] + bytes[1..<18]
        let first = SleepNote.decode(older.span)
        #expect(first?.clients == [])
        #expect(first?.alarm == note.alarm)
        for damaged: [UInt8] in [bytes.dropLast(), bytes + [0], [3] + bytes.dropFirst(), [2]] {
            #expect(SleepNote.decode(damaged.span) == nil)
        }
    }

    @Test func `without a word of it in the configuration nothing is asked, told or stored`() {
        var board = board(nil)
        var answered = 0
        run(&board, until: 1000, answered: &answered)
        #expect(board.hostOrders == [])
        #expect(events(board.lines) == [])
        #expect(board.rows.keys.sorted() == ["boots"])
        board.ask(.status)
        #expect(board.lines.last?.contains(#""host""#) == false)
    }

    @Test func `a watch in the foreground keeps it on, and one that allows the sleep only by what it needs`() {
        for allows in [false, true] {
            var board = board()
            board.ask(
                .watchLocations(
                    LocationSettings(accuracy: .metres(1000), pausesAutomatically: false),
                    WatchOptions(allowsHostSleep: allows), label: ""))
            var answered = 0
            run(&board, until: 1000, answered: &answered)
            #expect(powerOff(board.hostOrders) == nil)
            board.ask(.status)
            // A motion sensor that has not proved itself is not relied on: the receiver is on again in five minutes.
            let reasons = allows ? #""reasons":["tooSoon"]"# : #""reasons":["foreground"]"#
            #expect(board.lines.last?.contains(reasons) == true, "\(board.lines.last ?? "")")
        }
    }

    @Test func `a client of gpsd's port keeps it on while it watches`() {
        var board = board()
        let port = ClientID(rawValue: 9)
        board.give(.clientConnected(port, .gpsd))
        board.give(.clientLine(port, .gpsd, Array(#"?WATCH={"enable":true,"json":true}"#.utf8)))
        var answered = 0
        run(&board, until: 1000, answered: &answered)
        #expect(powerOff(board.hostOrders) == nil)
        board.give(.clientGone(port))
        run(&board, until: 1200, answered: &answered)
        #expect(powerOff(board.hostOrders) != nil)
    }

    @Test func `motion while it stops takes the alarm back, and clients hear that it stays`() {
        var board = board()
        var answered = 0
        run(&board, until: 200, answered: &answered)
        board.give(.motion(true))
        #expect(board.hostOrders.last == .disarm)
        #expect(events(board.lines) == ["hostWillSleep", "hostStaysAwake"])
        #expect(board.rows["hostAsleep"] == nil)
    }

    @Test func `a client holds the sleep, and the owner keeps the host on`() {
        var board = board()
        var answered = 0
        run(&board, until: 70, answered: &answered)
        board.ask(.holdHost(seconds: 60))
        run(&board, until: 140, answered: &answered)
        #expect(powerOff(board.hostOrders) == nil)
        board.ask(.operator(.host(.keepAwake(seconds: 3600))))
        #expect(events(board.lines).last == "hostStaysAwake")
        run(&board, until: 3000, answered: &answered)
        #expect(powerOff(board.hostOrders) == nil)
        board.ask(.operator(.host(.keepAwake(seconds: 0))))
        run(&board, until: 3200, answered: &answered)
        #expect(powerOff(board.hostOrders) != nil)
    }

    @Test(arguments: [(HostSwitchTraits.Proof.chip, "chip"), (.request, "request")])
    func `a plan says whether the alarm is read from the chip that wakes it`(
        proof: HostSwitchTraits.Proof, word: String
    ) {
        var configuration = Self.configuration()
        configuration.traits?.proof = proof
        var board = board(configuration)
        var answered = 0
        run(&board, until: 70, answered: &answered)
        board.ask(.status)
        #expect(board.lines.last?.contains(#""byMotion":true,"verified":"\#(word)"}"#) == true, "\(board.lines)")
    }

    @Test func `boots that cannot be read keep it on`() {
        let damaged = DurableRow(table: .settings, client: "", name: "boots", value: [1, 2, 3, 4, 5])
        var board = board(rows: ["boots": damaged])
        var answered = 0
        run(&board, until: 1000, answered: &answered)
        #expect(board.hostOrders == [])
        board.ask(.status)
        #expect(board.lines.last?.contains("bootsUnknown") == true)
    }

    @Test func `what was reported is recorded and read again`() throws {
        var partly = HostInspection()
        partly.hasSession = true
        partly.batteryPercent = 12.5
        partly.switchClock = Self.wall
        let reading = SwitchReading(clock: nil, alarm: Self.wall, backstop: 60, byMotion: true)
        var reports: [HostReport] = [
            .notCleared, .battery(nil), .battery(50), .inspected(Self.sound),
            .inspected(partly), .armed(nil, wall: Self.wall), .armed(reading, wall: Self.wall),
            .powerOffAnswered(isAccepted: true), .powerOffAnswered(isAccepted: false),
        ]
        for cause in WakeCause.allCases {
            reports += [
                .woke(HostWake(cause, isRead: true), clock: nil, fingerprint: 9),
                .woke(HostWake(cause, isRead: false), clock: Self.wall, fingerprint: 9),
            ]
        }
        var pulsed = Self.configuration()
        pulsed.traits?.cutTrigger = .pulse
        pulsed.costs?.areMeasured = true
        let bare = HostSleepConfiguration(HostSleepSettings(), traits: nil, hasMotionWake: false, breakEven: nil)
        let sleeps = [Self.configuration(), pulsed, bare]
        let (told, kept) = (reports.flatMap { $0.encode() }, sleeps.flatMap { $0.encode() })
        #expect(CRC32.of(told.span) == 0xC0B1_8086, "the recorded form of reports has changed")
        #expect(CRC32.of(kept.span) == 0xBAD2_87B9, "the recorded form of the configuration has changed")
        var configuration = ManagedHarness(hostSleep: Self.configuration()).engine.configuration
        for sleep in sleeps {
            configuration.hostSleep = sleep
            var bytes = FlightFormat.head
            let inputs = [.started(configuration)] + reports.map { Input.host($0) }
            for input in inputs { FlightFormat.append(input, at: .zero, digest: 7, to: &bytes) }
            var reader = try FlightReader(bytes)
            for input in inputs { #expect(try reader.next()?.input == input) }
        }
        // A cut report is refused.
        for report in reports {
            let bytes = report.encode()
            for count in bytes.indices {
                let cut = Array(bytes[..<count])
                guard case .armed(_?, _) = report, count == 9 else {
                    #expect(HostReport.decode(cut.span) == nil, "\(report), \(count)")
                    continue
                }
            }
        }
    }
}
