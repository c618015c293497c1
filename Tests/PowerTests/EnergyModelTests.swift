import Power
import Receivers
import Testing

@Suite("Energy model")
struct EnergyModelTests {
    static var receiverItems: [(WritableKeyPath<PowerDraw, Double>, EnergyModelError.Item)] {
        [
            (\.acquiring, .acquiring), (\.tracking, .tracking), (\.softwareSleep, .softwareSleep),
            (\.hardwareSleep, .hardwareSleep),
        ]
    }

    @Test(arguments: [-1, -.infinity, .infinity, 100_001] as [Double])
    func `a power draw out of range is refused, and the error names the figure`(value: Double) {
        for (path, item) in Self.receiverItems {
            var draw = EnergyLedgerTests.draw
            draw[keyPath: path] = value
            #expect(throws: EnergyModelError.outOfRange(item, value)) { try EnergyLedgerTests.model(draw) }
        }
        #expect(throws: EnergyModelError.outOfRange(.sensor(1), value)) {
            try EnergyLedgerTests.model(sensors: [0, value])
        }
    }

    @Test func `a figure that is not a number is refused`() {
        for (path, _) in Self.receiverItems {
            var draw = EnergyLedgerTests.draw
            draw[keyPath: path] = .nan
            #expect(throws: EnergyModelError.self) { try EnergyLedgerTests.model(draw) }
        }
        #expect(throws: EnergyModelError.self) { try EnergyLedgerTests.model(battery: .nan) }
        #expect(throws: EnergyModelError.self) { try EnergyLedgerTests.model(sensors: [.nan]) }
    }

    private func model(idle: Double?, wake: Double?) throws(EnergyModelError) -> EnergyModel {
        try EnergyModel(receiver: EnergyLedgerTests.draw, hostIdle: idle, hostWake: wake, batteryWattHours: nil)
    }

    @Test func `a model is refused without the host's figures, with a draw of 0 or with too many sensors`() {
        #expect(throws: EnergyModelError.missing(.hostIdle)) { try model(idle: nil, wake: 1) }
        #expect(throws: EnergyModelError.missing(.hostWake)) { try model(idle: 1, wake: nil) }
        #expect(throws: EnergyModelError.outOfRange(.hostIdle, 0)) { try model(idle: 0, wake: 1) }
        #expect(throws: EnergyModelError.outOfRange(.hostWake, -1)) { try model(idle: 1, wake: -1) }
        #expect(throws: EnergyModelError.outOfRange(.battery, 0)) { try EnergyLedgerTests.model(battery: 0) }
        #expect(throws: EnergyModelError.tooManySensors(33)) {
            try EnergyLedgerTests.model(sensors: Array(repeating: 1, count: 33))
        }
    }

    @Test func `an error names the figure and what it must be`() {
        #expect(
            "\(EnergyModelError.outOfRange(.hostWake, -1))"
                == "the cost of a host wake-up is -1.0; it must be 0 to 100000 mJ")
        #expect("\(EnergyModelError.missing(.hostIdle))".hasPrefix("the idle host's draw is missing; give it in"))
    }

    @Test(arguments: ReceiverModel.allCases)
    func `every receiver of the catalogue has valid power draws`(receiver: ReceiverModel) throws {
        _ = try EnergyLedgerTests.model(receiver.powerDraw)
    }
}
