public import Hardware

/// ST's LIS3DH, which is also the accelerometer of the LSM303AGR.
///
/// Source: ST DocID17530, DocID027765.
public struct LIS3DH: AccelerometerChip {
    public static let model = AccelerometerModel.lis3dh
    public static let addresses = [I2CAddress(0x18), I2CAddress(0x19)]
    private var registers: LIS3DHRegisterFile

    public init(at address: I2CAddress) { registers = LIS3DHRegisterFile(chip: Self.name, address: address) }

    public var address: I2CAddress { registers.address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(LIS3DHRegister.identity, in: LIS3DHRegister.whoAmI, at: address, over: &bus)
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
