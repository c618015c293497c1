import BenchControl
import Boards
import Emulation
import Hardware
import Magnetism
import SextantReactor
import SextantUnits
import Testing

@testable import Tracker

/// A board's QMC5883L and LIS3DH on the bench's bus, and what the daemon's sensor port says of them.
final class SensorBench {
    static let instant = MonotonicInstant(nanoseconds: 77)
    /// The two as they are found.
    static let magnetometer = FoundChip(model: "qmc5883l", address: I2CAddress(0x0D))
    static let accelerometer = FoundChip(model: "lis3dh", address: I2CAddress(0x18))

    let bus = EmulatedBus()
    let magnetometer: EmulatedQMC5883L
    let accelerometer: EmulatedLIS3DH
    private(set) var told: [SensorEvent] = []
    var transfers: [BenchTransfer] = []

    init() {
        let scene = SensorScene(field: { SIMD3(10, 20, -40) }, acceleration: { SIMD3(0, 0, 9.80665) })
        magnetometer = EmulatedQMC5883L(scene: scene)
        accelerometer = EmulatedLIS3DH(scene: scene)
        bus.chips = [magnetometer, accelerometer]
    }

    func sensors(magnetometer: Bool = true, accelerometer: Bool = true) throws -> BoardSensors {
        let mounting = try Mounting(x: .right, y: .forward)
        return BoardSensors(
            bus: "/dev/i2c-1",
            magnetometer: magnetometer ? BoardChip(model: nil, address: nil, mounting: mounting) : nil,
            accelerometer: accelerometer ? BoardChip(model: nil, address: nil, mounting: mounting) : nil)
    }

    func hardware(_ sensors: BoardSensors?) throws -> BenchHardware {
        let clock = DrivenClock(now: Self.instant, utc: UTCInstant(nanoseconds: 0), isSynchronized: false)
        return BenchHardware(
            device: "/dev/virtual", sensors: sensors, reactor: try Reactor(time: .driven(clock)), tell: { _ in },
            ask: { [unowned self] transfer in
                transfers.append(transfer)
                return bus.carryOut(transfer.transfer)
            })
    }

    /// The hardware and the port to its sensors, whose answers are kept.
    func sensorPort(_ sensors: BoardSensors) throws -> (hardware: BenchHardware, port: any SensorPort) {
        let hardware = try hardware(sensors)
        return (hardware, try hardware.openSensors { [unowned self] in told.append($0) })
    }

    /// Sensors that are given orders, each carried out before the next one is left.
    func server(_ sensors: BoardSensors) throws -> (SensorOrder) -> Void {
        let (hardware, port) = try sensorPort(sensors)
        return { order in
            let isTaken = port.order(order)
            #expect(isTaken)
            while hardware.serveCompass() {}
        }
    }

    /// What comes of orders, each carried out before the next one is left.
    func events(of orders: [SensorOrder], _ sensors: BoardSensors) throws -> [SensorEvent] {
        let serve = try server(sensors)
        for order in orders { serve(order) }
        return told
    }

    /// The words of each answer's kind.
    var kinds: [String] {
        told.map { event in
            switch event {
            case .found: "found"
            case .sampled: "sampled"
            case .failed(let text): text.contains("the bus hangs") ? "hangs" : "failed"
            case .absent: "absent"
            case .watching: "watching"
            case .notWatching: "not watching"
            }
        }
    }
}
