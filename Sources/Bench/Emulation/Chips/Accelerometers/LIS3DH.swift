public import Hardware

/// An emulated LIS3DH, which is also the accelerometer of the LSM303AGR, from ST's data sheet DocID17530 and
/// application note AN3308.
///
/// The register pointer advances only where bit 7 of the sub-address is set. After power-up the chip is in power-down
/// mode with its axes enabled. In high-resolution mode the seventh sample after power-down is the first settled one. A
/// read of REFERENCE sets the high-pass filter to the present acceleration. The interrupt compares the magnitude of
/// each enabled axis with the threshold; it is high while the threshold is exceeded or, if latching is enabled, until
/// INT1_SRC is read.
public class EmulatedLIS3DH: EmulatedRegisterChip {
    /// The level of the pin INT1.
    public private(set) var interruptLevel = false
    /// Called with the new level when the level of the pin INT1 changes.
    public var interruptChanged: (Bool) -> Void = { _ in }
    private var isActive = false
    private var moves = false
    private var samples = 0
    private var slowMean = SIMD3<Double>(repeating: 0)
    private var exceeding = 0

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x18)) {
        super.init(address: address, scene: scene)
    }

    var identity: UInt8 { 0x33 }

    override func powerUp() {
        registers[0x0F] = identity
        registers[0x20] = 0x07
        slowMean = SIMD3(repeating: 0)
        setInterrupt(false)
    }

    override func select(_ register: UInt8) {
        moves = register & 0x80 != 0
        pointer = register & 0x7F
    }

    override func following(_ register: UInt8) -> UInt8 { moves ? (register + 1) & 0x7F : register }

    override func wasRead(_ register: UInt8) {
        switch register {
        case 0x2D: registers[0x27] = 0
        case 0x26: slowMean = milligravities
        case 0x31:
            registers[0x31] = 0
            if registers[0x24] & 0x08 != 0 { setInterrupt(false) }
        default: return
        }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x20:
            let isNew = value >> 4 != registers[0x20] >> 4
            if registers[0x20] >> 4 == 0 { samples = 0 }
            registers[0x20] = value
            if isNew || remaining == nil { remaining = period }
        case 0x25:
            registers[0x25] = value
            setInterrupt(isActive)
        case 0x21...0x24, 0x26, 0x30, 0x32, 0x33: registers[Int(register)] = value
        default: return
        }
    }

    private var period: Int? {
        let hertz: [Double] = [0, 1, 10, 25, 50, 100, 200, 400, 1620, 1344]
        let code = Int(registers[0x20] >> 4)
        return code == 0 || code >= hertz.count ? nil : Int(1e6 / hertz[code])
    }

    private var isHighResolution: Bool { registers[0x23] & 0x08 != 0 && registers[0x20] & 0x08 == 0 }
    private var milligravities: SIMD3<Double> { scene.acceleration() / 9.80665 * 1000 }

    override func conversionEnded() {
        remaining = period
        samples += 1
        let now = milligravities
        let settled = isHighResolution && samples < 7 ? now * Double(samples) / 7 : now
        for axis in 0..<3 where registers[0x20] & 1 << axis != 0 {
            storeLittleEndian(leftJustified(settled[axis]), at: UInt8(0x28 + 2 * axis))
        }
        registers[0x27] = registers[0x27] & 0x08 == 0 ? 0x0F : 0xFF
        // The corner frequency of the high-pass filter is a fiftieth of the data rate.
        slowMean += (now - slowMean) * (2 * .pi / 50)
        judge(now)
    }

    /// The data registers' value for an acceleration in milligravities: 12, 10 or 8 bits, left-justified in 16 bits.
    ///
    /// One count of a 12-bit value is 1 mg in the range of ±2 g, and 12 mg in the range of ±16 g.
    private func leftJustified(_ value: Double) -> Int {
        let milligravitiesOfTwelve = [1.0, 2, 4, 12][Int(registers[0x23] >> 4 & 3)]
        let bits = isHighResolution ? 12 : registers[0x20] & 0x08 != 0 ? 8 : 10
        let step = milligravitiesOfTwelve * Double(1 << (12 - bits))
        let limit = Double(1 << (bits - 1))
        return Int(min(max((value / step).rounded(), -limit), limit - 1)) << (16 - bits)
    }

    private func judge(_ now: SIMD3<Double>) {
        let value = registers[0x21] & 0x01 != 0 ? now - slowMean : now
        let threshold = Double(registers[0x32] & 0x7F) * [16.0, 32, 62, 186][Int(registers[0x23] >> 4 & 3)]
        let exceeds = (0..<3).contains { registers[0x30] & 2 << (2 * $0) != 0 && abs(value[$0]) > threshold }
        exceeding = exceeds ? exceeding + 1 : 0
        let isActive = exceeding > Int(registers[0x33] & 0x7F)
        if isActive { registers[0x31] = 0x40 }
        let isDriven = registers[0x22] & 0x40 != 0
        let isLatched = registers[0x24] & 0x08 != 0
        setInterrupt(isDriven && (isActive || isLatched && self.isActive))
    }

    /// Sets whether the interrupt is active; the pin INT1 is then high, or low if bit 1 of control register 6 inverts
    /// it.
    private func setInterrupt(_ active: Bool) {
        isActive = active
        let level = active != (registers[0x25] & 0x02 != 0)
        guard level != interruptLevel else { return }
        interruptLevel = level
        interruptChanged(level)
    }
}
