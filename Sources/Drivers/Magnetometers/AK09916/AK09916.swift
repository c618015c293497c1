public import Hardware

/// AKM's AK09916, by itself or in the package of an ICM-20948.
///
/// The chip takes one measurement at a time, and is in power-down between two. In another chip's package, `read` gives
/// the field in the frame of that chip's accelerometer: the package's drawing has the magnetometer's Y and Z opposite
/// to the accelerometer's, which users and board makers confirm (SparkFun ICM-20948 library, issue 59). All AK09916
/// chips have one address, so only one of them on a bus can be read. Source: AKM, AK09916 data sheet 016014242-E;
/// InvenSense, DS-000189, orientation of axes.
public struct AK09916: AKMMagnetometer {
    public static let model = MagnetometerModel.ak09916
    public static let addresses = [I2CAddress(0x0C)]
    /// True, because for a magnetometer in another chip's package that chip's bus switch sometimes must be closed
    /// before the identity can be read.
    public static let writesToIdentify = true
    static let bypass = HostBypass.icm20948
    static let mode = AKMMode(register: AK09916Control2.register, mask: 0x1F)
    /// The time of one measurement in microseconds: 8.2 ms, the longest by the data sheet, and a margin.
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

    /// Reads the data together with status register 2, because the chip updates the data registers again only after
    /// that register was read.
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
