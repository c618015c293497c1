import AllocationCounter
import Hardware
import Magnetometers
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

@Suite("What a single measurement costs", .serialized) struct SingleShotAllocationTests {
    /// Unoptimised code allocates for itself.
    private static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    private static let drivers: [any MagnetometerDriver] = [
        MMC5603(at: I2CAddress(0x30)), MMC5983MA(at: I2CAddress(0x30)), IST8310(at: I2CAddress(0x0E)),
        AK8963(at: I2CAddress(0x0C)), AK09916(at: I2CAddress(0x0C)), BMM150(at: I2CAddress(0x10)),
        RM3100(at: I2CAddress(0x20)),
    ]

    @Test(.enabled(if: isOptimised), arguments: 0..<7) func `a sample allocates nothing`(index: Int) throws {
        var driver = Self.drivers[index]
        var bus = PatientBus()
        try bus.write(0x24, to: 0x41, at: driver.address)
        try bus.write(0xC0, to: 0x42, at: driver.address)
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
