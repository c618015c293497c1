import Accelerometers
import Boards
import Emulation
import Foundation
import Hardware
import HostSleep
import HostSwitches
import Magnetism
import SextantUnits
import Testing

@testable import Tracker

/// The daemon's orders to a switch, on an emulated PiJuice.
@Suite("The daemon works a host switch")
struct HostServerTests {
    private static let start = UTCInstant(nanoseconds: 1_795_780_800 * 1_000_000_000)
    private let folder: Folder
    private let chip = EmulatedPiJuice(at: start)
    private let bus: EmulatedBus
    private var clock = Clock()

    /// The host's clocks; a class, because the server asks them later.
    private final class Clock {
        var now = MonotonicInstant(nanoseconds: 40_000_000_000)
        var isWallKnown = true
        var wall: UTCInstant? {
            isWallKnown ? HostServerTests.start.advanced(byNanoseconds: now.nanoseconds - 40_000_000_000) : nil
        }
    }

    init() throws {
        folder = try Folder()
        bus = EmulatedBus(chips: [chip])
        for name in ["daemon", "helper"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
    }

    private func server(_ settings: HostSleepSettings = HostSleepSettings()) -> HostServer<SwitchOnBus<EmulatedBus>> {
        let board = BoardHostSwitch(model: .pijuice, bus: "/dev/i2c-1", address: nil, motionWake: true)
        let (clock, bus) = (clock, bus)
        return HostServer(
            board, settings,
            files: HostRequestFiles(HostFolders(daemon: "\(folder.path)/daemon", helper: "\(folder.path)/helper")),
            kernel: "6.12", clocks: .init(now: { clock.now }, wall: { clock.wall }),
            survey: {
                var inspection = HostInspection()
                inspection.hasSession = false
                return inspection
            },
            open: { () throws(HostSwitchError) in SwitchOnBus(PiJuice(at: PiJuice.usualAddress), on: bus) })
    }

    /// Lets time pass for the host and for the switch.
    private func pass(_ seconds: Int) {
        clock.now = clock.now.advanced(bySeconds: Double(seconds))
        chip.pass(seconds: seconds)
    }

    private func order(in seconds: Double) -> SwitchOrder {
        SwitchOrder(alarm: Self.start.advanced(byNanoseconds: Int64(seconds * 1e9)), backstop: 3900, byMotion: true)
    }

    private func file(_ name: String) -> String? {
        try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }

    @Test func `a sleep from the first order to the wake by the alarm`() throws {
        let server = server()
        let began = server.serve(.begin)
        #expect(began.problem == nil)
        #expect(file("daemon/host/switch")?.contains("pijuice") == true)

        let inspected = server.serve(.carryOut(.inspect(wall: nil)))
        guard case .inspected(let inspection)? = inspected.reports.first else {
            Issue.record("\(inspected)")
            return
        }
        #expect(inspection.wall == Self.start)
        #expect(inspection.switchClock == Self.start)
        #expect(inspection.batteryPercent == 80)
        #expect(inspection.hasExternalPower == false)

        let order = order(in: 3600)
        let armed = server.serve(.carryOut(.arm(order)))
        guard case .armed(let reading?, let wall)? = armed.reports.first else {
            Issue.record("\(armed)")
            return
        }
        #expect(order.fault(in: reading, at: wall) == nil)

        let asked = server.serve(.carryOut(.powerOff(order)))
        #expect(asked.reports == [] && asked.problem == nil)
        #expect(asked.awaited?.order == order)
        #expect(try HostRequest(parsing: Array(#require(file("daemon/host/request")).utf8)).order == order)

        // The hook has the switch cut, which wakes the host again.
        var supply = SwitchOnBus(PiJuice(at: PiJuice.usualAddress), on: bus)
        try supply.cut(after: 30)
        pass(31)
        #expect(!chip.isHostOn)
        pass(3600)
        #expect(chip.isHostOn)
        let woken = self.server().serve(.begin)
        guard case .woke(let wake, _, _)? = woken.reports.first else {
            Issue.record("\(woken)")
            return
        }
        #expect(wake == HostWake(.alarm, isRead: true))
        // What was set is taken back before anything else.
        #expect(try supply.reading().alarm == nil)
        #expect(try supply.reading().backstop == nil)
    }

    @Test(arguments: [(25, WakeCause.alarm), (61, .unknown)], [HostSwitchModel.piSugar3, .lifepo4wered])
    func `a wake by the alarm of a switch that tells no cause is inferred from the alarm that it holds`(
        wake: (seconds: Int, cause: WakeCause), model: HostSwitchModel
    ) throws {
        let chip: EmulatedHostSwitch =
            model == .piSugar3 ? EmulatedPiSugar3(at: Self.start) : EmulatedLiFePO4wered(at: Self.start)
        let (clock, bus, driver) = (clock, EmulatedBus(chips: [chip]), try #require(HostSwitchCatalogue.chip(model)))
        func server() -> HostServer<SwitchOnBus<EmulatedBus>> {
            HostServer(
                BoardHostSwitch(model: model, bus: "/dev/i2c-1", address: nil, motionWake: false), HostSleepSettings(),
                files: HostRequestFiles(HostFolders(daemon: "\(folder.path)/daemon", helper: "\(folder.path)/helper")),
                kernel: "6.12", clocks: .init(now: { clock.now }, wall: { clock.wall }), survey: { HostInspection() },
                open: { () throws(HostSwitchError) in SwitchOnBus(driver, on: bus) })
        }
        let order = SwitchOrder(alarm: order(in: 3600).alarm, backstop: nil, byMotion: false)
        _ = server().serve(.carryOut(.arm(order)))
        var supply = SwitchOnBus(driver, on: bus)
        try supply.cut(after: 30)
        chip.pass(seconds: 3600)
        #expect(chip.wakes == [.alarm])
        chip.pass(seconds: wake.seconds)
        guard case .woke(let told, _, _)? = server().serve(.begin).reports.first else {
            Issue.record("no cause")
            return
        }
        #expect(told == HostWake(wake.cause, isRead: false))
    }

    @Test(arguments: [true, false])
    func `where nobody tells the time, the switch's clock counts once its alarm has woken the host`(
        byAlarm: Bool
    ) throws {
        let order = order(in: 3600)
        _ = server().serve(.carryOut(.arm(order)))
        var supply = SwitchOnBus(PiJuice(at: PiJuice.usualAddress), on: bus)
        if !byAlarm { try supply.disarm() }
        try supply.cut(after: 30)
        pass(3632)
        clock.isWallKnown = false
        let woken = server()
        _ = woken.serve(.begin)
        pass(60)
        let reports = woken.serve(.carryOut(.inspect(wall: nil))).reports
        guard case .inspected(let inspection)? = reports.first else { return #expect(reports == []) }
        #expect(inspection.wall == (byAlarm ? Self.start.advanced(byNanoseconds: 3_692_000_000_000) : nil))
    }

    @Test func `the request tells the time by the receiver, where nobody sets the host's clock`() throws {
        clock.isWallKnown = false
        let server = server()
        let told = Self.start.advanced(byNanoseconds: 7_000_000)
        _ = server.serve(.carryOut(.inspect(wall: told)))
        pass(31)
        let request = try #require(server.serve(.carryOut(.powerOff(order(in: 3600)))).awaited)
        #expect(request.now(host: nil, uptime: clock.now) == told.advanced(byNanoseconds: 31_000_000_000))
    }

    @Test(arguments: [(15, [WakeCause.power]), (80, [])])
    func `a low battery that is charged again wakes the host, and a full one that is charged does not`(
        percent: Int, wakes: [WakeCause]
    ) throws {
        let server = server()
        chip.percent = percent
        _ = server.serve(.carryOut(.inspect(wall: nil)))
        _ = server.serve(.carryOut(.arm(order(in: 3600))))
        var supply = SwitchOnBus(PiJuice(at: PiJuice.usualAddress), on: bus)
        try supply.cut(after: 30)
        pass(31)
        #expect(!chip.isHostOn)
        (chip.percent, chip.hasExternalPower) = (90, true)
        pass(60)
        #expect(chip.wakes == wakes)
    }

    @Test func `the receiver's time sets the clock of a switch that stopped`() throws {
        clock.isWallKnown = false
        chip.clock = EmulatedClock(UTCInstant(nanoseconds: 0))
        let told = Self.start.advanced(byNanoseconds: 5_000_000_000)
        let answer = server().serve(.carryOut(.inspect(wall: told)))
        guard case .inspected(let inspection)? = answer.reports.first else {
            Issue.record("\(answer)")
            return
        }
        #expect(inspection.wall == told)
        #expect(inspection.switchClock == told)
    }

    @Test func `a switch that does not answer keeps the host on, and is opened anew once it does`() {
        let server = server()
        chip.isPresent = false
        let began = server.serve(.begin)
        #expect(began.reports == [.woke(HostWake(.unknown, isRead: false), clock: nil, fingerprint: 0)])
        #expect(began.problem?.contains("no device answers") == true)
        guard case .armed(nil, _)? = server.serve(.carryOut(.arm(order(in: 3600)))).reports.first else {
            Issue.record("armed without a switch")
            return
        }
        chip.isPresent = true
        let answer = server.serve(.carryOut(.arm(order(in: 3600))))
        #expect(answer.problem == nil)
    }

    @Test func `a switch that keeps its alarm is told three times, and then not trusted`() throws {
        let server = server()
        _ = server.serve(.begin)
        _ = server.serve(.carryOut(.arm(order(in: 3600))))
        chip.faults[0x61] = .writeLost
        #expect(server.serve(.carryOut(.disarm)).reports == [.notCleared])
        chip.faults = [:]
        #expect(server.serve(.carryOut(.disarm)).reports == [])
    }

    @Test func `the owner who wants to be woken after his own power-off leaves the hook nothing to clear`() {
        var settings = HostSleepSettings()
        settings.afterPowerOff = .wake
        _ = server(settings).serve(.begin)
        #expect(file("daemon/host/switch") == nil)
    }

    @Test func `another kernel or firmware has another fingerprint`() {
        func fingerprint() -> UInt32? {
            guard case .woke(_, _, let number)? = server().serve(.begin).reports.first else { return nil }
            return number
        }
        let first = fingerprint()
        #expect(first != nil && first == fingerprint())
        chip.firmware = 0x17
        #expect(fingerprint() != first)
    }

    @Test(arguments: [(true, WakeCause.motion), (false, .unknown)])
    func `a latch's accelerometer holds a motion until the next boot, which it then tells of`(
        moves: Bool, cause: WakeCause
    ) throws {
        let scene = SensorScene()
        let (sensor, switchChip) = (EmulatedLIS3DH(scene: scene), EmulatedLatch(at: Self.start))
        sensor.interruptChanged = { switchChip.isMotionTold = $0 }
        var bus = EmulatedBus(chips: [sensor, switchChip])
        let sensors = BoardSensors(
            bus: "/dev/i2c-1", magnetometer: nil,
            accelerometer: BoardChip(model: .lis3dh, address: nil, mounting: .aligned))
        func server() throws -> HostServer<SwitchOnBus<EmulatedBus>> {
            let found = try #require(MotionLatch.Sensor(sensors, over: &bus))
            let (clock, bus) = (clock, bus)
            return HostServer(
                BoardHostSwitch(model: .latch, bus: "/dev/i2c-1", address: nil, motionWake: true), HostSleepSettings(),
                files: HostRequestFiles(HostFolders(daemon: "\(folder.path)/daemon", helper: "\(folder.path)/helper")),
                kernel: "6.12", clocks: .init(now: { clock.now }, wall: { clock.wall }),
                latch: MotionLatch(found) { () throws(BusError) in bus }, survey: { HostInspection() },
                open: { () throws(HostSwitchError) in SwitchOnBus(Latch(at: Latch.usualAddress), on: bus) })
        }
        let first = try server()
        _ = first.serve(.begin)
        var driver = LIS3DH(at: sensor.address)
        try driver.configure(over: &bus)
        try driver.watchMotion(MotionThreshold(acceleration: 0.5, duration: 0), over: &bus)
        let order = SwitchOrder(alarm: order(in: 3600).alarm, backstop: nil, byMotion: true)
        guard case .armed(let reading?, _)? = first.serve(.carryOut(.arm(order))).reports.first else {
            Issue.record("not armed")
            return
        }
        #expect(reading.byMotion)
        // A knock while the host stops.
        if moves { scene.acceleration = { SIMD3(4, 0, 9.8) } }
        bus.pass(microseconds: 300_000)
        scene.acceleration = { SIMD3(0, 0, 9.8) }
        bus.pass(microseconds: 5_000_000)
        switchChip.halt()
        #expect(switchChip.wakes == (moves ? [.motion] : []))
        guard case .woke(let wake, _, _)? = try server().serve(.begin).reports.first else {
            Issue.record("no cause")
            return
        }
        #expect(wake == HostWake(cause, isRead: moves))
    }
}
