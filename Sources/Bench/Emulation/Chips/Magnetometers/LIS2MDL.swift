internal import Hardware

/// An emulated LIS2MDL, which is also the magnetometer of the LSM303AGR, from ST's data sheets DS12144 and DocID027765.
///
/// After power-up the chip is idle, without temperature compensation. With offset cancellation in continuous mode each
/// output is the mean of two half measurements, one after a set pulse and one after a reset pulse; the first output
/// after idle still has the bridge's offset. The data sheet's frame is left-handed: its Z is opposite to that of a
/// right-handed frame with the same X and Y. In single mode with offset cancellation a measurement never ends, as users
/// have reported.
public final class EmulatedLIS2MDL: EmulatedRegisterChip {
    /// The offset of the magnetoresistive bridge, which the chip's offset cancellation removes.
    ///
    /// Unit: microtesla.
    public var bridgeOffset = SIMD3<Double>(6, -4, 5)
    /// The relative gain error that temperature causes while temperature compensation is off; 0.1 is 10 %.
    public var temperatureError = 0.1
    /// Whether the status register never shows that data were overwritten unread.
    public var hidesOverrun = false
    private var sinceIdle = 0

    public init(scene: SensorScene) { super.init(address: I2CAddress(0x1E), scene: scene) }

    override func powerUp() {
        registers[0x4F] = 0x40
        registers[0x60] = 0x03
    }

    override func wasRead(_ register: UInt8) { if register == 0x6D { registers[0x67] = 0 } }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x60 where value & 0x60 != 0:
            for index in 0x60...0x6D { registers[index] = 0 }
            registers[0x60] = 0x03
            remaining = nil
        case 0x60:
            registers[0x60] = value
            setMode(value & 3)
        case 0x45...0x4A, 0x61...0x63, 0x65, 0x66: registers[Int(register)] = value
        default: return
        }
    }

    private var cancels: Bool { registers[0x61] & 0x02 != 0 }
    private var period: Int { [100_000, 50_000, 20_000, 10_000][Int(registers[0x60] >> 2 & 3)] }

    /// Sets the mode; the first measurement ends 9.4 ms later, the turn-on time in high resolution.
    private func setMode(_ mode: UInt8) {
        sinceIdle = 0
        switch mode {
        case 0: remaining = 9400
        case 1 where !(cancels && registers[0x61] & 0x10 != 0): remaining = 9400
        default: remaining = nil
        }
    }

    override func conversionEnded() {
        if registers[0x60] & 3 == 1 { registers[0x60] |= 3 } else { remaining = period }
        sinceIdle += 1
        var field = scene.field() * (registers[0x60] & 0x80 == 0 ? 1 + temperatureError : 1)
        if !(cancels && sinceIdle > 1) { field += bridgeOffset }
        let raw = field * SIMD3(1, 1, -1) / 0.15
        for axis in 0..<3 { store(counts(raw[axis]), axis) }
        registers[0x67] = registers[0x67] & 0x08 == 0 || hidesOverrun ? 0x0F : 0xFF
    }

    private func store(_ value: Int, _ axis: Int) {
        let register = UInt8(0x68 + 2 * axis)
        if registers[0x62] & 0x08 == 0 {
            storeLittleEndian(value, at: register)
        } else {
            storeBigEndian(value, at: register)
        }
    }
}
