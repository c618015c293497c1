public import Hardware

/// AKM's AK8963, by itself or in the package of an MPU-9250 or MPU-9255.
///
/// The chip takes one measurement at a time in 16 bits, and is in power-down between two. In another chip's package,
/// `read` gives the field in the frame of that chip's accelerometer: the package's drawing has the magnetometer's X
/// along the accelerometer's Y, its Y along X, and its Z opposite to Z. Linux's driver inv_mpu_magn transforms it in
/// this way too. Source: AKM, AK8963 data sheet MS1356-E; InvenSense, PS-MPU-9250A-01, orientation of axes.
public struct AK8963: AKMMagnetometer {
    public static let model = MagnetometerModel.ak8963
    public static let addresses = [0x0C, 0x0D, 0x0E, 0x0F].map { I2CAddress($0) }
    /// True, because for a magnetometer in another chip's package that chip's bus switch sometimes must be closed
    /// before the identity can be read.
    public static let writesToIdentify = true
    static let bypass = HostBypass.mpu9250
    static let mode = AKMMode(register: AK8963Control1.register, mask: 0x0F)
    /// The longest time of one measurement by the data sheet, in microseconds.
    private static let conversionTime = 9000

    public let address: I2CAddress
    var host: I2CAddress?
    /// The field that one count of each axis stands for, by the sensitivity adjustment in the chip's fuses.
    ///
    /// Unit: microtesla.
    private var scale = SIMD3<Double>(repeating: 0.15)

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try findBehindHost(at: address, over: &bus)
    }

    static func checkAnswer(at address: I2CAddress, over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try expect(AK8963Register.company, in: AK8963Register.whoAmI, at: address, over: &bus)
        let found = try bus.readRegister(AK8963Register.information, at: address)
        guard found & AK8963Register.deviceMask == AK8963Register.deviceMask else {
            throw .wrongIdentity(
                chip: name, register: AK8963Register.information, expected: AK8963Register.device, found: found,
                at: bus.chip(address))
        }
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try findHost(over: &bus)
        try bus.set(AK8963Control2.reset, at: address)
        bus.wait(microseconds: 1000)
        try bus.set(AK8963Control1(mode: .fuseAccess), at: address)
        let fuses = try bus.readRegisters(3, from: AK8963Register.adjustment, at: address)
        try bus.set(AK8963Control1(mode: .powerDown), at: address)
        // The data sheet demands this pause before the chip goes from power-down into another mode.
        bus.wait(microseconds: 100)
        for axis in 0..<3 {
            guard 0x01...0xFE ~= fuses[axis] else { throw .badTrim(chip: name, at: bus.chip(address)) }
            scale[axis] = 0.15 * ((Double(fuses[axis]) - 128) / 256 + 1)
        }
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        do {
            try bus.set(AK8963Control1(mode: .single), at: address)
        } catch {
            throw explain(error, over: &bus)
        }
        return AK8963.conversionTime
    }

    /// Reads the data together with status register 2, because the chip updates the data registers again only after
    /// that register was read.
    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row: RegisterBytes
        do {
            row = try bus.readRow(
                8, from: AK8963Register.status1, at: address, until: AK8963Register.dataAreReady, in: 0,
                every: AK8963.conversionTime)
        } catch {
            throw explain(error, over: &bus)
        }
        guard row[0] & AK8963Register.dataAreReady != 0 else { throw try whyNotReady(over: &bus) }
        guard row[7] & AK8963Register.is16Bit != 0 else { throw .wasReset(chip: name, at: bus.chip(address)) }
        let own = row.vector(at: 1) * scale
        let field = host == nil ? own : SIMD3(own.y, own.x, -own.z)
        return MagnetometerReading(field: field, isSaturated: row[7] & AK8963Register.isBeyondRange != 0)
    }
}
