internal import Accelerometers
internal import AllocationCounter
internal import Hardware
internal import Magnetometers

/// What a measurement costs each driver of the catalogues: heap allocations from its start until it is read.
struct DriverMeasurement {
    /// Those that allocated, and those that could not measure, each in one line.
    var complaints: [String] = []

    static let measurements = 10_000
    /// Buffers that grow.
    private static let warmUp = 100

    init() {
        for chip in MagnetometerCatalogue.chips { count(chip.name, chip.init(at: chip.addresses[0])) }
        for chip in AccelerometerCatalogue.chips { count(chip.name, chip.init(at: chip.addresses[0])) }
    }

    private mutating func count(_ name: String, _ driver: any MagnetometerDriver) {
        var driver = driver
        count(name) { bus in
            _ = try driver.start(over: &bus)
            _ = try driver.read(over: &bus)
        }
    }

    private mutating func count(_ name: String, _ driver: any AccelerometerDriver) {
        var driver = driver
        count(name) { bus in
            _ = try driver.start(over: &bus)
            _ = try driver.read(over: &bus)
        }
    }

    private mutating func count(_ name: String, _ measure: (inout PatientBus) throws -> Void) {
        var bus = PatientBus()
        do {
            for _ in 0..<DriverMeasurement.warmUp { try measure(&bus) }
            let before = allocation_count()
            for _ in 0..<DriverMeasurement.measurements { try measure(&bus) }
            let allocations = allocation_count() - before
            if allocations != 0 { complaints.append("\(name): \(allocations) allocations") }
        } catch {
            complaints.append("\(name): \(error)")
        }
    }
}

/// A bus whose every chip holds what it is written, and has always measured.
private struct PatientBus: I2CBus {
    let name = "/dev/i2c-1"
    private var registers = InlineArray<256, UInt8>(repeating: 0xFF)

    init() {
        // Data formats that are read back: the BMM150's data of a measurement in range, the ADXL345's full resolution.
        registers[0x31] = 0x0B
        registers[0x41] = 0x24
        registers[0x42] = 0xC0
    }

    mutating func read(_ count: Int, from register: UInt8, at address: I2CAddress) throws(BusError) -> RegisterBytes {
        var row = RegisterBytes()
        for index in 0..<count { row.append(registers[(Int(register) + index) & 0xFF]) }
        return row
    }

    mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
        registers[Int(register)] = value
    }

    mutating func wait(microseconds: Int) {}
}
