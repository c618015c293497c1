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

@Suite("The accelerometer's motion watch")
struct MotionWatchTests {
    private let compass = FakeCompass()
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
            $0.compass = compass
            $0.drivesMotion = drivesMotion
        }
    }

    private func motions(of rig: Rig) throws -> [Bool] {
        try rig.inputs.compactMap { if case .motion(let moves) = $0 { moves } else { nil } }
    }

    @Test func `the accelerometer is ordered to watch at the start, and the board rests once it does`() throws {
        let rig = try rig()
        #expect(compass.orders == [.watchMotion])
        #expect(try motions(of: rig) == [true])
        compass.told(.watching(found))
        #expect(try motions(of: rig) == [true, false])
        #expect(rig.log.lines.last == "info: lis3dh at /dev/i2c-1, 0x18 tells of motion")
        try rig.pass(milliseconds: 120_000)
        #expect(compass.orders == [.watchMotion])
    }

    @Test func `the log names the motion sensor with its own address, not the magnetometer's`() throws {
        let rig = try rig(hasMagnetometer: true)
        var both = found
        both.magnetometer = FoundChip(model: "lis3mdl", address: I2CAddress(0x1C))
        compass.told(.found(both))
        #expect(rig.log.lines.contains("info: lis3dh at /dev/i2c-1, 0x18 tells of motion"), "\(rig.log.lines)")
    }

    @Test func `without a watch the board counts as moving, and the order is repeated ever more rarely`() throws {
        let rig = try rig()
        var pauses: [Double] = []
        for _ in 0..<7 {
            compass.told(.notWatching("no device answers"))
            let start = rig.clock.now
            let count = compass.orders.count
            while compass.orders.count == count, pauses.count < 100 { try rig.pass(milliseconds: 1000) }
            pauses.append(Double(rig.clock.now.nanoseconds(since: start)) / 1e9)
        }
        #expect(pauses == [2, 4, 8, 16, 32, 60, 60])
        #expect(try motions(of: rig) == [true])
        #expect(rig.log.lines.filter { $0 == "error: motion is not sensed: no device answers" }.count == 1)
        let tell = try #require(rig.hardware.told[.motionInterrupt])
        tell(.changed(InputEdge(.motionInterrupt, false, at: rig.clock.now)))
        #expect(try motions(of: rig).last == true)
        compass.told(.watching(found))
        #expect(try motions(of: rig).last == false)
        compass.told(.notWatching("no device answers"))
        #expect(try motions(of: rig).last == true)
        let count = compass.orders.count
        try rig.pass(milliseconds: 2000)
        #expect(compass.orders.count == count + 1)
    }

    @Test func `a hung bus is ordered to watch again once it answers`() throws {
        let rig = try rig()
        compass.told(.watching(found))
        compass.isHung = true
        compass.told(.failed("no measurement came"))
        #expect(try motions(of: rig).last == true)
        compass.isHung = false
        try rig.pass(milliseconds: 2000)
        #expect(compass.orders == [.watchMotion, .watchMotion])
    }

    @Test func `after a failure of the compass the motion watch is checked`() throws {
        let rig = try rig(hasMagnetometer: true)
        compass.told(.watching(found))
        compass.orders = []
        for event in [.absent("no device answers"), .failed("no measurement came")] as [CompassEvent] {
            compass.told(event)
            #expect(compass.orders.filter { $0 == .watchMotion }.count == 1)
            compass.told(.watching(found))
            compass.orders = []
        }
        compass.told(.notWatching("no device answers"))
        compass.told(.absent("no device answers"))
        #expect(!compass.orders.contains(.watchMotion))
        #expect(try motions(of: rig).last == true)
        compass.told(.found(found))
        #expect(try motions(of: rig).last == false)
    }

    @Test func `the order to watch is renewed without wake-ups of its own`() throws {
        let rig = try rig()
        compass.told(.watching(found))
        let before = rig.tracker.hostWakeUps
        let other = try Rig(board: .with([.motionInterrupt]))
        let start = other.tracker.hostWakeUps
        for _ in 0..<4 {
            try rig.pass(milliseconds: 1_800_000)
            try other.pass(milliseconds: 1_800_000)
            compass.told(.watching(found))
        }
        let renewals = compass.orders.count - 1
        #expect((1...12).contains(renewals))
        #expect(rig.tracker.hostWakeUps - before == other.tracker.hostWakeUps - start)
    }

    @Test func `a test harness that drives the motion line needs no accelerometer`() throws {
        let rig = try rig(drivesMotion: true)
        compass.told(.notWatching("no device answers"))
        #expect(rig.log.lines.last == "error: motion is not sensed: no device answers")
        let tell = try #require(rig.hardware.told[.motionInterrupt])
        for level in [true, false] { tell(.changed(InputEdge(.motionInterrupt, level, at: rig.clock.now))) }
        #expect(try motions(of: rig) == [false, true, false])
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

    @Test func `without a bus the board counts as moving`() throws {
        let rig = try Rig(board: try self.rig().settings.board)
        #expect(try motions(of: rig) == [true])
    }
}
