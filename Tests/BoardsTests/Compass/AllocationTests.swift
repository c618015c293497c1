import Accelerometers
import AllocationCounter
import Boards
import Hardware
import Magnetism
import Magnetometers
import SextantUnits
import Testing

@Suite("What a sample costs") struct AllocationTests {
    /// A bus whose chips have always measured: registers that hold what is written, without an allocation.
    struct StillBus: I2CBus, ~Copyable {
        let name = "/dev/i2c-1"
        private var magnetometer = InlineArray<256, UInt8>(repeating: 0)
        private var accelerometer = InlineArray<256, UInt8>(repeating: 0)

        private let ready: (register: Int, value: UInt8)

        init(ready: (register: Int, value: UInt8)) {
            self.ready = ready
            magnetometer[0x09] = 0x01
            accelerometer[0x27] = 0x08
        }

        mutating func read(_ count: Int, from register: UInt8, at address: I2CAddress) throws(BusError) -> RegisterBytes
        {
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
                magnetometer[ready.register] = ready.value
            }
        }

        mutating func wait(microseconds: Int) {}
    }

    /// Each driver, with the register that says that a measurement is there, and what it then holds.
    static let drivers: [(any MagnetometerDriver, Int, UInt8)] = [
        (HMC5883L(at: I2CAddress(0x1E)), 0x02, 0x02),
        (LSM303DLHCMagnetometer(at: I2CAddress(0x1E)), 0x02, 0x02),
        (QMC5883L(at: I2CAddress(0x0D)), 0x06, 0x01),
        (QMC5883P(at: I2CAddress(0x2C)), 0x09, 0x01),
        (LIS3MDL(at: I2CAddress(0x1C)), 0x27, 0x08),
        (LIS2MDL(at: I2CAddress(0x1E)), 0x67, 0x88),
    ]

    @Test(arguments: 0..<6) func `taking a sample allocates no heap memory`(index: Int) throws {
        let (driver, register, value) = Self.drivers[index]
        var bus = StillBus(ready: (register, value))
        var unit = CompassUnit(magnetometer: driver, accelerometer: LIS3DH(at: I2CAddress(0x18)))
        var sum = 0.0
        var fewest = UInt.max
        // Buffers may grow in the first rounds.
        for _ in 0..<1000 {
            let before = allocation_count()
            for _ in 0..<10 { sum += try unit.sample(over: &bus) { .zero }?.acceleration?.z ?? 1 }
            fewest = min(fewest, allocation_count() - before)
        }
        #expect(fewest == 0)
        #expect(sum == 0)
    }
}
