public import Hardware

/// A chip on an emulated I2C bus; its answers on the bus are those that its data sheet describes.
///
/// A class, because the bus, a test, and another chip in the same package can share the chip.
public protocol EmulatedChip: AnyObject {
    /// The addresses at which the chip answers now; empty if it has no supply or another chip in its package
    /// disconnects it from the bus.
    var addresses: Set<I2CAddress> { get }
    /// Takes a write of a register's address and of values for this register and the following ones; false if the chip
    /// does not acknowledge the write.
    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool
    /// Answers a read that begins at the register that the chip's register pointer selects; nil if the chip does not
    /// acknowledge the read.
    func read(_ count: Int, at address: I2CAddress) -> [UInt8]?
    /// Lets time pass for the chip, in microseconds; a conversion can end meanwhile.
    func pass(microseconds: Int)
    /// Switches the chip's supply off and on; afterwards its registers have their power-up values.
    func powerCycle()
}

/// The magnetic field and the acceleration at the emulated sensors of one board; each chip reads them when its
/// conversion ends.
///
/// A class, because all chips of a board share one scene.
public final class SensorScene {
    /// The flux density at a chip, in the chip's own frame, with soft and hard iron and noise.
    ///
    /// Unit: microtesla.
    public var field: () -> SIMD3<Double>
    /// The specific force at a chip, in the chip's own frame.
    ///
    /// Unit: m/s².
    public var acceleration: () -> SIMD3<Double>

    public init(
        field: @escaping () -> SIMD3<Double> = { SIMD3(0, 20, -44) },
        acceleration: @escaping () -> SIMD3<Double> = { SIMD3(0, 0, 9.80665) }
    ) {
        self.field = field
        self.acceleration = acceleration
    }
}
