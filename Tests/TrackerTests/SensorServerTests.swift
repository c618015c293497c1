import Accelerometers
import AllocationCounter
import Boards
import Hardware
import Magnetism
import Magnetometers
import SextantUnits
import Testing
import Tracker

@Suite("Allocations of the sensor bus's server")
struct SensorServerTests {
    /// A LIS3MDL and a LIS3DH that have always measured: registers that hold what is written, without an allocation.
    private struct StillBus: I2CBus, ~Copyable {
        let name = "/dev/i2c-1"
        private var magnetometer = InlineArray<256, UInt8>(repeating: 0)
        private var accelerometer = InlineArray<256, UInt8>(repeating: 0)

        init() {
            magnetometer[0x0F] = 0x3D
            magnetometer[0x27] = 0x08
            accelerometer[0x0F] = 0x33
            accelerometer[0x27] = 0x08
        }

        mutating func read(
            _ count: Int, from register: UInt8, at address: I2CAddress
        ) throws(BusError) -> RegisterBytes {
            var row = RegisterBytes()
            let first = Int(register & 0x7F)
            for index in first..<first + count {
                row.append(address.rawValue == 0x18 ? accelerometer[index] : magnetometer[index])
            }
            return row
        }

        mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
            if address.rawValue == 0x18 {
                accelerometer[Int(register)] = value
            } else {
                magnetometer[Int(register)] = value
            }
        }

        mutating func wait(microseconds: Int) {}
    }

    @Test(arguments: [nil, MotionThreshold(acceleration: 1, duration: 0)])
    func `an order for a sample allocates nothing`(motion: MotionThreshold?) throws {
        let mounting = try Mounting(x: .right, y: .forward)
        let sensors = BoardSensors(
            bus: "/dev/i2c-1",
            magnetometer: BoardChip(model: .lis3mdl, address: I2CAddress(0x1C), mounting: mounting),
            accelerometer: BoardChip(model: .lis3dh, address: I2CAddress(0x18), mounting: mounting), motion: motion)
        let server = SensorServer<StillBus>(sensors, now: { .zero }) { () throws(BusError) in StillBus() }
        guard case .found = server.serve(.find) else {
            Issue.record("\(server.serve(.find))")
            return
        }
        var count = 0
        var fewest = UInt.max
        // Buffers may grow in the first rounds.
        for _ in 0..<1000 {
            let before = allocation_count()
            for _ in 0..<5 {
                if case .sampled(let sample) = server.serve(.sample), sample.acceleration == .zero { count += 1 }
            }
            fewest = min(fewest, allocation_count() - before)
        }
        #expect(fewest == 0)
        #expect(count == 5000)
    }
}
