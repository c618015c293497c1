public import Hardware

/// What emulated chips with a plain register file have in common: register pointer, supply, and timed conversions.
///
/// The behaviour of each chip is in its subclass, written from its data sheet. A class, because the bus, the test and
/// the observer of a chip's pins share the chip.
public class EmulatedRegisterChip: EmulatedChip {
    public let address: I2CAddress
    public let scene: SensorScene
    /// Whether the chip has a supply; without one it acknowledges nothing.
    public var isPresent = true
    /// Whether conversions never end, as in a defective chip.
    public var isStuck = false
    /// The number of conversions that have ended since this object was made.
    public private(set) var conversions = 0
    var registers = [UInt8](repeating: 0, count: 256)
    var pointer: UInt8 = 0
    /// The time until the running conversion ends; nil if no conversion runs.
    ///
    /// Unit: microseconds.
    var remaining: Int?

    init(address: I2CAddress, scene: SensorScene) {
        self.address = address
        self.scene = scene
        powerUp()
    }

    /// Whether a conversion is running, during which the chip draws current.
    public var isConverting: Bool { remaining != nil }

    public var addresses: Set<I2CAddress> { isPresent ? [address] : [] }

    public func write(_ bytes: [UInt8], at address: I2CAddress) -> Bool {
        guard isPresent, let first = bytes.first else { return isPresent }
        select(first)
        for value in bytes.dropFirst() {
            accept(value, in: pointer)
            pointer = following(pointer)
        }
        return true
    }

    public func read(_ count: Int, at address: I2CAddress) -> [UInt8]? {
        guard isPresent else { return nil }
        return (0..<count).map { _ in
            let value = value(of: pointer)
            wasRead(pointer)
            pointer = following(pointer)
            return value
        }
    }

    public func pass(microseconds: Int) {
        guard isPresent, !isStuck else { return }
        var left = microseconds
        while let until = remaining, until <= left {
            left -= until
            remaining = nil
            conversions += 1
            conversionEnded()
        }
        if let until = remaining { remaining = until - left }
    }

    public func powerCycle() {
        registers = [UInt8](repeating: 0, count: 256)
        pointer = 0
        remaining = nil
        powerUp()
    }

    /// Gives the registers the values that the data sheet states for power-up.
    func powerUp() {}
    /// Sets the register pointer to the first byte of a write.
    func select(_ register: UInt8) { pointer = register }
    func accept(_ value: UInt8, in register: UInt8) {}
    func value(of register: UInt8) -> UInt8 { registers[Int(register)] }
    func wasRead(_ register: UInt8) {}
    func following(_ register: UInt8) -> UInt8 { register &+ 1 }
    /// Stores the values of a conversion that has just ended; if another conversion follows at once, sets its duration
    /// (`remaining`).
    func conversionEnded() {}

    /// Stores a 16-bit value in two registers, the low byte in the first.
    func storeLittleEndian(_ value: Int, at register: UInt8) {
        let bits = UInt16(bitPattern: Int16(value))
        registers[Int(register)] = UInt8(bits & 0xFF)
        registers[Int(register) + 1] = UInt8(bits >> 8)
    }

    /// Stores a 16-bit value in two registers, the high byte in the first.
    func storeBigEndian(_ value: Int, at register: UInt8) {
        let bits = UInt16(bitPattern: Int16(value))
        registers[Int(register)] = UInt8(bits >> 8)
        registers[Int(register) + 1] = UInt8(bits & 0xFF)
    }

    /// Rounds a measured value to whole counts, limited to the range of a signed 16-bit number.
    func counts(_ value: Double) -> Int { Int(min(max(value.rounded(), -32768), 32767)) }
}
