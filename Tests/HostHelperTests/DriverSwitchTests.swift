import Emulation
import Hardware
import HostHelper
import HostSleep
import HostSwitches
import SextantUnits
import Testing

@Suite("The helper's switch, by its driver")
struct DriverSwitchTests {
    private static let start = Now.wall

    /// An emulated switch that is armed for an hour, and what the helper sees of it.
    private struct Rig {
        let chip: EmulatedHostSwitch
        let held: any SupplySwitch
        let order: SwitchOrder

        private let driver: any HostSwitchChip

        init(_ model: HostSwitchModel) throws {
            let chip: EmulatedHostSwitch =
                switch model {
                case .pijuice: EmulatedPiJuice(at: start)
                case .lifepo4wered: EmulatedLiFePO4wered(at: start)
                case .piSugar3: EmulatedPiSugar3(at: start)
                case .wittyPi4: EmulatedWittyPi4(at: start)
                default: EmulatedLatch(at: start)
                }
            driver = try #require(HostSwitchCatalogue.chip(model))
            order = SwitchOrder(
                alarm: start.advanced(byNanoseconds: 3_600_000_000_000),
                backstop: model.traits.backstop?.seconds(atLeast: 3900), byMotion: false)
            held = DriverSwitch(
                SwitchOnBus(driver, on: EmulatedBus(chips: [chip])),
                pulse: { (chip as? EmulatedWittyPi4)?.pulseSystemUp() })
            self.chip = chip
            try arm(3600)
        }

        /// Sets the alarm so many seconds after the start.
        func arm(_ seconds: Int64) throws {
            var order = order
            order.alarm = start.advanced(byNanoseconds: seconds * 1_000_000_000)
            var bus = EmulatedBus(chips: [chip])
            try driver.arm(order, over: &bus)
        }

        /// Writes a command's block, with its checksum.
        func write(_ bytes: [UInt8]) { _ = chip.write(bytes, at: chip.address) }

        func fault(_ order: SwitchOrder) throws -> SwitchFault? { try held.fault(in: order) { chip.clock.instant } }

        /// What the hook does where this switch was to wake the host.
        ///
        /// - Parameters:
        ///   - host: The host's wall clock at that time; nil where nobody vouches for it.
        ///   - seconds: Seconds since the request was made.
        func hook(
            _ hostSwitch: HostSwitchAddress = .pijuice, host: UTCInstant? = nil, after seconds: Int64 = 0
        ) throws -> HostHook.Outcome {
            let folders = try Folders()
            let request = HostRequest(order: order, hostSwitch: hostSwitch, made: Now.uptime, wall: start)
            try folders.write(request.text, to: folders.paths.kept)
            let uptime = Now.uptime.advanced(byNanoseconds: seconds * 1_000_000_000)
            let clocks = HostClocks(wall: { host }, uptime: { uptime })
            return HostHook(folders: folders.paths, clocks: clocks) { _ in held }.run("poweroff")
        }
    }

    @Test(arguments: [HostSwitchModel.pijuice, .lifepo4wered, .piSugar3, .latch])
    func `an armed switch is as ordered, another order is not, and a disarmed one is clear`(
        model: HostSwitchModel
    ) throws {
        let rig = try Rig(model)
        #expect(try rig.fault(rig.order) == nil)
        #expect(try !rig.held.isClear())
        var later = rig.order
        later.alarm = later.alarm.advanced(byNanoseconds: 60_000_000_000)
        #expect(try rig.fault(later) == .otherAlarm)
        try rig.held.disarm()
        #expect(try rig.held.isClear())
        #expect(try rig.fault(rig.order) == .noAlarm)
    }

    @Test func `the hook cuts the supply of a PiJuice whose alarm stands, and its alarm wakes the board`() throws {
        let rig = try Rig(.pijuice)
        #expect(try rig.hook() == .cuts)
        rig.chip.pass(seconds: 31)
        #expect(!rig.chip.isHostOn)
        rig.chip.pass(seconds: 3600)
        #expect(rig.chip.isHostOn)
    }

    @Test func `the hook pulses the line of a Witty Pi 4, which cuts when the UART falls silent, and wakes the board`()
        throws
    {
        let rig = try Rig(.wittyPi4)
        let witty = try #require(rig.chip as? EmulatedWittyPi4)
        // Without the pulse a silent UART is nothing to it.
        witty.setTransmit(high: false)
        rig.chip.pass(seconds: 60)
        #expect(rig.chip.isHostOn)
        witty.setTransmit(high: true)
        let hostSwitch = HostSwitchAddress(model: "wittyPi4", bus: "/dev/i2c-1", address: nil)
        #expect(try rig.hook(hostSwitch, after: 60) == .cuts)
        witty.setTransmit(high: false)
        rig.chip.pass(seconds: 26)
        #expect(!rig.chip.isHostOn)
        rig.chip.pass(seconds: 3600)
        #expect(rig.chip.isHostOn && rig.chip.wakes == [.alarm])
    }

    @Test func `where the receiver alone knows the time a sleep goes by it, elsewhere by the host's`() throws {
        let rig = try Rig(.pijuice)
        rig.chip.pass(seconds: 45)
        let apart = "the host switch pijuice has another time than the host, by more than 2 s"
        #expect(try rig.hook(host: UTCInstant(nanoseconds: 0)) == .reboots(apart))
        #expect(try rig.hook(after: 45) == .cuts)
        #expect(try rig.hook() == .reboots(apart))
    }

    /// What may have become of the alarm when nothing else runs any more, and what is said of it.
    private static let wrong: [(said: String, seconds: Int, happens: @Sendable (Rig) throws -> Void)] = [
        ("has no alarm", 0, { $0.chip.loseAlarm() }),
        ("has another alarm than was ordered", 0, { try $0.arm(3660) }),
        // The chip takes an alarm that has passed for that of the next month.
        ("has another alarm than was ordered", 3601, { _ in }),
        ("has an alarm less than 60 s ahead", 3541, { _ in }),
        ("has another time than the host, by more than 2 s", 60, { $0.chip.clock.drift = 0.1 }),
        ("has another second way back than was ordered", 0, { $0.write([0x61, 0, 0, 0xFF]) }),
    ]

    @Test func `the hook has the board start again where the alarm is gone, another, past or near`() throws {
        for (said, seconds, happens) in Self.wrong {
            let rig = try Rig(.pijuice)
            try happens(rig)
            rig.chip.pass(seconds: seconds)
            #expect(try rig.hook(after: Int64(seconds)) == .reboots("the host switch pijuice \(said)"))
            rig.chip.pass(seconds: 31)
            #expect(rig.chip.isHostOn, "\(said)")
        }
    }
}
