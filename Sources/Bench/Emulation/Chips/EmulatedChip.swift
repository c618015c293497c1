public import Hardware

/// A chip on an emulated I2C bus; it behaves on the wires as its data sheet says.
///
/// A class, because the bus, a test, and a host chip that connects it to the bus share the same chip.
public protocol EmulatedChip: AnyObject {
    /// The addresses at which the chip answers now; empty without a supply or while its host chip disconnects it from
    /// the bus.
    var addresses: Set<I2CAddress> { get }
    /// Takes a write: a register's address, then values for this register and the following ones; false if it is not
    /// acknowledged.
    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool
    /// Answers a read that begins at the chip's register pointer; nil if it is not acknowledged.
    func read(_ count: Int, at address: I2CAddress) -> [UInt8]?
    /// Lets time pass, in microseconds; conversions can end during it.
    func pass(microseconds: Int)
    /// Switches the chip's supply off and on, so that its registers have their power-up values.
    func powerCycle()
}

/// The magnetic field and acceleration at one board's emulated sensors; each chip reads them in its own frame when it
/// converts.
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
