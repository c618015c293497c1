internal import Hardware

/// What the emulated magnetometers by MEMSIC have in common: a SET or RESET pulse decides the sign of their
/// magnetoresistive bridges.
///
/// The sign survives a loss of supply; a field far beyond the range destroys it. The chip ignores commands for 1 ms
/// after a pulse, and while it starts after a reset. The control registers cannot be read.
public class EmulatedMEMSIC: EmulatedRegisterChip {
    /// The bridges' reading in zero field; in a real chip it drifts with temperature.
    ///
    /// Unit: microtesla.
    public var bridgeOffset = SIMD3<Double>(12, -7, 4)
    /// Whether a SET pulse gives the axes the signs of the package's drawing; if false, a RESET pulse does.
    public var isAlignedAfterSet: Bool
    /// Whether the last pulse was SET; if false, it was RESET.
    private var wasSet: Bool
    /// The time until the chip obeys commands again.
    ///
    /// Unit: microseconds.
    var deafness = 0

    init(scene: SensorScene, isAlignedAfterSet: Bool) {
        self.isAlignedAfterSet = isAlignedAfterSet
        wasSet = !isAlignedAfterSet
        super.init(address: I2CAddress(0x30), scene: scene)
    }

    /// The field on an axis beyond which the bridges lose their sign.
    ///
    /// Unit: microtesla.
    var limit: Double { 3200 }

    override public func pass(microseconds: Int) {
        super.pass(microseconds: microseconds)
        deafness = max(0, deafness - microseconds)
    }

    func pulse(isSet: Bool) {
        wasSet = isSet
        deafness = 1000
    }

    /// The readings of the magnetoresistive bridges in the present field.
    ///
    /// Unit: microtesla.
    func measure() -> SIMD3<Double> {
        let field = scene.field()
        let reading = (wasSet == isAlignedAfterSet ? field : -field) + bridgeOffset
        if max(abs(field.x), abs(field.y), abs(field.z)) > limit { wasSet = !isAlignedAfterSet }
        return reading
    }

    /// Converts a flux density to an unsigned reading of `bits` bits: 16384 counts per gauss, with zero field in the
    /// middle of the range.
    func offsetCounts(_ microtesla: Double, bits: Int) -> Int {
        let counts = (microtesla / 100 * 16384).rounded() + Double(1 << (bits - 1))
        return Int(min(max(counts, 0), Double(1 << bits) - 1))
    }
}
