import Emulation
import Hardware
import HostSleep
import HostSwitches
import SextantUnits
import Testing

@Suite("PiJuice") struct PiJuiceTests {
    static let place = I2CAddress(0x14)
    private let chip: EmulatedPiJuice
    private let bus: EmulatedBus
    private let driver = PiJuice(at: Self.place)
    private let order: SwitchOrder

    init() throws {
        let now = try UTCInstant.at("2027-06-15T09:00:00")
        chip = EmulatedPiJuice(at: now)
        bus = EmulatedBus(chips: [chip])
        order = SwitchOrder(alarm: now.plus(3600), backstop: 3960, byMotion: false)
    }

    private func use<Result>(
        _ body: (inout EmulatedBus) throws(HostSwitchError) -> Result
    ) throws(HostSwitchError) -> Result {
        var bus = bus
        return try body(&bus)
    }

    @Test func `arms by the alarm's block, its enable bits and the watchdog, each with a checksum`() throws {
        try use { bus throws(HostSwitchError) in try driver.arm(order, over: &bus) }
        let rows = bus.transcript.compactMap { transfer -> [UInt8]? in
            if case .writeRow(_, let register, let values) = transfer { [register] + values } else { nil }
        }
        #expect(
            rows == [
                [0x61, 0, 0, 0xFF], [0xC2, 0, 0, 0xFF], [0xB9, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0xFF, 0xFF],
                [0x44, 0, 0xFF],
                [0xB9, 0x00, 0x00, 0x10, 0x15, 0xFF, 0xFF, 0xFF, 0, 0xFF, 0xFA], [0xC2, 0x05, 0x00, 0xFA],
                [0x61, 66, 0, 0xBD],
            ])
    }

    @Test func `a first byte that lost its highest bit is mended by the checksum`() throws {
        chip.percent = 100
        chip.millivolts = 0x0F80
        chip.lostTopBits = 1000
        let battery = try use { bus throws(HostSwitchError) in try driver.battery(over: &bus) }
        #expect(battery.millivolts == 0x0F80)
    }

    @Test func `a block whose checksum is wrong three times is an error that names its register`() throws {
        chip.faults[0xB9] = .noAcknowledge
        let damaged = DamagedChip(chip)
        let bus = EmulatedBus(chips: [damaged])
        #expect(throws: HostSwitchError.unreadable(.pijuice, register: 0xFD)) {
            var bus = bus
            _ = try driver.identify(over: &bus)
        }
        #expect(bus.transcript.count == 3)
    }

    @Test func `an enable bit that the kernel cleared is no alarm`() throws {
        try use { bus throws(HostSwitchError) in try driver.arm(order, over: &bus) }
        chip.kernelSetsClock()
        let reading = try use { bus throws(HostSwitchError) in try driver.reading(over: &bus) }
        #expect(order.fault(in: reading, at: chip.clock.instant) == .noAlarm)
    }

    @Test func `an alarm of every minute or every hour is another than was ordered`() throws {
        try use { bus throws(HostSwitchError) in try driver.arm(order, over: &bus) }
        for block in [
            [0x00, 0x80, 0x10, 0x15, 0xFF, 0xFF, 0xFF, 0, 0xFF], [0x00, 0x00, 0x80, 0x15, 0xFF, 0xFF, 0xFF, 0, 0xFF],
            [0x00, 0x00, 0x10, 0x42, 0xFF, 0xFF, 0xFF, 0, 0xFF], [0x00, 0x00, 0x10, 0x15, 0x00, 0xFF, 0xFF, 0, 0xFF],
            [0x00, 0x00, 0x10, 0x15, 0xFF, 0xFF, 0xFF, 5, 0xFF], [0x00, 0x00, 0x10, 0x15, 0xFF, 0xFF, 0xFF, 0, 0x01],
        ] as [[UInt8]] {
            try bus.write(RegisterBytes(block + [block.reduce(0xFF, ^)]), to: 0xB9, at: Self.place)
            let reading = try use { bus throws(HostSwitchError) in try driver.reading(over: &bus) }
            #expect(reading.alarm == nil)
        }
    }

    @Test func `the watchdog resets a board that nobody disarmed, and wakes one that is off`() throws {
        try use { bus throws(HostSwitchError) in try driver.arm(order, over: &bus) }
        chip.pass(seconds: 3599)
        #expect(chip.isHostOn && chip.resets.isEmpty)
        chip.pass(seconds: 400)
        #expect(chip.resets == [.alarm, .backstop])
        let wake = try use { bus throws(HostSwitchError) in try driver.wake(near: nil, over: &bus) }
        #expect(wake == HostWake(.backstop, isRead: true))
    }

    @Test func `a watchdog that somebody keeps in the flash is taken from there`() throws {
        chip.keptWatchdog = 30
        let reading = try use { bus throws(HostSwitchError) in try driver.reading(over: &bus) }
        #expect(reading.backstop == 1800)
        try use { bus throws(HostSwitchError) in try driver.arm(order, over: &bus) }
        #expect(chip.keptWatchdog == 0)
        let armed = try use { bus throws(HostSwitchError) in try driver.reading(over: &bus) }
        #expect(order.fault(in: armed, at: chip.clock.instant) == nil)
    }

    @Test func `an alarm during the cut's count stays pending until the host is off`() throws {
        try use { bus throws(HostSwitchError) in try driver.arm(order, over: &bus) }
        chip.pass(seconds: 3590)
        try use { bus throws(HostSwitchError) in try driver.cut(after: 30, over: &bus) }
        chip.pass(seconds: 30)
        #expect(chip.wakes == [.alarm])
    }

    @Test func `a board that has another supply of its own is not cut, and battery tells of it`() throws {
        chip.isSuppliedItself = true
        try use { bus throws(HostSwitchError) in try driver.cut(after: 30, over: &bus) }
        chip.pass(seconds: 60)
        #expect(chip.isHostOn)
        let battery = try use { bus throws(HostSwitchError) in try driver.battery(over: &bus) }
        #expect(battery.hasExternalPower == true)
    }

    @Test func `an empty battery that is charged again wakes the host`() throws {
        try use { bus throws(HostSwitchError) in
            try driver.setRecovery(HostRecovery(percent: 20, millivolts: 3600), over: &bus)
        }
        try use { bus throws(HostSwitchError) in try driver.cut(after: 30, over: &bus) }
        chip.percent = 3
        chip.pass(seconds: 60)
        #expect(!chip.isHostOn)
        chip.hasExternalPower = true
        chip.pass(seconds: 60)
        #expect(!chip.isHostOn)
        chip.percent = 20
        chip.pass(seconds: 1)
        #expect(chip.wakes == [.power])
    }

    @Test func `battery tells charge, voltage, charging and the supply`() throws {
        (chip.percent, chip.millivolts, chip.isCharging, chip.hasExternalPower) = (57, 3850, true, true)
        let battery = try use { bus throws(HostSwitchError) in try driver.battery(over: &bus) }
        #expect(battery == HostBattery(percent: 57, millivolts: 3850, isCharging: true, hasExternalPower: true))
    }

    @Test func `firmware 1.5 is refused with its version and the one that is needed`() throws {
        chip.firmware = 0x15
        let error = #expect(throws: HostSwitchError.self) {
            try use { bus throws(HostSwitchError) in _ = try driver.identify(over: &bus) }
        }
        #expect(
            error?.description
                == "the pijuice has firmware 1.5, and host sleep needs 1.6 or newer; update it by its maker's program")
    }

    @Test(arguments: [251, 300, -1]) func `a delay of the cut that the firmware does not count is refused`(
        seconds: Int
    ) throws {
        #expect(throws: HostSwitchError.outOfReach(.pijuice, "this delay of the cut")) {
            try use { bus throws(HostSwitchError) in try driver.cut(after: seconds, over: &bus) }
        }
    }

    @Test func `an adapter that cannot write rows is an error that says so`() throws {
        var bus = SingleWriteBus(name: "/dev/i2c-7")
        let error = #expect(throws: HostSwitchError.self) { try driver.cut(after: 30, over: &bus) }
        #expect(
            error?.description
                == "/dev/i2c-7, address 0x14: the adapter cannot write several bytes in one transfer")
    }
}

/// A bus whose adapter writes single registers only.
private struct SingleWriteBus: I2CBus {
    let name: String

    mutating func read(_ count: Int, from register: UInt8, at address: I2CAddress) throws(BusError) -> RegisterBytes {
        RegisterBytes([UInt8](repeating: 0, count: count))
    }

    mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {}
    mutating func wait(microseconds: Int) {}
}

/// A chip each of whose readings has a wrong bit.
private final class DamagedChip: EmulatedChip {
    let chip: any EmulatedChip

    init(_ chip: any EmulatedChip) { self.chip = chip }

    var addresses: Set<I2CAddress> { chip.addresses }
    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool { chip.write(bytes, at: address) }
    func read(_ count: Int, at address: I2CAddress) -> [UInt8]? {
        chip.read(count, at: address).map { [$0[0] ^ 0x02] + $0.dropFirst() }
    }
    func pass(microseconds: Int) { chip.pass(microseconds: microseconds) }
    func powerCycle() { chip.powerCycle() }
}
