import Emulation
import Hardware
import HostSleep
import HostSwitches
import SextantUnits
import Testing

@Suite("The Raspberry Pi 5's clock") struct RaspberryPiClockTests {
    static let now = "2027-06-15T09:00:00"
    private let firmware: EmulatedFirmwareClock
    private let order: SwitchOrder

    init() throws {
        let now = try UTCInstant.at(Self.now)
        firmware = EmulatedFirmwareClock(at: now)
        order = SwitchOrder(alarm: now.plus(3600), backstop: nil, byMotion: false)
    }

    private func driver() -> RaspberryPiClock<EmulatedFirmwareClock, EmulatedFirmwareClock> {
        RaspberryPiClock(mailbox: firmware, alarm: firmware)
    }

    @Test(arguments: EverySwitchTests.nights)
    func `SLEEP-10: an alarm over the end of a month wakes the host to the second`(
        night: EverySwitchTests.Night
    ) throws {
        let firmware = EmulatedFirmwareClock(at: try .at(night.from))
        var driver = RaspberryPiClock(mailbox: firmware, alarm: firmware)
        let alarm = try UTCInstant.at(night.to)
        try driver.arm(SwitchOrder(alarm: alarm, backstop: nil, byMotion: false))
        #expect(try driver.reading().alarm == alarm)
        firmware.halt()
        firmware.pass(seconds: Int(alarm.nanoseconds(since: firmware.clock.instant) / 1_000_000_000) - 1)
        #expect(!firmware.isHostOn)
        firmware.pass(seconds: 1)
        #expect(firmware.wakes == [.alarm])
    }

    @Test func `an alarm that the clock lost is seen, although the kernel goes on claiming it`() throws {
        var driver = driver()
        try driver.arm(order)
        #expect(order.fault(in: try driver.reading(), at: firmware.clock.instant) == nil)
        firmware.loseAlarm()
        #expect(firmware.kernelCopy == UInt32(order.alarm.seconds))
        #expect(order.fault(in: try driver.reading(), at: firmware.clock.instant) == .noAlarm)
    }

    @Test(arguments: [1, 3] as [UInt32], EmulatedHostSwitch.Fault.allCases)
    func `SLEEP-19: a fault of the alarm's registers is an error or seen`(
        register: UInt32, fault: EmulatedHostSwitch.Fault
    ) throws {
        var driver = driver()
        firmware.faults[register] = fault
        try driver.arm(order)
        let found = try? order.fault(in: driver.reading(), at: firmware.clock.instant)
        if fault == .noAcknowledge {
            #expect(throws: HostSwitchError.self) { _ = try driver.reading() }
        } else {
            #expect(found != nil)
        }
    }

    @Test func `an alarm that has passed is none, and disarming takes it away`() throws {
        var driver = driver()
        try driver.arm(order)
        firmware.pass(seconds: 3600)
        #expect(try driver.reading().alarm == nil)
        try driver.arm(SwitchOrder(alarm: order.alarm.plus(3600), backstop: nil, byMotion: false))
        try driver.disarm()
        #expect(try driver.reading().alarm == nil)
        #expect(firmware.kernelCopy == nil)
    }

    @Test func `a firmware without a clock is an error in one line`() throws {
        var driver = driver()
        firmware.isPresent = false
        let error = #expect(throws: HostSwitchError.self) { _ = try driver.identify() }
        #expect(error?.description == "/dev/vcio: the firmware does not answer")
    }

    @Test func `the clock is set through the mailbox, and a second way back is refused`() throws {
        var driver = driver()
        try driver.setClock(to: try .at("2030-01-01T00:00:00"))
        #expect(try driver.clock() == .at("2030-01-01T00:00:00"))
        #expect(throws: HostSwitchError.outOfReach(.rtc, "a second way back")) {
            try driver.arm(SwitchOrder(alarm: order.alarm, backstop: 600, byMotion: false))
        }
        #expect(throws: HostSwitchError.outOfReach(.rtc, "this instant")) {
            try driver.arm(SwitchOrder(alarm: try .at("2200-01-01"), backstop: nil, byMotion: false))
        }
    }

    @Test func `the cause of a wake is inferred from the alarm's time`() throws {
        var driver = driver()
        #expect(driver.model == .rtc)
        #expect(try driver.wake(near: firmware.clock.instant.plus(-20)) == HostWake(.alarm, isRead: false))
        #expect(try driver.wake(near: firmware.clock.instant.plus(-61)) == HostWake(.unknown, isRead: false))
        #expect(try driver.wake(near: firmware.clock.instant.plus(5)) == HostWake(.unknown, isRead: false))
        #expect(try driver.battery() == HostBattery())
    }

    @Test(arguments: [(25, WakeCause.alarm), (61, .unknown)])
    func `after a boot the alarm that has fired is found in the clock itself`(seconds: Int, cause: WakeCause) throws {
        var driver = driver()
        try driver.arm(order)
        firmware.halt()
        firmware.pass(seconds: 3600 + seconds)
        #expect(try driver.wake(near: nil) == HostWake(cause, isRead: false))
    }
}
