import Boards
import Engine
import Parts
import Power
import Receivers
import SextantJSON
import SextantReactor
import SextantUnits
import Testing

@testable import Tracker

@Suite("A tracker and its board")
struct TrackerBoardTests {
    /// What is wanted done, with its bytes.
    private struct Wanted: ~Copyable {
        var outputs = Turn()

        mutating func bytes(_ bytes: [UInt8]) -> Range<Int> {
            let start = outputs.text.count
            for byte in bytes { outputs.text.append(byte) }
            return start..<outputs.text.count
        }

        mutating func give(_ order: PortOrder) { outputs.actions.append(.port(order)) }
    }

    @Test func `the Engine is told what the board lets it switch`() throws {
        let power = try #require(try Rig(board: .with([.powerEnable, .motionInterrupt])).power)
        #expect(power.model == .neoM8N && power.draw == ReceiverModel.neoM8N.powerDraw)
        #expect(power.baud == 9600 && power.hasPersistentBackup && power.motionSensorDraw == 0.04)
        #expect(power.hostIdleMilliwatts == 600 && power.hostWakeMillijoules == 0.6)
        #expect(power.batteryWattHours == 18.5 && power.learned == nil)
        for backup in [.none, .hostLine] as [BackupSupply] {
            #expect(try Rig(board: .with([], backup: backup)).power?.hasPersistentBackup == false)
        }
    }

    @Test func `the Engine completes dates by the clock, or by the day of the recording that is played`() throws {
        let clock = try #require(try Rig().configuration)
        #expect(clock.now.nanoseconds >= 1_795_000_000_000_000_000)
        let day = try #require(CivilDate(iso8601: "2014-05-03"))
        let played = try #require(try Rig(date: day).configuration)
        #expect(played.now == UTCInstant(date: day, timeOfDay: 0))
    }

    @Test func `the Engine uses the start times of the board's file`() throws {
        var board = Board.with([.powerEnable])
        #expect(try Rig(board: board).power?.startTimes == ReceiverModel.neoM8N.startTimes)
        board.receiver.startTimes.cold.median = 44
        #expect(try Rig(board: board).power?.startTimes.cold.median == 44)
    }

    @Test func `the configuration's longest unwatched rest overrides the board's`() {
        var board = Board.with([.powerEnable])
        func rest(_ own: Double?) -> Double {
            PowerConfiguration(board, baud: nil, longestUnwatchedRest: own, learned: nil).longestUnwatchedRest
        }
        #expect(rest(nil) == PolicySettings.usualUnwatchedRest && rest(60) == 60)
        board.longestUnwatchedRest = 900
        #expect(rest(nil) == 900 && rest(60) == 60)
    }

    @Test func `a stop sets each output that was opened to its resistor's level`() throws {
        let rig = try Rig(board: .with([.powerEnable, .wake, .motionInterrupt])) {
            $0.failures = [.wake: HardwareFailure("wake: held by another", isMissing: false)]
        }
        let before = rig.hardware.list.count
        rig.tracker.stop()
        let deeds = rig.hardware.list[before...]
        #expect(deeds.filter { if case .set = $0 { true } else { false } } == [.set(.powerEnable, false)])
    }

    @Test func `a receiver that is back before its end was noticed is opened again after a second`() throws {
        let rig = try Rig()
        rig.hardware.isDevicePresent = true
        try #require(rig.hardware.port).lose()
        #expect(rig.openings == 1)
        try rig.pass(milliseconds: 1000)
        #expect(rig.openings == 2)
    }

    @Test func `a receiver that has gone is not looked for before it appears`() throws {
        let rig = try Rig()
        try #require(rig.hardware.port).lose()
        try rig.pass(milliseconds: 3_600_000)
        #expect(rig.openings == 1)
    }

    @Test func `without a board nothing is switched, and no lines are opened`() throws {
        let rig = try Rig()
        #expect(try rig.power == nil)
        #expect(try rig.inputs.allSatisfy { if case .linesOpened = $0 { false } else { true } })
    }

    @Test func `lines other than the pulse are opened after the start and reported to the Engine`() throws {
        let rig = try Rig(board: .with([.powerEnable, .wake, .pulsePerSecond, .motionInterrupt])) {
            $0.levels = [.motionInterrupt: true]
        }
        let inputs = try rig.inputs
        let others = inputs.filter {
            switch $0 {
            case .started, .admission, .storeFound, .storeRead: false
            default: true
            }
        }
        #expect(
            others.prefix(3) == [
                .deviceOpened(.uart, time: nil),
                .linesOpened([.powerEnable, .wake, .motionInterrupt], problem: nil),
                .lineChanged(.shows(hasRisen: false, isActive: true)),
            ])
        let taken = rig.hardware.list.filter { if case .took = $0 { true } else { false } }
        #expect(taken == [.took(.powerEnable), .took(.wake), .took(.motionInterrupt)])
    }

    @Test func `a line that cannot be opened is logged and reported to the Engine, and the others work`() throws {
        let rig = try Rig(board: .with([.powerEnable, .reset, .wake])) {
            $0.failures[.powerEnable] = HardwareFailure("powerEnable: GPIO0: no such line; sudo gpioinfo lists them")
            $0.failures[.wake] = HardwareFailure("wake: GPIO3 is held by \"gpioset\"; stop it")
        }
        let problem =
            "powerEnable: GPIO0: no such line; sudo gpioinfo lists them. wake: GPIO3 is held by \"gpioset\"; stop it"
        #expect(try rig.inputs.last == .linesOpened([.reset], problem: problem))
        #expect(
            rig.log.lines.filter { $0.hasPrefix("error") } == [
                "error: powerEnable: GPIO0: no such line; sudo gpioinfo lists them",
                "error: wake: GPIO3 is held by \"gpioset\"; stop it",
            ])
    }

    @Test func `a line that cannot be set is logged once until it can be set again`() throws {
        let rig = try Rig(board: .with([.powerEnable]))
        var wanted = Wanted()
        wanted.outputs.actions = [.setLine(.powerEnable, true)]
        rig.tracker.carryOut(wanted.outputs)
        #expect(rig.hardware.list.last == .set(.powerEnable, true))
        let failure = HardwareFailure("powerEnable: GPIO0: its chip is gone; check its plug and its wiring")
        for (problem, complaints) in [(failure, 1), (failure, 1), (nil, 1), (failure, 2)] {
            rig.hardware.settingFailure = problem
            rig.tracker.carryOut(wanted.outputs)
            #expect(rig.log.lines.filter { $0 == "error: \(failure)" }.count == complaints)
        }
    }

    @Test func `bytes leave before the rate changes or the line goes low, each with one wake-up`() throws {
        let rig = try Rig()
        rig.hardware.deeds = []
        let (start, before) = (rig.clock.now, rig.reactor.wakeUps)
        var wanted = Wanted()
        wanted.give(.transmit([UInt8](repeating: 7, count: 95)))
        wanted.give(.setBaud(115_200))
        wanted.give(.transmit([8]))
        wanted.outputs.actions += [.port(.holdTransmitterLow(true)), .setLine(.powerEnable, false)]
        rig.tracker.carryOut(wanted.outputs)
        #expect(rig.hardware.list == [.wrote([UInt8](repeating: 7, count: 95)), .set(.powerEnable, false)])
        try rig.pass(milliseconds: 99.9)
        #expect(rig.hardware.deeds.count == 2 && rig.reactor.wakeUps == before)
        try rig.pass(milliseconds: 900)
        #expect(rig.hardware.list.dropFirst(2) == [.rate(115_200), .discarded, .wrote([8]), .transmitterLow(true)])
        #expect(rig.times(since: start).dropFirst(2).map { ($0 * 100).rounded() / 100 } == [100, 100, 100, 100.17])
        #expect(rig.reactor.wakeUps == before + 2)
    }

    @Test func `bytes heard while a change of rate is pending do not reach the Engine`() throws {
        let rig = try Rig()
        var wanted = Wanted()
        wanted.give(.transmit([1]))
        wanted.give(.setBaud(38_400))
        rig.tracker.carryOut(wanted.outputs)
        rig.hardware.port?.feed([1, 2, 3])
        try rig.pass(milliseconds: 10)
        rig.hardware.port?.feed([4])
        #expect(try rig.inputs.filter { if case .bytes = $0 { true } else { false } } == [.bytes([4])])
    }

    @Test func `a failed write closes the device and drops the orders that wait for it`() throws {
        let rig = try Rig()
        var wanted = Wanted()
        wanted.give(.transmit([1]))
        wanted.give(.setBaud(38_400))
        rig.tracker.carryOut(wanted.outputs)
        rig.hardware.port?.writeFailure = HardwareFailure("/dev/gnss: stuck; what was to be sent is not")
        var more = Wanted()
        more.give(.transmit([2]))
        rig.tracker.carryOut(more.outputs)
        #expect(rig.hardware.list.last == .wrote([1]))
        try rig.pass(milliseconds: 3)
        let failed = Input.deviceFailed(.refused, detail: "/dev/gnss: stuck; what was to be sent is not")
        #expect(try rig.inputs.last == failed)
        #expect(rig.hardware.list.suffix(3) == [.rate(38_400), .discarded, .closed])
        try rig.pass(milliseconds: 1000)
        #expect(rig.hardware.list.last == .opened(baud: 9600))
        #expect(try rig.inputs.last == .deviceOpened(.uart, time: nil))
    }

    @Test func `orders for a port that is not open are dropped`() throws {
        let rig = try Rig()
        rig.hardware.port?.writeFailure = HardwareFailure("gone", isMissing: true)
        var wanted = Wanted()
        wanted.give(.transmit([1]))
        wanted.outputs.actions += [.port(.setBaud(4800)), .port(.holdTransmitterLow(true))]
        rig.tracker.carryOut(wanted.outputs)
        #expect(rig.hardware.list == [.opened(baud: 9600), .closed])
        #expect(try rig.inputs.last == .deviceFailed(.missing, detail: "gone"))
        #expect(rig.reactor.wake == nil)
    }

    /// Has a daemon learn, and ends it.
    private func learn(in folder: Folder) throws {
        let rig = try Rig(in: folder, board: .with([]))
        var wanted = Wanted()
        let range = wanted.bytes([5, 6, 7])
        wanted.outputs.actions = [.keepLearned(range), .remember(baud: 9600), .remember(baud: 38_400)]
        rig.tracker.carryOut(wanted.outputs)
    }

    @Test func `the learned state is kept and given back at the next start`() throws {
        let folder = try Folder()
        try learn(in: folder)
        let rig = try Rig(in: folder, board: .with([]))
        #expect(try rig.power?.learned == [5, 6, 7])
        #expect(try rig.configuration?.lastBaud == 38_400)
        let forgetful = try Rig(in: folder, board: .with([]), keepsState: false)
        #expect(try forgetful.power?.learned == nil && forgetful.configuration?.lastBaud == nil)
    }

    @Test func `the learned state of another receiver is not used`() throws {
        let folder = try Folder()
        try learn(in: folder)
        let rig = try Rig(in: folder, board: .with([], model: .neo6M))
        #expect(try rig.power?.learned == nil)
        #expect(LearnedName.rate(device: "/dev/gnss").text != LearnedName.rate(device: "/dev/ttyS0").text)
    }

    @Test(arguments: [[], [0, 0, 0], [0, 0, 0, 0], [1, 2, 3, 4, 5], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
    func `an impossible kept rate is ignored`(bytes: [UInt8]) {
        #expect(LearnedRate.decode(bytes) == nil)
    }

    @Test func `with a store that cannot be opened the log says once what is not kept`() throws {
        let rig = try Rig(board: .with([]), stateDirectory: "/none/such")
        var wanted = Wanted()
        let range = wanted.bytes([5])
        wanted.outputs.actions = [.keepLearned(range), .keepLearned(range)]
        rig.tracker.carryOut(wanted.outputs)
        #expect(rig.log.lines.filter { $0.contains("what was learned about the receiver") }.count == 1)
    }

    @Test func `a daemon with nothing to do is not woken for a day`() throws {
        let rig = try Rig()
        let before = rig.reactor.wakeUps
        try rig.pass(milliseconds: 86_400_000)
        #expect(rig.reactor.wakeUps == before)
    }
}
