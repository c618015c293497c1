/// A value for one register of a chip, made of the fields that the data sheet names.
///
/// Each register has a type of its own, so that its value cannot be written into another register.
public protocol RegisterValue: Sendable {
    static var register: UInt8 { get }
    var rawValue: UInt8 { get }
}

extension I2CBus where Self: ~Copyable {
    /// Writes a value into the register to which its type belongs.
    public mutating func set<Value: RegisterValue>(_ value: Value, at address: I2CAddress) throws(ChipError) {
        try writeRegister(Value.register, value.rawValue, at: address)
    }
}
