internal import Hardware

/// What the emulated magnetometers of MEMSIC's have in common: bridges whose sense a pulse turns round.
///
/// The sense outlives a loss of supply, and a field far beyond the range spoils it. After a pulse the chip hears no
/// command for 1 ms, and while it comes up from a reset none at all. The control registers cannot be read.
public class EmulatedMEMSIC: EmulatedRegisterChip {
    /// What the bridges read without a field; it drifts with temperature.
    ///
    /// Unit: microtesla.
    public var bridgeOffset = SIMD3<Double>(12, -7, 4)
    /// Whether the bridges read the field with the sign of the package's drawing after SET rather than after RESET.
    public var isAlignedAfterSet: Bool
    /// Whether SET was the last pulse.
    private var wasSet: Bool
    /// Until it hears commands again.
    ///
    /// Unit: microseconds.
    var deafness = 0

    init(scene: SensorScene, isAlignedAfterSet: Bool) {
        self.isAlignedAfterSet = isAlignedAfterSet
        wasSet = !isAlignedAfterSet
        super.init(address: I2CAddress(0x30), scene: scene)
    }

    /// The field beyond which the bridges lose their sense.
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

    /// What the bridges read now.
    ///
    /// Unit: microtesla.
    func measure() -> SIMD3<Double> {
        let field = scene.field()
        let reading = (wasSet == isAlignedAfterSet ? field : -field) + bridgeOffset
        if max(abs(field.x), abs(field.y), abs(field.z)) > limit { wasSet = !isAlignedAfterSet }
        return reading
    }

    /// Counts without a sign, 16384 to the gauss about the middle of `bits` bits.
    func offsetCounts(_ microtesla: Double, bits: Int) -> Int {
        let counts = (microtesla / 100 * 16384).rounded() + Double(1 << (bits - 1))
        return Int(min(max(counts, 0), Double(1 << bits) - 1))
    }
}
