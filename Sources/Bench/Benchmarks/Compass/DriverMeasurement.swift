internal import Accelerometers
internal import AllocationCounter
internal import Hardware
internal import Magnetometers

/// The heap allocations of one measurement of each driver in the catalogues, from its start until it is read.
struct DriverMeasurement {
    /// One line for each driver that allocated, that could not measure, or that is missing from the lists below.
    var complaints: [String] = []

    static let measurements = 10_000
    /// The number of measurements before counting begins; buffers still grow during them.
    private static let warmUp = 100

    /// Each magnetometer driver, with a bus whose chip has finished its measurement.
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
        // An error is ignored here, because it occurs again below and is reported there.
        if bus.isBlank { try? driver.configure(over: &bus) }
        count(driver.model.rawValue) {
            _ = try driver.start(over: &bus)
            _ = try driver.read(over: &bus)
        }
    }

    private mutating func count(_ driver: any AccelerometerDriver, _ bus: PatientBus) {
        var (driver, bus) = (driver, bus)
        // An error is ignored here, because it occurs again below and is reported there.
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

/// A bus with one chip that keeps what is written to it and always has a measurement ready.
private struct PatientBus: I2CBus {
    let name = "/dev/i2c-1"
    private var registers: InlineArray<256, UInt8>
    /// The register that always holds one value, and that value.
    private let ready: (register: Int, value: UInt8)?
    /// The mask for a register's number: some drivers set another bit, which asks the chip to count up.
    private let mask: Int

    /// Whether the chip needs its configuration first; it does if its registers hold zero instead of ones.
    var isBlank: Bool { ready != nil }

    /// Makes a chip whose registers hold all ones until they are written.
    init() {
        registers = InlineArray(repeating: 0xFF)
        ready = nil
        mask = 0xFF
        // Data formats that drivers read back: the ADXL345's full resolution, and BMM150 data of a measurement in
        // range.
        registers[0x31] = 0x0B
        registers[0x41] = 0x24
        registers[0x42] = 0xC0
    }

    /// Makes a chip whose registers hold zero until they are written, except one register that always holds `value`.
    init(holding value: UInt8, in register: Int) {
        registers = InlineArray(repeating: 0)
        ready = (register, value)
        mask = 0x7F
        registers[register] = value
        // The status register of the QMC5883L, whose register numbers differ.
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
