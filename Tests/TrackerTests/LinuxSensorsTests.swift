import Boards
import Hardware
import Magnetism
import SextantReactor
import SextantUnits
import TestSupport
import Testing
import Tracker

/// The kernel's bus, on a machine that has none at this path.
@Suite("The sensors' bus")
struct LinuxSensorsTests {
    private let reactor: Reactor

    init() throws { reactor = try Reactor() }

    private func hardware(_ sensors: BoardSensors?) -> LinuxTrackerHardware {
        LinuxTrackerHardware(device: "/dev/null", sensors: sensors, reactor: reactor)
    }

    @Test func `a missing bus fails each order with the mend, and does not block`() throws {
        let mounting = try Mounting(x: .right, y: .forward)
        let sensors = BoardSensors(
            bus: "/dev/i2c-99", magnetometer: BoardChip(model: nil, address: nil, mounting: mounting),
            accelerometer: nil)
        var events: [SensorEvent] = []
        let sensorPort = try hardware(sensors).openSensors { [reactor] in
            events.append($0)
            if events.count == 2 { reactor.stop() }
        }
        for order in [.find, .sample] as [SensorOrder] {
            let isTaken = sensorPort.order(order)
            #expect(isTaken)
        }
        try reactor.run(until: "two answers")
        #expect(events.count == 2)
        for event in events {
            guard case .failed(let text) = event else {
                Issue.record("\(event)")
                continue
            }
            #expect(text.hasPrefix("/dev/i2c-99: no such I2C adapter; "))
        }
        sensorPort.close()
    }

    @Test func `on a board without sensors the compass cannot be opened`() {
        let failure = HardwareFailure("the compass: the board's file names no sensor", isMissing: true)
        #expect(throws: failure) { _ = try hardware(nil).openSensors { _ in } }
    }
}
