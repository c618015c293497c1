import Emulation
import Hardware
import HostSleep
import HostSwitches
import SextantUnits
import Testing

@Suite("Witty Pi 4") struct WittyPi4Tests {
    static let place = I2CAddress(0x08)
    private let chip: EmulatedWittyPi4
    private var bus: EmulatedBus
    private let driver = WittyPi4(at: Self.place)
    private let order: SwitchOrder

    init() throws {
        let now = try UTCInstant.at("2027-06-15T09:00:00")
        chip = EmulatedWittyPi4(at: now)
        bus = EmulatedBus(chips: [chip])
        order = SwitchOrder(alarm: now.plus(3723), backstop: 7200, byMotion: false)
    }

    private func sleep() {
        chip.pulseSystemUp()
        chip.setTransmit(high: false)
        chip.pass(seconds: 8)
    }

    @Test mutating func `the alarm is written from the day down to the second, and one byte a transfer`() throws {
        try driver.arm(order, over: &bus)
        let alarm = bus.transcript.compactMap { transfer -> [UInt8]? in
            if case .write(_, let register, let value) = transfer, (27...30).contains(register) {
                [register, value]
            } else {
                nil
            }
        }
        #expect(alarm.suffix(4) == [[30, 0x15], [29, 0x10], [28, 0x02], [27, 0x03]])
        #expect(
            bus.transcript.allSatisfy {
                if case .read(_, _, let count) = $0 { count == 1 } else { true }
            })
    }

    @Test mutating func `a second that rolls over while the clock is read is read again`() throws {
        let rolling = RollingChip(chip, after: 3)
        bus = EmulatedBus(chips: [rolling])
        chip.clock.instant = try .at("2027-06-15T09:59:59")
        #expect(try driver.clock(over: &bus) == .at("2027-06-15T10:00:00"))
    }

    @Test mutating func `an alarm that was not seen within its 2 s is lost, and the guaranteed wake comes`() throws {
        try driver.arm(order, over: &bus)
        try bus.write(80, to: 19, at: Self.place)
        sleep()
        chip.inputVolts = 7.9
        chip.pass(seconds: 3723)
        #expect(!chip.isHostOn)
        chip.inputVolts = 8.4
        chip.pass(seconds: 3400)
        #expect(!chip.isHostOn)
        chip.pass(seconds: 80)
        #expect(chip.wakes == [.backstop])
        #expect(try driver.wake(near: order.alarm, over: &bus) == HostWake(.backstop, isRead: true))
    }

    @Test mutating func `an alarm that passes while the host is on does not wake it after the next cut`() throws {
        try driver.arm(order, over: &bus)
        chip.pass(seconds: 3800)
        sleep()
        chip.pass(seconds: 60)
        #expect(!chip.isHostOn)
        chip.pass(seconds: 7200)
        #expect(chip.wakes == [.backstop])
    }

    @Test mutating func `without that bit it would, which counts as no alarm`() throws {
        try driver.arm(order, over: &bus)
        try bus.write(0, to: 48, at: Self.place)
        #expect(try driver.reading(over: &bus).alarm == nil)
        chip.pass(seconds: 3800)
        sleep()
        chip.pass(seconds: 4)
        #expect(chip.wakes == [.alarm])
        #expect(try driver.wake(near: nil, over: &bus) == HostWake(.alarm, isRead: true))
    }

    @Test mutating func `a UART that goes on after the pulse ends the watch, and the supply is never cut`() throws {
        try driver.arm(order, over: &bus)
        try driver.cut(after: 7, over: &bus)
        chip.pulseSystemUp()
        chip.setTransmit(high: false)
        chip.setTransmit(high: true)
        chip.pass(seconds: 600)
        #expect(chip.isHostOn)
    }

    @Test mutating func `an alarm to shut down that somebody set hides the alarm until it is armed anew`() throws {
        try driver.arm(order, over: &bus)
        try bus.write(0x15, to: 35, at: Self.place)
        #expect(try driver.reading(over: &bus).alarm == nil)
        try driver.arm(order, over: &bus)
        #expect(try driver.reading(over: &bus).alarm == order.alarm)
    }

    @Test mutating func `a guaranteed wake in days is read in seconds`() throws {
        try bus.write(0x83, to: 49, at: Self.place)
        #expect(try driver.reading(over: &bus).backstop == 3 * 86_400)
    }

    @Test(
        arguments: [
            (1, .alarm), (3, .button), (5, .power), (8, .alarm), (10, .power), (12, .backstop), (11, .unknown),
            (4, .unknown),
            (0, .unknown),
        ] as [(UInt8, WakeCause)])
    func `the reason of the last action is the cause of the wake`(reason: UInt8, cause: WakeCause) throws {
        var bus = EmulatedBus(chips: [PlainChip(address: Self.place, registers: [11: reason])])
        #expect(try driver.wake(near: nil, over: &bus) == HostWake(cause, isRead: cause != .unknown))
    }

    @Test mutating func `a press while it sleeps is a button, as a motion sensor on the switch's input is`() throws {
        sleep()
        chip.press()
        #expect(try driver.wake(near: nil, over: &bus) == HostWake(.button, isRead: true))
    }

    @Test mutating func `battery tells the input's voltage and the one under which it shuts down`() throws {
        chip.inputVolts = 7.42
        #expect(try driver.battery(over: &bus) == HostBattery(millivolts: 7420))
        try bus.write(62, to: 19, at: Self.place)
        #expect(try driver.battery(over: &bus).cutMillivolts == 6200)
        try driver.setRecovery(HostRecovery(percent: 20, millivolts: 7000), over: &bus)
        #expect(try bus.read(from: 22, at: Self.place) == 70)
        try driver.setRecovery(nil, over: &bus)
        #expect(try bus.read(from: 22, at: Self.place) == 255)
    }

    @Test mutating func `revision 6, which has no guaranteed wake, is refused, and so is another chip`() throws {
        chip.revision = 6
        #expect(
            throws: HostSwitchError.otherFirmware(.wittyPi4, found: "revision 6", needed: "revision 7 or newer")
        ) { _ = try driver.identify(over: &bus) }
        var other = EmulatedBus(chips: [PlainChip(address: Self.place, registers: [0: 0x37])])
        let error = #expect(throws: HostSwitchError.self) { _ = try driver.identify(over: &other) }
        #expect(
            error?.description
                == "/dev/i2c-1, address 0x08: this is no wittyPi4, for its register 0x00 holds 0x37 and not 0x26; "
                + "name the switch that is there")
    }
}

@Suite("Witty Pi 5") struct WittyPi5Tests {
    static let place = I2CAddress(0x51)
    private let chip: EmulatedWittyPi5
    private var bus: EmulatedBus
    private let driver = WittyPi5(at: Self.place)

    init() throws {
        chip = EmulatedWittyPi5(at: try .at("2027-06-15T09:00:00"))
        bus = EmulatedBus(chips: [chip])
    }

    @Test mutating func `the clock chip takes the alarm only when the host powers off`() throws {
        let alarm = chip.clock.instant.plus(3600)
        try driver.arm(SwitchOrder(alarm: alarm, backstop: nil, byMotion: false), over: &bus)
        #expect(try driver.reading(over: &bus).alarm == alarm)
        #expect(try bus.read(from: 0x5A, at: Self.place) == 0)
        try driver.cut(after: 30, over: &bus)
        #expect(try bus.read(from: 0x5A, at: Self.place) == 0x15)
        #expect(HostSwitchModel.wittyPi5.traits.proof == .request)
    }

    @Test mutating func `an alarm to shut down hides the alarm until it is armed anew`() throws {
        let order = SwitchOrder(alarm: chip.clock.instant.plus(3600), backstop: nil, byMotion: false)
        try driver.arm(order, over: &bus)
        try bus.write(0x15, to: 0x27, at: Self.place)
        #expect(try driver.reading(over: &bus).alarm == nil)
        try driver.arm(order, over: &bus)
        #expect(try driver.reading(over: &bus).alarm == order.alarm)
    }

    @Test mutating func `a schedule of the maker's and summer time hide the alarm`() throws {
        let order = SwitchOrder(alarm: chip.clock.instant.plus(3600), backstop: nil, byMotion: false)
        try driver.arm(order, over: &bus)
        chip.hasSchedule = true
        #expect(try driver.reading(over: &bus).alarm == nil)
        chip.hasSchedule = false
        #expect(try driver.reading(over: &bus).alarm == order.alarm)
        try bus.write(0x80 | 60, to: 0x2C, at: Self.place)
        #expect(try driver.reading(over: &bus).alarm == nil)
    }

    /// 15 June 2027 is a Tuesday.
    @Test mutating func `the weekday is one bit, without which the firmware takes no alarm`() throws {
        try bus.write(0x02, to: 0x53, at: Self.place)
        try driver.setClock(to: try .at("2027-06-15T09:00:00"), over: &bus)
        #expect(try bus.read(from: 0x53, at: Self.place) == 1 << 2)
        for weekday in [0x00, 0x06] as [UInt8] {
            try bus.write(weekday, to: 0x53, at: Self.place)
            #expect(try driver.clock(over: &bus) == nil)
        }
    }

    @Test mutating func `a clock that stopped is told until it is set`() throws {
        chip.clock.isStopped = true
        #expect(try driver.clock(over: &bus) == nil)
        try driver.setClock(to: try .at("2027-06-15T10:00:00"), over: &bus)
        #expect(try driver.clock(over: &bus) == .at("2027-06-15T10:00:00"))
    }

    @Test(
        arguments: [(1, .alarm), (3, .button), (5, .power), (8, .power), (9, .unknown), (10, .unknown)]
            as [(UInt8, WakeCause)])
    func `the high half of the reason is the cause of the wake`(reason: UInt8, cause: WakeCause) throws {
        var bus = EmulatedBus(chips: [PlainChip(address: Self.place, registers: [0x0E: reason << 4 | 0x0B])])
        #expect(try driver.wake(near: nil, over: &bus) == HostWake(cause, isRead: cause != .unknown))
    }

    @Test mutating func `version 1.3 is refused, and so is a Witty Pi 5 Mini`() throws {
        chip.minorVersion = 3
        #expect(throws: HostSwitchError.otherFirmware(.wittyPi5, found: "1.3", needed: "1.4 or newer")) {
            _ = try driver.identify(over: &bus)
        }
        var mini = EmulatedBus(chips: [PlainChip(address: Self.place, registers: [0: 0x52, 1: 1, 2: 4])])
        #expect(throws: HostSwitchError.self) { _ = try driver.identify(over: &mini) }
    }

    @Test mutating func `battery tells both inputs and the voltage under which it shuts down`() throws {
        chip.millivolts = 7350
        try bus.write(62, to: 0x16, at: Self.place)
        #expect(
            try driver.battery(over: &bus)
                == HostBattery(millivolts: 7350, hasExternalPower: false, cutMillivolts: 6200))
    }
}

/// A chip of registers that hold what is written.
final class PlainChip: EmulatedChip {
    let address: I2CAddress
    private var registers: [UInt8: UInt8]
    private var pointer: UInt8 = 0

    init(address: I2CAddress, registers: [UInt8: UInt8]) {
        self.address = address
        self.registers = registers
    }

    var addresses: Set<I2CAddress> { [address] }

    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool {
        pointer = bytes[0]
        for (offset, value) in bytes.dropFirst().enumerated() { registers[pointer &+ UInt8(offset)] = value }
        return true
    }

    func read(_ count: Int, at address: I2CAddress) -> [UInt8]? {
        (0..<count).map { registers[pointer &+ UInt8($0)] ?? 0 }
    }

    func pass(microseconds: Int) {}
    func powerCycle() {}
}

/// A chip for which a second passes after some of its transfers.
private final class RollingChip: EmulatedChip {
    let chip: any EmulatedChip
    private var left: Int

    init(_ chip: any EmulatedChip, after transfers: Int) {
        self.chip = chip
        left = transfers
    }

    var addresses: Set<I2CAddress> { chip.addresses }
    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool { chip.write(bytes, at: address) }
    func read(_ count: Int, at address: I2CAddress) -> [UInt8]? {
        left -= 1
        if left == 0 { chip.pass(microseconds: 1_000_000) }
        return chip.read(count, at: address)
    }
    func pass(microseconds: Int) { chip.pass(microseconds: microseconds) }
    func powerCycle() { chip.powerCycle() }
}
