import Emulation
import HostSleep
import Receivers
import SextantReactor
import SextantUnits
import Testing

@testable import HardwareInLoop

/// The lines are those of `scripts/guests/uhid-pipe`, the reports in them those of AN495.
@Suite("EmulatedBoard")
struct EmulatedBoardTests {
    private let reactor: Reactor
    private let board: EmulatedBoard

    init() throws {
        reactor = try Reactor()
        board = try EmulatedBoard(reactor: reactor)
    }

    @Test func `a GPIO line driven by the kernel powers the receiver, and a reset of the host releases it`() {
        var seen: [EmulatedBoard.LineState] = []
        board.lineChanged = { role, state in if role == .powerEnable { seen.append(state) } }
        #expect(board.answer("set 7 0204ff0000") == "done 7")
        #expect(board.answer("set 8 04ff04") == "done 8")
        #expect(board.receiver.powerState == .acquire)
        board.powerCycleBridge()
        #expect(board.receiver.powerState == .sleep(.hardware))
        let expected = [(false, true), (true, true), (false, false)].map {
            EmulatedBoard.LineState(level: $0.0, isDriven: $0.1)
        }
        #expect(seen == expected)
    }

    @Test func `the kernel's requests are answered in the format of the pipe`() {
        #expect(board.answer("get 3 5") == "got 3 050c02")
        #expect(board.answer("get 4 119") == "got 4 ")
        #expect(board.answer("output 113c0003010a") == nil)
        #expect(board.answer("output 1501") == "input 16020500000003")
        #expect(board.answer("output 120003")?.hasPrefix("input 130203483433") ?? false)
        #expect(board.answer("start") == nil)
    }

    @Test func `a receiver at USB is powered from USB, whatever the lines do`() {
        board.plugIntoUSB(.neoM9N)
        #expect(board.receiver.powerState != .sleep(.hardware))
        _ = board.answer("set 1 0204ff0000")
        _ = board.answer("set 2 04ff00")
        #expect(board.receiver.powerState != .sleep(.hardware))
        board.unplugFromUSB()
        #expect(board.receiver.powerState == .sleep(.hardware))
    }

    @Test func `a replaced receiver is powered by the same line`() {
        _ = board.answer("set 1 0204ff0000")
        _ = board.answer("set 2 04ff04")
        board.place(.neoM8N, ephemerisAge: nil, speed: 3, baud: 115_200)
        #expect(board.receiver.powerState == .acquire && board.receiver.baud == 115_200)
    }

    @Test func `a sleep is skipped up to the switch's alarm, and the board's time with it`() {
        let chip = EmulatedPiJuice(at: Clock.utc())
        board.fit(chip)
        #expect(board.bridge.chips.count == 3)
        // An alarm at the next full minute of each hour, and a cut in 2 s.
        let minute = chip.clock[.minute] % 0x10 == 9 ? (chip.clock[.minute] & 0xF0) : chip.clock[.minute] + 1
        let alarm: [UInt8] = [0, minute, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0xFF]
        for (register, block) in [(UInt8(0xB9), alarm), (0xC2, [5, 0]), (0x62, [2])] {
            #expect(chip.write([register] + block + [block.reduce(0xFF, ^)], at: chip.address))
        }
        let before = board.utc
        let skipped = board.skipSleep(atMost: 7200)
        #expect(skipped > 2 && skipped < 7200 && chip.isHostOn && chip.wakes == [.alarm])
        #expect(abs(board.utc.nanoseconds(since: before) / 1_000_000_000 - Int64(skipped)) <= 60)
        board.fit(nil)
        #expect(board.bridge.chips.count == 2 && abs(board.utc.nanoseconds(since: Clock.utc())) < 60_000_000_000)
    }

    @Test func `a receiver that is moved follows the trajectory, from its present position`() {
        var receiver = board.receiver
        let now = Clock.now()
        let here = receiver.truth(at: now)
        receiver.carry(
            along: Trajectory(points: [
                TrajectoryPoint(time: 100, latitude: 10, longitude: 20),
                TrajectoryPoint(time: 110, latitude: 10.01, longitude: 20.02),
            ]), from: now)
        let (half, end) = (
            receiver.truth(at: now.advanced(byNanoseconds: 5_000_000_000)),
            receiver.truth(at: now.advanced(byNanoseconds: 60_000_000_000))
        )
        #expect(abs(half.latitude - here.latitude - 0.005) < 1e-6)
        #expect(abs(half.longitude - here.longitude - 0.01) < 1e-6)
        #expect(abs(end.latitude - here.latitude - 0.01) < 1e-6 && end.speed == 0)
        #expect(abs(board.distance(to: (here.latitude, here.longitude))) < 1)
    }
}
