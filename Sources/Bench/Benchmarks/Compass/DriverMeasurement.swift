internal import Accelerometers
internal import AllocationCounter
internal import Hardware
internal import Magnetometers

/// Counts the heap allocations of one measurement, from its start to the reading, for each magnetometer and
/// accelerometer driver.
struct DriverMeasurement {
    /// One line of text for each driver that allocated, that could not measure, or that this benchmark does not cover.
    var complaints: [String] = []

    static let measurements = 10_000
    /// The number of measurements before allocations are counted; buffers still grow during these measurements.
    private static let warmUp = 100

    /// Each magnetometer driver, with an I2C bus whose chip always has a finished measurement.
    private static let magnetometers: [(driver: any MagnetometerDriver, bus: PatientBus)] = [
        (HMC5883L(at: I2CAddress(0x1E)), PatientBus(holding: 0x02, in: 0x02)),
        (LSM303DLHCMagnetometer(at: I2CAddress(0x1E)), PatientBus(holding: 0x02, in: 0x02)),
        (QMC5883L(at: I2CAddress(0x0D)), PatientBus(holding: 0x01, in: 0x06)),
        (QMC5883P(at: I2CAddress(0x2C)), PatientBus(holding: 0x01, in: 0x09)),
        (LIS3MDL(at: I2CAddress(0x1C)), PatientBus(holding: 0x08, in: 0x27)),
        (LIS2MDL(at: I2CAddress(0x1E)), PatientBus(holding: 0x88, in: 0x67)),
        (MMC5603(at: I2CAddress(0x30)), PatientBus()), (MMC5983MA(at: I2CAddress(0x30)), PatientBus()),
        (IST8310(at: I2CAddress(0x0E)), PatientBus()), (AK8963(at: I2CAddress(0x0C)), PatientBus()),
        (AK09916(at: I2CAddress(0x0C)), PatientBus()), (BMM150(at: I2CAddress(0x10)), PatientBus()),
        (RM3100(at: I2CAddress(0x20)), PatientBus()),
    ]

    private static let accelerometers: [(driver: any AccelerometerDriver, bus: PatientBus)] = [
        (LSM303DLHCAccelerometer(at: I2CAddress(0x19)), PatientBus(holding: 0x08, in: 0x27)),
        (LIS3DH(at: I2CAddress(0x18)), PatientBus(holding: 0x08, in: 0x27)),
        (ADXL345(at: I2CAddress(0x53)), PatientBus()), (MPU6050(at: I2CAddress(0x68)), PatientBus()),
        (MPU6500(at: I2CAddress(0x68)), PatientBus()), (MPU9250(at: I2CAddress(0x68)), PatientBus()),
        (ICM20948(at: I2CAddress(0x68)), PatientBus()),
    ]

    init() {
        for (driver, bus) in DriverMeasurement.magnetometers { count(driver, bus) }
        for (driver, bus) in DriverMeasurement.accelerometers { count(driver, bus) }
        let counted = DriverMeasurement.magnetometers.map(\.driver.model.rawValue)
        for chip in MagnetometerCatalogue.chips where !counted.contains(chip.name) {
            complaints.append("\(chip.name): not counted")
        }
        let felt = DriverMeasurement.accelerometers.map(\.driver.model.rawValue)
        for chip in AccelerometerCatalogue.chips where !felt.contains(chip.name) {
            complaints.append("\(chip.name): not counted")
        }
    }

    private mutating func count(_ driver: any MagnetometerDriver, _ bus: PatientBus) {
        var (driver, bus) = (driver, bus)
        // An error is ignored here, because it occurs again during the measurements and is reported then.
        if bus.isBlank { try? driver.configure(over: &bus) }
        count(driver.model.rawValue) {
            _ = try driver.start(over: &bus)
            _ = try driver.read(over: &bus)
        }
    }

    private mutating func count(_ driver: any AccelerometerDriver, _ bus: PatientBus) {
        var (driver, bus) = (driver, bus)
        // An error is ignored here, because it occurs again during the measurements and is reported then.
        if bus.isBlank { try? driver.configure(over: &bus) }
        count(driver.model.rawValue) {
            _ = try driver.start(over: &bus)
            _ = try driver.read(over: &bus)
        }
    }

    private mutating func count(_ name: String, _ measure: () throws -> Void) {
        do {
            for _ in 0..<DriverMeasurement.warmUp { try measure() }
            let before = allocation_count()
            for _ in 0..<DriverMeasurement.measurements { try measure() }
            let allocations = allocation_count() - before
            if allocations != 0 { complaints.append("\(name): \(allocations) allocations") }
        } catch {
            complaints.append("\(name): \(error)")
        }
    }
}

/// An I2C bus with one chip that keeps what is written to it and always has a finished measurement.
private struct PatientBus: I2CBus {
    let name = "/dev/i2c-1"
    private var registers: InlineArray<256, UInt8>
    /// The status register that holds a constant value in spite of writes, and that value; nil if there is no such
    /// register.
    private let ready: (register: Int, value: UInt8)?
    /// The bits of a register's address that count: with some chips drivers also set bit 7, which asks the chip to
    /// advance the register pointer.
    private let mask: Int

    /// Whether the driver must configure the chip before it measures, because the chip's registers hold zeros at first.
    var isBlank: Bool { ready != nil }

    /// Makes a chip in whose registers all bits are one until they are written.
    init() {
        registers = InlineArray(repeating: 0xFF)
        ready = nil
        mask = 0xFF
        // Values that drivers check: the ADXL345's full-resolution format, and BMM150 data within the measuring range.
        registers[0x31] = 0x0B
        registers[0x41] = 0x24
        registers[0x42] = 0xC0
    }

    /// Makes a chip whose registers hold zero until they are written, except one status register that always holds
    /// `value`.
    init(holding value: UInt8, in register: Int) {
        registers = InlineArray(repeating: 0)
        ready = (register, value)
        mask = 0x7F
        registers[register] = value
        // Register 0x09 is the status register of the QMC5883P.
        registers[0x09] = 0x01
    }

    mutating func read(_ count: Int, from register: UInt8, at address: I2CAddress) throws(BusError) -> RegisterBytes {
        var row = RegisterBytes()
        for index in 0..<count { row.append(registers[(Int(register) & mask) + index & 0xFF]) }
        return row
    }

    mutating func write(_ value: UInt8, to register: UInt8, at address: I2CAddress) throws(BusError) {
        registers[Int(register)] = value
        if let ready { registers[ready.register] = ready.value }
    }

    mutating func wait(microseconds: Int) {}
}
