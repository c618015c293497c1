import Power
import Receivers
import SextantUnits
import Testing

@Suite("Energy ledger")
struct EnergyLedgerTests {
    static let draw = PowerDraw(acquiring: 96, tracking: 87, cyclic: nil, softwareSleep: 0.06, hardwareSleep: 0.045)

    static func model(
        _ draw: PowerDraw = draw, sensors: [Double] = [1.5, 0.2], battery: Double? = 10
    ) throws(EnergyModelError) -> EnergyModel {
        try EnergyModel(
            receiver: draw, sensors: sensors, hostIdle: 600, hostWake: 25, batteryWattHours: battery)
    }

    private func ledger(battery: Double? = 10) throws -> EnergyLedger {
        EnergyLedger(try Self.model(battery: battery), at: .zero)
    }

    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    private func millijoules(_ value: Double) -> Int64 { Int64((value * 1e6).rounded()) }

    private func expectExact(_ spent: EnergySpent) {
        let causes = EnergyCause.allCases.reduce(Int64(0)) { $0 + spent.cause($1) }
        let clients = spent.clients.reduce(Int64(0)) { $0 + $1.nanojoules }
        #expect(causes == spent.caused && clients == spent.caused)
        #expect(spent.receiver + spent.sensors + (spent.radio ?? 0) + spent.hostWake + spent.hostIdle == spent.total)
    }

    @Test func `power draws are integrated over time by state, cause and client`() throws {
        var ledger = try ledger()
        ledger.join(7, label: "tracker.service")
        ledger.join(8, label: "logger.service")
        ledger.enter(.acquiring, cause: .accuracyRequest, clients: [7, 8], at: at(10))
        ledger.enter(.tracking, cause: .accuracyRequest, clients: [7], at: at(15))
        ledger.enter(.hardwareSleep, cause: .idleSleep, clients: [], at: at(25))
        ledger.advance(to: at(125))
        let spent = ledger.spent(over: .sinceBoot)
        #expect(spent.receiver(.acquiring) == millijoules(480) && spent.receiver(.tracking) == millijoules(870))
        #expect(spent.receiver(.hardwareSleep) == millijoules(4.5) && spent.receiver(.off) == 0)
        #expect(spent.hostIdle == millijoules(75_000) && spent.sensors == 0 && spent.hostWake == 0)
        #expect(spent.cause(.accuracyRequest) == millijoules(1350) && spent.cause(.idleSleep) == millijoules(4.5))
        #expect(spent.clients.map(\.label) == ["tracker.service", "logger.service", EnergySpent.ownLabel])
        #expect(spent.clients.map(\.nanojoules) == [1110, 240, 4.5].map(millijoules))
        expectExact(spent)
    }

    @Test func `the radio is charged for the time in which its windows are open, to a cause and its clients`() throws {
        let model = try EnergyModel(
            receiver: Self.draw, radio: 75, hostIdle: 600, hostWake: 25, batteryWattHours: nil)
        var ledger = EnergyLedger(model, at: .zero)
        ledger.join(7, label: "tracker")
        ledger.join(8, label: "logger")
        let regions = EnergyLedger.RadioUse(window: 60, interval: 600, cause: .beaconMonitoring, clients: [7])
        ledger.listen(regions, at: at(0))
        ledger.listen(
            EnergyLedger.RadioUse(window: 96, interval: 96, cause: .beaconRanging, clients: [7, 8]), at: at(3600))
        ledger.listen(nil, at: at(3610))
        ledger.advance(to: at(7200))
        let spent = ledger.spent(over: .sinceBoot)
        #expect(spent.scanned == 370_000_000_000)
        #expect(spent.radio == millijoules(75 * 370))
        #expect(spent.cause(.beaconMonitoring) == millijoules(75 * 360))
        #expect(spent.cause(.beaconRanging) == millijoules(75 * 10))
        #expect(spent.clients.map(\.nanojoules) == [75 * 365, 75 * 5].map(millijoules))
        let lastHour = ledger.spent(over: .lastHour)
        #expect(lastHour.scanned < 20_000_000_000, "rows tell when it listened")
        expectExact(spent)
    }

    @Test func `without the radio's draw its seconds are told, and no joules`() throws {
        var ledger = try ledger()
        ledger.listen(
            EnergyLedger.RadioUse(window: 60, interval: 600, cause: .beaconMonitoring, clients: []), at: at(0))
        ledger.advance(to: at(100))
        let spent = ledger.spent(over: .sinceBoot)
        #expect(spent.scanned == 10_000_000_000 && spent.radio == nil && spent.cause(.beaconMonitoring) == 0)
    }

    @Test func `a client sees its own energy, the daemon's, and one sum for all other clients`() throws {
        var ledger = try ledger()
        for (id, label) in [(7, "tracker"), (8, "logger"), (9, "diary")] as [(UInt32, String)] {
            ledger.join(id, label: label)
        }
        ledger.enter(.acquiring, cause: .accuracyRequest, clients: [7, 8, 9], at: at(10))
        ledger.enter(.hardwareSleep, cause: .idleSleep, clients: [], at: at(40))
        ledger.advance(to: at(140))
        let seen = ledger.report.seen(as: "logger").sinceBoot
        #expect(seen.clients.map(\.label) == [EnergySpent.othersLabel, "logger", EnergySpent.ownLabel])
        #expect(seen.clients.map(\.nanojoules) == [1920, 960, 4.5].map(millijoules))
        expectExact(seen)
        let strangers = ledger.report.seen(as: "user 1000").lastHour
        #expect(strangers.clients.map(\.label) == [EnergySpent.othersLabel, EnergySpent.ownLabel])
    }

    @Test func `cyclic tracking without a figure of its own is charged as full tracking`() throws {
        var ledger = try ledger()
        ledger.enter(.cyclic, cause: .accuracyRequest, clients: [], at: .zero)
        ledger.advance(to: at(2))
        #expect(ledger.spent(over: .lastHour).receiver(.cyclic) == millijoules(174))
    }

    @Test func `a sensor is charged while it is on, and switching it on twice charges it once`() throws {
        var ledger = try ledger()
        ledger.sensor(0, isOn: true, at: at(0))
        ledger.sensor(0, isOn: true, at: at(1))
        ledger.sensor(1, isOn: true, at: at(10))
        ledger.sensor(0, isOn: false, at: at(20))
        ledger.sensor(1, isOn: false, at: at(30))
        ledger.advance(to: at(1000))
        let spent = ledger.spent(over: .lastHour)
        #expect(spent.sensors == millijoules(34) && spent.cause(.idleSleep) == millijoules(34))
        expectExact(spent)
    }

    @Test func `a host wake-up is shared by its clients, and unknown clients count under others`() throws {
        var ledger = try ledger()
        ledger.join(1, label: "a")
        ledger.hostWoke(.gpsd, clients: [1, 99, 98], at: at(1))
        ledger.hostWoke(.heartbeat, clients: [], at: at(2))
        let spent = ledger.spent(over: .lastHour)
        #expect(spent.hostWake == millijoules(50) && spent.cause(.gpsd) == millijoules(25))
        #expect(
            Dictionary(uniqueKeysWithValues: spent.clients.map { ($0.label, $0.nanojoules) })
                == ["a": 8_333_334, "others": 16_666_666, "sextantd": 25_000_000])
        expectExact(spent)
    }

    @Test func `what is monitored for a client is charged to its label, also while it is not connected`() throws {
        var ledger = try ledger()
        let number = EnergyLedger.number(ofRegistrations: "root")
        ledger.register(["root", "logger"])
        ledger.register(["root"])
        ledger.enter(.tracking, cause: .regionMonitoring, clients: [number], at: at(0))
        ledger.advance(to: at(10))
        let spent = ledger.spent(over: .sinceBoot)
        #expect(spent.clients.map(\.label) == ["root"], "\(spent.clients)")
        #expect(spent.clients.first?.nanojoules == millijoules(870))
        expectExact(spent)
    }

    @Test func `a client listed twice is charged one share`() throws {
        var ledger = try ledger()
        ledger.join(1, label: "a")
        ledger.join(2, label: "b")
        ledger.enter(.tracking, cause: .accuracyRequest, clients: [1, 1, 2], at: .zero)
        ledger.advance(to: at(2))
        #expect(ledger.spent(over: .lastHour).clients.map(\.nanojoules) == [87, 87].map(millijoules))
    }

    @Test func `an event with a time in the past changes nothing`() throws {
        var ledger = try ledger()
        ledger.advance(to: at(10))
        let before = ledger.spent(over: .sinceBoot)
        ledger.enter(.tracking, cause: .aiding, clients: [], at: at(5))
        ledger.advance(to: at(9))
        #expect(ledger.spent(over: .sinceBoot) == before)
        ledger.advance(to: at(11))
        #expect(ledger.spent(over: .sinceBoot).receiver(.tracking) == millijoules(87))
    }

    @Test func `no window is longer than the ledger's age`() throws {
        var ledger = try ledger()
        ledger.advance(to: at(90))
        for window in EnergyLedger.Window.allCases { #expect(ledger.spent(over: window).hours == 0.025) }
        ledger.advance(to: at(3 * 86_400 + 30))
        #expect(ledger.spent(over: .lastHour).nanoseconds == 3_630_000_000_000)
        #expect(ledger.spent(over: .lastDay).nanoseconds == 86_430_000_000_000)
        #expect(ledger.spent(over: .sinceBoot).nanoseconds == 259_230_000_000_000)
        for window in EnergyLedger.Window.allCases { #expect(ledger.spent(over: window).deviceMilliwatts == 600) }
    }

    @Test func `energy leaves the last hour's sum, then the last day's, and stays in the sum since boot`() throws {
        var ledger = try ledger()
        ledger.enter(.tracking, cause: .singleLocation, clients: [], at: at(0))
        ledger.enter(.off, cause: .idleSleep, clients: [], at: at(10))
        ledger.advance(to: at(3659))
        #expect(ledger.spent(over: .lastHour).receiver == millijoules(870))
        ledger.advance(to: at(3660))
        #expect(ledger.spent(over: .lastHour).receiver == 0 && ledger.spent(over: .lastDay).receiver > 0)
        ledger.advance(to: at(86_400 + 899))
        #expect(ledger.spent(over: .lastDay).receiver == millijoules(870))
        ledger.advance(to: at(86_400 + 900))
        #expect(ledger.spent(over: .lastDay).receiver == 0)
        #expect(ledger.spent(over: .sinceBoot).cause(.singleLocation) == millijoules(870))
    }

    @Test func `a client that left keeps its account for a day and is then counted under others`() throws {
        var ledger = try ledger()
        ledger.join(1, label: "a")
        ledger.enter(.tracking, cause: .gpsd, clients: [1], at: at(0))
        ledger.enter(.off, cause: .idleSleep, clients: [], at: at(1))
        ledger.leave(1)
        ledger.advance(to: at(86_399))
        #expect(ledger.spent(over: .lastDay).clients.first?.label == "a")
        #expect(ledger.spent(over: .lastDay).clients.first?.isPresent == false)
        ledger.advance(to: at(90_000))
        #expect(ledger.spent(over: .lastDay).clients.isEmpty)
        #expect(ledger.spent(over: .sinceBoot).clients.map(\.label) == [EnergySpent.othersLabel])
        expectExact(ledger.spent(over: .sinceBoot))
    }

    @Test func `a client that comes back continues its account`() throws {
        var ledger = try ledger()
        for round in 0..<1000 as Range<UInt32> {
            ledger.join(round, label: "cron")
            ledger.hostWoke(.singleLocation, clients: [round], at: at(Double(round)))
            ledger.leave(round)
        }
        #expect(ledger.spent(over: .sinceBoot).clients.map(\.label) == ["cron"])
        ledger.join(2000, label: "twin")
        ledger.join(2001, label: "twin")
        ledger.hostWoke(.singleLocation, clients: [2000, 2001], at: at(1000))
        #expect(ledger.spent(over: .sinceBoot).clients.map(\.label) == ["cron", "twin", "twin"])
    }

    @Test func `the sixty-fifth client is counted under others`() throws {
        var ledger = try ledger()
        for id in 0..<65 as Range<UInt32> { ledger.join(id, label: "\(id)") }
        ledger.hostWoke(.gpsd, clients: Array(0..<65), at: at(1))
        let spent = ledger.spent(over: .sinceBoot)
        #expect(spent.clients.count == 65 && spent.clients.contains { $0.label == EnergySpent.othersLabel })
        expectExact(spent)
    }

    @Test func `battery life is that of the whole device, and the receiver's share is given with it`() throws {
        var ledger = try ledger()
        ledger.enter(.tracking, cause: .gpsd, clients: [], at: .zero)
        ledger.advance(to: at(59))
        #expect(ledger.spent(over: .lastHour).batteryHours == nil)
        ledger.advance(to: at(3600))
        let spent = ledger.spent(over: .lastHour)
        #expect(spent.deviceMilliwatts == 687)
        #expect(abs(try #require(spent.batteryHours) - 10_000 / 687) < 1e-9)
        #expect(abs(try #require(spent.receiverShare) - 87.0 / 687) < 1e-12)
    }

    @Test func `there is no battery life without a battery, and no mean power before time has passed`() throws {
        var ledger = try ledger(battery: nil)
        #expect(ledger.spent(over: .lastHour).deviceMilliwatts == nil)
        #expect(ledger.spent(over: .lastHour).receiverShare == nil)
        ledger.advance(to: at(3600))
        #expect(ledger.spent(over: .lastHour).batteryHours == nil)
    }
}
