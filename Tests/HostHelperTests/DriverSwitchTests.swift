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

        init(_ model: HostSwitchModel) throws {
            let chip: EmulatedHostSwitch =
                switch model {
                case .pijuice: EmulatedPiJuice(at: start)
                case .lifepo4wered: EmulatedLiFePO4wered(at: start)
                case .piSugar3: EmulatedPiSugar3(at: start)
                case .wittyPi4: EmulatedWittyPi4(at: start)
                default: EmulatedLatch(at: start)
                }
            let driver = try #require(HostSwitchCatalogue.chip(model))
            var bus = EmulatedBus(chips: [chip])
            order = SwitchOrder(
                alarm: start.advanced(byNanoseconds: 3_600_000_000_000),
                backstop: model.traits.backstop?.seconds(atLeast: 3900), byMotion: false)
            try driver.arm(order, over: &bus)
            held = DriverSwitch(
                SwitchOnBus(driver, on: bus), now: { chip.clock.instant },
                pulse: { (chip as? EmulatedWittyPi4)?.pulseSystemUp() })
            self.chip = chip
        }
    }

    @Test(arguments: [HostSwitchModel.pijuice, .lifepo4wered, .piSugar3, .latch])
    func `an armed switch is as ordered, another order is not, and a disarmed one is clear`(
        model: HostSwitchModel
    ) throws {
        let rig = try Rig(model)
        #expect(try rig.held.fault(in: rig.order) == nil)
        #expect(try !rig.held.isClear())
        var later = rig.order
        later.alarm = later.alarm.advanced(byNanoseconds: 60_000_000_000)
        #expect(try rig.held.fault(in: later) == .otherAlarm)
        try rig.held.disarm()
        #expect(try rig.held.isClear())
        #expect(try rig.held.fault(in: rig.order) == .noAlarm)
    }

    @Test func `the hook cuts the supply of a PiJuice whose alarm stands, and its alarm wakes the board`() throws {
        let rig = try Rig(.pijuice)
        let folders = try Folders()
        let request = HostRequest(order: rig.order, place: .pijuice, made: Now.uptime)
        try folders.write(request.text, to: folders.places.kept)
        #expect(HostHook(folders: folders.places) { _ in rig.held }.run("poweroff") == .cuts)
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
        let folders = try Folders()
        let place = HostSwitchPlace(model: "wittyPi4", bus: "/dev/i2c-1", address: nil)
        try folders.write(HostRequest(order: rig.order, place: place, made: Now.uptime).text, to: folders.places.kept)
        // Without the pulse a silent UART is nothing to it.
        witty.setTransmit(high: false)
        rig.chip.pass(seconds: 60)
        #expect(rig.chip.isHostOn)
        witty.setTransmit(high: true)
        #expect(HostHook(folders: folders.places) { _ in rig.held }.run("poweroff") == .cuts)
        witty.setTransmit(high: false)
        rig.chip.pass(seconds: 26)
        #expect(!rig.chip.isHostOn)
        rig.chip.pass(seconds: 3600)
        #expect(rig.chip.isHostOn && rig.chip.wakes == [.alarm])
    }

    @Test func `the hook has the board start again where the kernel's driver has disabled a PiJuice's alarm`() throws {
        let rig = try Rig(.pijuice)
        (rig.chip as? EmulatedPiJuice)?.kernelSetsClock()
        let folders = try Folders()
        let request = HostRequest(order: rig.order, place: .pijuice, made: Now.uptime)
        try folders.write(request.text, to: folders.places.kept)
        let outcome = HostHook(folders: folders.places) { _ in rig.held }.run("poweroff")
        #expect(outcome == .reboots("the host switch pijuice has no alarm"))
        rig.chip.pass(seconds: 31)
        #expect(rig.chip.isHostOn)
    }
}
