package import Hardware

/// A chip with the LIS3DH's registers; its property `registers` does all the work of the driver.
package protocol LIS3DHFamily: AccelerometerChip {
    var registers: LIS3DHRegisterFile { get set }
}

extension LIS3DHFamily {
    package var address: I2CAddress { registers.address }

    package static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(LIS3DHRegister.identity, in: LIS3DHRegister.whoAmI, at: address, over: &bus)
    }

    package mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try registers.configure(over: &bus)
    }

    package mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try registers.start(over: &bus)
    }

    package mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        try registers.read(over: &bus)
    }

    package mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try registers.watchMotion(threshold, over: &bus)
    }

    package func latchMotion(
        _ isLatched: Bool, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> Bool {
        try registers.latchMotion(isLatched, over: &bus)
        return true
    }

    package func latchedMotion(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool? {
        try registers.latchedMotion(over: &bus)
    }
}
