import Accelerometers
import Boards
import Configuration
import Engine
import Hardware
import Magnetism
import Magnetometers
import Receivers
import SextantReactor
import SextantUnits
import Testing

@testable import Tracker

@Suite("A tracker and its board's motion")
struct BoardMotionTests {
    private let sensorPort = FakeSensors()
    private let found = FoundSensors(
        bus: "/dev/i2c-1", magnetometer: nil, accelerometer: FoundChip(model: "lis3dh", address: I2CAddress(0x18)))

    /// A tracker whose board has an accelerometer that tells of motion.
    private func rig(drivesMotion: Bool = false, hasMagnetometer: Bool = false) throws -> Rig {
        var board = Board.with([.motionInterrupt])
        let mounting = try Mounting(x: .right, y: .forward)
        board.sensors = BoardSensors(
            bus: "/dev/i2c-1",
            magnetometer: hasMagnetometer ? BoardChip(model: .lis3mdl, address: nil, mounting: mounting) : nil,
            accelerometer: BoardChip(model: .lis3dh, address: nil, mounting: mounting),
            motion: MotionThreshold(acceleration: 0.6, duration: 0.1))
        return try Rig(board: board) {
            $0.sensorPort = sensorPort
            $0.drivesMotion = drivesMotion
        }
    }

    @Test func `the accelerometer is ordered to watch at the start, and its answers are inputs`() throws {
        let rig = try rig()
        #expect(sensorPort.orders == [.watchMotion])
        #expect(try rig.configuration?.watchesMotion == true)
        sensorPort.onEvent(.watching(found))
        #expect(rig.log.lines.last == "info: lis3dh at /dev/i2c-1, 0x18 tells of motion")
        for _ in 0..<2 { sensorPort.onEvent(.notWatching("no device answers")) }
        let failed = Input.motionAnswered(problem: "no device answers")
        #expect(try rig.inputs.suffix(3) == [.motionAnswered(problem: nil), failed, failed])
        #expect(rig.log.lines.filter { $0 == "error: motion is not sensed: no device answers" }.count == 1)
        let told = try Rig(board: .with([.motionInterrupt]))
        #expect(try told.configuration?.watchesMotion == false)
    }

    @Test func `each look at the line is an input, and the Engine says when the next one is`() throws {
        let rig = try Rig(board: .with([.motionInterrupt]))
        let tell = try #require(rig.hardware.onLineEvent[.motionInterrupt])
        tell(.shows(hasRisen: true, isActive: false))
        tell(.lost(HardwareFailure("motionInterrupt: GPIO5: its chip is gone")))
        #expect(
            try rig.inputs.suffix(3) == [
                .lineChanged(.shows(hasRisen: false, isActive: false)),
                .lineChanged(.shows(hasRisen: true, isActive: false)), .lineChanged(.lost),
            ])
        #expect(rig.hardware.looks == [nil, rig.clock.now.advanced(byNanoseconds: 1_000_000_000)])
        #expect(rig.log.lines.last == "error: motionInterrupt: GPIO5: its chip is gone")
    }

    @Test func `the log names the motion sensor with its own address, not the magnetometer's`() throws {
        let rig = try rig(hasMagnetometer: true)
        var both = found
        both.magnetometer = FoundChip(model: "lis3mdl", address: I2CAddress(0x1C))
        sensorPort.onEvent(.found(both))
        #expect(rig.log.lines.contains("info: lis3dh at /dev/i2c-1, 0x18 tells of motion"), "\(rig.log.lines)")
    }

    @Test func `a hung bus is ordered to watch again once it answers`() throws {
        let rig = try rig()
        sensorPort.onEvent(.watching(found))
        sensorPort.isHung = true
        sensorPort.onEvent(.failed("no measurement came"))
        let hung = Input.motionAnswered(problem: "the bus hangs; orders to it are not carried out")
        #expect(try rig.inputs.last == hung)
        sensorPort.isHung = false
        try rig.pass(milliseconds: 2000)
        #expect(sensorPort.orders == [.watchMotion, .watchMotion])
    }

    @Test func `after a failure of the compass the motion watch is checked`() throws {
        let rig = try rig(hasMagnetometer: true)
        for answer in [.found(found), .watching(found)] as [SensorEvent] {
            sensorPort.onEvent(answer)
            for event in [.absent("no device answers"), .failed("no measurement came")] as [SensorEvent] {
                sensorPort.orders = []
                sensorPort.onEvent(event)
                #expect(sensorPort.orders.filter { $0 == .watchMotion }.count == 1)
            }
        }
        sensorPort.onEvent(.notWatching("no device answers"))
        sensorPort.orders = []
        sensorPort.onEvent(.absent("no device answers"))
        #expect(!sensorPort.orders.contains(.watchMotion))
        #expect(try rig.inputs.last == .compassAbsent(detail: "no device answers"))
    }

    @Test func `the order to watch is renewed without wake-ups of its own`() throws {
        let rig = try rig()
        sensorPort.onEvent(.watching(found))
        let before = rig.reactor.wakeUps
        let other = try Rig(board: .with([.motionInterrupt]))
        let start = other.reactor.wakeUps
        for _ in 0..<4 {
            try rig.pass(milliseconds: 1_800_000)
            try other.pass(milliseconds: 1_800_000)
            sensorPort.onEvent(.watching(found))
        }
        let renewals = sensorPort.orders.count - 1
        #expect((1...12).contains(renewals))
        #expect(rig.reactor.wakeUps - before == other.reactor.wakeUps - start)
    }

    @Test func `a test harness that drives the motion line says whether the board moves`() throws {
        let rig = try rig(drivesMotion: true)
        sensorPort.onEvent(.notWatching("no device answers"))
        #expect(rig.log.lines.last == "error: motion is not sensed: no device answers")
        let tell = try #require(rig.hardware.onLineEvent[.motionInterrupt])
        for level in [true, false] { tell(.shows(hasRisen: level, isActive: level)) }
        let motions = try rig.inputs.compactMap { if case .motion(let moves) = $0 { moves } else { nil } }
        #expect(motions == [false, true, false] && rig.hardware.looks.isEmpty)
        try rig.pass(milliseconds: 60_000)
        #expect(sensorPort.orders == [.watchMotion])
    }

    @Test func `a motion sensor that Sextant does not set up is warned of`() throws {
        let warning =
            "warning: motionInterrupt: Sextant does not set up its lis3dh, and until another program does the board "
            + "counts as standing still; give accelerometer.motion in the board file"
        #expect(try Rig(board: .with([.motionInterrupt])).log.lines.contains(warning))
        #expect(try !rig().log.lines.contains { $0.hasPrefix("warning: motionInterrupt") })
        let harness = try Rig(board: .with([.motionInterrupt])) { $0.drivesMotion = true }
        #expect(!harness.log.lines.contains(warning))
        var board = Board.with([.motionInterrupt])
        board.motion = MotionSensor(sensor: "ball switch", milliwatts: 0)
        #expect(try !Rig(board: board).log.lines.contains { $0.hasPrefix("warning: motionInterrupt") })
    }
}
