public import Hardware

/// A chip that can connect another chip in its package to the I2C bus, as an MPU-9250 does with its magnetometer.
public protocol EmulatedHostChip: EmulatedChip {
    /// Whether the chip's bypass switch is closed, which connects the magnetometer in the same package to the bus.
    var isBypassed: Bool { get }
}

/// What the emulated magnetometers by AKM have in common.
///
/// A single measurement can begin only in power-down mode, and the chip returns to that mode afterwards. The data are
/// held from the first read of a data register until status register 2 is read: a measurement that ends in between is
/// lost, and DOR reports the loss. DRDY falls when a data register or status register 2 is read. HOFL reports that the
/// sum of the axes' magnitudes is 4912 µT or more.
public class EmulatedAKM: EmulatedRegisterChip {
    /// The addresses of status register 1, status register 2 and the mode register, which differ between models.
    struct Layout {
        var status1: UInt8
        var status2: UInt8
        var mode: UInt8
    }

    /// The chip in whose package the magnetometer is; nil if the magnetometer has a package of its own.
    public let host: (any EmulatedHostChip)?
    private var isHeld = false

    init(scene: SensorScene, host: (any EmulatedHostChip)?, address: I2CAddress) {
        self.host = host
        super.init(address: address, scene: scene)
    }

    var layout: Layout { Layout(status1: 0x02, status2: 0x09, mode: 0x0A) }
    /// Converts a field from the frame of the package's accelerometer to the frame of the magnetometer's die.
    func atDie(_ field: SIMD3<Double>) -> SIMD3<Double> { field }
    /// Microtesla per count, for each axis.
    var steps: SIMD3<Double> { SIMD3(repeating: 0.15) }

    override public var addresses: Set<I2CAddress> {
        host?.isBypassed == false ? [] : super.addresses
    }

    override public func powerCycle() {
        isHeld = false
        super.powerCycle()
    }

    override func wasRead(_ register: UInt8) {
        if register > layout.status1, register <= layout.status2 { registers[Int(layout.status1)] &= ~1 }
        if register > layout.status1, register < layout.status2 { isHeld = true }
        if register == layout.status2 {
            isHeld = false
            registers[Int(layout.status1)] &= ~2
        }
    }

    /// Begins a single measurement, which takes 7.2 ms, if `mode` is 1 and the chip is in power-down mode; otherwise
    /// ends measuring.
    func setMode(_ mode: UInt8) {
        let isDown = registers[Int(layout.mode)] & 0x1F & ~0x10 == 0
        remaining = mode == 1 && isDown ? 7200 : nil
    }

    override func conversionEnded() {
        registers[Int(layout.mode)] &= ~0x0F
        guard !isHeld else {
            registers[Int(layout.status1)] |= 2
            return
        }
        let field = host == nil ? scene.field() : atDie(scene.field())
        let raw = field / steps
        for axis in 0..<3 {
            let limited = min(max(counts(raw[axis]), -32760), 32760)
            storeLittleEndian(limited, at: layout.status1 + 1 + UInt8(2 * axis))
        }
        let isBeyond = abs(field.x) + abs(field.y) + abs(field.z) >= 4912
        registers[Int(layout.status2)] = isBeyond ? 0x08 : 0x00
        registers[Int(layout.status1)] |= 1
    }
}
