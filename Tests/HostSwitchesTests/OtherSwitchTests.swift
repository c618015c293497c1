import Emulation
import Hardware
import HostSleep
import HostSwitches
import SextantUnits
import Testing

@Suite("PiSugar 3") struct PiSugar3Tests {
    private let chip: EmulatedPiSugar3
    private var bus: EmulatedBus
    private let driver = PiSugar3(at: I2CAddress(0x57))
    private let order: SwitchOrder

    init() throws {
        let now = try UTCInstant.at("2027-06-15T09:00:00")
        chip = EmulatedPiSugar3(at: now)
        bus = EmulatedBus(chips: [chip])
        order = SwitchOrder(alarm: now.plus(3600), backstop: nil, byMotion: false)
    }

    @Test mutating func `registers are unlocked for each writing and locked again`() throws {
        try driver.arm(order, over: &bus)
        #expect(try bus.read(from: 0x0B, at: driver.address) == 0)
        let locks = bus.transcript.compactMap { transfer -> UInt8? in
            if case .write(_, 0x0B, let value) = transfer { value } else { nil }
        }
        #expect(locks == [0x29, 0, 0x29, 0])
    }

    @Test mutating func `a chip that stays locked takes no alarm, which the reading shows`() throws {
        chip.faults[0x0B] = .writeLost
        try driver.arm(order, over: &bus)
        #expect(order.fault(in: try driver.reading(over: &bus), at: chip.clock.instant) == .noAlarm)
    }

    @Test mutating func `an alarm that was missed comes again a day later, until it is taken away`() throws {
        try driver.arm(order, over: &bus)
        chip.pass(seconds: 3601)
        try driver.cut(after: 30, over: &bus)
        chip.pass(seconds: 86_398)
        #expect(!chip.isHostOn)
        chip.pass(seconds: 1)
        #expect(chip.wakes == [.alarm])
    }

    @Test mutating func `an alarm of some weekdays is not the one that was ordered`() throws {
        try driver.arm(order, over: &bus)
        try bus.write(0x29, to: 0x0B, at: driver.address)
        try bus.write(0x3F, to: 0x44, at: driver.address)
        #expect(try driver.reading(over: &bus).alarm == nil)
    }

    @Test mutating func `battery tells charge, voltage and the supply, and the supply's return wakes the host`() throws
    {
        #expect(
            try driver.battery(over: &bus)
                == HostBattery(percent: 80, millivolts: 3900, isCharging: false, hasExternalPower: false))
        for isWanted in [true, false] {
            try driver.setRecovery(isWanted ? HostRecovery(percent: 20, millivolts: 3600) : nil, over: &bus)
            try driver.cut(after: 30, over: &bus)
            chip.pass(seconds: 40)
            chip.hasExternalPower = true
            #expect(chip.isHostOn == isWanted)
            chip.hasExternalPower = false
        }
    }

    @Test(arguments: ["1.2.3", "1.1", "0.9.12", ""]) func `firmware older than 1.2.4 is refused`(version: String) throws
    {
        let chip = EmulatedPiSugar3(at: try .at("2027-06-15T09:00:00"), version: version)
        var bus = EmulatedBus(chips: [chip])
        let found = version.isEmpty ? "without a version" : version
        #expect(throws: HostSwitchError.otherFirmware(.piSugar3, found: found, needed: "1.2.4 or newer")) {
            _ = try driver.identify(over: &bus)
        }
    }

    @Test(arguments: ["1.2.4", "1.2.10", "1.3", "2.0.0", "1.3.4a"]) func `firmware from 1.2.4 on is taken`(
        version: String
    ) throws {
        let chip = EmulatedPiSugar3(at: try .at("2027-06-15T09:00:00"), version: version)
        var bus = EmulatedBus(chips: [chip])
        #expect(try version.hasPrefix(driver.identify(over: &bus)))
    }

    @Test func `a chip whose version is no text is another`() throws {
        var bus = EmulatedBus(chips: [PlainChip(address: driver.address, registers: [0xE2: 0xFF])])
        #expect(throws: HostSwitchError.self) { _ = try driver.identify(over: &bus) }
    }
}

@Suite("LiFePO4wered") struct LiFePO4weredTests {
    private let chip: EmulatedLiFePO4wered
    private var bus: EmulatedBus
    private let driver = LiFePO4wered(at: I2CAddress(0x43))
    private let order: SwitchOrder

    init() throws {
        let now = try UTCInstant.at("2027-06-15T09:00:00")
        chip = EmulatedLiFePO4wered(at: now)
        bus = EmulatedBus(chips: [chip])
        order = SwitchOrder(alarm: now.plus(3600), backstop: 3900, byMotion: false)
    }

    @Test mutating func `each writing begins with the byte that unlocks its register`() throws {
        try driver.arm(order, over: &bus)
        let rows = bus.transcript.compactMap { transfer -> [UInt8]? in
            if case .writeRow(_, let register, let values) = transfer { [register] + values } else { nil }
        }
        let seconds = UInt32(order.alarm.seconds)
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (8 * UInt32($0))) }
        #expect(
            rows == [
                [0x2C, 0x63, 0, 0, 0, 0], [0x26, 0x69, 0, 0], [0x2C, 0x63] + bytes, [0x26, 0x69, 65, 0],
            ])
    }

    @Test(arguments: 1...17) func `readings that differ are read over until three are the same`(wrong: Int) throws {
        var bus = EmulatedBus(chips: [FlickeringChip(chip, for: wrong)])
        #expect(try driver.identify(over: &bus) == "register version 7")
    }

    @Test mutating func `two readings that are wrong alike do not count`() throws {
        chip.wrongFirstBits = 2
        #expect(try driver.identify(over: &bus) == "register version 7")
    }

    @Test func `a value that never reads the same three times is an error that names its register`() throws {
        var bus = EmulatedBus(chips: [FlickeringChip(chip, for: 1000)])
        #expect(throws: HostSwitchError.unreadable(.lifepo4wered, register: 0x00)) {
            _ = try driver.identify(over: &bus)
        }
        #expect(bus.transcript.count { if case .read = $0 { true } else { false } } == 20)
    }

    @Test mutating func `a host that does not fall silent is cut after the timeout`() throws {
        try driver.cut(after: 25, over: &bus)
        chip.pass(seconds: 29)
        #expect(chip.isHostOn)
        chip.pass(seconds: 1)
        #expect(!chip.isHostOn)
    }

    @Test(arguments: [1, 6, 8] as [UInt8]) func `another register version is refused`(version: UInt8) throws {
        var bus = EmulatedBus(chips: [EmulatedLiFePO4wered(at: try .at("2027-06-15T09:00:00"), version: version)])
        #expect(
            throws: HostSwitchError.otherFirmware(
                .lifepo4wered, found: "register version \(version)", needed: "register version 7, as of the Pi+")
        ) { _ = try driver.identify(over: &bus) }
    }

    @Test mutating func `battery tells its voltage, the supply and the voltage under which it cuts`() throws {
        let battery = try driver.battery(over: &bus)
        #expect(battery == HostBattery(millivolts: 3299, hasExternalPower: false, cutMillivolts: 2849))
    }
}

@Suite("Latch with a DS3231") struct LatchTests {
    private let chip: EmulatedLatch
    private var bus: EmulatedBus
    private let driver = Latch(at: I2CAddress(0x68))
    private let order: SwitchOrder

    init() throws {
        let now = try UTCInstant.at("2027-06-15T09:00:00")
        chip = EmulatedLatch(at: now)
        bus = EmulatedBus(chips: [chip])
        order = SwitchOrder(alarm: now.plus(3600), backstop: nil, byMotion: false)
    }

    @Test mutating func `an alarm that has fired holds the latch, and counts as none until it is armed anew`() throws {
        try driver.arm(order, over: &bus)
        chip.pass(seconds: 3600)
        #expect(try driver.reading(over: &bus).alarm == nil)
        chip.halt()
        #expect(chip.isHostOn)
        try driver.arm(
            SwitchOrder(alarm: order.alarm.plus(3600), backstop: nil, byMotion: false), over: &bus)
        chip.halt()
        #expect(!chip.isHostOn)
    }

    @Test mutating func `a motion sensor's pulse sets the latch, and the cause is not the alarm`() throws {
        try driver.arm(order, over: &bus)
        chip.halt()
        chip.isMotionTold = true
        #expect(try driver.wake(near: order.alarm, over: &bus) == HostWake(.unknown, isRead: false))
    }

    @Test mutating func `a clock whose oscillator stopped is told until it is set`() throws {
        chip.clock.isStopped = true
        #expect(try driver.clock(over: &bus) == nil)
        try driver.setClock(to: try .at("2027-06-15T10:00:00"), over: &bus)
        #expect(try driver.clock(over: &bus) == .at("2027-06-15T10:00:00"))
    }

    @Test(arguments: [(0x07, 0x80), (0x08, 0x80), (0x09, 0x80), (0x0A, 0x80), (0x0A, 0x43)] as [(UInt8, UInt8)])
    func `an alarm with a field that is not compared, or of a weekday, is not the one that was ordered`(
        register: UInt8, value: UInt8
    ) throws {
        var bus = bus
        try driver.arm(order, over: &bus)
        try bus.write(value, to: register, at: driver.address)
        #expect(try driver.reading(over: &bus).alarm == nil)
    }

    @Test mutating func `another chip at the address is refused`() throws {
        var other = EmulatedBus(chips: [PlainChip(address: driver.address, registers: [0x0F: 0x75])])
        #expect(throws: HostSwitchError.self) { _ = try driver.identify(over: &other) }
    }
}

/// A chip whose readings differ from one to the next for a while.
private final class FlickeringChip: EmulatedChip {
    let chip: any EmulatedChip
    private var left: Int

    init(_ chip: any EmulatedChip, for readings: Int) {
        self.chip = chip
        left = readings
    }

    var addresses: Set<I2CAddress> { chip.addresses }
    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool { chip.write(bytes, at: address) }
    func read(_ count: Int, at address: I2CAddress) -> [UInt8]? {
        guard let bytes = chip.read(count, at: address), left > 0 else { return chip.read(count, at: address) }
        left -= 1
        return [bytes[0] ^ (left.isMultiple(of: 2) ? 0x80 : 0x40)] + bytes.dropFirst()
    }
    func pass(microseconds: Int) { chip.pass(microseconds: microseconds) }
    func powerCycle() { chip.powerCycle() }
}
