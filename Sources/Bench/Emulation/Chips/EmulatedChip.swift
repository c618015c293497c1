public import Hardware

/// A chip on an emulated I2C bus, as the wires see it, typed from its data sheet.
///
/// A class, because a bus, a test and a host chip that lets the bus through to it hold the same chip.
public protocol EmulatedChip: AnyObject {
    /// Where it answers now; none while it has no supply or its host chip keeps it from the bus.
    var addresses: Set<I2CAddress> { get }
    /// A write: the register's address, then what is written to it and those that follow. False: not acknowledged.
    func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool
    /// A read from where the chip's pointer stands; nil: not acknowledged.
    func read(_ count: Int, at address: I2CAddress) -> [UInt8]?
    /// Time passes: conversions end. Unit: microseconds.
    func pass(microseconds: Int)
    /// Its supply fails and comes back: registers are those of power-up.
    func powerCycle()
}

/// The surroundings of one board's emulated sensors: each chip reads them in its own frame when it converts.
///
/// A class, because all chips of a board are in one scene.
public final class SensorScene {
    /// The flux density at a chip, of its own frame, soft and hard iron and noise included.
    ///
    /// Unit: microtesla.
    public var field: () -> SIMD3<Double>
    /// The specific force at a chip, of its own frame.
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
