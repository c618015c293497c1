public import Hardware

/// The magnetometer of ST's LSM303DLHC.
///
/// Source: ST DocID018771. It has the registers and the identity of the HMC5883L, but another scale of Z, so the two
/// must be told apart: by the accelerometer in the LSM303DLHC's package, which answers at 0x19, or by the board file.
public struct LSM303DLHCMagnetometer: MagnetometerChip {
    public static let model = MagnetometerModel.lsm303dlhc
    public static let addresses = [I2CAddress(0x1E)]
    private var registers: HMCRegisterFile

    public init(at address: I2CAddress) {
        registers = HMCRegisterFile(chip: Self.name, address: address, configurationA: .hertz220, scales: .lsm303dlhc)
    }

    public var address: I2CAddress { registers.address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try HMCRegisterFile.checkIdentity(of: name, at: address, over: &bus)
    }

    public static func isLikely(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(BusError) -> Bool {
        do {
            _ = try bus.read(from: 0x20, at: I2CAddress(0x19))
            return true
        } catch  where error.kind == .noAcknowledge {
            return false
        } catch  where error.kind == .busy {
            // A kernel driver holds address 0x19, so the chip there is taken to be the LSM303DLHC's accelerometer.
            return true
        }
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try registers.configure(over: &bus)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try registers.start(over: &bus)
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        try registers.read(over: &bus)
    }
}
