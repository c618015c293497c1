import Emulation
import Hardware
import HostSleep
import HostSwitches
import SextantUnits
import Testing

@Suite("Every host switch on a bus") struct EverySwitchTests {
    /// A sleep that ends on another day, month or year than it begins.
    struct Night: Sendable, CustomTestStringConvertible {
        var from: String
        var to: String
        var testDescription: String { "\(from) to \(to)" }
    }

    static let nights = [
        Night(from: "2027-02-28T22:13:07", to: "2027-03-01T04:13:11"),
        Night(from: "2028-02-28T22:13:07", to: "2028-02-29T04:00:00"),
        Night(from: "2028-02-29T23:59:00", to: "2028-03-01T00:00:59"),
        Night(from: "2027-04-30T20:00:00", to: "2027-05-01T02:30:00"),
        Night(from: "2027-12-31T23:00:00", to: "2028-01-01T00:00:00"),
        Night(from: "2027-06-15T09:00:00", to: "2027-06-15T15:00:01"),
    ]

    static let now = "2027-06-15T09:00:00"

    private func order(_ under: SwitchUnderTest) throws -> SwitchOrder {
        SwitchOrder(alarm: try .at(Self.now).plus(3600), backstop: under.backstop, byMotion: false)
    }

    @Test(arguments: SwitchUnderTest.all, nights)
    func `SLEEP-10: an alarm over the end of a month wakes the host to the second`(
        under: SwitchUnderTest, night: Night
    ) throws {
        let alarm = try UTCInstant.at(night.to)
        let rig = try SwitchRig(under, at: .at(night.from))
        let order = SwitchOrder(
            alarm: alarm, backstop: under.model.traits.backstop?.seconds(atLeast: 86_400), byMotion: false)
        try rig.arm(order)
        #expect(try rig.fault(order) == nil)
        try rig.sleep()
        rig.pass(until: alarm, plus: -1)
        #expect(!rig.chip.isHostOn)
        rig.chip.pass(seconds: 1)
        #expect(rig.chip.wakes == [.alarm])
        #expect(rig.chip.clock.instant == alarm)
    }

    /// Days that not every month has, and the longest reach of a day of the month.
    @Test(
        arguments: SwitchUnderTest.all.filter { $0.model != .piSugar3 },
        [
            ("2027-01-31T12:00:00", "2027-02-27T11:00:00"), ("2027-02-03T00:00:00", "2027-03-01T23:59:59"),
            ("2027-11-30T00:00:01", "2027-12-27T00:00:00"), ("2028-02-02T00:00:00", "2028-02-29T00:00:00"),
        ])
    func `SLEEP-10: an alarm of up to 27 days reads back as the instant that was ordered`(
        under: SwitchUnderTest, span: (String, String)
    ) throws {
        let rig = try SwitchRig(under, at: .at(span.0))
        let order = SwitchOrder(alarm: try .at(span.1), backstop: nil, byMotion: false)
        try rig.arm(order)
        #expect(try rig.reading().alarm == order.alarm)
    }

    @Test(arguments: SwitchUnderTest.all)
    func `SLEEP-19: an alarm beyond the switch's reach is refused and not written`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let reach = under.model.traits.horizon
        let alarm = try UTCInstant.at(Self.now).advanced(bySeconds: max(reach * 2, 4.3e9))
        #expect(throws: HostSwitchError.self) {
            try rig.arm(SwitchOrder(alarm: alarm, backstop: nil, byMotion: false))
        }
        #expect(try rig.reading().alarm == nil)
    }

    @Test(arguments: SwitchUnderTest.all)
    func `SLEEP-19: every register of the map is read or written by the driver`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let order = try order(under)
        _ = try rig.driver.identify(over: &rig.bus)
        try rig.driver.setClock(to: try .at(Self.now), over: &rig.bus)
        try rig.arm(order)
        _ = try rig.reading()
        _ = try rig.driver.battery(over: &rig.bus)
        _ = try rig.driver.wake(near: nil, over: &rig.bus)
        try rig.driver.setRecovery(HostRecovery(percent: 10, millivolts: 3500), over: &rig.bus)
        try rig.driver.cut(after: 20, over: &rig.bus)
        try rig.driver.disarm(over: &rig.bus)
        var (read, written): (Set<UInt8>, Set<UInt8>) = ([], [])
        for transfer in rig.bus.transcript {
            switch transfer {
            case .read(_, let register, let count):
                for offset in 0..<count { read.insert(register &+ UInt8(offset)) }
            case .write(_, let register, _), .writeRow(_, let register, _): written.insert(register)
            case .wait: continue
            }
        }
        #expect(read.isSuperset(of: under.written))
        #expect(written.isSuperset(of: under.written))
        #expect(read.union(written).isSuperset(of: under.others))
    }

    @Test(arguments: SwitchUnderTest.all, EmulatedHostSwitch.Fault.allCases)
    func `SLEEP-19: a fault of any register never leaves a sound reading without a wake`(
        under: SwitchUnderTest, fault: EmulatedHostSwitch.Fault
    ) throws {
        for register in under.written + under.others {
            let rig = try SwitchRig(under, at: .at(Self.now))
            let order = try order(under)
            rig.chip.faults[register] = fault
            do {
                try rig.arm(order)
                guard try rig.fault(order) == nil else { continue }
            } catch is HostSwitchError {
                continue
            }
            rig.chip.faults = [:]
            try rig.sleep()
            rig.pass(until: order.alarm)
            #expect(rig.chip.wakes == [.alarm], "register \(register)")
        }
    }

    @Test(arguments: SwitchUnderTest.all)
    func `SLEEP-19: a lost write of the alarm, one byte wrong in it, and an old value are seen`(
        under: SwitchUnderTest
    ) throws {
        let deciding: [HostSwitchModel: [UInt8]] = [
            .pijuice: [0xB9, 0xC2, 0x61], .wittyPi4: [27, 28, 29, 30, 48, 49], .wittyPi5: [0x20, 0x21, 0x22, 0x23],
            .piSugar3: [0x40, 0x44, 0x45, 0x46, 0x47], .lifepo4wered: [0x2C, 0x26],
            .latch: [0x07, 0x08, 0x09, 0x0A, 0x0E],
        ]
        let order = SwitchOrder(
            alarm: try .at("2027-06-16T08:34:56"), backstop: under.model.traits.backstop?.seconds(atLeast: 3600),
            byMotion: false)
        for register in try #require(deciding[under.model]) {
            for fault in [.writeLost, .wrongByte, .oldValueOnce] as [EmulatedHostSwitch.Fault] {
                // Its enable bit is another than the one that is wrong, and of three readings an old one does not count.
                if under.model == .piSugar3, register == 0x40, fault == .wrongByte { continue }
                if under.model == .lifepo4wered, fault == .oldValueOnce { continue }
                let rig = try SwitchRig(under, at: .at(Self.now))
                rig.chip.faults[register] = fault
                try rig.arm(order)
                #expect(try rig.fault(order) != nil, "register \(register), \(fault)")
            }
        }
    }

    @Test(arguments: SwitchUnderTest.all)
    func `SLEEP-19: a bus that fails at any transfer is an error and never a sound reading`(
        under: SwitchUnderTest
    ) throws {
        let order = try order(under)
        let whole = try SwitchRig(under, at: .at(Self.now))
        try whole.arm(order)
        _ = try whole.reading()
        let transfers = whole.bus.transcript.count { if case .wait = $0 { false } else { true } }
        for index in 0..<transfers {
            for kind in [.noAcknowledge, .timeout] as [BusError.Kind] {
                let rig = try SwitchRig(under, at: .at(Self.now))
                rig.bus.fault = kind
                rig.bus.transfersBeforeFault = index
                #expect(throws: HostSwitchError.bus(BusError(kind, bus: rig.bus.name, address: rig.driver.address))) {
                    try rig.arm(order)
                    _ = try rig.reading()
                }
            }
        }
    }

    @Test(arguments: SwitchUnderTest.all)
    func `a disarmed switch holds no alarm and no second way back, and lets a host be that is on`(
        under: SwitchUnderTest
    ) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let order = try order(under)
        try rig.arm(order)
        try rig.driver.disarm(over: &rig.bus)
        let reading = try rig.reading()
        #expect(reading.alarm == nil)
        #expect(reading.backstop == nil)
        rig.chip.pass(seconds: 2 * 86_400)
        #expect(rig.chip.isHostOn && rig.chip.resets.isEmpty)
    }

    @Test(arguments: SwitchUnderTest.all.filter { $0.backstop != nil })
    func `the second way back wakes the host where the alarm was lost`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let order = try order(under)
        try rig.arm(order)
        #expect(try rig.reading().backstop == order.backstop)
        try rig.sleep()
        rig.chip.clock.isStopped = true
        rig.chip.pass(seconds: Int(try #require(order.backstop)) + 60)
        #expect(rig.chip.wakes == [.backstop])
    }

    @Test(arguments: SwitchUnderTest.all.filter { $0.model != .lifepo4wered })
    func `a clock that stands still, or shows no time, is a fault`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let order = try order(under)
        try rig.arm(order)
        rig.chip.clock[.month] = 0x13
        #expect(try rig.fault(order) == .clockStopped)
    }

    @Test(arguments: SwitchUnderTest.all, ["2000-01-01T00:00:00", "2027-06-15T10:00:00", "2027-06-14T09:00:00"])
    func `a clock that is wrong is a fault until it is set`(under: SwitchUnderTest, wrong: String) throws {
        let rig = try SwitchRig(under, at: .at(wrong))
        let now = try UTCInstant.at(Self.now)
        #expect(try rig.driver.clock(over: &rig.bus) == .at(wrong))
        let order = SwitchOrder(alarm: now.plus(7200), backstop: nil, byMotion: false)
        try? rig.arm(order)
        #expect(order.fault(in: try rig.reading(), at: now) == .clockApart)
        try rig.driver.setClock(to: now, over: &rig.bus)
        #expect(try rig.driver.clock(over: &rig.bus) == now)
        try rig.arm(order)
        #expect(order.fault(in: try rig.reading(), at: now) == nil)
    }

    @Test(arguments: SwitchUnderTest.all)
    func `a clock that is fast is seen, and the alarm fires by it`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        rig.chip.clock.drift = 0.05
        let order = try order(under)
        try rig.arm(order)
        try rig.sleep()
        rig.chip.pass(seconds: 3430)
        #expect(rig.chip.wakes == [.alarm])
        #expect(order.fault(in: try rig.reading(), at: try .at(Self.now).plus(3442)) == .clockApart)
    }

    @Test(arguments: SwitchUnderTest.all)
    func `an alarm that stands from before is taken away when another is armed`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        try rig.arm(SwitchOrder(alarm: try .at(Self.now).plus(600), backstop: under.backstop, byMotion: false))
        let order = try order(under)
        try rig.arm(order)
        #expect(try rig.fault(order) == nil)
        try rig.sleep()
        rig.pass(until: order.alarm, plus: -1)
        #expect(!rig.chip.isHostOn)
    }

    @Test(arguments: SwitchUnderTest.all)
    func `an alarm that is due this second, or has passed, is not told as one to come`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let order = try order(under)
        try rig.arm(order)
        for seconds in [3600, 1] {
            rig.chip.pass(seconds: seconds)
            let alarm = try rig.reading().alarm
            #expect(alarm.map { $0 > order.alarm.plus(80_000) } ?? true)
        }
    }

    @Test(arguments: SwitchUnderTest.all)
    func `the cause of a wake by the alarm is read where the switch tells it, and inferred elsewhere`(
        under: SwitchUnderTest
    ) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let order = try order(under)
        try rig.arm(order)
        try rig.sleep()
        rig.pass(until: order.alarm, plus: 25)
        let wake = try rig.driver.wake(near: order.alarm, over: &rig.bus)
        #expect(wake == HostWake(.alarm, isRead: under.model.traits.tellsCause))
    }

    @Test(arguments: SwitchUnderTest.all)
    func `a wake long after the alarm is not taken for the alarm's by its time`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        #expect(try rig.driver.wake(near: .at(Self.now).plus(-300), over: &rig.bus).cause == .unknown)
        #expect(try rig.driver.wake(near: nil, over: &rig.bus).cause == .unknown)
    }

    @Test(arguments: SwitchUnderTest.all)
    func `a switch that is not there is an error that names its bus and address`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        rig.chip.isPresent = false
        let error = #expect(throws: HostSwitchError.self) { _ = try rig.driver.identify(over: &rig.bus) }
        #expect(error?.description.hasPrefix("/dev/i2c-1, address \(rig.driver.address)") == true)
    }

    @Test(arguments: SwitchUnderTest.all)
    func `a second way back that the switch cannot count is refused`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        let alarm = try UTCInstant.at(Self.now).plus(3600)
        for seconds in [-60, 0, 90, 60 * 65_536.0] {
            #expect(throws: HostSwitchError.self) {
                try rig.arm(SwitchOrder(alarm: alarm, backstop: seconds, byMotion: false))
            }
        }
    }

    @Test(arguments: SwitchUnderTest.all)
    func `a switch on a bus of its own does the same as its chip`(under: SwitchUnderTest) throws {
        let rig = try SwitchRig(under, at: .at(Self.now))
        var unit = SwitchOnBus(rig.driver, on: rig.bus)
        let order = try order(under)
        #expect(unit.model == under.model)
        _ = try unit.identify()
        try unit.setClock(to: try .at(Self.now))
        try unit.arm(order)
        #expect(order.fault(in: try unit.reading(), at: try #require(try unit.clock())) == nil)
        #expect(try unit.wake(near: nil).cause == .unknown)
        #expect(try unit.battery() == rig.driver.battery(over: &rig.bus))
        try unit.setRecovery(nil)
        try unit.disarm()
        #expect(try unit.reading().alarm == nil)
        try unit.cut(after: 10)
    }

    @Test func `every model is a clock of the firmware or a chip with an address`() {
        for model in HostSwitchModel.allCases {
            #expect(HostSwitchCatalogue.chip(model)?.address == model.usualAddress)
            let moved = HostSwitchCatalogue.chip(model, at: I2CAddress(0x3A))
            #expect(moved?.address == (model.isOnBus ? I2CAddress(0x3A) : nil))
            #expect(moved.map { $0.model == model } ?? !model.isOnBus)
        }
    }
}

extension UTCInstant {
    fileprivate func advanced(bySeconds seconds: Double) -> UTCInstant {
        advanced(byNanoseconds: Int64(seconds) * 1_000_000_000)
    }
}
