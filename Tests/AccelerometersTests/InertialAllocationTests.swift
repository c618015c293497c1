import Accelerometers
import AllocationCounter
import Hardware
import Testing

/// A bus whose every chip holds what it is written, and has always measured.
private struct PatientBus: I2CBus {
    let name = "/dev/i2c-1"
    private var registers = InlineArray<256, UInt8>(repeating: 0xFF)

    mutating func read(_ count: Int, from register: UInt8, at address: I2CAddress) throws(BusError) -> RegisterBytes {
        var row = RegisterBytes()
        for index in Int(register)..<Int(register) + count { row.append(registers[index]) }
        return row
    }

    mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
        registers[Int(register)] = value
    }

    mutating func wait(microseconds: Int) {}
}

@Suite("What a sample of an inertial chip costs", .serialized) struct InertialAllocationTests {
    /// Unoptimised code allocates for itself.
    private static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    private static let drivers: [any AccelerometerDriver] = [
        MPU6050(at: I2CAddress(0x68)), MPU6500(at: I2CAddress(0x68)), MPU9250(at: I2CAddress(0x68)),
        ICM20948(at: I2CAddress(0x68)), ADXL345(at: I2CAddress(0x53)),
    ]

    @Test(.enabled(if: isOptimised), arguments: 0..<5) func `a sample allocates nothing`(index: Int) throws {
        var driver = Self.drivers[index]
        var bus = PatientBus()
        try bus.write(0x0B, to: 0x31, at: driver.address)
        var fewest = UInt.max
        // Buffers may grow in the first rounds.
        for _ in 0..<1000 {
            let before = allocation_count()
            for _ in 0..<10 {
                _ = try driver.start(over: &bus)
                _ = try driver.read(over: &bus)
            }
            fewest = min(fewest, allocation_count() - before)
        }
        #expect(fewest == 0)
    }
}
