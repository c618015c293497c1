public import Hardware

/// AKM's AK09916, by itself or in the package of an ICM-20948.
///
/// One measurement at a time; between two the chip is in power-down. Behind a host chip `read` gives the field in the
/// frame of the host's accelerometer: the package's drawing has the magnetometer's Y and Z opposed to those of the
/// accelerometer, which users and makers of boards confirm (SparkFun ICM-20948 library, issue 59). A second AK09916 on
/// the bus has the same address: only one of them can be read.
/// Source: AKM, AK09916 data sheet 016014242-E; InvenSense, DS-000189, orientation of axes.
public struct AK09916: AKMMagnetometer {
    public static let model = MagnetometerModel.ak09916
    public static let addresses = [I2CAddress(0x0C)]
    /// The switch of a host chip may have to be closed.
    public static let writesToIdentify = true
    static let bypass = HostBypass.icm20948
    static let mode = AKMMode(register: AK09916Control2.register, mask: 0x1F)
    /// The data sheet's longest time of one measurement, 8.2 ms.
    private static let conversionTime = 9000

    public let address: I2CAddress
    var host: I2CAddress?

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try findBehindHost(at: address, over: &bus)
    }

    static func checkAnswer(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try expect(AK09916Register.company, in: AK09916Register.whoAmI, at: address, over: &bus)
        try expect(AK09916Register.device, in: AK09916Register.whatAmI, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try findHost(over: &bus)
        try bus.set(AK09916Control3.reset, at: address)
        bus.wait(microseconds: 1000)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        do {
            try bus.set(AK09916Control2.single, at: address)
        } catch {
            throw explain(error, over: &bus)
        }
        return AK09916.conversionTime
    }

    /// The row ends with status register 2: without it the chip puts nothing new into the data registers.
    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row: RegisterBytes
        do {
            row = try bus.readRow(
                9, from: AK09916Register.status1, at: address, until: AK09916Register.dataAreReady, in: 0,
                every: AK09916.conversionTime)
        } catch {
            throw explain(error, over: &bus)
        }
        guard row[0] & AK09916Register.dataAreReady != 0 else { throw try whyNotReady(over: &bus) }
        let own = row.vector(at: 1) * 0.15
        let field = host == nil ? own : SIMD3(own.x, -own.y, -own.z)
        return MagnetometerReading(field: field, isSaturated: row[8] & AK09916Register.isBeyondRange != 0)
    }
}
