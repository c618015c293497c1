public import Hardware

/// A chip on an emulated I2C bus, as it behaves on the wires, written from its data sheet.
///
/// A class, because a bus, a test and a host chip that lets the bus through to it hold the same chip.
public protocol EmulatedChip: AnyObject {
    /// The addresses at which the chip answers now; none while it has no supply or its host chip keeps it from the bus.
    var addresses: Set<I2CAddress> { get }
    /// Takes a write: a register's address, then values for it and the registers after it; false where not
    /// acknowledged.
    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool
    /// Answers a read, beginning at the chip's register pointer; nil where not acknowledged.
    func read(_ count: Int, at address: I2CAddress) -> [UInt8]?
    /// Lets time pass, in microseconds, in which conversions end.
    func pass(microseconds: Int)
    /// Switches the chip's supply off and on, so that its registers have their values of power-up.
    func powerCycle()
}

/// The surroundings of one board's emulated sensors: each chip reads them in its own frame when it converts.
///
/// A class, because all chips of a board are in one scene.
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
