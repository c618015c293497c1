public import Hardware

/// The accelerometer of ST's LSM303DLHC.
///
/// Source: ST DocID018771, which names no identity register. Linux's driver expects the LIS3DH's identity, 0x33 at
/// 0x0F, of this chip as well; the two are told apart by the LSM303DLHC's magnetometer, which answers at 0x1E.
public struct LSM303DLHCAccelerometer: AccelerometerChip {
    public static let model = AccelerometerModel.lsm303dlhc
    public static let addresses = [I2CAddress(0x19)]
    private var registers: LIS3DHRegisterFile

    public init(at address: I2CAddress) { registers = LIS3DHRegisterFile(chip: Self.name, address: address) }

    public var address: I2CAddress { registers.address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(LIS3DHRegister.identity, in: LIS3DHRegister.whoAmI, at: address, over: &bus)
    }

    public static func isLikely(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(BusError) -> Bool {
        do {
            let found = try bus.read(3, from: 0x0A, at: I2CAddress(0x1E))
            return (found[0], found[1], found[2]) == (0x48, 0x34, 0x33)
        } catch  where error.kind == .noAcknowledge {
            return false
        } catch  where error.kind == .busy {
            // A kernel driver holds the chip at 0x1E. If that is an LIS2MDL instead, this driver works all the same.
            return true
        }
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try registers.configure(over: &bus)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try registers.start(over: &bus)
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        try registers.read(over: &bus)
    }

    public mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try registers.watchMotion(threshold, over: &bus)
    }

    public func latchMotion(
        _ isLatched: Bool, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> Bool {
        try registers.latchMotion(isLatched, over: &bus)
        return true
    }

    public func latchedMotion(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool? {
        try registers.latchedMotion(over: &bus)
    }
}
